//! Assignment of the threads of one team to places.

use super::Affinity;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Index into the place list.
    pub place: u32,
    /// Place partition of the thread: the places available to its inner teams.
    pub partition: Range<u32>,
}

/// Assigns places and partitions to the threads of a team. `parent` is the place of the thread that opens the team;
/// `partition` is the partition of the opening thread, which contains `parent`.
///
/// Groups of threads go to groups of places. Group 0 is at the opening thread's place; the further groups follow,
/// wrapping round at the end of the partition. Consecutive threads are in the same group or in adjacent groups.
pub fn assign(affinity: Affinity, threads: u32, partition: Range<u32>, parent: u32) -> Vec<Assignment> {
    debug_assert!(partition.contains(&parent), "{parent} lies outside {partition:?}");
    let count = partition.end.saturating_sub(partition.start).max(1);
    let from_start = parent.saturating_sub(partition.start);
    let at =
        |group: u32| partition.start + ((u64::from(from_start) + u64::from(group)) % u64::from(count)) as u32;
    match affinity {
        Affinity::Primary => {
            (0..threads).map(|_| Assignment { place: parent, partition: partition.clone() }).collect()
        }
        Affinity::Close => groups(threads, count)
            .map(|group| Assignment { place: at(group), partition: partition.clone() })
            .collect(),
        Affinity::Spread if threads > count => groups(threads, count)
            .map(|group| {
                let place = at(group);
                Assignment { place, partition: place..place + 1 }
            })
            .collect(),
        Affinity::Spread => sparse(threads, partition.start, count, parent),
    }
}

/// For each thread the number of its group, from 0. Group sizes differ by at most one thread; the first groups are
/// larger.
fn groups(threads: u32, groups: u32) -> impl Iterator<Item = u32> {
    let (each, more) = (threads / groups, threads % groups);
    (0..groups.min(threads))
        .flat_map(move |group| std::iter::repeat_n(group, (each + u32::from(group < more)) as usize))
}

/// `spread` with at most one thread per place: divides the partition, `count` places from `start`, into one part per
/// thread, the first parts larger by one place. `parent` is the place of the opening thread.
fn sparse(threads: u32, start: u32, count: u32, parent: u32) -> Vec<Assignment> {
    if threads == 0 {
        return Vec::new();
    }
    let (each, more) = (count / threads, count % threads);
    let begin = |part: u32| start + part * each + part.min(more);
    let longer = more * (each + 1);
    let offset = parent - start;
    let own = if offset < longer { offset / (each + 1) } else { more + (offset - longer) / each };
    (0..threads)
        .map(|thread| {
            let part = ((u64::from(own) + u64::from(thread)) % u64::from(threads)) as u32;
            let partition = begin(part)..begin(part + 1);
            let place = if thread == 0 { parent } else { partition.start };
            Assignment { place, partition }
        })
        .collect()
}
