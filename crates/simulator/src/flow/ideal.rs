//! Ideals: parts of the machine that a run may be spared.

use numalab_machine::{Fabric, Machine};

// Glossary: ideal: Something that costs a run nothing, such as the bandwidth of links, to find out what it
//   costs.
/// Switches of the engine, each for something that costs nothing in a run. None of them is a value of the machine:
/// what is left out is left out wherever it would count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ideal<'a> {
    /// Data is always in the memory of the node that asks for it.
    pub local: bool,
    /// Links, node controllers and requests in flight limit nobody.
    pub links: bool,
    /// Data from elsewhere is there as soon as from the own node.
    pub near: bool,
    /// Memory limits nobody.
    pub memory: bool,
    /// In measured phases the last-level caches forget nothing.
    pub caches: bool,
    /// Faults on pages that nodes share in software stop nobody for long, and their messages neither: all of it takes a
    /// thousandth of its time. Not none: who takes a page from another at one instant would do so for ever.
    pub pages: bool,
    /// The machine that the runtime's lines move on, if it is another: with the same cores and resources.
    pub lines: Option<(&'a Machine, &'a Fabric)>,
}
