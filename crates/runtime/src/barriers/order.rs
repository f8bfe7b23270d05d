//! Parents and children in a barrier.

/// Children of each thread. Every thread except 0 has one parent.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ParentOrder {
    /// Children of all threads, in the order in which a parent checks them.
    children: Vec<u32>,
    /// Index in `children` of each thread's first child; at the end, the number of children.
    starts: Vec<u32>,
    /// True if a parent releases its children in the opposite order of `children`.
    reversed: bool,
}

impl ParentOrder {
    /// Order in which a parent both checks and releases its children. `threads`: children of each thread.
    pub fn new(threads: impl IntoIterator<Item = impl IntoIterator<Item = u32>>) -> ParentOrder {
        let (mut children, mut starts) = (Vec::new(), vec![0]);
        for thread in threads {
            children.extend(thread);
            starts.push(children.len() as u32);
        }
        ParentOrder { children, starts, reversed: false }
    }

    /// Order in which a parent checks its children from the lowest level up and releases them from the highest level
    /// down.
    pub fn by_levels(threads: impl IntoIterator<Item = impl IntoIterator<Item = u32>>) -> ParentOrder {
        ParentOrder { reversed: true, ..ParentOrder::new(threads) }
    }

    pub fn threads(&self) -> usize {
        self.starts.len() - 1
    }

    /// Children in the order in which a parent checks them.
    pub fn gather(&self, thread: u32) -> &[u32] {
        let thread = thread as usize;
        &self.children[self.starts[thread] as usize..self.starts[thread + 1] as usize]
    }

    /// Children in the order in which a parent releases them.
    pub fn release(&self, thread: u32) -> impl Iterator<Item = u32> {
        let children = self.gather(thread);
        let count = children.len();
        (0..count).map(move |at| children[if self.reversed { count - 1 - at } else { at }])
    }
}
