//! Runs whose work is counted.

/// A run, with the words of its command line.
pub struct Run {
    /// Name of the run and of its row in the golden file.
    pub name: &'static str,
    pub machine: &'static str,
    pub workload: &'static str,
    /// Name of the policy; empty for all policies that the workload compares.
    pub policy: &'static str,
    pub overrides: &'static [&'static str],
    /// Placement of all pages; empty for that of the workload.
    pub placement: &'static str,
    /// True if the files are read and checked within the counts, as for one question of the command line.
    pub with_files: bool,
    pub size: Size,
}

/// Occasion on which a run is counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// In every `cargo test`.
    Everyday,
    /// With `--large`, in release builds.
    Large,
}

/// A run that every `cargo test` counts, with the workload's own placement.
const fn run(
    name: &'static str,
    machine: &'static str,
    workload: &'static str,
    policy: &'static str,
    overrides: &'static [&'static str],
) -> Run {
    Run { name, machine, workload, policy, overrides, placement: "", with_files: false, size: Size::Everyday }
}

impl Run {
    const fn large(self) -> Run {
        Run { size: Size::Large, ..self }
    }

    const fn with_files(self) -> Run {
        Run { with_files: true, ..self }
    }

    const fn placed(self, placement: &'static str) -> Run {
        Run { placement, ..self }
    }
}

/// Policy of most runs with loops.
const MOST_LOADED: &str = "numa-steal:most-loaded";

/// Machines of 512 processors on 64 nodes (`FULL`), 2 080 on 208 (`WIDE`) and 8 192 on 512 (`HUGE`).
const FULL: &str = "board:32 socket:2 core:8";
const WIDE: &str = "board:104 socket:2 core:10";
const HUGE: &str = "board:128 socket:4 core:16";

/// Iterations of `loadbal` on `WIDE` and `HUGE`: 30 per thread.
const OF_WIDE: &[&str] = &["workload.packages=62400"];
const OF_HUGE: &[&str] = &["workload.packages=245760"];

/// All runs, in the order of the golden file's rows.
pub const RUNS: &[Run] = &[
    run("loadbal_128_all_policies", "bcs16", "loadbal", "", &[]),
    // A short question: most of what it costs is not simulation.
    run("question_128_static", "bcs16", "loadbal", "static", &[]).with_files(),
    run("loadbal_2080_static", WIDE, "loadbal", "static", OF_WIDE),
    run("loadbal_2080_most_loaded", WIDE, "loadbal", MOST_LOADED, OF_WIDE),
    run("loadbal_2080_dynamic", WIDE, "loadbal", "dynamic", OF_WIDE),
    run("guided_640", "board:32 socket:2 core:10", "loadbal", "guided", &["workload.packages=19200"]),
    // More traffic than the boards' links carry: each of the 208 links from a socket to its controller is saturated.
    run(
        "full_links_2080",
        WIDE,
        "loadbal",
        "dynamic",
        &["workload.packages=62400", "workload.footprint=260 GB"],
    ),
    // Every thread reads from all nodes.
    run("interleaved_512", FULL, "loadbal", "dynamic", &[]).placed("interleave"),
    // Every thread reads from all nodes, and the outstanding requests of a flow depend on all other flows.
    run("random_lines_512", FULL, "random_access", "", &[]),
    // Ties: several resources limit the same flows equally.
    run("ties_altix_512", "altix-uv", "memory_go_around", "", &[]),
    run("barriers_128", "bcs16", "epcc", "", &["workload.construct=barrier"]),
    run("reductions_2080", WIDE, "epcc", "", &["workload.construct=reduction", "workload.executions=10"]),
    run("locks_mesif_128", "bcs16", "locks", "", &["workload.kind=test-and-set"]),
    run("locks_moesi_64", "epyc-naples-2p", "locks", "", &["workload.kind=ticket"]),
    run("fib_own_queues_128", "bcs16", "fib", "tasks", &[]),
    run("fib_central_queue_128", "bcs16", "fib", "tasks:central", &[]),
    run(
        "fib_hierarchical_128",
        "bcs16",
        "fib",
        "tasks:hierarchical",
        &["workload.n=22", "workload.cutoff=22"],
    ),
    run("first_touch_128", "bcs16", "first_touch_init", "", &[]),
    run("next_touch_128", "bcs16", "migration_daxpy", "", &["workload.mechanism=next_touch"]),
    run("balancing_128", "bcs16", "matvec", "", &[]),
    run("caches_128", "bcs16", "cg", "", &[]),
    run("tasks_and_caches_128", "bcs16", "heat", "tasks", &[]),
    run("loadbal_2080_guided", WIDE, "loadbal", "guided", OF_WIDE).large(),
    // Hundreds of flows that each cross hundreds of resources, many of which are equally saturated.
    run("random_lines_altix_2080", "altix-uv", "random_access", "", &[]).large(),
    run("loadbal_8192_static", HUGE, "loadbal", "static", OF_HUGE).large(),
    run("loadbal_8192_most_loaded", HUGE, "loadbal", MOST_LOADED, OF_HUGE).large(),
    run("loadbal_8192_dynamic", HUGE, "loadbal", "dynamic", OF_HUGE).large(),
    run("barriers_8192", HUGE, "epcc", "", &["workload.construct=barrier", "workload.executions=10"]).large(),
];
