//! Random runtimes, and workloads of every construct for them: loops, bodies, tasks, inner teams.

use super::draw::Draw;
use super::{Case, POLICIES, loops, machine, team, wide};
use numalab_base::{Bandwidth, Bytes, Span};
use numalab_machine::{Cache, Fabric, Machine, Protocol, Replacement};
use numalab_runtime::Profile;
use numalab_runtime::profile::{
    Barrier, BarrierProfile, Fork, LockProfile, Nested, Reduction, TaskProfile, TeamThreads, Worksharing,
};
use numalab_workload::{
    Access, Construct, Dependences, LockKind, Mode, Phase, Pieces, Producers, QueueKind, Region, RegionId,
    Schedule, Slice, Task, TaskAffinity, Tree, Workload,
};
use proptest::prelude::*;
use std::sync::Arc;

/// Random case with a random runtime and policy.
#[derive(Clone, Debug)]
pub struct RuntimeCase {
    pub case: Case,
    pub runtime: Profile,
    pub policy: Schedule,
}

/// Random cases with every construct.
pub fn runtime_cases() -> impl Strategy<Value = RuntimeCase> {
    proptest::collection::vec(any::<u32>(), 600).prop_map(|numbers| {
        let mut draw = Draw::new(numbers);
        let (machine, team) = place(&mut draw);
        let runtime = runtime(&mut draw);
        let policy = policy(&mut draw);
        let threads = team.members.len() as u64;
        let regions: Vec<Region> =
            (0..2).map(|at| Region::new(format!("region{at}"), Bytes(4096 + draw.below(1 << 20)))).collect();
        let mut phases: Vec<Phase> =
            (0..1 + draw.below(4)).map(|at| phase(at, &regions, threads, &mut draw)).collect();
        share_regions(&mut phases, &mut draw);
        let workload = Workload { regions, phases, ..loops::no_workload() };
        RuntimeCase { case: Case::drawn(machine, workload, team, &mut draw), runtime, policy }
    })
}

/// One phase of tasks that compute, some of which wait for others.
pub fn chains() -> impl Strategy<Value = RuntimeCase> {
    proptest::collection::vec(any::<u32>(), 300).prop_map(|numbers| {
        let mut draw = Draw::new(numbers);
        let (machine, team) = place(&mut draw);
        let runtime = runtime(&mut draw);
        let iterations = 1 + draw.below(20);
        let mut phase = Phase {
            repeat: 1 + draw.below(2) as u32,
            times: 1 + draw.below(2) as u32,
            instructions: (0..iterations).map(|_| draw.real(1.0..1e4)).collect(),
            ..Phase::new("chains", iterations)
        };
        phase.tasking.producers = draw.pick(&[Producers::Parallel, Producers::Single]);
        phase.tasking.dependences = Some(dependences(iterations as u32, &mut draw));
        let workload = Workload { phases: vec![phase], ..loops::no_workload() };
        let policy = Schedule::Tasks(queue(&mut draw));
        RuntimeCase { case: Case::drawn(machine, workload, team, &mut draw), runtime, policy }
    })
}

/// Random machine with or without caches, and threads on the machine.
fn place(draw: &mut Draw) -> (Machine, numalab_simulator::Team) {
    let mut machine = machine::machine(draw);
    machine.protocol = draw.pick(&Protocol::ALL);
    let fabric = Fabric::new(&machine).expect("a sound machine");
    let cores = fabric.cores_per_node();
    let mut shared = 1;
    for level in 0..draw.below(3) as u8 {
        let fitting = wide(shared, cores);
        shared = draw.pick(&fitting);
        machine.caches.push(Cache {
            level: level + 1,
            size: Bytes(1 << (14 + 3 * level)),
            shared_by: shared,
            core_to_core: None,
            passed_on: 0.5,
            inclusive: true,
            random_outstanding: None,
            ways: None,
            replacement: Replacement::Lru,
            latency: Span(500 + draw.below(30_000)),
            bandwidth: Bandwidth(draw.real(4e9..64e9)),
        });
    }
    let team = team(&fabric, draw);
    for cache in &mut machine.caches {
        cache.passed_on = draw.real(0.0..1.0);
    }
    let core = &mut machine.core;
    (core.atomic_ahead, core.atomic_past) = (draw.real(0.0..1.0), draw.real(0.0..1.0));
    core.atomic = Span(draw.below(5_000));
    core.pause = draw.perhaps(|draw| Span(draw.below(50_000))).unwrap_or_default();
    (machine, team)
}

