//! Laws over random phases, machines, queues, bounds and speeds.

use super::{Bench, What, flat};
use numalab_machine::NodeId;
use numalab_workload::{Dependences, LockKind, Phase, Producers, QueueKind, Task, Tree};
use proptest::prelude::*;
use std::sync::Arc;

const MACHINES: [&str; 5] = [
    "socket:1 core:4",
    "socket:3 core:2",
    "board:2 socket:2 core:2",
    "socket:2 node:2 core:2",
    "board:3 socket:1 core:3",
];

fn bench() -> impl Strategy<Value = Bench<'static>> {
    let kind = prop::sample::select(QueueKind::ALL.to_vec());
    let lock = prop::sample::select(LockKind::ALL.to_vec());
    let machine = prop::sample::select(MACHINES.to_vec());
    let costs = (prop::option::of(1u32..6), 0u64..200_000, 0u64..100_000, 0u32..4);
    (machine, 1u32..9, kind, lock, costs, any::<u64>()).prop_map(
        |(machine, threads, queue, lock, costs, seed)| {
            let mut bench = Bench::new(machine, threads, queue, flat(0));
            bench.profile.lock.kind = lock;
            let tasks = &mut bench.profile.tasks;
            (tasks.bound, tasks.create.0, tasks.dispatch.0, tasks.lines) = costs;
            bench.seed = seed;
            bench
        },
    )
}

/// A tree in which each task is a root or the child of an earlier task.
fn tree() -> impl Strategy<Value = Phase> {
    let task = (any::<prop::sample::Index>(), any::<bool>(), 0u8..3);
    (prop::collection::vec(task, 1..60), any::<bool>()).prop_map(|(tasks, single)| {
        let mut children = vec![Vec::new(); tasks.len()];
        let mut roots = Vec::new();
        for (number, (parent, _, root)) in tasks.iter().enumerate() {
            if number == 0 || *root == 0 {
                roots.push(number as u32);
            } else {
                children[parent.index(number)].push(number as u32);
            }
        }
        let mut first = 0;
        let list = tasks.iter().zip(&children).enumerate().map(|(number, ((_, wait, _), children))| {
            let count = children.len() as u32;
            first += count;
            // The instructions after the wait identify the task.
            Task { first: first - count, count, wait: *wait, after: number as f64 + 1.0 }
        });
        let mut phase = flat(tasks.len() as u64);
        phase.tasking.tree = Some(Tree {
            tasks: list.collect(),
            children: children.concat().into(),
            roots: roots.into(),
            next: [].into(),
        });
        phase.tasking.producers = if single { Producers::Single } else { Producers::Parallel };
        phase
    })
}

/// A loop in which some tasks wait for earlier tasks.
fn dependent() -> impl Strategy<Value = Phase> {
    let edge = (any::<prop::sample::Index>(), any::<prop::sample::Index>());
    (1u32..40, prop::collection::vec(edge, 0..60), any::<bool>()).prop_map(|(count, edges, single)| {
        let mut edges: Vec<(u32, u32)> = edges
            .iter()
            .map(|(a, b)| (a.index(count as usize) as u32, b.index(count as usize) as u32))
            .filter(|(a, b)| a < b)
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let first = (0..=count).map(|task| edges.partition_point(|edge| edge.0 < task) as u32).collect();
        let predecessors =
            (0..count).map(|task| edges.iter().filter(|edge| edge.1 == task).count() as u32).collect();
        let successors = edges.iter().map(|edge| edge.1).collect();
        let mut phase = flat(count.into());
        phase.tasking.dependences = Some(Arc::new(Dependences { first, successors, predecessors }));
        phase.tasking.producers = if single { Producers::Single } else { Producers::Parallel };
        phase
    })
}

/// A tree in which some tasks wait for tasks that the same parent has created before them.
fn dependent_tree() -> impl Strategy<Value = Phase> {
    let edge = (any::<prop::sample::Index>(), any::<prop::sample::Index>());
    (tree(), prop::collection::vec(edge, 0..60)).prop_map(|(mut phase, edges)| {
        let all = phase.tasking.tree.as_ref().expect("a tree");
        let mut parent = vec![None; all.tasks.len()];
        for (number, task) in all.tasks.iter().enumerate() {
            for child in &all.children[task.first as usize..(task.first + task.count) as usize] {
                parent[*child as usize] = Some(number);
            }
        }
        let siblings =
            |of: usize| (0..parent.len()).filter(|other| parent[*other] == parent[of]).collect::<Vec<_>>();
        let mut edges: Vec<(u32, u32)> = edges
            .iter()
            .map(|(a, b)| {
                let of = siblings(a.index(parent.len()));
                (a.index(parent.len()) as u32, *b.get(&of) as u32)
            })
            .filter(|(a, b)| a < b)
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let count = parent.len() as u32;
        let first = (0..=count).map(|task| edges.partition_point(|edge| edge.0 < task) as u32).collect();
        let predecessors =
            (0..count).map(|task| edges.iter().filter(|edge| edge.1 == task).count() as u32).collect();
        let successors = edges.iter().map(|edge| edge.1).collect();
        phase.tasking.dependences = Some(Arc::new(Dependences { first, successors, predecessors }));
        phase
    })
}

