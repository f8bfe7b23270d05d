//! Law: specifications have equal hashes if and only if they describe the same run.

use crate::{Files, Given, ResolvedRun, RunHash, RunSpec};
use numalab_files::parse_overrides;
use numalab_openmp::binding::Binding;
use proptest::prelude::*;
use proptest::sample::select;

/// Values of `--set`. The first ones repeat values of the files, so they change nothing.
const SET: [&str; 7] = [
    "machine.core.threads=2",
    "workload.packages=8",
    "runtime.name=plain",
    "machine.memory.latency=201 ns",
    "workload.packages=9",
    "workload.measures.share.value=2",
    "runtime.name=other",
];

const WORKLOAD: &str = "\
name: small
parameters: { packages: 8 }
regions:
  data: { size: 64 MB, placement: interleave }
phases:
  - name: work
    measured: true
    loop:
      iterations: packages
      touches: [{ region: data, slice: { partition: 1 }, mode: read }]
measures: { share: { value: time / 2 } }
compare: [static, dynamic]
";

fn specs(workload: String) -> impl Strategy<Value = RunSpec> {
    let optional = |texts: &'static [&'static str]| prop::option::of(select(texts));
    let first = (
        prop::collection::vec(select(&SET[..]), 0..2),
        prop::option::of(select(vec![1u32, 4])),
        optional(&["0-3", "0,1-3", "3,2,1,0", "0-1"]),
        optional(&["cores", "{0},{1},{2},{3}", "sockets", "threads(4)"]),
        optional(&["close", "spread", "true", "false"]),
        optional(&["interleave", "first-touch", "bind:0"]),
    );
    let more = (
        optional(&["plain", "gcc-4.8"]),
        select(vec![
            vec![],
            vec!["static"],
            vec!["dynamic"],
            vec!["static", "dynamic"],
            vec!["static", "static"],
        ]),
        0..2u64,
    );
    (first, more).prop_map(move |((set, threads, processors, places, proc_bind, placement), more)| {
        let set: Vec<String> = set.into_iter().map(str::to_owned).collect();
        let (runtime, schedules, seed) = more;
        RunSpec {
            overrides: parse_overrides(&set).unwrap(),
            threads,
            processors: processors.map(|list| list.parse().unwrap()),
            binding: Binding::parse(places, proc_bind).unwrap(),
            placement: placement.map(|placement| placement.parse().unwrap()),
            runtime: runtime.map(Given::from),
            schedules: schedules.iter().map(|name| name.parse().unwrap()).collect(),
            seed,
            ..RunSpec::new("socket:2 core:2 thread:2", &workload)
        }
    })
}

/// True if both runs are the same simulation.
fn same(a: &ResolvedRun, b: &ResolvedRun) -> bool {
    a.machine.loaded.value == b.machine.loaded.value
        && a.experiment.workload.value == b.experiment.workload.value
        && a.experiment.workload.resolved == b.experiment.workload.resolved
        && a.runtime.value == b.runtime.value
        && a.team == b.team
        && a.schedules == b.schedules
        && a.spec.seed == b.spec.seed
}

proptest! {
    /// Law: Two specs that resolve alike have one hash.
    #[test]
    fn equal_hashes_mean_equal_runs(pair in any::<bool>().prop_flat_map(|_| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("small.yaml");
        std::fs::write(&path, WORKLOAD).unwrap();
        let name = path.to_str().unwrap().to_owned();
        (specs(name.clone()), specs(name), Just(std::sync::Arc::new(folder)))
    })) {
        let (a, b, _) = pair;
        let files = Files::keeping(8);
        let [a, b] = [a, b].map(|spec| spec.resolve(&files).expect("every spec of these describes a run"));
        prop_assert_eq!(a.hash() == b.hash(), same(&a, &b), "{:?}\n{:?}", a.spec, b.spec);
    }
}

/// Law: Two specs that resolve alike have one hash.
///
/// A run has one hash, however it is specified. Each single change of the run gives another hash.
#[test]
fn hash_changes_with_inputs_only() {
    let files = Files::keeping(8);
    let hash = |change: &dyn Fn(&mut RunSpec)| -> RunHash {
        let mut spec = RunSpec { threads: Some(2), ..RunSpec::new("socket:2 core:2", "loadbal") };
        change(&mut spec);
        spec.resolve(&files).unwrap().hash()
    };
    let set = |text: &str| parse_overrides(&[text.to_owned()]).unwrap();
    let plain = hash(&|_| {});
    let bound = |places: &str, policy: &str| Binding::parse(Some(places), Some(policy)).unwrap();
    let same: [&dyn Fn(&mut RunSpec); 5] = [
        &|spec| spec.processors = Some("0-1".parse().unwrap()),
        &|spec| spec.binding = bound("{0},{1}", "close"),
        &|spec| spec.binding = bound("cores", "true"),
        &|spec| spec.runtime = Some("plain".into()),
        &|spec| spec.series = false,
    ];
    for change in same {
        assert_eq!(hash(change), plain);
    }
    let other: [&dyn Fn(&mut RunSpec); 9] = [
        &|spec| spec.machine = "socket:2 core:3".into(),
        &|spec| spec.overrides = set("machine.memory.latency=200 ns"),
        &|spec| spec.overrides = set("workload.packages=100"),
        &|spec| spec.runtime = Some("gcc-4.8".into()),
        &|spec| spec.threads = Some(3),
        &|spec| spec.processors = Some("1,0".parse().unwrap()),
        &|spec| spec.binding = bound("cores", "spread"),
        &|spec| spec.schedules = vec!["dynamic".parse().unwrap()],
        &|spec| spec.seed = 1,
    ];
    let mut hashes: Vec<RunHash> = other.iter().map(|change| hash(*change)).chain([plain]).collect();
    hashes.push(hash(&|spec| spec.placement = Some("bind:1".parse().unwrap())));
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), other.len() + 2);
}