fn nested(draw: &mut Draw) -> Nested {
    Nested {
        threads: draw.pick(&TeamThreads::ALL),
        lock: draw.pick(&LockKind::ALL),
        member_lines: draw.below(3) as u32,
        team_lines: draw.below(3) as u32,
        return_lines: draw.below(4) as u32,
        calls: draw.below(2) as u32,
        line_stores: 1 + draw.below(3) as u32,
        sorted: draw.maybe(),
        polled: draw.maybe(),
        team_reads: draw.below(3) as u32,
        revisits: draw.below(4) as u32,
        return_revisits: draw.below(3) as u32,
    }
}

fn runtime(draw: &mut Draw) -> Profile {
    let mut fork = Fork {
        fixed: Span(draw.below(1_000_000)),
        open: Some(Span(draw.below(1_000_000))),
        enter: Span(draw.below(200_000)),
        team_lines: draw.below(3) as u32,
        member_lines: draw.below(3) as u32,
        member_writes: draw.maybe(),
        pool_barrier: false,
        nested: nested(draw),
        ..Profile::default().fork
    };
    (fork.release, fork.branching) = barrier(draw).parts();
    fork.pool_barrier = draw.maybe();
    let lock = LockProfile {
        kind: draw.pick(&LockKind::ALL),
        spin: draw.perhaps(|draw| Span(draw.below(3_000_000))),
        wake: Span(draw.below(5_000_000)),
    };
    let tasks = TaskProfile {
        queue: draw.pick(&QueueKind::ALL),
        bound: draw.perhaps(|draw| 1 + draw.below(6) as u32),
        lock: draw.perhaps(|draw| draw.pick(&LockKind::ALL)),
        create: Span(draw.below(200_000)),
        dispatch: Span(draw.below(100_000)),
        at_once: draw.perhaps(|draw| Span(draw.below(100_000))),
        alone_at_once: draw.maybe(),
        wakes: draw.maybe(),
        lines: draw.below(3) as u32,
    };
    let (kind, branching) = barrier(draw).parts();
    Profile {
        fork,
        barrier: BarrierProfile {
            kind,
            branching,
            crowded_spin: Span(draw.below(3_000_000)),
            wake_call: Span(draw.below(200_000)),
            ..Profile::default().barrier
        },
        lock,
        worksharing: Worksharing {
            static_loop: Span(draw.below(100_000)),
            chunk: Span(draw.below(100_000)),
            single: Span(draw.below(100_000)),
            static_sections: draw.maybe(),
        },
        tasks,
        reduction: draw.pick(&[Reduction::Tree, Reduction::Atomic, Reduction::Critical]),
        auto: draw.pick(&POLICIES),
        runtime: draw.pick(&POLICIES),
        ..Profile::default()
    }
}

fn barrier(draw: &mut Draw) -> Barrier {
    let branching = 1 + draw.below(4) as u32;
    draw.pick(&[
        Barrier::Central,
        Barrier::Tree { branching },
        Barrier::Hypercube { branching: branching + 1 },
        Barrier::Dissemination,
        Barrier::Hierarchical,
        Barrier::Free,
    ])
}

fn queue(draw: &mut Draw) -> Option<QueueKind> {
    draw.perhaps(|draw| draw.pick(&QueueKind::ALL))
}

fn policy(draw: &mut Draw) -> Schedule {
    match draw.below(5) {
        0 => Schedule::Auto,
        1 => Schedule::Runtime,
        2 => draw.pick(&POLICIES),
        _ => Schedule::Tasks(queue(draw)),
    }
}

fn phase(at: u64, regions: &[Region], threads: u64, draw: &mut Draw) -> Phase {
    let construct = construct(draw);
    let teams: Vec<u64> = (1..=threads).filter(|teams| threads.is_multiple_of(*teams)).collect();
    let mut iterations = 1 + draw.below(40);
    if matches!(construct, Construct::Single { .. } | Construct::Master) {
        // Any thread can be the first to come, so each needs an iteration.
        iterations = iterations.max(threads);
    }
    let instructions = draw.perhaps(|draw| (0..iterations).map(|_| draw.real(0.0..1e4)).collect());
    let mut phase = Phase {
        construct,
        repeat: 1 + draw.below(2) as u32,
        times: 1 + draw.below(3) as u32,
        teams: if draw.maybe() { 1 } else { draw.pick(&teams) as u32 },
        measured: at > 0 || draw.maybe(),
        accesses: draw.perhaps(|draw| access(regions, iterations, draw)).into_iter().collect(),
        instructions: instructions.unwrap_or_else(|| [].into()),
        overlap: draw.pick(&[1.0, 0.0, 0.4]),
        ..Phase::new(format!("phase{at}"), iterations)
    };
    if construct == Construct::ParallelFor {
        tasking(&mut phase, regions, draw);
    }
    if matches!(construct, Construct::Sections { .. }) {
        phase.schedule = Some(Schedule::Dynamic { chunk: 1 });
    }
    phase
}

