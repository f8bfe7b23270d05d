//! Counts of the engine's work in a run.

use crate::runs::Run;
use numalab_files::parse_overrides;
use numalab_study::{Files, RunSpec};

/// Columns of the golden file, each with its relative tolerance: 0 for counts of the simulation, a few per cent for
/// bytes, which depend on the standard library and the optimiser.
pub const COLUMNS: [(&str, f64); 7] = [
    ("events", 0.0),
    ("solver-visits", 0.0),
    ("cache-visits", 0.0),
    ("operations", 0.0),
    ("transactions", 0.0),
    ("allocated-bytes", 0.03),
    ("peak-bytes", 0.03),
];

/// The counts of one run, by column.
pub type Counts = [u64; COLUMNS.len()];

/// Counts the engine's work on one run, from the resolved run to finished records, on one thread; if the files count
/// too, from the names. Counts of several policies are added.
pub fn count(run: &Run) -> Counts {
    let overrides: Vec<String> = run.overrides.iter().map(ToString::to_string).collect();
    let named = |name: &str| (!name.is_empty()).then(|| name.to_owned());
    let spec = RunSpec {
        overrides: parse_overrides(&overrides).expect("known names"),
        schedules: named(run.policy).iter().map(|name| name.parse().expect("a policy")).collect(),
        placement: named(run.placement).map(|name| name.parse().expect("a placement")),
        ..RunSpec::new(run.machine, run.workload)
    };
    let resolve = || spec.resolve(&Files::default()).expect("a run that one can type");
    let read = (!run.with_files).then(resolve);
    let mut sums = [0; 5];
    let allocated = allocation_counter::measure(|| {
        let resolved = read.unwrap_or_else(resolve);
        for run in resolved.simulate(Some(1), &()).expect("it runs") {
            let engine = run.engine;
            let counts =
                [run.events, engine.solver_visits, engine.cache_visits, engine.operations, run.transactions];
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += count;
            }
        }
    });
    let [events, solver, caches, operations, transactions] = sums;
    [events, solver, caches, operations, transactions, allocated.bytes_total, allocated.bytes_max]
}
