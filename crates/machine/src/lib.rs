//! The typed hierarchy, its checker, its graph, and the sealed fabric of routes.

mod model;

pub use model::*;

/// A NUMA node, counted through the whole machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// A core, counted through the whole machine in the order of the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CoreId(pub u32);
