//! Every schedule of the portfolio for each loop of a program, and what learning a schedule costs.
//!
//! | file | what |
//! |---|---|
//! | `portfolio` | loops, and the schedules that are simulated for each |
//! | `measured` | times of loops over schedules and replicas |
//! | `together` | the best schedule of each loop, in one program |
//! | `learn/` | methods that learn a schedule while the program runs |
//! | `to_results` | conversion to results |
//!
//! A run gives each loop one schedule, and all loops are timed in it, so the number of runs does not depend on the
//! number of loops. The best schedules of all loops are then simulated in one program.

mod learn;
mod measured;
mod portfolio;
mod to_results;
mod together;

pub(crate) use portfolio::ONE_BY_ONE;

use crate::advice::{self, Advised, Remedy};
use crate::budget::{Budget, Expected};
use crate::case::Case;
use crate::{Request, blamed};
use measured::measure;
use numalab_results::{Clinic, SCHEMA_VERSION};
use numalab_simulator::{SimulationError, prepare};
use numalab_study::{ResolvedRun, SpecError, StudyError, Weighed};
use numalab_workload::Schedule;
use portfolio::{assigned, loops};
use together::Choice;

// Glossary: regret: Time that a schedule takes beyond the best one, as a part of the best one's time.

/// Difference of two times that is none, as a part of the smaller one.
const SAME: f64 = 0.01;

/// Part of the budget that schedules have; the rest is for changes of placement, binding and runtime.
const FOR_SCHEDULES: (u64, u64) = (2, 3);

/// Text that sets a schedule in a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    /// Text to type; `None` if no compiler and no runtime has the schedule.
    pub text: Option<String>,
    /// Compilers or runtimes that have the schedule, such as `any compiler`.
    pub needs: String,
    /// True if a common compiler's runtime has the schedule.
    pub is_common: bool,
}

/// Simulates the portfolio for each loop of a run, within a budget. `others`: schedules beyond those that are built in.
/// `typed` gives the text that sets a schedule. Without a loop that any schedule can execute, the answer has no loops.
pub fn clinic(
    run: &ResolvedRun,
    request: &Request,
    others: &[Schedule],
    typed: &(dyn Fn(Schedule) -> Typed + Sync),
) -> Result<Clinic, StudyError> {
    let Some(case) = Case::of(run) else { return Err(StudyError::Spec(SpecError::Empty)) };
    run.check_schedules().map_err(|error| run.placed(error))?;
    let all = || simulate(run, &case, request, others, typed);
    match rayon::ThreadPoolBuilder::new().num_threads(request.jobs.unwrap_or(0)).build() {
        Ok(workers) => workers.install(all),
        Err(_) => all(),
    }
}

fn simulate(
    run: &ResolvedRun,
    case: &Case,
    request: &Request,
    others: &[Schedule],
    typed: &(dyn Fn(Schedule) -> Typed + Sync),
) -> Result<Clinic, StudyError> {
    let failed =
        |error: SimulationError| run.placed(StudyError::Simulation { policy: Some(case.schedule), error });
    let tally = run.tally(request.progress);
    let weighed = Weighed::new(&tally);
    let simulated =
        prepare(&case.setup(), &weighed).and_then(|prepared| prepared.run_last(case.schedule, &weighed));
    let present = simulated.map_err(failed)?;
    let expected = Expected::new(request.progress);
    let mut budget = Budget::new(request.budget, weighed.work(), &expected);
    let loops = loops(case, others);
    let mut for_schedules = budget.split(FOR_SCHEDULES.0, FOR_SCHEDULES.1);
    let lists = portfolio::lists(&loops);
    let runs = measure(case, &loops, lists, &mut for_schedules);
    let choice = Choice::of(case, &loops, &runs.all, typed, present.makespan_ps, &mut for_schedules);
    budget.join(for_schedules);
    // Changes are tried beside the schedules that a reader can use.
    let advised = match choice.schedules() {
        Some(schedules) => changes(run, &assigned(case, &loops, schedules), request, budget)?,
        None => changes(run, case, request, budget)?,
    };
    let inputs = run.comparison(Vec::new());
    let (best, typed_best) = choice.to_results(&loops, present.makespan_ps);
    Ok(Clinic {
        schema_version: SCHEMA_VERSION,
        seed: case.seed,
        machine: inputs.machine,
        workload: inputs.workload,
        runtime: run.runtime_input(),
        placement: inputs.placement,
        binding: inputs.binding,
        replay: inputs.replay,
        threads: present.team.len() as u32,
        makespan_ps: present.makespan_ps,
        loops: to_results::loops(case, &loops, &runs.all, present.makespan_ps, typed),
        best,
        typed: typed_best,
        advice: advised.advice,
        tried: advised.others,
        refused: runs.refused,
        left_out: runs.left_out + choice.left_out + advised.left_out,
    })
}

/// Changes of placement, binding and runtime that shorten a run. Schedules of loops stay as they are.
fn changes(
    run: &ResolvedRun,
    case: &Case,
    request: &Request,
    budget: Budget<'_>,
) -> Result<Advised, StudyError> {
    if budget.room() == 0 {
        return Ok(Advised { left_out: 1, ..Advised::default() });
    }
    let seen = match blamed(run, case, request.progress) {
        Ok(seen) => seen.explanation,
        Err(error) if error.is_stop() => return Ok(Advised { left_out: 1, ..Advised::default() }),
        Err(error) => return Err(error),
    };
    let is_of_schedules = |remedy: &Remedy| {
        matches!(remedy, Remedy::Schedule { .. } | Remedy::Grain { .. } | Remedy::Affinity { .. })
    };
    let mut remedies = advice::candidates(run, case, &seen, request.files);
    remedies.retain(|remedy| !is_of_schedules(remedy));
    let other = numalab_study::other_end(run, request.files)?;
    let other = other.as_ref().and_then(Case::of).map(|other| Case { schedule: case.schedule, ..other });
    Ok(advice::advice(case, other.as_ref(), remedies, &seen, request, budget))
}
