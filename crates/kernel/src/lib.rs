//! Event queue, random streams, typed indices and the fluid (max-min) solver. Knows nothing of NUMA.

/// Index of something that has a capacity: a memory controller, a link direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourceId(pub u32);
