//! For each node, the unplaced thread with the most accesses to the node, kept up to date while threads are placed.
//! The total cost is about two steps per entry of the table of accesses.

use super::{AccessCounts, NodeAssignment, Rules};

/// A candidate of the next step: an entry of the table of accesses (a thread and a node).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    pub thread: usize,
    pub node: usize,
    pub count: u64,
}

/// Places one thread in each step, until every thread has a node. The largest remaining entry of each node with a
/// free core competes, if it is at least the largest of all divided by the NUMA factor. The entry with the least
/// `load` wins, and its thread gets its node; ties go to the larger entry, then to the lower thread and node. `place`
/// is called with the winner.
pub(super) fn place_all<S>(
    counts: &AccessCounts,
    rules: &Rules,
    state: &mut S,
    load: impl Fn(&S, &Candidate) -> f64,
    place: impl Fn(&mut S, &Candidate),
) -> NodeAssignment {
    let mut heads = Heads::new(counts, rules);
    let mut node_of = vec![0; counts.threads()];
    let mut candidates = Vec::with_capacity(counts.nodes());
    for _ in 0..counts.threads() {
        heads.collect(&mut candidates);
        let largest = candidates.iter().map(|one| one.count).max().unwrap_or(0);
        let near = |one: &&Candidate| one.count as f64 * rules.numa_factor >= largest as f64;
        let chosen = candidates.iter().filter(near).min_by(|a, b| {
            load(state, a)
                .total_cmp(&load(state, b))
                .then(b.count.cmp(&a.count))
                .then((a.thread, a.node).cmp(&(b.thread, b.node)))
        });
        // `None` only if the threads do not fit.
        let Some(chosen) = chosen else { break };
        node_of[chosen.thread] = chosen.node;
        place(state, chosen);
        heads.take(chosen);
    }
    NodeAssignment { node_of }
}

pub(super) struct Heads<'a> {
    counts: &'a AccessCounts,
    /// For each node all threads, sorted by their number of accesses to the node, largest first.
    sorted: Vec<Vec<u32>>,
    /// For each node the number of leading threads in `sorted` that have a node.
    passed: Vec<usize>,
    placed: Vec<bool>,
    /// Free cores of each node.
    free: Vec<usize>,
    /// Number of entries visited so far, which the tests bound.
    #[cfg(test)]
    pub steps: usize,
}

impl<'a> Heads<'a> {
    pub fn new(counts: &'a AccessCounts, rules: &Rules) -> Heads<'a> {
        let threads = 0..counts.threads() as u32;
        let by_count = |node: usize| {
            let mut sorted: Vec<u32> = threads.clone().collect();
            sorted.sort_by_key(|&thread| std::cmp::Reverse(counts.of(thread as usize, node)));
            sorted
        };
        Heads {
            counts,
            sorted: (0..counts.nodes()).map(by_count).collect(),
            passed: vec![0; counts.nodes()],
            placed: vec![false; counts.threads()],
            free: vec![rules.cores_per_node; counts.nodes()],
            #[cfg(test)]
            steps: 0,
        }
    }

    /// Collects the largest entry of each node with a free core.
    pub fn collect(&mut self, candidates: &mut Vec<Candidate>) {
        candidates.clear();
        for node in 0..self.counts.nodes() {
            if self.free[node] > 0
                && let Some(thread) = self.head(node)
            {
                candidates.push(Candidate { thread, node, count: self.counts.of(thread, node) });
            }
        }
    }

    fn head(&mut self, node: usize) -> Option<usize> {
        loop {
            #[cfg(test)]
            {
                self.steps += 1;
            }
            let thread = *self.sorted[node].get(self.passed[node])? as usize;
            if !self.placed[thread] {
                return Some(thread);
            }
            self.passed[node] += 1;
        }
    }

    pub fn take(&mut self, candidate: &Candidate) {
        self.placed[candidate.thread] = true;
        self.free[candidate.node] -= 1;
    }
}
