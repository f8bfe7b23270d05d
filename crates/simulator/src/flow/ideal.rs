//! Ideals: parts of the machine that cost nothing in a run.

use numalab_machine::{Fabric, Machine};

// Glossary: ideal: Something that costs a run nothing, such as the bandwidth of links, to find out what it
//   costs.
/// Switches of the engine, one for each cost that can be left out. An ideal is no value of the machine: the cost is
/// left out wherever it would occur.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ideal<'a> {
    /// Data is always in the memory of the node that reads it.
    pub local: bool,
    /// Links, node controllers and requests in flight have no limit.
    pub links: bool,
    /// Remote memory has the latency of local memory.
    pub near: bool,
    /// Memory controllers have no limit.
    pub memory: bool,
    /// In measured phases the last-level caches never evict.
    pub caches: bool,
    /// Page faults and messages of nodes that share pages take a thousandth of their time. In zero time two nodes
    /// could take a page from each other at one instant for ever.
    pub pages: bool,
    /// Machine on which the runtime's lines move, with the same cores and resources; `None`: the run's machine.
    pub lines: Option<(&'a Machine, &'a Fabric)>,
}
