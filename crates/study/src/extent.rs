//! Bounds on the size of a run: a typing error is refused at once instead of running for hours.
//!
//! The engine is slowest where it can batch nothing: chunks that threads request one by one, and synchronisation of
//! teams whose state is too large to detect repetitions.

use crate::{Files, RunSpec, StudyError};
use numalab_workload::{Phase, Schedule};

/// Largest number of chunks of a phase that threads request one by one: ten seconds of simulation on one processor.
pub const MOST_PIECES: u64 = 10_000_000;
/// Largest team whose number of synchronisations is limited only by the workload language.
pub const MANY_THREADS: u32 = 16_384;
/// Largest product of threads and executions of synchronising constructs in a team above `MANY_THREADS`: about a
/// minute of simulation on one processor.
pub const MOST_MEETINGS: u64 = 1_000_000;

impl RunSpec {
    /// Error if the run would take hours to simulate, as far as it can be counted before the work of the iterations is
    /// evaluated. `first`: true if only the first of the policies is simulated. A run that cannot be counted, a series and a
    /// wrong file are left to [`RunSpec::resolve`] and the simulation.
    pub fn check_counts(&self, files: &Files, first: bool) -> Result<(), StudyError> {
        let Some((counts, threads)) = files.counts(self) else { return Ok(()) };
        if counts.series.as_ref().is_some_and(|over| self.wants_series(over)) {
            return Ok(());
        }
        let policies = if self.schedules.is_empty() { &counts.compare } else { &self.schedules };
        let most = if first { 1 } else { policies.len() };
        let policies = policies.get(..most).unwrap_or_default();
        check(&counts.phases, threads, policies).map_err(|error| error.placed(&counts.places))
    }
}

/// Error if a phase would not end within minutes.
pub(crate) fn check(phases: &[Phase], threads: u32, compared: &[Schedule]) -> Result<(), StudyError> {
    for phase in phases {
        let meetings = u64::from(threads) * u64::from(phase.times);
        if threads > MANY_THREADS && phase.times > 1 && meetings > MOST_MEETINGS {
            let (phase, times) = (phase.name.clone(), phase.times);
            return Err(StudyError::TooManyMeetings { phase, times, threads });
        }
        let under = phase.schedule.as_ref().map_or(compared, std::slice::from_ref);
        for schedule in under {
            let pieces = pieces(phase, phase.under(*schedule));
            if pieces > MOST_PIECES {
                let (phase, schedule) = (phase.name.clone(), *schedule);
                return Err(StudyError::TooManyPieces { phase, schedule, pieces });
            }
        }
    }
    Ok(())
}

/// Number of chunks that threads request one by one; 0 under schedules that divide the loop in advance or in
/// shrinking chunks.
fn pieces(phase: &Phase, schedule: Schedule) -> u64 {
    // Trees of tasks have a limit of their own, on executed tasks.
    let each = match schedule.requested() {
        Some(each) => each,
        None if matches!(schedule, Schedule::Tasks(_)) && phase.tasking.tree.is_none() => phase.tasking.grain,
        None => return 0,
    };
    phase.iterations.div_ceil(each.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_handed_out_one_by_one_count() {
        let phase = Phase::new("p", 100);
        for (schedule, expected) in [
            ("static", 0),
            ("static,1", 0),
            ("guided,1", 0),
            ("dynamic,1", 100),
            ("dynamic,8", 13),
            ("numa-steal:random", 100),
            ("tasks", 100),
        ] {
            assert_eq!(pieces(&phase, schedule.parse().unwrap()), expected, "{schedule}");
        }
    }

    #[test]
    fn bounds_hold_at_their_edges() {
        let mut phases = [Phase::new("p", MOST_PIECES)];
        let dynamic = [Schedule::Dynamic { chunk: 1 }];
        check(&phases, 4, &dynamic).unwrap();
        phases[0].iterations += 1;
        assert!(matches!(check(&phases, 4, &dynamic), Err(StudyError::TooManyPieces { .. })));
        check(&phases, 4, &[Schedule::Dynamic { chunk: 2 }]).unwrap();
        phases[0].iterations = 1;
        phases[0].times = 1000;
        check(&phases, MANY_THREADS, &dynamic).unwrap();
        assert!(matches!(
            check(&phases, MANY_THREADS + 1, &dynamic),
            Err(StudyError::TooManyMeetings { .. })
        ));
        phases[0].times = 62;
        check(&phases, MANY_THREADS + 1, &dynamic).unwrap_err();
        phases[0].times = 61;
        check(&phases, MANY_THREADS, &dynamic).unwrap();
    }
}