/// Lets some phases share the region of the phase before them.
fn share_regions(phases: &mut [Phase], draw: &mut Draw) {
    for at in 1..phases.len() {
        let (before, rest) = phases.split_at_mut(at);
        let (before, phase) = (&before[at - 1], &mut rest[0]);
        if before.construct.shares_region() && phase.construct.shares_region() && draw.below(3) > 0 {
            phase.continues = true;
            (phase.repeat, phase.times, phase.teams) = (before.repeat, before.times, before.teams);
            phase.measured = before.measured;
        }
    }
}

fn construct(draw: &mut Draw) -> Construct {
    let lock = draw.perhaps(|draw| draw.pick(&LockKind::ALL));
    let spacing = Bytes(draw.pick(&[8, 24, 64, 128]));
    let atomic = draw.below(2) == 1;
    draw.pick(&[
        Construct::ParallelFor,
        Construct::ParallelFor,
        Construct::ParallelFor,
        Construct::Parallel,
        Construct::Reduction,
        Construct::Serial,
        Construct::For { nowait: true },
        Construct::For { nowait: false },
        Construct::Barrier,
        Construct::Single { nowait: atomic },
        Construct::Master,
        Construct::Sections { nowait: atomic },
        Construct::Critical,
        Construct::Lock(lock),
        Construct::Atomic,
        Construct::Ordered,
        Construct::Update { spacing, atomic },
    ])
}

fn access(regions: &[Region], iterations: u64, draw: &mut Draw) -> Access {
    let region = draw.below(regions.len() as u64) as usize;
    let size = regions[region].size.0;
    let piece = |draw: &mut Draw| {
        let start = draw.below(size);
        (start, draw.below(size - start).min(4_000))
    };
    let slice = Slice::Explicit(Pieces::new((0..iterations).map(|_| piece(draw)).collect()));
    Access::new(RegionId(region), slice, draw.pick(&[Mode::Read, Mode::Write, Mode::Update]))
}

/// Draws how a loop is divided into tasks: by a grain, as a tree of tasks, or with dependences.
fn tasking(phase: &mut Phase, regions: &[Region], draw: &mut Draw) {
    let iterations = phase.iterations;
    let tasking = &mut phase.tasking;
    tasking.producers = draw.pick(&[Producers::Parallel, Producers::Single]);
    tasking.affinity = draw.perhaps(|draw| {
        let region = draw.below(regions.len() as u64) as usize;
        let offsets = (0..iterations).map(|_| draw.below(regions[region].size.0)).collect();
        TaskAffinity { region: RegionId(region), offsets }
    });
    match draw.below(4) {
        0 => tasking.tree = Some(tree(iterations as u32, draw)),
        1 => tasking.dependences = Some(dependences(iterations as u32, draw)),
        _ => tasking.grain = 1 + draw.below(5),
    }
    if phase.needs_tasks() {
        phase.schedule = Some(Schedule::Tasks(queue(draw)));
    }
}

/// Random trees: task 0 and about a quarter of the other tasks are roots, and each other task is the child of an
/// earlier task.
fn tree(tasks: u32, draw: &mut Draw) -> Tree {
    let mut children = vec![Vec::new(); tasks as usize];
    let mut roots = Vec::new();
    for task in 0..tasks {
        if task == 0 || draw.below(4) == 0 {
            roots.push(task);
        } else {
            children[draw.below(task.into()) as usize].push(task);
        }
    }
    let mut first = 0;
    let list = children.iter().map(|children| {
        let count = children.len() as u32;
        first += count;
        let after = draw.pick(&[0.0, 1000.0]);
        Task { first: first - count, count, wait: draw.maybe(), after }
    });
    Tree { tasks: list.collect(), children: children.concat().into(), roots: roots.into(), next: [].into() }
}

/// Random dependences, by which some tasks wait for some earlier ones.
fn dependences(tasks: u32, draw: &mut Draw) -> Arc<Dependences> {
    let mut all =
        Dependences { first: vec![0], successors: Vec::new(), predecessors: vec![0; tasks as usize] };
    for task in 0..tasks {
        for later in task + 1..tasks {
            if draw.below(8) == 7 {
                all.successors.push(later);
                all.predecessors[later as usize] += 1;
            }
        }
        all.first.push(all.successors.len() as u32);
    }
    Arc::new(all)
}
