//! Processors on which Linux starts threads that are not bound.
//!
//! The scheduler's fork balancing places a new thread: from the top of the hierarchy downwards it
//! takes the idlest group of each level, down to a processor. The idlest group has the most idle
//! processors; if none has any, the fewest threads per processor. Ties go to the first group in the
//! order of the hierarchy. So threads go round the boards, the sockets of a board, the nodes of a
//! socket and the caches of a node, fill cores before second hardware threads, and share processors
//! evenly when all are busy.
//!
//! Not modelled: newer kernels keep the first few threads on the opening thread's node before they spread (they move
//! apart if they run long), and other programs on the machine. Only allowed processors are counted. The simulator's
//! `balancer` moves threads later.

use crate::places::{Allowed, Location, Topology};
use numalab_base::ProcessorId;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// The start processors of `threads` threads, in the order in which they start.
pub(super) fn start(threads: u32, topology: &dyn Topology, allowed: &Allowed) -> Vec<ProcessorId> {
    let locations = allowed.by_core(topology);
    if locations.is_empty() {
        return Vec::new();
    }
    let mut machine = Group::new(&locations, &LEVELS);
    (0..threads).map(|_| machine.start()).collect()
}

/// Group of a processor at each level, outermost first.
const LEVELS: [fn(&Location) -> u32; 5] = [
    |location| location.board,
    |location| location.socket,
    |location| location.node,
    |location| location.cache,
    |location| location.core,
];

/// A set of processors, split into groups of the next level.
struct Group<'a> {
    processors: &'a [(Location, u32)],
    threads: u32,
    /// Groups of the next level inside this group, idlest first; empty for a core.
    parts: BinaryHeap<Part<'a>>,
}

/// A group, with its index among the groups of the same level in one parent.
struct Part<'a> {
    group: Group<'a>,
    index: usize,
}

impl<'a> Group<'a> {
    fn new(processors: &'a [(Location, u32)], levels: &[fn(&Location) -> u32]) -> Group<'a> {
        let mut parts = BinaryHeap::new();
        if let [level, below @ ..] = levels {
            let sets = processors.chunk_by(|a, b| level(&a.0) == level(&b.0));
            parts.extend(sets.enumerate().map(|(index, set)| Part { group: Group::new(set, below), index }));
        }
        Group { processors, threads: 0, parts }
    }

    /// Starts one more thread in the group and returns the processor of the thread.
    fn start(&mut self) -> ProcessorId {
        let turn = self.threads as usize % self.processors.len();
        self.threads += 1;
        match self.parts.pop() {
            Some(mut idlest) => {
                let processor = idlest.group.start();
                self.parts.push(idlest);
                processor
            }
            // A core gives its threads to its processors in turn.
            None => ProcessorId::new(self.processors[turn].1),
        }
    }

    fn size(&self) -> u64 {
        self.processors.len() as u64
    }

    fn idle(&self) -> u64 {
        self.size().saturating_sub(u64::from(self.threads))
    }
}

impl Ord for Part<'_> {
    /// The greatest part in this order is the idlest.
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (&self.group, &other.group);
        // Compares threads per processor without division.
        let busier = (u64::from(a.threads) * b.size()).cmp(&(u64::from(b.threads) * a.size()));
        let order = a.idle().cmp(&b.idle()).then(busier.reverse());
        order.then(Reverse(self.index).cmp(&Reverse(other.index)))
    }
}

impl PartialOrd for Part<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Part<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Part<'_> {}
