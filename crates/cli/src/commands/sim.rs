//! `numalab sim`: which policy is best, and why.

use super::{binding, load, team};
use crate::failure::Failure;
use crate::flags::{Format, Sim};
use crate::output::{Destination, check_apart};
use crate::progress::Bar;
use crate::terminal;
use numalab_program::Policy;
use numalab_report as report;
use numalab_study as study;

/// Resolves, runs, delivers.
pub fn run(flags: &Sim) -> Result<(), Failure> {
    let output = flags.output.destination();
    let svg = flags.svg.clone().map(Destination::from);
    let mut places = vec![("the results", &output)];
    places.extend(svg.iter().map(|svg| ("the picture", svg)));
    check_apart(&places)?;

    let request = resolve(flags)?;
    let bar = Bar::new();
    let comparison = study::compare(&request, &bar)?;
    drop(bar);

    let text = match flags.output.format() {
        Format::Table => report::table(&comparison, terminal::style(&output, flags.bars.into())),
        Format::Json => report::json(&comparison),
        Format::Csv => report::csv(&comparison),
    };
    let told = output.write(text.as_bytes());
    // A reader that left early, or a full disk, is no reason to withhold the picture.
    let drawn = svg.map_or(Ok(()), |svg| svg.write(report::svg(&comparison).as_bytes()));
    match told {
        Ok(()) | Err(Failure::ReaderLeft) => drawn.and(told),
        failed => failed,
    }
}

fn resolve(flags: &Sim) -> Result<study::Request, Failure> {
    let said = binding::resolve(&flags.binding, flags.threads)?;
    let threads = |machine: &_| load::team_size(machine, said.threads, flags.procs.as_ref());
    let (machine, experiment) = load::both(&flags.machine, &flags.workload, &flags.overrides, threads)?;
    let workload = experiment.workload;
    let procs = team::procs(&machine.value, flags.procs.as_ref())?;
    let policies = match &flags.policies[..] {
        [] => workload.value.compare.clone(),
        typed => once_each(typed),
    };
    let jobs = Some(jobs(flags.jobs, policies.len()));
    let request = study::Request {
        machine,
        workload,
        policies,
        threads: said.threads,
        procs,
        binding: said.binding.clone(),
        seed: flags.seed,
        jobs,
    };
    team::check(&request, &said)?;
    Ok(request)
}

/// Workers beyond the runs would only be started and stopped.
fn jobs(asked: Option<u16>, runs: usize) -> usize {
    let here = || std::thread::available_parallelism().map_or(1, |count| count.get());
    let most = if runs > 1 { asked.map_or_else(here, usize::from) } else { 1 };
    most.min(runs).max(1)
}

/// Two runs of one policy would be the same bytes twice.
fn once_each(typed: &[Policy]) -> Vec<Policy> {
    let mut policies: Vec<Policy> = Vec::new();
    for policy in typed {
        if !policies.contains(policy) {
            policies.push(*policy);
        }
    }
    policies
}
