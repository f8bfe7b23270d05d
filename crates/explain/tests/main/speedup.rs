//! Virtual speed-ups.

use numalab_explain::{Request, blame, explain};
use numalab_study::Files;
use std::sync::Arc;

/// Every point of a curve, simulated or interpolated, is within a thousandth of a separate simulation.
#[test]
fn curves_are_what_simulating_every_point_gives() {
    for (workload, policy) in [("loadbal", "static"), ("loadbal", "dynamic"), ("matvec", "static")] {
        let run = crate::resolved("bcs16", workload, Some(policy), &[]);
        let files = Files::default();
        let request = Request {
            files: &files,
            budget: u64::MAX,
            progress: &(),
            jobs: Some(2),
            on_machine: &|_| None,
            how: &|_| String::new(),
        };
        let explanation = explain(&run, blame(&run, &()).unwrap(), &request).expect("it runs");
        assert!(!explanation.speedups.is_empty());
        for curve in &explanation.speedups {
            for point in &curve.points {
                let mut case = crate::case("bcs16", workload, Some(policy), &[]);
                let phases = &mut Arc::make_mut(&mut case.workload).phases;
                for phase in phases.iter_mut().filter(|phase| phase.name == curve.phase) {
                    phase.instructions_per_byte *= 1.0 - point.faster;
                    phase.instructions =
                        phase.instructions.iter().map(|one| one * (1.0 - point.faster)).collect();
                }
                let simulated = case.run().expect("it runs").makespan_ps;
                let off = simulated.abs_diff(point.makespan_ps) as f64 / explanation.makespan_ps as f64;
                assert!(off <= 1e-3, "{workload} {policy} {curve:?}: {point:?}, simulated {simulated}");
            }
        }
    }
}
