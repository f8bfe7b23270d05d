//! Small cases that can be followed by hand.

use super::{Bench, Course, What, flat};
use numalab_base::Span;
use numalab_machine::NodeId;
use numalab_workload::{Dependences, LAST_STEP, Producers, QueueKind, Task, Tasking, Tree};
use std::sync::Arc;

const US: u64 = 1_000_000;

/// Iterations in the order in which a one-thread team executed them.
fn order(course: &Course) -> Vec<u64> {
    course
        .deeds
        .iter()
        .filter_map(|deed| if let What::Work(range) = &deed.what { Some(range.start) } else { None })
        .collect()
}

/// A lone thread creates all five tasks and then takes the newest first; from the central queue it takes the oldest
/// first.
#[test]
fn one_thread_empties_its_queue_from_its_end() {
    let run = |queue| order(&Bench::new("socket:1 core:1", 1, queue, flat(5)).run(|_| US));
    assert_eq!(run(QueueKind::ThreadLocal), [4, 3, 2, 1, 0]);
    assert_eq!(run(QueueKind::Hierarchical), [4, 3, 2, 1, 0]);
    assert_eq!(run(QueueKind::Locality), [4, 3, 2, 1, 0]);
    assert_eq!(run(QueueKind::Central), [0, 1, 2, 3, 4]);
}

/// Tasks of 10 iterations with grain 3: 0..3, 3..6, 6..9, 9..10.
#[test]
fn grains_are_consecutive_iterations() {
    let mut phase = flat(10);
    phase.tasking.grain = 3;
    let course = Bench::new("socket:1 core:1", 1, QueueKind::Central, phase).run(|_| US);
    let ranges: Vec<What> = course.deeds.into_iter().map(|deed| deed.what).collect();
    assert_eq!(ranges, [0..3, 3..6, 6..9, 9..10].map(What::Work));
}

/// A queue of at most two tasks takes tasks 0 and 1. Tasks 2, 3 and 4 run as they are created; then tasks 1 and 0.
#[test]
fn a_full_queue_executes_at_once() {
    let mut bench = Bench::new("socket:1 core:1", 1, QueueKind::ThreadLocal, flat(5));
    bench.profile.tasks.bound = Some(2);
    let course = bench.run(|_| US);
    assert_eq!(order(&course), [2, 3, 4, 1, 0]);
    assert_eq!((course.sum.created, course.sum.at_once, course.sum.longest_queue), (5, 3, 2));
    assert_eq!((course.sum.by_creator.tasks, course.sum.working_ps), (5, 5 * US));
}

/// Two threads, and two tasks that the first thread creates. Tasks take far longer than the runtime's operations, so
/// each thread executes one.
#[test]
fn a_thief_helps_a_single_producer() {
    for queue in [QueueKind::Central, QueueKind::ThreadLocal, QueueKind::Hierarchical, QueueKind::Locality] {
        let mut phase = flat(2);
        phase.tasking.producers = Producers::Single;
        let course = Bench::new("board:1 socket:2 core:1", 2, queue, phase).run(|_| 1000 * US);
        assert!(course.end < 1100 * US, "{queue:?} ends after {}", course.end);
        let sum = &course.sum;
        assert_eq!((sum.by_creator.tasks, sum.same_board.tasks, sum.remote.tasks), (1, 1, 0), "{queue:?}");
        assert_eq!((sum.creators, sum.longest_task_ps), (1, 1000 * US));
        assert_eq!(course.stolen, [0, 1]);
    }
}

/// Only the first thread executes its tasks if queues are strict.
#[test]
fn strict_stays_at_home() {
    let mut phase = flat(4);
    phase.tasking.producers = Producers::Single;
    let mut bench = Bench::new("board:1 socket:2 core:1", 2, QueueKind::LocalityStrict, phase);
    let course = bench.run(|_| 1000 * US);
    assert!(course.end >= 4000 * US && course.sum.by_creator.tasks == 4);
    // The tasks name the other node.
    bench.homes = vec![Some(NodeId(1)); 4];
    let course = bench.run(|_| 1000 * US);
    assert!(course.deeds.iter().all(|deed| deed.thread == 1) && course.sum.same_board.tasks == 4);
}

