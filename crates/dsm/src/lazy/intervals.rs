//! Intervals of nodes between two synchronisations, and who has heard of which.

use crate::directory::PageId;
use numalab_units::Snapshot;
use std::collections::VecDeque;

/// Numbers of intervals by node: what happened before.
pub(crate) type Clock = Box<[u32]>;

/// A closed interval of a node.
#[derive(Clone, Debug)]
pub(crate) struct Interval {
    /// Intervals that its node had heard of when it ended, itself included.
    pub clock: Clock,
    /// Pages written in it that other nodes had copies of, with the bytes written.
    pub written: Vec<(PageId, u32)>,
    /// Pages written in it.
    pub notices: u64,
}

/// Intervals of all nodes. The first of each is number 1.
#[derive(Clone, Debug)]
pub(crate) struct Intervals {
    /// The clock of each node.
    clocks: Vec<Clock>,
    /// Closed intervals that somebody has not heard of, by node.
    closed: Vec<VecDeque<Interval>>,
    /// Those before, by node.
    forgotten: Vec<u32>,
    /// Nodes with workers.
    populated: Vec<u32>,
}

impl Intervals {
    pub fn new(nodes: u32, mut populated: Vec<u32>) -> Intervals {
        populated.sort_unstable();
        populated.dedup();
        let all = nodes as usize;
        Intervals {
            clocks: vec![vec![0; all].into(); all],
            closed: vec![VecDeque::new(); all],
            forgotten: vec![0; all],
            populated,
        }
    }

    /// Intervals that a node has heard of.
    pub fn clock(&self, node: u32) -> &Clock {
        &self.clocks[node as usize]
    }

    /// The number of the interval that is open on a node.
    pub fn open(&self, node: u32) -> u32 {
        self.clocks[node as usize][node as usize] + 1
    }

    /// The open interval of a node ends.
    pub fn close(&mut self, node: u32, written: Vec<(PageId, u32)>, notices: u64) {
        let clock = &mut self.clocks[node as usize];
        clock[node as usize] += 1;
        let clock = clock.clone();
        self.closed[node as usize].push_back(Interval { clock, written, notices });
    }

    /// Intervals of a clock that a node has not heard of, with their nodes and numbers.
    pub fn news(&self, node: u32, clock: &[u32]) -> impl Iterator<Item = (u32, u32, &Interval)> {
        let known = &self.clocks[node as usize];
        (0..).zip(known.iter().zip(clock)).flat_map(move |(of, (known, heard))| {
            let forgotten = self.forgotten[of as usize];
            (*known..*heard).filter_map(move |before| {
                let interval = self.closed[of as usize].get((before - forgotten) as usize)?;
                Some((of, before + 1, interval))
            })
        })
    }

    /// A node has heard of all that a clock has.
    pub fn hear(&mut self, node: u32, clock: &[u32]) {
        join(&mut self.clocks[node as usize], clock);
    }

    /// Intervals that everybody has heard of are of no more use.
    pub fn forget(&mut self) {
        for of in 0..self.closed.len() {
            let heard = self.heard_by_all(of);
            let forgotten = &mut self.forgotten[of];
            while *forgotten < heard && self.closed[of].pop_front().is_some() {
                *forgotten += 1;
            }
        }
    }

    fn heard_by_all(&self, of: usize) -> u32 {
        self.populated.iter().map(|node| self.clocks[*node as usize][of]).min().unwrap_or(0)
    }

    /// Age of an interval, the same for all that everybody has heard of.
    pub fn age(&self, of: u32, number: u32) -> Option<u32> {
        let of = of as usize;
        (number > self.heard_by_all(of)).then(|| self.clocks[of][of] - number)
    }

    pub fn snapshot(&self, into: &mut Snapshot) {
        let Intervals { clocks, closed, forgotten, populated } = self;
        for of in populated {
            let of = *of as usize;
            let last = clocks[of][of];
            for node in populated {
                into.add(&(last - clocks[*node as usize][of]));
            }
            let unheard = (self.heard_by_all(of) - forgotten[of]) as usize;
            for Interval { clock: _, written, notices } in closed[of].iter().skip(unheard) {
                into.add(&(written, notices));
            }
        }
    }
}

/// The later of both, node by node.
pub(crate) fn join(clock: &mut [u32], other: &[u32]) {
    clock.iter_mut().zip(other).for_each(|(own, other)| *own = (*own).max(*other));
}
