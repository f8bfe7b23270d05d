//! Teams as bars. A bar is a thread or a group of consecutive threads; parts of the bar are parts of the thread time.

use numalab_results::{Layout, Member, Run, Sharing};
use std::collections::BTreeMap;

/// Part of a bar: the activity, or the source of the data, in the order along the bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Computing on the data of a node and waiting for this data: the node's distance from the thread, and the node's
    /// index.
    Data(Sharing, u32),
    /// Computing that is not attributed to any data.
    Compute,
    Overhead,
    /// Waiting for other threads, such as at a barrier.
    Idle,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    pub first: u32,
    pub last: u32,
    /// Mean time of each part over the group in picoseconds, without zeros, in the order of [`Part`].
    pub parts: Vec<(Part, f64)>,
}

impl Bar {
    /// Time of a bar's threads without idle time: mean over the group, in picoseconds.
    pub fn busy_ps(&self) -> f64 {
        self.parts.iter().filter(|(part, _)| *part != Part::Idle).map(|(_, ps)| ps).sum()
    }

    /// `thread 7` or `threads 0-7`.
    pub fn label(&self) -> String {
        if self.first == self.last {
            format!("thread {}", self.first)
        } else {
            format!("threads {}-{}", self.first, self.last)
        }
    }
}

/// Bars of a run: one per thread for teams of up to `alone` threads, else at most `most` bars of thread groups.
pub fn bars(run: &Run, layout: Layout, alone: usize, most: usize) -> Vec<Bar> {
    run.team.chunks(group_size(run.team.len(), alone, most)).map(|group| bar(group, layout)).collect()
}

/// Threads per bar: the smallest size with at most `most` bars, or up to twice that size if it divides the team
/// evenly.
fn group_size(threads: usize, alone: usize, most: usize) -> usize {
    if threads <= alone.max(1) {
        return 1;
    }
    let least = threads.div_ceil(most.max(1));
    (least..=2 * least).find(|size| threads.is_multiple_of(*size)).unwrap_or(least)
}

fn bar(group: &[Member], layout: Layout) -> Bar {
    let mut sums: BTreeMap<Part, u128> = BTreeMap::new();
    let mut add = |part, ps: u64| {
        if ps > 0 {
            *sums.entry(part).or_default() += u128::from(ps);
        }
    };
    for member in group {
        for (node, ps) in member.time_by_node_ps.iter() {
            add(Part::Data(layout.sharing(member.node, node), node), ps);
        }
        let working = member.compute_ps.saturating_add(member.stall_ps);
        add(Part::Compute, working.saturating_sub(member.time_by_node_ps.total()));
        add(Part::Overhead, member.overhead_ps);
        add(Part::Idle, member.idle_ps);
    }
    Bar {
        first: group[0].thread,
        last: group[group.len() - 1].thread,
        parts: sums.into_iter().map(|(part, sum)| (part, sum as f64 / group.len() as f64)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;

    #[test]
    fn groups_divide_the_team_evenly_if_they_can() {
        assert_eq!(group_size(32, 32, 16), 1);
        assert_eq!(group_size(128, 32, 16), 8);
        assert_eq!(group_size(100, 32, 16), 10);
        assert_eq!(group_size(59, 32, 16), 4); // prime: 15 bars, the last of 3
        assert_eq!(group_size(32_768, 32, 16), 2048);
        assert_eq!(group_size(0, 32, 16), 1);
    }

    #[test]
    fn a_group_is_the_mean_of_its_members() {
        let comparison = fixtures::small();
        let two = bars(&comparison.runs[1], comparison.layout, 1, 2);
        assert_eq!(two[0].label(), "threads 0-1");
        // Threads 2 and 3 are idle for 0.5 s of the 2 s.
        assert_eq!(two[1].parts.last(), Some(&(Part::Idle, 0.5e12)));
        assert_eq!(two[1].busy_ps(), 1.5e12);
        assert_eq!(bars(&comparison.runs[1], comparison.layout, 4, 2)[3].label(), "thread 3");
    }
}