/// Task 0 precedes task 1, which precedes task 2. Three threads create them at the same time.
#[test]
fn a_chain_runs_in_order() {
    let chain = Dependences { first: vec![0, 1, 2, 2], successors: vec![1, 2], predecessors: vec![0, 1, 1] };
    for queue in QueueKind::ALL {
        let mut phase = flat(3);
        phase.tasking.dependences = Some(Arc::new(chain.clone()));
        let course = Bench::new("board:1 socket:3 core:1", 3, queue, phase).run(|_| 10 * US);
        assert_eq!(order(&course), [0, 1, 2], "{queue:?}");
        assert!(course.end >= 30 * US);
    }
}

/// The thread of a task waits for three children of 1 ms each; two of them depend on the first. The other thread
/// executes the first child, then each of the two threads executes one dependent child: 2 ms. The other thread alone
/// would take 3 ms.
#[test]
fn who_waits_takes_what_no_longer_depends() {
    for queue in QueueKind::ALL.into_iter().filter(|queue| *queue != QueueKind::LocalityStrict) {
        let task = |count, wait| Task { first: 0, count, wait, after: 0.0 };
        let leaf = task(0, false);
        let mut phase = flat(4);
        phase.tasking = Tasking {
            producers: Producers::Single,
            grain: 1,
            tree: Some(Tree {
                tasks: Arc::new([task(3, true), leaf, leaf, leaf]),
                children: Arc::new([1, 2, 3]),
                roots: Arc::new([0]),
                next: [].into(),
            }),
            dependences: Some(Arc::new(Dependences {
                first: vec![0, 0, 2, 2, 2],
                successors: vec![2, 3],
                predecessors: vec![0, 0, 1, 1],
            })),
            affinity: None,
            copied: [].into(),
        };
        let course = Bench::new("board:1 socket:1 core:2", 2, queue, phase)
            .run(|iteration| if iteration == 0 { US } else { 1000 * US });
        assert_eq!(order(&course)[..2], [0, 1], "{queue:?}");
        assert!((2001 * US..2100 * US).contains(&course.end), "{queue:?}: {}", course.end);
    }
}

/// From n = 2 on fib(n) creates two tasks and waits for them. So it takes F(n) = 1 + F(n-1) + F(n-2) tasks, with F(0)
/// = F(1) = 1: 15 for fib(5).
#[test]
fn fib_counts() {
    let tree = fib(5);
    for queue in QueueKind::ALL {
        let mut phase = flat(6);
        phase.tasking.tree = Some(tree.clone());
        phase.tasking.producers = Producers::Single;
        let course = Bench::new("board:2 socket:2 core:2", 8, queue, phase).run(|_| US);
        assert_eq!(course.sum.created, 15, "{queue:?}");
        assert_eq!(course.left, 0);
        let works = course.deeds.iter().filter(|deed| matches!(deed.what, What::Work(_)));
        assert_eq!(works.count(), 15);
    }
}

/// Task n of the tree is fib(n).
pub(super) fn fib(n: u32) -> Tree {
    let task = |n: u32| Task {
        first: 2 * n.saturating_sub(2),
        count: if n < 2 { 0 } else { 2 },
        wait: true,
        after: if n < 2 { 0.0 } else { 10.0 },
    };
    Tree {
        tasks: (0..=n).map(task).collect(),
        children: (2..=n).flat_map(|n| [n - 1, n - 2]).collect(),
        roots: Arc::new([n]),
        next: [].into(),
    }
}

/// A team reaches a phase three times inside one region.
#[test]
fn a_phase_can_be_repeated() {
    for queue in QueueKind::ALL {
        let mut bench = Bench::new("board:1 socket:2 core:2", 4, queue, flat(10));
        bench.times = 3;
        let course = bench.run(|_| US);
        assert_eq!((course.sum.created, course.left), (30, 0), "{queue:?}");
    }
}

/// Costs of the runtime apart from lines: 10 tasks at 1 us to create and 0.5 us to dispatch, on one
/// thread. All ten exist at once, so their descriptions are 20 lines that come from memory the first time,
/// at less than 0.2 us each; everything after that is in the thread's own cache.
#[test]
fn fixed_costs_are_paid_once_for_each_task() {
    let mut bench = Bench::new("socket:1 core:1", 1, QueueKind::ThreadLocal, flat(10));
    (bench.profile.tasks.create.0, bench.profile.tasks.dispatch.0) = (US, US / 2);
    let sum = bench.run(|_| US).sum;
    assert!((10 * US..14 * US).contains(&sum.creating_ps), "{}", sum.creating_ps);
    assert!((5 * US..6 * US).contains(&sum.fetching_ps), "{}", sum.fetching_ps);
    assert_eq!((sum.working_ps, sum.busiest_creator_ps), (10 * US, sum.creating_ps));
}

