//! Tests that values which matter are found: the order of their effects is that of halving and doubling each.

use numalab_explain::{Case, influences};
use numalab_study::{Files, ResolvedRun, RunSpec, Unknown};
use std::collections::BTreeMap;

fn run(workload: &str) -> ResolvedRun {
    let spec = RunSpec { series: false, ..RunSpec::new("epyc-9654-2p-nps4", workload) };
    spec.resolve(&Files::default()).unwrap().under_the_first()
}

/// Largest change of the makespan if a value is halved or doubled, as a part of the makespan.
fn by_brute_force(run: &ResolvedRun, unknown: &Unknown) -> f64 {
    let makespan = |run: &ResolvedRun| Case::of(run).unwrap().run().unwrap().makespan_ps as f64;
    let whole = makespan(run);
    let changed = |factor| match run.with_values(&[(unknown, factor)], &Files::default()) {
        Ok(changed) => (makespan(&changed) / whole - 1.0).abs(),
        Err(_) => 0.0,
    };
    changed(0.5).max(changed(2.0))
}

/// Ranks of values, equal ones with their mean.
fn ranks(values: &[f64]) -> Vec<f64> {
    let below = |value: f64| values.iter().filter(|other| **other < value).count() as f64;
    let equal = |value: f64| values.iter().filter(|other| **other == value).count() as f64;
    values.iter().map(|value| below(*value) + (equal(*value) - 1.0) / 2.0).collect()
}

/// Spearman's rank correlation.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 - 1.0) / 2.0;
    let sum = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum() };
    sum(&a, &b) / (sum(&a, &a) * sum(&b, &b)).sqrt()
}

/// Law: Effects within tolerances have the order of effects of halving and doubling.
#[test]
fn effects_are_in_the_order_of_brute_force() {
    for workload in ["stream", "locks"] {
        let run = run(workload);
        let whole = Case::of(&run).unwrap().run().unwrap().makespan_ps;
        let found = influences(&run, &Files::default(), u64::MAX, &()).unwrap().unwrap();
        let effects: BTreeMap<&str, f64> =
            found.iter().map(|value| (&*value.path, value.effect(whole))).collect();
        let unknowns = run.unknowns();
        let found: Vec<f64> =
            unknowns.iter().map(|value| effects.get(&*value.path).copied().unwrap_or(0.0)).collect();
        let brute: Vec<f64> = unknowns.iter().map(|value| by_brute_force(&run, value)).collect();
        let correlation = correlation(&found, &brute);
        assert!(correlation >= 0.8, "{workload}: {correlation}");
    }
}

/// One thread that streams is bound by memory latency and lines in flight, whose tolerances are equal.
#[test]
fn one_thread_depends_on_latency_and_lines_in_flight() {
    let spec = RunSpec { threads: Some(1), series: false, ..RunSpec::new("epyc-9654-2p-nps4", "stream") };
    let run = spec.resolve(&Files::default()).unwrap().under_the_first();
    let found = influences(&run, &Files::default(), u64::MAX, &()).unwrap().unwrap();
    let mut first: Vec<&str> = found.iter().take(2).map(|value| &*value.path).collect();
    first.sort_unstable();
    assert_eq!(first, ["machine.core.outstanding", "machine.memory.latency"]);
    // No value of the runtime's tasks is used.
    assert!(found.iter().all(|value| !value.path.starts_with("runtime.tasks")));
}

/// Six lines in flight are assumed of loadbal, and 3.5 to 10.2 are possible.
#[test]
fn assumptions_about_the_loop_matter() {
    let spec = RunSpec { threads: Some(8), series: false, ..RunSpec::new("s6030", "loadbal") };
    let run = spec.resolve(&Files::default()).unwrap().under_the_first();
    let found = influences(&run, &Files::default(), u64::MAX, &()).unwrap().unwrap();
    let lines = found.iter().find(|value| value.path == "workload.lines").unwrap();
    assert_eq!((&*lines.origin, lines.within), ("assumed", 0.7));
    assert!(lines.at_least_ps > lines.at_most_ps, "fewer lines in flight take longer: {lines:?}");
}

/// A budget for fewer runs than there are values leaves them out.
#[test]
fn effects_that_do_not_fit_the_budget_are_left_out() {
    let run = run("stream");
    assert_eq!(influences(&run, &Files::default(), 1, &()).unwrap(), None);
}
