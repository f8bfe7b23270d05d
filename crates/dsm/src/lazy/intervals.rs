//! Intervals of nodes between synchronisations, and which nodes have heard of each interval.

use crate::directory::PageId;
use numalab_base::Snapshot;
use std::collections::VecDeque;

/// Vector clock: for each node, number of its last interval that happened before.
pub(crate) type Clock = Box<[u32]>;

/// Closed interval of a node.
#[derive(Clone, Debug)]
pub(crate) struct Interval {
    /// Last interval, by node, that the closing node had heard of at the end, this interval included.
    pub clock: Clock,
    /// Written pages of which other nodes had copies at the end of the interval: node of the copy, page, bytes
    /// written. Ordered by node. A copy made later contains the writes, or learns from the page which writes it
    /// misses.
    written: Vec<(u32, PageId, u32)>,
    /// Number of pages written, with or without copies on other nodes.
    pub notices: u64,
}

impl Interval {
    /// Pages written in the interval of which `node` had a copy, with the bytes written.
    pub fn written_to(&self, node: u32) -> impl Iterator<Item = (PageId, u32)> {
        let from = self.written.partition_point(|(holder, ..)| *holder < node);
        let own = self.written[from..].iter().take_while(move |(holder, ..)| *holder == node);
        own.map(|(_, page, bytes)| (*page, *bytes))
    }
}

/// Intervals of all nodes, numbered from 1.
#[derive(Clone, Debug)]
pub(crate) struct Intervals {
    /// Vector clock of each node.
    clocks: Vec<Clock>,
    /// Closed intervals of each node of which some other node has not heard.
    closed: Vec<VecDeque<Interval>>,
    /// By node: number of its intervals that were dropped because all nodes have heard of them.
    forgotten: Vec<u32>,
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

    pub fn clock(&self, node: u32) -> &Clock {
        &self.clocks[node as usize]
    }

    /// Number of a node's open interval.
    pub fn open(&self, node: u32) -> u32 {
        self.clocks[node as usize][node as usize] + 1
    }

    /// Closes the open interval of a node. `written`: node of a copy, page, bytes written. `notices`: number of pages
    /// written.
    pub fn close(&mut self, node: u32, mut written: Vec<(u32, PageId, u32)>, notices: u64) {
        written.sort_unstable();
        let clock = &mut self.clocks[node as usize];
        clock[node as usize] += 1;
        let clock = clock.clone();
        self.closed[node as usize].push_back(Interval { clock, written, notices });
    }

    /// Intervals in a clock of which a node has not heard: writer node, number, interval.
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

    /// A node hears of all intervals of a clock.
    pub fn hear(&mut self, node: u32, clock: &[u32]) {
        join(&mut self.clocks[node as usize], clock);
    }

    /// Drops intervals that all nodes have heard of.
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

    /// Number of each node's last interval that all nodes have heard of.
    pub fn heard(&self) -> Vec<u32> {
        (0..self.closed.len()).map(|of| self.heard_by_all(of)).collect()
    }

    /// Number of node `of`'s intervals after interval `number`; `None` if all nodes have heard of interval `number`,
    /// according to `heard`.
    pub fn age(&self, heard: &[u32], of: u32, number: u32) -> Option<u32> {
        let of = of as usize;
        (number > heard[of]).then(|| self.clocks[of][of] - number)
    }

    /// Adds the clocks, relative to each node's last interval, and the intervals after `heard` to a snapshot.
    pub fn snapshot(&self, heard: &[u32], into: &mut Snapshot) {
        let Intervals { clocks, closed, forgotten, populated } = self;
        for of in populated {
            let of = *of as usize;
            let last = clocks[of][of];
            for node in populated {
                into.add(&(last - clocks[*node as usize][of]));
            }
            let unheard = (heard[of] - forgotten[of]) as usize;
            for Interval { clock: _, written, notices } in closed[of].iter().skip(unheard) {
                into.add(&(written, notices));
            }
        }
    }
}

/// Sets a clock to the maximum of two clocks, node by node.
pub(crate) fn join(clock: &mut [u32], other: &[u32]) {
    clock.iter_mut().zip(other).for_each(|(own, other)| *own = (*own).max(*other));
}
