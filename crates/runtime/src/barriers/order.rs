//! Parents and children in a barrier.

/// The children of each thread. Thread 0 is nobody's child, everybody else one thread's.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ParentOrder {
    /// In the order in which a parent looks at them.
    pub gather: Vec<Vec<u32>>,
    /// In the order in which it releases them.
    pub release: Vec<Vec<u32>>,
}

impl ParentOrder {
    /// Children are looked at from the lowest level up, and released from the highest level down.
    pub fn by_levels(children: Vec<Vec<u32>>) -> ParentOrder {
        let mut release = children.clone();
        release.iter_mut().for_each(|children| children.reverse());
        ParentOrder { gather: children, release }
    }
}
