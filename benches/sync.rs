//! Line transactions per second of threads that synchronise, on the largest shipped machine: the interpreter and the
//! coherence engine together.
//!
//! | mix | what |
//! |---|---|
//! | `lock` | all threads acquire and release one lock repeatedly, by kind of lock |
//! | `barrier` | all threads meet at a barrier repeatedly, by kind of barrier |

mod common;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use numalab_base::Time;
use numalab_coherence::AgentId;
use numalab_machine::{CoreId, Fabric, Groups, Machine, NodeId};
use numalab_runtime::barriers::BarrierLines;
use numalab_runtime::profile::Barrier;
use numalab_runtime::{Arithmetic, CodeBuilder, Exec, Locks, Profile, Reg, TeamMember, Test};
use numalab_workload::LockKind;
use std::hint::black_box;

/// Numbers of threads that synchronise.
const SIZES: [u32; 3] = [8, 32, 128];

/// Number of times that each thread acquires the lock or meets at the barrier.
const ROUNDS: u64 = 100;

const BARRIERS: [(&str, Barrier); 5] = [
    ("central", Barrier::Central),
    ("tree", Barrier::Tree { branching: 4 }),
    ("hypercube", Barrier::Hypercube { branching: 4 }),
    ("dissemination", Barrier::Dissemination),
    ("hierarchical", Barrier::Hierarchical),
];

/// One program per thread, on consecutive cores. Each repeats a body `ROUNDS` times.
fn rounds<'a>(
    machine: &Machine,
    fabric: &'a Fabric,
    threads: u32,
    write: impl FnOnce(&mut Exec<'a>, &[TeamMember]) -> Box<dyn Fn(&mut CodeBuilder, u32, Reg)>,
) -> Exec<'a> {
    let mut exec = Exec::new(machine, fabric);
    let groups = Groups::of(machine);
    let members: Vec<TeamMember> = (0..threads)
        .map(|thread| TeamMember::new(&groups, fabric, exec.add_agent(CoreId(thread)), CoreId(thread)))
        .collect();
    let part = write(&mut exec, &members);
    for thread in 0..threads {
        let mut code = CodeBuilder::new();
        let round = code.argument();
        let again = code.here();
        code.compute_to(round, round, Arithmetic::Add, 1u32);
        part(&mut code, thread, round);
        code.branch(round, Test::below(ROUNDS), again);
        let code = exec.add_code(code.build());
        exec.start(Time::ZERO, AgentId::new(thread), code, &[]);
    }
    exec
}

fn lock<'a>(machine: &Machine, fabric: &'a Fabric, kind: LockKind, threads: u32) -> Exec<'a> {
    rounds(machine, fabric, threads, |exec, _| {
        let lock = numalab_runtime::profile::LockProfile { kind, ..Profile::default().lock };
        let locks = Locks::new(&lock, exec, [NodeId(0)], threads);
        Box::new(move |code, thread, _| {
            locks.acquire(code, 0u32, thread);
            locks.release(code, 0u32, thread);
        })
    })
}

fn barrier<'a>(machine: &Machine, fabric: &'a Fabric, barrier: Barrier, threads: u32) -> Exec<'a> {
    rounds(machine, fabric, threads, |exec, members| {
        let meeting = BarrierLines::new(barrier, exec, NodeId(0), members);
        Box::new(move |code, thread, round| meeting.whole(code, thread, round))
    })
}

/// Runs all programs to their end; returns the number of line transactions.
fn finish(mut exec: Exec<'_>) -> u64 {
    let mut finished = Vec::new();
    while exec.next().is_some() {
        exec.advance(Time::NEVER, &mut finished);
    }
    exec.counts().transactions()
}

fn sync(c: &mut Criterion) {
    let machine = numalab_lower::machine("bcs16", &[]).expect("the machine is in the catalogue").value;
    let fabric = Fabric::new(&machine).expect("a shipped machine is sound");
    for &threads in common::sizes(&SIZES) {
        let mut group = c.benchmark_group(format!("sync/lock/{threads}"));
        for kind in LockKind::ALL {
            group.throughput(Throughput::Elements(finish(lock(&machine, &fabric, kind, threads))));
            group.bench_function(BenchmarkId::from_parameter(kind), |b| {
                b.iter_batched(
                    || lock(&machine, &fabric, kind, threads),
                    |exec| black_box(finish(exec)),
                    criterion::BatchSize::LargeInput,
                );
            });
        }
        group.finish();
        let mut group = c.benchmark_group(format!("sync/barrier/{threads}"));
        for (name, kind) in BARRIERS {
            group.throughput(Throughput::Elements(finish(barrier(&machine, &fabric, kind, threads))));
            group.bench_function(BenchmarkId::from_parameter(name), |b| {
                b.iter_batched(
                    || barrier(&machine, &fabric, kind, threads),
                    |exec| black_box(finish(exec)),
                    criterion::BatchSize::LargeInput,
                );
            });
        }
        group.finish();
    }
}

criterion_group!(name = benches; config = common::criterion(); targets = sync);
criterion_main!(benches);
