//! Typed indices.

// Glossary: node: Processors with the memory that is local to them.

// Glossary: locality domain: Another name for a NUMA node, used by the kernel and by hwloc; NumaLab says
//   *node*.

/// A NUMA node, counted through the whole machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// A core, counted through the whole machine in the order of the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CoreId(pub u32);

/// The reading end of a route: all cores of a node are the same end, unless an interconnect inside the
/// node puts each at a place of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReaderId(pub u32);

/// A resource of the fabric, which has a capacity: a memory port, a link direction, the requests that a unit may have
/// in flight. The solver numbers those that flows cross by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourceId(pub u32);
