//! Explains why a run takes as long as it does, and what would shorten it.
//!
//! | file | what |
//! |---|---|
//! | `case` | a run that can differ from the one asked about |
//! | `blame/` | assigns the time of a watched run to reasons |
//! | `record` | turns these sums into records |
//! | `ideals/` | loss to each cost that can be removed |
//! | `advice/` | changes that help |
//! | `speedup` | gain of less computing |
//!
//! Libraries name no flags: the command line words a change.
//!
//! *Blame* and the *critical path* come from an observer that keeps one phase at a time. A lock that is waited for is
//! a wait for its holder; its release, which takes a line that all waiters poll, is time of the lock. A stall is
//! divided among its data by bytes. All sums are exact, in picoseconds.
//!
//! *Ideals* are switches of the engine (`simulator::Ideal`), not values of the machine. Balance takes no run: it
//! spreads the threads' time evenly. A Shapley value is exact over all combinations of up to six ideals that matter;
//! of more, orders are drawn. *Virtual speed-ups* simulate the end and the middle of a curve, and the rest unless
//! these are on a line.
//!
//! *Advice* is a list of changes that the run suggests, each simulated, the best also in pairs with changes of other
//! subjects.
//!
//! The table of `sim` shows lost time without an observer: every run sums what is booked by cause, and the solver
//! what each resource kept from its flows. Blame refines these sums: it names regions and passes waits on to the
//! thread that is waited for.

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod advice;
mod blame;
mod case;
mod ideals;
mod record;
mod speedup;

pub use advice::{BRANCHING, Remedy};
pub use blame::{Delaying, Kind, Reason, Share, Watch, Watched, WatchedPhase};
pub use case::Case;
pub use ideals::{Ideal, Lab, ideals};
pub use record::losses;

use numalab_results::{Explanation, SCHEMA_VERSION};
use numalab_simulator::SimulationError;
use numalab_study::{Files, ResolvedRun, StudyError, bottleneck};
use numalab_workload::Schedule;
use rayon::prelude::*;

/// Options of an explanation.
pub struct Request<'a> {
    /// Files that the run was read from.
    pub files: &'a Files,
    /// True to simulate the run again, with ideals and with changes.
    pub again: bool,
    /// Number of runs at a time; `None` for one per processor of the host.
    pub jobs: Option<usize>,
    /// Wording of a change.
    pub how: &'a (dyn Fn(&Remedy) -> String + Sync),
}

/// Explains a run under its first schedule.
pub fn explain(run: &ResolvedRun, request: &Request) -> Result<Explanation, StudyError> {
    let Some(case) = Case::of(run) else { return Err(StudyError::Spec(numalab_study::SpecError::Empty)) };
    run.check_schedules().map_err(|error| run.placed(error))?;
    let failed =
        |error: SimulationError| run.placed(StudyError::Simulation { policy: Some(case.schedule), error });
    let mut explanation = blamed(run, &case)?;
    if !request.again {
        return Ok(explanation);
    }
    let other = numalab_study::other_end(run, request.files)?;
    let other = other.as_ref().and_then(Case::of).map(|other| Case { schedule: case.schedule, ..other });
    // These parts are independent, and each has stages with few runs left.
    let again = || {
        let beside = || {
            let advice = || advice::advice(run, &case, other.as_ref(), &explanation, request);
            rayon::join(advice, || speedup::speedups(&case, explanation.makespan_ps))
        };
        let (ideals, ((advice, tried), speedups)) = rayon::join(|| ideals(&case), beside);
        Ok((ideals?, advice, tried, speedups?))
    };
    let workers = rayon::ThreadPoolBuilder::new().num_threads(request.jobs.unwrap_or(0)).build();
    let found = match workers {
        Ok(workers) => workers.install(again),
        Err(_) => again(),
    };
    (explanation.ideals, explanation.advice, explanation.tried, explanation.speedups) =
        found.map_err(failed)?;
    Ok(explanation)
}

/// Blame under each of a run's schedules, without changes; `jobs` at a time.
pub fn blame_of_each(run: &ResolvedRun, jobs: Option<usize>) -> Result<Vec<Explanation>, StudyError> {
    let Some(first) = Case::of(run) else { return Ok(Vec::new()) };
    run.check_schedules().map_err(|error| run.placed(error))?;
    let one = |schedule: &Schedule| blamed(run, &Case { schedule: *schedule, ..first.clone() });
    let all = || run.schedules.par_iter().with_max_len(1).map(one).collect();
    match rayon::ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build() {
        Ok(workers) => workers.install(all),
        Err(_) => all(),
    }
}

/// Blame of one watched run.
fn blamed(run: &ResolvedRun, case: &Case) -> Result<Explanation, StudyError> {
    let failed =
        |error: SimulationError| run.placed(StudyError::Simulation { policy: Some(case.schedule), error });
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
        replay: inputs.replay,
        policy: case.schedule.to_string(),
        threads: outcome.team.len() as u32,
        makespan_ps: outcome.makespan_ps,
        bottleneck: bottleneck(&outcome, &case.machine.fabric),
        blame: record::blame(case, &watched),
        phases: record::phases(&watched),
        handed_over: watched.handed_over,
        amdahl: record::amdahl(&watched, &outcome),
        hot_spots: record::hot_spots(case, &watched),
        region_bytes: record::region_bytes(case, &watched),
        origins: record::origins(&watched),
        ideals: None,
        advice: Vec::new(),
        tried: 0,
        speedups: Vec::new(),
    })
}
