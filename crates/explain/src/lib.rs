//! Why a run takes as long as it does, and what would make it shorter.
//!
//! | file | what |
//! |---|---|
//! | `case` | a run that may differ from the one that was asked about |
//! | `blame/` | where the time goes, from watching the run once |
//! | `record` | that as a record |
//!
//! Libraries name no flags: how to say a change is told by whoever has a command line.

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod blame;
mod case;
mod record;

pub use blame::{Kind, Reason, Share, Watched, WatchedPhase};
pub use case::Case;
pub use record::{Culprit, culprits};

use numalab_results::{Explanation, SCHEMA_VERSION};
use numalab_simulator::SimulationError;
use numalab_study::{Files, ResolvedRun, StudyError};

/// Explains a run under its first schedule.
pub fn explain(run: &ResolvedRun, _files: &Files) -> Result<Explanation, StudyError> {
    let Some(case) = Case::of(run) else { return Err(StudyError::Spec(numalab_study::SpecError::Empty)) };
    run.check_schedules()?;
    let failed = |error: SimulationError| StudyError::Simulation { policy: Some(case.schedule), error };
    let (outcome, watched) = case.watch().map_err(failed)?;
    let inputs = run.comparison(Vec::new());
    Ok(Explanation {
        schema_version: SCHEMA_VERSION,
        seed: case.seed,
        machine: inputs.machine,
        workload: inputs.workload,
        runtime: inputs.runtime,
        placement: inputs.placement,
        binding: inputs.binding,
        policy: case.schedule.to_string(),
        threads: outcome.team.len() as u32,
        makespan_ps: outcome.makespan_ps,
        bottleneck: record::bottleneck(&case, &watched, &outcome),
        blame: record::blame(&case, &watched),
        phases: record::phases(&watched),
        handed_over: watched.handed_over,
        amdahl: record::amdahl(&watched, &outcome),
        hot_spots: record::hot_spots(&case, &watched),
        ideals: None,
        advice: Vec::new(),
        tried: 0,
        speedups: Vec::new(),
    })
}
