//! Facts about machine and team that expressions can use.

use numalab_machine::{Machine, NumberList, totals};
use std::ops::Range;

/// Facts about machine and team, each a name in expressions of a workload.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// Threads of the team.
    pub threads: u32,
    /// NUMA nodes with processors.
    pub nodes: u32,
    /// All NUMA nodes.
    pub memory_nodes: u32,
    /// Memory-only nodes, by the name of their kind.
    pub named_nodes: Vec<(String, Range<u32>)>,
    /// Nodes with processors and without memory.
    pub memoryless: NumberList,
    pub sockets: u32,
    /// Number of boards; a machine without boards counts as one board.
    pub boards: u32,
    pub cores: u32,
    /// Hardware threads.
    pub processors: u32,
    /// Bytes of a cache line.
    pub line: u64,
    /// Bytes of a page.
    pub page: u64,
    /// Bytes of one last-level cache; 0 if the machine has no caches.
    pub last_level_cache: u64,
    /// Bytes of memory of a node with processors, the mean over these nodes.
    pub node_memory: u64,
    /// Bytes per second of a node's memory, the mean over nodes with processors.
    pub memory_bandwidth: f64,
    /// Instructions per second of a core.
    pub instructions_per_second: f64,
    /// Fraction (0 to 1) of computing that overlaps with waiting for predictable loads.
    pub core_overlap: f64,
    /// True if nodes share memory by pages, so that slices must tell which pages they touch.
    pub pages: bool,
}

impl Default for Facts {
    /// One thread on a machine of one core, for reading without a machine.
    fn default() -> Facts {
        Facts {
            threads: 1,
            nodes: 1,
            memory_nodes: 1,
            named_nodes: Vec::new(),
            memoryless: NumberList::default(),
            sockets: 1,
            boards: 1,
            cores: 1,
            processors: 1,
            line: 64,
            page: 4096,
            last_level_cache: 0,
            node_memory: 1 << 34,
            memory_bandwidth: 1e10,
            instructions_per_second: 1e9,
            core_overlap: 1.0,
            pages: false,
        }
    }
}

impl Facts {
    /// Names of the facts in expressions.
    pub const NAMES: [&'static str; 15] = [
        "threads",
        "nodes",
        "sockets",
        "boards",
        "cores",
        "processors",
        "nodes_per_board",
        "cores_per_node",
        "line",
        "page",
        "last_level_cache",
        "node_memory",
        "memory_bandwidth",
        "instructions_per_second",
        "core_overlap",
    ];

    pub fn of(machine: &Machine, threads: u32) -> Facts {
        let totals = totals(machine);
        let (memory, bandwidth) = machine.mean_memory();
        Facts {
            threads,
            nodes: totals.nodes,
            memory_nodes: totals.nodes.saturating_add(totals.memory_only),
            named_nodes: machine
                .memory_only
                .iter()
                .filter_map(|kind| Some((kind.name.clone(), machine.nodes_named(&kind.name)?)))
                .collect(),
            memoryless: machine.memoryless_nodes(),
            sockets: totals.sockets.unwrap_or(1),
            boards: totals.boards.unwrap_or(1),
            cores: totals.cores,
            processors: totals.processors,
            line: machine.memory.line.0,
            page: machine.memory.page.0,
            node_memory: memory.0,
            memory_bandwidth: bandwidth.0,
            last_level_cache: machine.caches.last().map_or(0, |cache| cache.size.0),
            instructions_per_second: machine.core.clock.0 * machine.core.instructions_per_cycle,
            core_overlap: machine.core.overlap,
            pages: machine.dsm.is_some(),
        }
    }

    /// Replaces facts by defaults if only expressions can read them and none of `texts` names them. Workloads that
    /// differ only in such facts are then equal.
    #[must_use]
    pub fn read_by<'t>(&self, texts: impl Iterator<Item = &'t str> + Clone) -> Facts {
        let read = |name: &str| texts.clone().any(|text| text.contains(name));
        let none = Facts::default();
        let mut facts = self.clone();
        if !read("last_level_cache") {
            facts.last_level_cache = none.last_level_cache;
        }
        if !read("node_memory") {
            facts.node_memory = none.node_memory;
        }
        if !read("memory_bandwidth") {
            facts.memory_bandwidth = none.memory_bandwidth;
        }
        if !read("instructions_per_second") {
            facts.instructions_per_second = none.instructions_per_second;
        }
        if !read("core_overlap") {
            facts.core_overlap = none.core_overlap;
        }
        facts
    }

    /// Values of [`Facts::NAMES`], in that order.
    pub fn values(&self) -> [f64; 15] {
        let per = |all: u32, parts: u32| f64::from(all) / f64::from(parts.max(1));
        [
            self.threads.into(),
            self.nodes.into(),
            self.sockets.into(),
            self.boards.into(),
            self.cores.into(),
            self.processors.into(),
            per(self.nodes, self.boards),
            per(self.cores, self.nodes),
            self.line as f64,
            self.page as f64,
            self.last_level_cache as f64,
            self.node_memory as f64,
            self.memory_bandwidth,
            self.instructions_per_second,
            self.core_overlap,
        ]
    }
}
