//! Explains why a run takes as long as it does, and what would shorten it.
//!
//! | file | what |
//! |---|---|
//! | `budget` | work that may be done after the first run |
//! | `case` | a run whose setting can differ from the user's |
//! | `blame/` | assigns the time of a watched run to reasons |
//! | `to_results` | blame and other sums, converted to results |
//! | `ideals/` | losses: time saved if a cost is removed |
//! | `advice/` | changes that shorten the run |
//! | `clinic/` | all schedules for each loop, and the cost of learning one |
//! | `influence` | values that are not known exactly, and how much the makespan depends on each |
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
mod budget;
mod case;
mod clinic;
mod ideals;
mod influence;
mod speedup;
mod to_results;

pub use advice::{BRANCHING, Remedy};
pub use blame::{Delaying, Kind, Reason, Share, Watch, Watched, WatchedPhase};
pub use case::Case;
pub use clinic::{Typed, clinic};
pub use ideals::{Ideal, Lab, ideals};
pub use influence::influences;
pub use to_results::losses;

use budget::{Budget, Expected};
use ideals::Losses;
use numalab_results::{Explanation, LeftOut, SCHEMA_VERSION};
use numalab_simulator::SimulationError;
use numalab_study::{Files, Progress, ResolvedRun, StudyError, Weighed, bottleneck, in_order};
use numalab_workload::Schedule;

/// Options of an explanation.
pub struct Request<'a> {
    /// Cache with the files of the run.
    pub files: &'a Files,
    /// Work of all further runs together, in the units of [`numalab_simulator::Work::units`]. Costs and changes
    /// beyond it are left out.
    pub budget: u64,
    /// Number of runs simulated at a time; `None` for one per processor of the host.
    pub jobs: Option<usize>,
    /// Text for the user that says how to make the change of a remedy.
    pub how: &'a (dyn Fn(&Remedy) -> String + Sync),
    /// Command, variables or source lines that make the change of a remedy on a real machine; `None` if there are
    /// none.
    pub on_machine: &'a (dyn Fn(&Remedy) -> Option<String> + Sync),
    /// Receiver of progress. If it stops the explanation, costs and changes that are not known yet are left out.
    pub progress: &'a dyn Progress,
}

/// Blame of a run under its first schedule: the first part of its explanation.
pub struct Blamed {
    /// Explanation without costs and changes.
    pub explanation: Explanation,
    /// Work of the run, as the estimate of further runs.
    work: u64,
}

/// Divides the time of a run under its first schedule. The run is simulated once.
pub fn blame(run: &ResolvedRun, progress: &dyn Progress) -> Result<Blamed, StudyError> {
    let Some(case) = Case::of(run) else { return Err(StudyError::Spec(numalab_study::SpecError::Empty)) };
    run.check_schedules().map_err(|error| run.placed(error))?;
    blamed(run, &case, progress)
}

/// Simulates a run again, with ideals and with changes, within a budget.
pub fn explain(run: &ResolvedRun, blamed: Blamed, request: &Request) -> Result<Explanation, StudyError> {
    let Blamed { mut explanation, work } = blamed;
    let Some(case) = Case::of(run) else { return Ok(explanation) };
    let failed =
        |error: SimulationError| run.placed(StudyError::Simulation { policy: Some(case.schedule), error });
    let other = numalab_study::other_end(run, request.files)?;
    let other = other.as_ref().and_then(Case::of).map(|other| Case { schedule: case.schedule, ..other });
    let remedies = advice::candidates(run, &case, &explanation, request.files);
    let expected = Expected::new(request.progress);
    let mut budget = Budget::new(request.budget, work, &expected);
    let values = influence::RUNS * influence::tables(&run.unknowns()).len() as u64;
    let weights = weights(&case, remedies.len() as u64, values, &budget);
    let whole: u64 = weights.iter().sum();
    let for_ideals = budget.split(weights[0], whole);
    let for_speedups = budget.split(weights[1], whole - weights[0]);
    let mut for_values = budget.split(weights[3], whole - weights[0] - weights[1]);
    // These parts are independent, and each of them ends with few runs at a time.
    let again = || {
        let beside = || {
            let advice = || advice::advice(&case, other.as_ref(), remedies, &explanation, request, budget);
            rayon::join(advice, || speedup::speedups(&case, explanation.makespan_ps, for_speedups))
        };
        let of_values =
            || influence::within(run, &case, explanation.makespan_ps, request.files, &mut for_values);
        let (losses, ((advised, speedups), influences)) =
            rayon::join(|| ideals::within(&case, for_ideals), || rayon::join(beside, of_values));
        Ok((losses?, advised, speedups?, influences?))
    };
    let workers = rayon::ThreadPoolBuilder::new().num_threads(request.jobs.unwrap_or(0)).build();
    let found = match workers {
        Ok(workers) => workers.install(again),
        Err(_) => again(),
    };
    let (losses, advised, (speedups, phases), influences) = found.map_err(failed)?;
    let left_out = LeftOut {
        ideals: matches!(losses, Losses::LeftOut),
        changes: advised.left_out,
        phases,
        values: influences.is_none(),
    };
    explanation.influences = influences;
    explanation.left_out = left_out.is_any().then_some(left_out);
    explanation.ideals = match losses {
        Losses::Known(ideals) => Some(ideals),
        Losses::Impossible | Losses::LeftOut => None,
    };
    (explanation.advice, explanation.tried) = (advised.advice, advised.others);
    explanation.speedups = speedups;
    Ok(explanation)
}

/// Weights by which ideals, virtual speed-ups, changes and unknown values share the budget: their estimated numbers of
/// runs. Ideals have none if not even few of them fit.
fn weights(case: &Case, remedies: u64, values: u64, budget: &Budget<'_>) -> [u64; 4] {
    let curves = speedup::RUNS * speedup::computing(case).len() as u64;
    // Pairs, and the other end of a replay, take further runs.
    let others = 2 * remedies.max(1);
    let all = ideals::RUNS + curves + others + values;
    let of_ideals = u128::from(budget.room()) * u128::from(ideals::RUNS) / u128::from(all);
    [if of_ideals < ideals::LEAST_RUNS.into() { 0 } else { ideals::RUNS }, curves, others, values]
}

/// Blame under each of a run's schedules, without changes; `jobs` at a time.
pub fn blame_of_each(
    run: &ResolvedRun,
    jobs: Option<usize>,
    progress: &dyn Progress,
) -> Result<Vec<Explanation>, StudyError> {
    let Some(first) = Case::of(run) else { return Ok(Vec::new()) };
    run.check_schedules().map_err(|error| run.placed(error))?;
    let one = |schedule: &Schedule| {
        Ok(blamed(run, &Case { schedule: *schedule, ..first.clone() }, progress)?.explanation)
    };
    let all = || in_order(&run.schedules, one).into_iter().collect();
    match rayon::ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build() {
        Ok(workers) => workers.install(all),
        Err(_) => all(),
    }
}

/// Blame of one watched run.
fn blamed(run: &ResolvedRun, case: &Case, progress: &dyn Progress) -> Result<Blamed, StudyError> {
    let failed =
        |error: SimulationError| run.placed(StudyError::Simulation { policy: Some(case.schedule), error });
    let tally = run.tally(progress);
    let weighed = Weighed::new(&tally);
    let (outcome, watched) = case.watch(&weighed).map_err(failed)?;
    let inputs = run.comparison(Vec::new());
    let explanation = Explanation {
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
        influences: None,
        left_out: None,
    };
    Ok(Blamed { explanation, work: weighed.work() })
}
