//! The affinity examples of the specification: eight places of two processors each, p0 to p7.

use super::super::Affinity::{Close, Primary, Spread};
use super::super::{Affinity, Assignment, Opener};
use numalab_workload::PlaceRules;
use std::ops::Range;

/// Assignment by the standard rules, in a list of eight places.
fn assign(affinity: Affinity, threads: u32, partition: Range<u32>, place: u32) -> Vec<Assignment> {
    let opener = Opener { place, partition, places: 8 };
    super::super::assign(PlaceRules::Standard, affinity, threads, &opener)
}

fn places(affinity: Affinity, threads: u32, parent: u32) -> Vec<u32> {
    assign(affinity, threads, 0..8, parent).iter().map(|to| to.place).collect()
}

fn partitions(affinity: Affinity, threads: u32, partition: Range<u32>, parent: u32) -> Vec<Range<u32>> {
    assign(affinity, threads, partition, parent).into_iter().map(|to| to.partition).collect()
}

#[test]
fn close() {
    assert_eq!(places(Close, 4, 0), [0, 1, 2, 3]);
    // From the primary thread's place, wrapping round.
    assert_eq!(places(Close, 4, 6), [6, 7, 0, 1]);
    // 16 = 8 * 2: pairs of threads.
    assert_eq!(places(Close, 16, 2), [2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 0, 0, 1, 1]);
    // 11 = 8 * 1 + 3: the first three places have one more.
    assert_eq!(places(Close, 11, 0), [0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7]);
    assert_eq!(partitions(Close, 3, 0..8, 5), vec![0..8; 3]);
}

#[test]
fn primary() {
    assert_eq!(places(Primary, 4, 2), [2, 2, 2, 2]);
    assert_eq!(partitions(Primary, 2, 0..8, 2), vec![0..8; 2]);
}

#[test]
fn spread_over_fewer_threads_than_places() {
    assert_eq!(places(Spread, 4, 0), [0, 2, 4, 6]);
    assert_eq!(partitions(Spread, 4, 0..8, 0), [0..2, 2..4, 4..6, 6..8]);
    // The primary thread stays on p3, in p2-p3; the others get the first places of the next parts.
    assert_eq!(places(Spread, 4, 3), [3, 4, 6, 0]);
    assert_eq!(partitions(Spread, 4, 0..8, 3), [2..4, 4..6, 6..8, 0..2]);
    // 8 = 5 * 1 + 3: the first three parts have two places.
    assert_eq!(partitions(Spread, 5, 0..8, 0), [0..2, 2..4, 4..6, 6..7, 7..8]);
    assert_eq!(places(Spread, 5, 7), [7, 0, 2, 4, 6]);
}

#[test]
fn spread_over_more_threads_than_places() {
    // 16 = 8 * 2.
    assert_eq!(places(Spread, 16, 6), [6, 6, 7, 7, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    assert_eq!(partitions(Spread, 10, 0..8, 7)[..3], [7..8, 7..8, 0..1]);
}

/// `spread,close` with 2 and 4 threads: one outer thread on each half of the places, its inner team on the same half.
#[test]
fn nested_teams_stay_in_the_partition_of_their_thread() {
    let outer = assign(Spread, 2, 0..8, 0);
    assert_eq!((outer[0].place, outer[1].place), (0, 4));
    let inner = |thread: usize| assign(Close, 4, outer[thread].partition.clone(), outer[thread].place);
    assert_eq!(inner(0).iter().map(|to| to.place).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(inner(1).iter().map(|to| to.place).collect::<Vec<_>>(), [4, 5, 6, 7]);
    // Six threads in four places: 6 = 4 * 1 + 2.
    let crowd = assign(Close, 6, 4..8, 6);
    assert_eq!(crowd.iter().map(|to| to.place).collect::<Vec<_>>(), [6, 6, 7, 7, 4, 5]);
}

#[test]
fn team_sizes_at_the_limits() {
    assert_eq!(assign(Spread, 0, 0..8, 0), []);
    assert_eq!(places(Close, 0, 0), [0; 0]);
    assert_eq!(partitions(Spread, 1, 3..7, 5), vec![3..7]);
}
