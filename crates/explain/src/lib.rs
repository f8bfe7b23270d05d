//! Explains why a run takes as long as it does, and what would shorten it.
//!
//! | file | what |
//! |---|---|
//! | `case` | a run whose setting can differ from the user's |
//! | `blame/` | assigns the time of a watched run to reasons |
//! | `to_results` | blame and other sums, converted to results |
//! | `ideals/` | losses: time saved if a cost is removed |
//! | `advice/` | changes that shorten the run |
//! | `speedup` | time saved by less computing in a phase |
//!
//! Libraries name no flags: the command line words a change.
//!
//! *Blame* and the *critical path* come from an observer that keeps one phase at a time. Waiting for a lock is a wait
//! for its holder. Releasing it, which takes a line that all waiters poll, is time of the lock. A stall is divided
//! among its data by bytes. All sums are exact, in picoseconds.
//!
//! *Ideals* are switches of the engine (`simulator::Ideal`), not values of the machine. Balance needs no run: it
//! spreads the threads' time evenly. Shapley values are exact, over all combinations of ideals, for up to six ideals
//! that matter. For more, orders are drawn. *Virtual speed-ups* simulate the end and the middle of a curve, and
//! further points only if these are not on a line.
//!
//! *Advice* is a list of changes that the run suggests. Each change is simulated. The best are also simulated in
//! pairs, if their subjects differ.
//!
//! The table of `sim` shows lost time without an observer: every run sums booked time by cause, and the solver sums
//! the delays by each resource. Blame refines these sums: it names regions, and passes waits on to the thread that is
//! waited for.

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod advice;
mod blame;
mod case;
mod ideals;
mod speedup;
mod to_results;

pub use advice::{BRANCHING, Remedy};
pub use blame::{Delaying, Kind, Reason, Share, Watch, Watched, WatchedPhase};
pub use case::Case;
pub use ideals::{Ideal, Lab, ideals};
pub use to_results::losses;

use numalab_results::{Explanation, SCHEMA_VERSION};
use numalab_simulator::SimulationError;
use numalab_study::{Files, ResolvedRun, StudyError, bottleneck};
use numalab_workload::Schedule;
use rayon::prelude::*;

/// Options of an explanation.
pub struct Request<'a> {
    /// Cache with the files of the run.
    pub files: &'a Files,
    /// True to simulate the run again, with ideals and with changes.
    pub again: bool,
    /// Number of runs simulated at a time; `None` for one per processor of the host.
    pub jobs: Option<usize>,
    /// Text for the user that says how to make the change of a remedy.
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
    // These parts are independent, and each of them ends with few runs at a time.
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
        blame: to_results::blame(case, &watched),
        phases: to_results::phases(&watched),
        handed_over: watched.handed_over,
        amdahl: to_results::amdahl(&watched, &outcome),
        hot_spots: to_results::hot_spots(case, &watched),
        region_bytes: to_results::region_bytes(case, &watched),
        origins: to_results::origins(&watched),
        ideals: None,
        advice: Vec::new(),
        tried: 0,
        speedups: Vec::new(),
    })
}
