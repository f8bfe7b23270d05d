//! Lower bound of a run's makespan: its instructions, spread evenly over all threads.

use crate::ResolvedRun;
use numalab_base::{PS_PER_S, Time};
use numalab_workload::Phase;

/// Earliest possible end of a run. Only the instructions of loops count, since they are known in advance.
pub(super) fn shortest(run: &ResolvedRun) -> Time {
    let workload = &run.experiment.workload.value;
    let core = &run.machine.loaded.value.core;
    let each = core.clock.0 * core.instructions_per_cycle * run.team.members.len().max(1) as f64;
    let times = |phase: &Phase| {
        f64::from(phase.repeat) * f64::from(phase.rounds(workload.rounds)) * f64::from(phase.times)
    };
    let loops = workload.phases.iter().filter(|phase| phase.construct.is_loop() && !phase.needs_tasks());
    let all: f64 = loops.map(|phase| instructions(phase) * times(phase)).sum();
    Time((all / each * PS_PER_S) as u64)
}

/// Instructions of all iterations of a loop, including those per accessed byte.
fn instructions(phase: &Phase) -> f64 {
    let on_data = phase.accesses.iter().filter(|access| access.mode.is_data()).map(|access| {
        let per_byte = access.demand.instructions_per_byte.unwrap_or(phase.instructions_per_byte);
        per_byte * access.slice.total(phase.iterations) as f64
    });
    phase.instructions.iter().sum::<f64>() + on_data.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::shortest;
    use crate::{Files, RunSpec};

    /// Law: Bins of a timeline begin no wider than the run needs.
    ///
    /// The bound is at most the run's time, and close to it if all threads compute. In `compute`, one of 16 threads
    /// computes.
    #[test]
    fn bound_is_below_the_run() {
        for (workload, policy, most) in [
            ("loadbal", "static", 0.1),
            ("loadbal", "dynamic", 0.1),
            ("cg", "static", 0.0),
            ("compute", "static", 0.06),
        ] {
            let schedules = vec![policy.parse().unwrap()];
            let spec =
                RunSpec { schedules, series: false, ..RunSpec::new("board:2 socket:2 core:4", workload) };
            let run = spec.resolve(&Files::default()).unwrap();
            let watch = crate::Watch::of_bytes(None, 1 << 20);
            let (_, timelines) =
                crate::answer_watched(&run, &Files::default(), Some(1), &(), &watch).unwrap();
            let part = shortest(&run).0 as f64 / timelines[0].run_ps as f64;
            assert!((most..=1.0 + 1e-6).contains(&part), "{workload} {policy}: {part}");
        }
    }
}