/// Times of iterations, between 0 and a few microseconds.
fn takes(seed: u64) -> impl Fn(u64) -> u64 {
    move |iteration| (iteration + 1).wrapping_mul(seed | 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 42
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Every iteration is executed exactly once, for any creators and any grain. Sums agree, and bounds hold.
    #[test]
    fn loops(mut bench in bench(), iterations in 0u64..120, grain in 1u64..9, single: bool, seed: u64) {
        bench.phase = flat(iterations);
        bench.phase.tasking.grain = grain;
        bench.phase.tasking.producers = if single { Producers::Single } else { Producers::Parallel };
        let course = bench.run(takes(seed));
        let mut seen = vec![0; iterations as usize];
        for deed in &course.deeds {
            if let What::Work(range) = &deed.what {
                range.clone().for_each(|iteration| seen[iteration as usize] += 1);
            }
        }
        prop_assert_eq!(seen, vec![1; iterations as usize]);
        let sum = &course.sum;
        prop_assert_eq!(sum.created, iterations.div_ceil(grain));
        let executed = [sum.by_creator, sum.same_socket, sum.same_board, sum.remote];
        prop_assert_eq!(executed.iter().map(|part| part.tasks).sum::<u64>(), sum.created);
        prop_assert_eq!(executed.iter().map(|part| part.time_ps).sum::<u64>(), sum.working_ps);
        prop_assert!(sum.at_once <= sum.by_creator.tasks);
        prop_assert!(sum.searching_ps <= sum.fetching_ps && sum.busiest_creator_ps <= sum.creating_ps);
        prop_assert_eq!(course.left, 0);
        if let Some(bound) = bench.profile.tasks.bound {
            prop_assert!(sum.longest_queue <= u64::from(bound * bench.threads));
        }
        let taken: u64 = course.stolen.iter().sum();
        prop_assert!(taken <= iterations - sum.by_creator.tasks.min(iterations));
    }

    /// Every task is executed once, its own part after that of its parent. A waiting task ends after its children. No
    /// task begins before its dependences have ended.
    #[test]
    fn trees(mut bench in bench(), phase in prop_oneof![tree(), dependent_tree()], seed: u64) {
        let dependences = phase.tasking.dependences.clone();
        let count = phase.iterations as usize;
        let tree = phase.tasking.tree.clone().expect("a tree");
        bench.phase = phase;
        let course = bench.run(takes(seed));
        let (mut begun, mut own, mut after, mut ended) = (vec![0; count], vec![0; count], vec![0; count], vec![0; count]);
        let (mut works, mut computes) = (vec![0; count], vec![0; count]);
        for deed in &course.deeds {
            match &deed.what {
                What::Work(range) => {
                    let number = range.start as usize;
                    works[number] += 1;
                    (begun[number], own[number]) = (deed.from, deed.to);
                }
                What::Compute(after_it) => {
                    let number = *after_it as usize - 1;
                    computes[number] += 1;
                    (after[number], ended[number]) = (deed.from, deed.to);
                }
            }
        }
        prop_assert_eq!(&works, &vec![1; count]);
        prop_assert_eq!(&computes, &vec![1; count]);
        for (number, task) in tree.tasks.iter().enumerate() {
            for child in &tree.children[task.first as usize..(task.first + task.count) as usize] {
                let child = *child as usize;
                prop_assert!(begun[child] >= own[number], "{} before its parent {}", child, number);
                prop_assert!(!task.wait || after[number] >= ended[child], "{} did not wait", number);
            }
        }
        if let Some(all) = dependences {
            for (before, ended) in ended.iter().enumerate() {
                for next in &all.successors[all.first[before] as usize..all.first[before + 1] as usize] {
                    prop_assert!(begun[*next as usize] >= *ended, "{} before {} had ended", next, before);
                }
            }
        }
        prop_assert_eq!((course.left, course.sum.created), (0, count as u64));
    }

    /// No task begins before all of its predecessors have ended.
    #[test]
    fn dependences(mut bench in bench(), phase in dependent(), seed: u64, times in 1u32..3) {
        let count = phase.iterations as usize;
        let all = phase.tasking.dependences.clone().expect("dependences");
        bench.phase = phase;
        bench.times = times;
        let course = bench.run(takes(seed));
        let mut ended = vec![0; count];
        let mut runs = vec![0; count];
        for deed in &course.deeds {
            let What::Work(range) = &deed.what else { continue };
            let number = range.start as usize;
            runs[number] += 1;
            ended[number] = deed.to;
        }
        prop_assert_eq!(runs, vec![times; count]);
        prop_assert_eq!(course.left, 0);
        for deed in course.deeds.iter().filter(|_| times == 1) {
            let What::Work(range) = &deed.what else { continue };
            let number = range.start as usize;
            for (other, ended) in ended.iter().enumerate() {
                let successors = &all.successors[all.first[other] as usize..all.first[other + 1] as usize];
                if successors.contains(&(number as u32)) {
                    prop_assert!(deed.from >= *ended, "{number} before {other} had ended");
                }
            }
        }
    }

    /// Strict queues: a task runs in the domain that it names, if threads run there.
    #[test]
    fn strict_never_leaves(mut bench in bench(), iterations in 1u64..80, seed: u64, step in 1u64..7) {
        bench.queue = QueueKind::LocalityStrict;
        bench.machine = "socket:2 node:2 core:2";
        bench.threads = 8;
        bench.profile.tasks.bound = None;
        bench.phase = flat(iterations);
        let node = |iteration: u64| iteration.wrapping_mul(step) % 4;
        bench.homes = (0..iterations).map(|iteration| Some(NodeId(node(iteration) as u32))).collect();
        let course = bench.run(takes(seed));
        for deed in &course.deeds {
            let What::Work(range) = &deed.what else { continue };
            prop_assert_eq!(u64::from(deed.thread / 2), node(range.start));
        }
        prop_assert_eq!(course.deeds.len() as u64, iterations);
    }

    /// Equal seeds give equal courses.
    #[test]
    fn runs_repeat(bench in bench(), phase in tree(), seed: u64) {
        let bench = Bench { phase, ..bench };
        prop_assert_eq!(bench.run(takes(seed)).deeds, bench.run(takes(seed)).deeds);
    }
}
