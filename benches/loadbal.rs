//! The workload `loadbal` at three sizes, from the resolved run to the result record: the initialisation that places
//! the pages, and the measured loop. The time of a policy divided by the iterations should be nearly equal at all
//! sizes.

mod common;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use numalab_files::parse_overrides;
use numalab_study::{Files, ResolvedRun, RunSpec};
use numalab_workload::Schedule;
use std::hint::black_box;

/// Machine, number of iterations, and number of samples of each size.
const SIZES: [(&str, u64, usize); 3] = [
    ("bcs16", 3_840, 30),
    ("board:104 socket:2 core:10", 62_400, 10),
    ("board:512 socket:4 core:16", 983_040, 10),
];

const POLICIES: [&str; 3] = ["static", "dynamic", "numa-steal:most-loaded"];

/// Resolved run of `loadbal` on a machine, under `schedules`; if empty, under all policies that the workload
/// compares.
fn resolved(machine: &str, iterations: u64, schedules: Vec<Schedule>) -> ResolvedRun {
    let overrides = parse_overrides(&[format!("workload.packages={iterations}")]).expect("an override");
    let spec = RunSpec { overrides, schedules, ..RunSpec::new(machine, "loadbal") };
    spec.resolve(&Files::default()).expect("machine and workload are in the catalogue, or synthetic")
}

/// Simulates the run, and checks that all iterations were executed.
fn run(resolved: &ResolvedRun, iterations: u64) {
    for run in black_box(resolved.simulate(None, &()).expect("it fits the machine")) {
        assert_eq!(run.team.iter().map(|member| member.iterations).sum::<u64>(), iterations);
    }
}

fn loadbal(c: &mut Criterion) {
    for (at, &(machine, iterations, samples)) in common::sizes(&SIZES).iter().enumerate() {
        let mut group = c.benchmark_group(format!("loadbal/{iterations}"));
        group
            .sampling_mode(SamplingMode::Flat)
            .sample_size(samples)
            .throughput(Throughput::Elements(iterations));
        let all = resolved(machine, iterations, Vec::new());
        for name in POLICIES {
            let policy: Schedule = name.parse().expect("a policy");
            let alone = resolved(machine, iterations, vec![policy]);
            group.bench_function(name, |b| b.iter(|| run(&alone, iterations)));
        }
        if at == 0 {
            group.throughput(Throughput::Elements(iterations * all.schedules.len() as u64));
            group.bench_function("all-policies", |b| b.iter(|| run(&all, iterations)));
        }
        group.finish();
    }
}

criterion_group!(name = benches; config = common::criterion(); targets = loadbal);
criterion_main!(benches);
