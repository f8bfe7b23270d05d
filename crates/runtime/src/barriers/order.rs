//! Parents and children in a barrier.

/// The children of each thread. Thread 0 is nobody's child, everybody else one thread's.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ParentOrder {
    /// One thread's after the other's, in the order in which a parent looks at them.
    children: Vec<u32>,
    /// Starts of those of each thread, and the end of those of the last.
    starts: Vec<u32>,
    /// Children are released in the opposite order.
    reversed: bool,
}

impl ParentOrder {
    /// Children are looked at and released in the same order.
    pub fn new(threads: impl IntoIterator<Item = impl IntoIterator<Item = u32>>) -> ParentOrder {
        let (mut children, mut starts) = (Vec::new(), vec![0]);
        for thread in threads {
            children.extend(thread);
            starts.push(children.len() as u32);
        }
        ParentOrder { children, starts, reversed: false }
    }

    /// Children are looked at from the lowest level up, and released from the highest level down.
    pub fn by_levels(threads: impl IntoIterator<Item = impl IntoIterator<Item = u32>>) -> ParentOrder {
        ParentOrder { reversed: true, ..ParentOrder::new(threads) }
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.starts.len() - 1
    }

    /// The children in the order in which a parent looks at them.
    pub fn gather(&self, thread: u32) -> &[u32] {
        let thread = thread as usize;
        &self.children[self.starts[thread] as usize..self.starts[thread + 1] as usize]
    }

    /// The children in the order in which it releases them.
    pub fn release(&self, thread: u32) -> impl Iterator<Item = u32> {
        let children = self.gather(thread);
        let count = children.len();
        (0..count).map(move |at| children[if self.reversed { count - 1 - at } else { at }])
    }
}
