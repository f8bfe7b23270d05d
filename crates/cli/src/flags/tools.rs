//! Flags of other tools that place threads and pages: numactl, likwid-pin, hwloc.

use clap::Args;

/// Placement of threads and pages in the syntax of numactl, likwid-pin and hwloc-bind.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "In the syntax of other tools")]
pub struct Tools {
    /// numactl: all pages round robin over these nodes, such as 0-3 or all
    #[arg(long, value_name = "NODES", conflicts_with_all = ["placements", "membind", "preferred", "localalloc"])]
    pub interleave: Option<String>,

    /// numactl: all pages over these nodes, in proportion to their bandwidth
    #[arg(long, value_name = "NODES", conflicts_with_all = ["placements", "interleave", "membind", "preferred", "preferred_many", "localalloc"])]
    pub weighted_interleave: Option<String>,

    /// numactl: all pages on these nodes
    #[arg(long, value_name = "NODES", conflicts_with_all = ["placements", "preferred", "localalloc"])]
    pub membind: Option<String>,

    /// numactl: all pages on the nearest of these nodes with free memory
    #[arg(long, value_name = "NODES", conflicts_with_all = ["placements", "interleave", "membind", "preferred", "localalloc"])]
    pub preferred_many: Option<String>,

    /// numactl: all pages on this node while it has free memory
    #[arg(long, value_name = "NODE", conflicts_with_all = ["placements", "localalloc"])]
    pub preferred: Option<String>,

    /// numactl: each page on the node of the thread that touches it first
    #[arg(long, conflicts_with = "placements")]
    pub localalloc: bool,

    /// numactl: threads on the processors of these nodes
    #[arg(long, value_name = "NODES", conflicts_with_all = ["procs", "physcpubind", "likwid_pin", "cpuset"])]
    pub cpunodebind: Option<String>,

    /// numactl: threads on these processors, such as 0-7,16
    #[arg(long, value_name = "CPUS", conflicts_with_all = ["procs", "likwid_pin", "cpuset"])]
    pub physcpubind: Option<String>,

    /// likwid-pin: threads on S0:0-3@S1:0-3, M1:0,1, N:0-7, E:S0:4:1:2, M:scatter or 0,2-4
    #[arg(long, value_name = "EXPRESSION", conflicts_with_all = ["procs", "cpuset"])]
    pub likwid_pin: Option<String>,

    /// hwloc: threads on the processors of a bitmap, such as 0x000000ff or 0xf,0x0000000f
    #[arg(long, value_name = "BITMAP", conflicts_with = "procs")]
    pub cpuset: Option<String>,
}
