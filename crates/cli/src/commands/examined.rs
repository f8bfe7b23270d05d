//! The run that `explain` and `advise` examine, from their flags.

use super::{bare, binding, load, replay, team, tools};
use crate::failure::{Failure, tell};
use crate::flags::{Examined, Policy, RegionPlacement};
use crate::hints;
use crate::progress::Bar;
use numalab_explain::Request;
use numalab_study::{Files, Given, ResolvedRun, RunSpec};
use std::sync::Arc;

/// Resolves the run. `reads` is true if the answer is for people, who then get notes about it.
pub fn resolve(flags: &Examined, reads: bool) -> Result<(ResolvedRun, Arc<Files>), Failure> {
    let files = bare::files(std::slice::from_ref(&flags.machine), &flags.assume, &flags.overrides)?;
    RegionPlacement::check_each_once(&flags.placements)?;
    let said = binding::resolve(&flags.binding, flags.threads)?;
    let listed = tools::processors_flag(&flags.tools).or(flags.procs.as_ref().map(|_| "--procs"));
    let said = said.with_flags(tools::placement_flag(&flags.tools), listed);
    team::warn_of_variables(&said);
    let processors = flags.procs.clone().or(said.others.processors.clone());
    let spec = RunSpec {
        runtime: flags.runtime.as_deref().map(Given::from),
        overrides: replay::with_typed(
            &flags.replay,
            &flags.workload,
            load::overrides(&flags.overrides, None)?,
        )?,
        threads: match &processors {
            Some(_) => said.threads,
            None => replay::team(said.threads, &flags.workload),
        },
        processors,
        subset: said.others.subset.clone(),
        waiting: said.others.waiting,
        binding: said.binding.clone(),
        placement: RegionPlacement::of_all(&flags.placements),
        placements: RegionPlacement::of_regions(&flags.placements),
        schedules: flags.policy.iter().map(Policy::schedule).collect::<Result<_, _>>()?,
        seed: flags.seed,
        exact: flags.exact,
        ..RunSpec::new(&*flags.machine, &flags.workload)
    };
    let spec = tools::translate(&flags.tools, spec, &files, &said)?;
    let spec = replay::on_recorder(&flags.replay, spec, &files)?;
    spec.check_counts(&files, true)?;
    let run = spec.resolve(&files).map_err(|error| hints::spec(error, said.sources()))?.under_the_first();
    team::tell(&run, &said);
    replay::tell(&run, reads);
    Ok((run, files))
}

/// Options of the simulations that examine the run, within the budget of the flags.
pub fn request<'a>(flags: &Examined, run: &ResolvedRun, files: &'a Files, bar: &'a Bar) -> Request<'a> {
    Request {
        files,
        budget: flags.budget,
        jobs: flags.jobs.map(usize::from),
        how: match run.experiment.recorded {
            Some(_) => &hints::remedy_in_program,
            None => &hints::remedy,
        },
        on_machine: &hints::on_machine,
        progress: bar,
    }
}

/// End of a command whose answer is written: an error if the user stopped it, a note if the budget cut it. `answer`
/// and `parts` name the answer and what it simulates beside changes.
pub fn ended(is_cut: bool, stopped: bool, answer: &str, parts: &str) -> Result<(), Failure> {
    if is_cut && stopped {
        return Err(Failure::Interrupted(format!("the {answer} is incomplete")));
    }
    if is_cut {
        tell(&format!(
            "note: the budget ended before all {parts} and changes were simulated; --budget all simulates them\n"
        ));
    }
    Ok(())
}
