//! Task queues: hand-calculated cases, and laws over random teams.

use super::*;
use numalab_base::ThreadId;
use numalab_des::{Domain, Streams};
use numalab_workload::QueueKind;
use proptest::prelude::*;

/// Two sockets of two nodes each, two threads per node.
fn team() -> Vec<ThreadLocation> {
    (0..8).map(|thread| ThreadLocation { node: thread / 2, socket: thread / 4 }).collect()
}

fn apart(a: u32, b: u32) -> u64 {
    u64::from(a.abs_diff(b))
}

#[test]
fn queues_by_kind() {
    let own = |kind| {
        let layout = QueueLayout::new(kind, &team());
        (ThreadId::first(8).map(|thread| layout.own(thread)).collect::<Vec<_>>(), layout.queues())
    };
    assert_eq!(own(QueueKind::Central), (vec![0; 8], 1));
    assert_eq!(own(QueueKind::ThreadLocal), ((0..8).collect(), 8));
    assert_eq!(own(QueueKind::Hierarchical), (vec![0, 0, 0, 0, 1, 1, 1, 1], 2));
    assert_eq!(own(QueueKind::Locality), (vec![0, 0, 1, 1, 2, 2, 3, 3], 4));
}

#[test]
fn task_goes_to_named_then_parent_then_creator_queue() {
    let layout = QueueLayout::new(QueueKind::Locality, &team());
    assert_eq!(layout.target(ThreadId::new(5), Some(0), Some(1)), 0);
    assert_eq!(layout.target(ThreadId::new(5), None, Some(1)), 1);
    assert_eq!(layout.target(ThreadId::new(5), None, None), 2);
    let layout = QueueLayout::new(QueueKind::ThreadLocal, &team());
    assert_eq!(layout.target(ThreadId::new(5), Some(0), Some(1)), 5);
}

#[test]
fn node_without_threads_uses_nearest_queue() {
    // Threads on nodes 1 and 6 only; node 3 is 2 from the first and 3 from the second.
    let team = [ThreadLocation { node: 1, socket: 0 }, ThreadLocation { node: 6, socket: 3 }];
    let layout = QueueLayout::new(QueueKind::Locality, &team);
    assert_eq!([1, 3, 5, 6].map(|node| layout.serving(node, apart)), [0, 0, 1, 1]);
}

#[test]
fn other_queues_are_visited_nearest_first() {
    let layout = QueueLayout::new(QueueKind::Locality, &team());
    // From node 1: nodes 2 and 0 are 1 away, of which 2 comes next counting up; node 3 is 2 away.
    assert_eq!(layout.round(1, apart), [2, 0, 3]);
    assert_eq!(QueueLayout::new(QueueKind::Central, &team()).round(0, apart), []);
}

#[test]
fn central_is_bounded_by_the_team() {
    let admits = |kind, waiting| QueueBound::new(kind, Some(2), 4).admits(waiting);
    assert!(admits(QueueKind::Central, 7) && !admits(QueueKind::Central, 8));
    assert!(admits(QueueKind::ThreadLocal, 1) && !admits(QueueKind::ThreadLocal, 2));
    assert!(QueueBound::new(QueueKind::Central, None, 4).admits(u64::MAX - 1));
}

#[test]
fn thief_takes_half_but_at_least_one() {
    let order = QueueOrder::new(QueueKind::Hierarchical);
    assert_eq!([1, 2, 3, 8].map(|waiting| order.share(waiting)), [1, 1, 1, 4]);
    assert_eq!(QueueOrder::new(QueueKind::Locality).share(8), 1);
}

/// One queue in four has a task: 3 attempts fail on average, ((1 - p) / p). Two thieves at once: a
/// round fails with 9/16, so 9/7 rounds. Standard errors of 40 000 draws are below 0.02.
#[test]
fn fruitless_attempts_are_geometric() {
    let mut stream = Streams::new(3).stream(Domain::TaskSteal, 0);
    let mut mean =
        |thieves| (0..40_000).map(|_| fruitless(&mut stream, 1, 4, thieves)).sum::<u64>() as f64 / 40_000.0;
    let (alone, two) = (mean(1), mean(2));
    assert!((alone - 3.0).abs() < 0.1, "{alone}");
    assert!((two - 9.0 / 7.0).abs() < 0.06, "{two}");
    assert_eq!(fruitless(&mut stream, 4, 4, 1), 0);
}

proptest! {
    #[test]
    fn every_round_visits_each_other_queue_once(
        nodes in prop::collection::vec(0u32..9, 1..40),
        kind in prop::sample::select(QueueKind::ALL.to_vec()),
    ) {
        let team: Vec<ThreadLocation> = nodes.iter().map(|node| ThreadLocation { node: *node, socket: node / 2 }).collect();
        let layout = QueueLayout::new(kind, &team);
        for thread in ThreadId::first(team.len() as u32) {
            let own = layout.own(thread);
            let mut round = layout.round(own, apart);
            round.push(own);
            round.sort_unstable();
            prop_assert_eq!(round, (0..layout.queues()).collect::<Vec<_>>());
        }
        for node in 0..9 {
            prop_assert!(layout.serving(node, apart) < layout.queues());
        }
    }
}