/// Law: Calls for loops, chunks and single regions take their time, and so do wake-ups of sleepers.
///
/// Two threads create two tasks each. Both still create their first tasks, so no thread counts as executing one, and
/// each task is queued with a call of 3 us. If one thread creates four tasks of 1 ms, it makes two calls: it begins
/// its second task before the other thread has taken the first, and makes no call after that. A lone thread makes no
/// call.
#[test]
fn who_queues_a_task_calls_while_somebody_has_none() {
    let creating = |threads: u32, producers: Producers, wakes: bool| {
        let mut phase = flat(4);
        phase.tasking.producers = producers;
        let mut bench = Bench::new("socket:1 core:2", threads, QueueKind::Central, phase);
        (bench.profile.tasks.wakes, bench.profile.barrier.wake_call) = (wakes, Span(3 * US));
        bench.profile.tasks.create = Span(10 * US);
        bench.run(|_| 1000 * US).sum.creating_ps
    };
    let calls = |threads, producers| {
        (creating(threads, producers, true) as f64 - creating(threads, producers, false) as f64)
            / (3 * US) as f64
    };
    assert_eq!(calls(1, Producers::Single), 0.0, "it is at work itself");
    assert!((calls(2, Producers::Single) - 2.0).abs() < 0.1, "then the other one has a task");
    assert!((calls(2, Producers::Parallel) - 4.0).abs() < 0.1, "nobody executes tasks");
}

/// Events of one thread for two children of a task: create the first; create and fetch the second; execute each (two
/// events); finish one and fetch the other; execute the parent's instructions after the wait; finish the parent. The
/// other child needs no event to finish. That is at most seven events for two tasks.
#[test]
fn few_events_for_a_task() {
    let mut phase = flat(13);
    phase.tasking.tree = Some(fib(12));
    let course = Bench::new("socket:1 core:1", 1, QueueKind::ThreadLocal, phase).run(|_| US);
    // Number of tasks of fib(12): 2 × 233 - 1, where 233 is the 13th Fibonacci number.
    assert_eq!(course.sum.created, 465);
    assert!(course.turns <= 465 * 7 / 2, "{} turns", course.turns);
}

/// A task of two steps with a child in each: the second step begins after the first child, and the child of the second step
/// after it.
#[test]
fn steps_of_a_task_run_one_after_the_other() {
    for queue in QueueKind::ALL {
        let task = |first, count| Task { first, count, wait: true, after: 0.0 };
        let mut phase = flat(4);
        phase.tasking = Tasking {
            producers: Producers::Single,
            grain: 1,
            // Task 0 creates 1; its second step 2 creates 3.
            tree: Some(Tree {
                tasks: Arc::new([task(0, 1), task(2, 0), task(1, 1), task(2, 0)]),
                children: Arc::new([1, 3]),
                roots: Arc::new([0]),
                next: Arc::new([2, LAST_STEP, LAST_STEP, LAST_STEP]),
            }),
            ..Tasking::default()
        };
        let course = Bench::new("board:1 socket:1 core:2", 2, queue, phase).run(|_| 10 * US);
        assert_eq!(order(&course), [0, 1, 2, 3], "{queue:?}");
        assert!((40 * US..45 * US).contains(&course.end), "{queue:?}: {}", course.end);
    }
}

/// Ten tasks of one producer, which executes all of them itself: each copy of 8000 bytes is read and written at the bandwidth of
/// the last cache or, without one, of memory.
#[test]
fn copies_take_the_creator_time() {
    let end = |bytes: u32| {
        let mut phase = flat(10);
        phase.tasking = Tasking {
            producers: Producers::Single,
            grain: 1,
            copied: vec![bytes; 10].into(),
            ..Tasking::default()
        };
        Bench::new("board:1 socket:1 core:1", 1, QueueKind::ThreadLocal, phase).run(|_| US).end
    };
    let machine = numalab_machine::synthetic("board:1 socket:1 core:1").unwrap();
    let bandwidth = machine.caches.last().map_or(machine.memory.bandwidth, |cache| cache.bandwidth).0;
    let (with, without) = (end(8000), end(0));
    let copies = 10.0 * 2.0 * 8000.0 * 1e12 / bandwidth;
    // While a thread copies, its stores to the descriptions drain.
    let share = (with - without) as f64 / copies;
    assert!((0.98..=1.0).contains(&share), "{with} {without} {copies}");
}
