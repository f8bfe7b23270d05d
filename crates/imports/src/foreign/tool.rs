//! Tools whose output is read.

use super::page::Page;
use super::{Foreign, core_to_core, likwid_bench, likwid_topology, lscpu, mlc, numactl, slit, stream};
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::nearest::hint;
use std::fmt;
use std::str::FromStr;

numalab_base::words! {
    /// A tool whose output is read.
    pub enum Tool {
        /// Intel's Memory Latency Checker, `mlc`.
        Mlc = "mlc",
        /// `lscpu`, also with `-J`, `-p` or `-e`.
        Lscpu = "lscpu",
        /// `numactl --hardware`.
        Numactl = "numactl",
        /// Distances between nodes alone, as ACPI's table and `/sys` have them.
        Slit = "slit",
        /// A matrix of core-to-core latencies: CSV of `core-to-core-latency`, or the table of `c2clat`.
        CoreToCore = "core-to-core",
        /// McCalpin's STREAM.
        Stream = "stream",
        /// `likwid-bench`.
        LikwidBench = "likwid-bench",
        /// `likwid-topology`.
        LikwidTopology = "likwid-topology",
    }
}

impl Tool {
    /// Name of the tool's output in messages.
    pub fn output(self) -> &'static str {
        match self {
            Tool::Mlc => "the output of Intel's Memory Latency Checker",
            Tool::Lscpu => "the output of lscpu",
            Tool::Numactl => "the output of \"numactl --hardware\"",
            Tool::Slit => "a table of the firmware's distances between nodes",
            Tool::CoreToCore => "a matrix of core-to-core latencies",
            Tool::Stream => "the output of STREAM",
            Tool::LikwidBench => "the output of likwid-bench",
            Tool::LikwidTopology => "the output of likwid-topology",
        }
    }

    /// True if the text holds output of this tool.
    pub(super) fn printed(self, page: &Page<'_>) -> bool {
        match self {
            Tool::Mlc => mlc::printed(page),
            Tool::Lscpu => lscpu::printed(page),
            Tool::Numactl => numactl::printed(page),
            Tool::Slit => slit::printed(page),
            Tool::CoreToCore => core_to_core::printed(page),
            Tool::Stream => stream::printed(page),
            Tool::LikwidBench => likwid_bench::printed(page),
            Tool::LikwidTopology => likwid_topology::printed(page),
        }
    }

    pub(super) fn read(self, page: &Page<'_>, found: &mut Foreign) -> Result<(), Vec<Diagnostic>> {
        match self {
            Tool::Mlc => mlc::read(page, found),
            Tool::Lscpu => lscpu::read(page, found),
            Tool::Numactl => numactl::read(page, found),
            Tool::Slit => slit::read(page, found),
            Tool::CoreToCore => core_to_core::read(page, found),
            Tool::Stream => stream::read(page, found),
            Tool::LikwidBench => likwid_bench::read(page, found),
            Tool::LikwidTopology => likwid_topology::read(page, found),
        }
    }

    /// Text that the tool's output always holds, and words that hint at this tool.
    pub(super) fn signs(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Tool::Mlc => (
                "\"Measuring …\" above a matrix, a curve or rates",
                &["mlc", "latency checker", "numa node", "mb/sec", "inject", "idle latenc", "reads"],
            ),
            Tool::Lscpu => (
                "\"CPU(s):\", or the header of its table (run it with LC_ALL=C)",
                &["architecture", "cpu(s)", "socket", "core(s)", "l1d", "model name", "byte order", "lscpu"],
            ),
            Tool::Numactl => (
                "\"available: … nodes\"",
                &["available", "node distances", "cpus:", "size:", "free:", "numactl"],
            ),
            Tool::Slit => ("a square of whole numbers with 10 on its diagonal", &["slit", "distance"]),
            Tool::CoreToCore => (
                "a square of numbers with a comma between them, or a line of processor numbers above",
                &["core", "latency", "cpu", "num cores", "ns"],
            ),
            Tool::Stream => (
                "\"Function    Best Rate MB/s\" and a line for each kernel",
                &["stream", "copy", "scale", "triad", "array size"],
            ),
            Tool::LikwidBench => {
                ("\"Test:\" and \"MByte/s:\"", &["likwid", "mbyte/s", "cycles", "test:", "work groups"])
            }
            Tool::LikwidTopology => (
                "\"HWThread\" above a table with sockets",
                &[
                    "hardware thread topology",
                    "cache topology",
                    "numa topology",
                    "cpu stepping",
                    "cache groups",
                ],
            ),
        }
    }
}

/// Error: no tool has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTool(String);

impl fmt::Display for UnknownTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hint = hint(&self.0, Tool::NAMES);
        write!(f, "no tool is called `{}`; {hint}", numalab_syntax::tree::shorten(&self.0))
    }
}

impl std::error::Error for UnknownTool {}

impl FromStr for Tool {
    type Err = UnknownTool;

    fn from_str(text: &str) -> Result<Tool, UnknownTool> {
        Tool::from_name(text).ok_or_else(|| UnknownTool(text.to_owned()))
    }
}
