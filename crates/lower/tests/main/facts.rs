//! Facts with which the tests resolve workloads; the fuzzer uses them, too.

use numalab_files::Facts;
use numalab_machine::NumberList;

/// Facts of two boards of two nodes with four cores each.
pub const FACTS: Facts = Facts {
    pages: false,
    core_overlap: 1.0,
    threads: 8,
    nodes: 4,
    memory_nodes: 4,
    named_nodes: Vec::new(),
    memoryless: NumberList::EMPTY,
    sockets: 4,
    boards: 2,
    cores: 16,
    processors: 32,
    line: 64,
    page: 4096,
    last_level_cache: 1 << 20,
    node_memory: 1 << 34,
    memory_bandwidth: 1e10,
    instructions_per_second: 3e9,
};
