//! Bounds on what one run may ask of the engine, so that a slip is refused at once instead of running for hours.
//!
//! The engine is at its slowest where it can count nothing together: each piece of work that threads ask for one by one,
//! and each meeting of a team so large that its state is too long to be compared with an earlier one.

use crate::StudyError;
use numalab_workload::{Phase, Schedule};

/// Most pieces that a phase hands out one by one: ten seconds of simulation on one processor.
pub const MOST_PIECES: u64 = 10_000_000;
/// Largest team whose meetings may be as many as the workload language allows.
pub const MANY_THREADS: u32 = 16_384;
/// Most meetings of a larger team, each thread counted: about a minute of simulation on one processor.
pub const MOST_MEETINGS: u64 = 1_000_000;

/// Refuses phases that would not end within minutes.
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

/// Pieces that threads ask for one by one. What is divided beforehand, or in shrinking parts, is few.
fn pieces(phase: &Phase, schedule: Schedule) -> u64 {
    match schedule {
        Schedule::Dynamic { chunk } => phase.iterations.div_ceil(chunk.max(1)),
        Schedule::NumaSteal(_) => phase.iterations,
        // A grammar of tasks has bounds of its own, on the tasks that are executed.
        Schedule::Tasks(_) if phase.tasking.tree.is_none() => {
            phase.iterations.div_ceil(phase.tasking.grain.max(1))
        }
        Schedule::Tasks(_)
        | Schedule::Static { .. }
        | Schedule::Align
        | Schedule::Guided { .. }
        | Schedule::Auto
        | Schedule::Runtime => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_handed_out_one_by_one_counts() {
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
