//! A priority queue in which every item has at most one entry, and an entry can be moved.
//!
//! A bundle of flows has one next completion, and a change of rates moves this completion, earlier as often as later.
//! Moving the entry in place keeps stale entries out: for such changes the queue beats a heap with lazy deletion (see
//! `benches/queue.rs`). For entries that never move, the standard library's heap is faster.

use numalab_base::{Index, Time};

numalab_base::index_type! {
    /// Position of an entry in the heap, from 0.
    Position
}

/// Children of a heap node. Four children of 16 bytes lie in at most two cache lines.
const ARITY: usize = 4;

/// Queue of items of an index type, ordered by time, equal times by item number.
#[derive(Clone, Debug)]
pub struct EventQueue<Item> {
    heap: Vec<(Time, Item)>,
    /// Position of every item in `heap`, by item number; `None` for an item without entry.
    position: Vec<Option<Position>>,
}

impl<Item> Default for EventQueue<Item> {
    fn default() -> EventQueue<Item> {
        EventQueue { heap: Vec::new(), position: Vec::new() }
    }
}

impl<Item: Index> EventQueue<Item> {
    pub fn new() -> EventQueue<Item> {
        EventQueue::default()
    }

    /// Inserts `item`, or moves its entry to the time `key`.
    pub fn set(&mut self, item: Item, key: Time) {
        if item.index() >= self.position.len() {
            self.position.resize(item.index() + 1, None);
        }
        let Some(at) = self.position[item.index()].map(Position::index) else {
            self.heap.push((key, item));
            return self.sift_up(self.heap.len() - 1);
        };
        let old = std::mem::replace(&mut self.heap[at].0, key);
        if key < old {
            self.sift_up(at);
        } else if key > old {
            self.sift_down(at);
        }
    }

    /// Removes the entry of `item`, if `item` has one.
    pub fn remove(&mut self, item: Item) {
        let Some(at) = self.position.get_mut(item.index()).and_then(Option::take) else { return };
        let last = self.heap.pop().expect("an item has a position, so the heap is not empty");
        let at = at.index();
        if at < self.heap.len() {
            let removed = self.heap[at];
            self.heap[at] = last;
            self.position[last.1.index()] = Some(Position::new(at as u32));
            if last < removed {
                self.sift_up(at);
            } else {
                self.sift_down(at);
            }
        }
    }

    /// Time of the entry of `item`; `None` without an entry.
    pub fn get(&self, item: Item) -> Option<Time> {
        let at = (*self.position.get(item.index())?)?;
        Some(self.heap[at.index()].0)
    }

    /// Earliest time and its item; `None` if the queue is empty.
    #[inline]
    pub fn peek(&self) -> Option<(Time, Item)> {
        self.heap.first().copied()
    }

    /// Removes the earliest entry and returns its time and item.
    pub fn pop(&mut self) -> Option<(Time, Item)> {
        let first = self.peek()?;
        self.remove(first.1);
        Some(first)
    }

    pub fn clear(&mut self) {
        self.heap.clear();
        self.position.clear();
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    fn place(&mut self, at: usize, entry: (Time, Item)) {
        self.heap[at] = entry;
        self.position[entry.1.index()] = Some(Position::new(at as u32));
    }

    fn sift_up(&mut self, mut at: usize) {
        let entry = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / ARITY;
            if !before(entry, self.heap[parent]) {
                break;
            }
            self.place(at, self.heap[parent]);
            at = parent;
        }
        self.place(at, entry);
    }

    fn sift_down(&mut self, mut at: usize) {
        let entry = self.heap[at];
        loop {
            let first = at * ARITY + 1;
            let Some(children) = self.heap.get(first..(first + ARITY).min(self.heap.len())) else { break };
            let (mut least, mut child) = (entry, 0);
            for (number, &candidate) in children.iter().enumerate() {
                if before(candidate, least) {
                    (least, child) = (candidate, first + number);
                }
            }
            if child == 0 {
                break;
            }
            self.place(at, least);
            at = child;
        }
        self.place(at, entry);
    }
}

/// Orders entries by time, then by item. Items are compared only if times are equal: one comparison almost always.
fn before<Item: Ord>(a: (Time, Item), b: (Time, Item)) -> bool {
    a.0 < b.0 || (a.0 == b.0 && a.1 < b.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    numalab_base::index_type! {
        ItemNo
    }

    proptest! {
        /// Any sequence of operations leaves the queue and a plain ordered map in agreement.
        #[test]
        fn agrees_with_a_shadow_map(
            steps in prop::collection::vec((0u32..20, prop::option::weighted(0.7, 0u64..50)), 1..400),
        ) {
            let mut queue = EventQueue::new();
            let mut shadow = BTreeMap::new();
            for (item, key) in steps {
                let (item, key) = (ItemNo::new(item), key.map(Time));
                match key {
                    Some(key) => {
                        queue.set(item, key);
                        shadow.insert(item, key);
                    }
                    // Item 0 stands for a call of `pop`, so that both ways of removal are exercised.
                    None if item == ItemNo::new(0) => {
                        let least = shadow.iter().map(|(item, key)| (*key, *item)).min();
                        prop_assert_eq!(queue.pop(), least);
                        if let Some((_, item)) = least {
                            shadow.remove(&item);
                        }
                    }
                    None => {
                        queue.remove(item);
                        shadow.remove(&item);
                    }
                }
                prop_assert_eq!(queue.len(), shadow.len());
                prop_assert_eq!(queue.peek(), shadow.iter().map(|(item, key)| (*key, *item)).min());
            }
        }
    }
}
