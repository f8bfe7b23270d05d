//! Tests of explanations, over random machines and workloads and over those that are shipped.

mod advice;
mod blame;
mod ideals;
mod influence;
mod sensitivity;
mod speedup;

/// Random machines, workloads and runtimes from the simulator's own tests.
#[path = "../../../simulator/tests/main/random/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the simulator's tests use all of it")]
mod random;

use numalab_explain::Case;
use numalab_study::{Files, ResolvedRun, RunSpec};

/// Resolved run of a shipped machine and workload.
fn resolved(machine: &str, workload: &str, policy: Option<&str>, set: &[&str]) -> ResolvedRun {
    let set: Vec<String> = set.iter().map(|&text| text.to_owned()).collect();
    let spec = RunSpec {
        overrides: numalab_files::parse_overrides(&set).expect("overrides"),
        schedules: policy.iter().map(|policy| policy.parse().expect("a policy")).collect(),
        ..RunSpec::new(machine, workload)
    };
    spec.resolve(&Files::default()).unwrap_or_else(|error| panic!("{error}")).under_the_first()
}

/// Explanation case of a shipped machine and workload, ready for simulation.
fn case(machine: &str, workload: &str, policy: Option<&str>, set: &[&str]) -> Case {
    Case::of(&resolved(machine, workload, policy, set)).expect("a schedule")
}
