//! The main job at three sizes, from the resolved request to the result record: the machine's fabric,
//! the initialisation that places the pages, and the measured loop. Divided by the packages, the times
//! of one policy should stay close to each other from size to size.

mod common;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use numalab_formats::{self as formats, Facts, parse_overrides};
use numalab_machine::totals;
use numalab_study::{Request, compare};
use numalab_workload::Schedule;
use std::hint::black_box;

/// Machine, packages, and how many samples are taken.
const SIZES: [(&str, u64, usize); 3] = [
    ("bcs16", 3_840, 30),
    ("board:104 socket:2 core:10", 62_400, 10),
    ("board:512 socket:4 core:16", 983_040, 10),
];

const POLICIES: [&str; 3] = ["static", "dynamic", "numa-steal:most-loaded"];

/// The workload on a machine, under all policies that it compares by default.
fn request(machine: &str, packages: u64) -> Request {
    let overrides = parse_overrides(&[format!("workload.packages={packages}")]).expect("an override");
    let machine = formats::machine(machine, &[]).expect("the machine is in the catalogue, or synthetic");
    let facts = Facts::of(&machine.value, totals(&machine.value).cores);
    let workload =
        formats::workload("loadbal", &overrides.workload, &facts).expect("the workload is in the catalogue");
    let workload = workload.workload;
    Request {
        machine,
        policies: workload.value.compare.clone(),
        workload,
        threads: None,
        procs: None,
        binding: None,
        runtime: None,
        seed: 0,
        jobs: None,
    }
}

/// Runs it, and sees that all work was done.
fn run(request: &Request, packages: u64) {
    let comparison = black_box(compare(request, &()).expect("it fits the machine"));
    for run in &comparison.runs {
        assert_eq!(run.team.iter().map(|member| member.packages).sum::<u64>(), packages);
    }
}

fn loadbal(c: &mut Criterion) {
    for (at, &(machine, packages, samples)) in common::sizes(&SIZES).iter().enumerate() {
        let mut group = c.benchmark_group(format!("loadbal/{packages}"));
        group
            .sampling_mode(SamplingMode::Flat)
            .sample_size(samples)
            .throughput(Throughput::Elements(packages));
        let all = request(machine, packages);
        for name in POLICIES {
            let policy: Schedule = name.parse().expect("a policy");
            let alone = Request { policies: vec![policy], ..all.clone() };
            group.bench_function(name, |b| b.iter(|| run(&alone, packages)));
        }
        if at == 0 {
            group.throughput(Throughput::Elements(packages * all.policies.len() as u64));
            group.bench_function("all-policies", |b| b.iter(|| run(&all, packages)));
        }
        group.finish();
    }
}

criterion_group!(name = benches; config = common::criterion(); targets = loadbal);
criterion_main!(benches);
