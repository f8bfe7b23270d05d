// Glossary: node: Processors with the memory that is local to them.
// Glossary: locality domain: Another name for a NUMA node, used by the kernel and by hwloc; NumaLab says
//   *node*.
/// A NUMA node, counted through the whole machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// A core, counted through the whole machine in the order of the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CoreId(pub u32);

/// The reading end of a route: a node with all its cores, or a single core if an interconnect inside the node
/// connects its cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReaderId(pub u32);

/// A resource of the fabric with a capacity: a memory port, a link direction, a controller direction, or a request
/// tracker. The solver has its own numbers for the resources that flows cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourceId(pub u32);
