//! `numalab sim`: which policy is best, and why; or what changes over a series of runs.

use super::load::{Changes, Inputs, Names};
use super::{binding, load, team};
use crate::failure::Failure;
use crate::flags::{Format, Sim};
use crate::output::{Destination, check_apart};
use crate::progress::Bar;
use crate::terminal;
use numalab_formats::{Change, Experiment, Series};
use numalab_machine::{Machine, totals};
use numalab_report as report;
use numalab_study::{self as study, Question};
use numalab_workload::{Placement, Schedule};

/// Resolves, runs, delivers.
pub fn run(flags: &Sim) -> Result<(), Failure> {
    let output = flags.output.destination();
    let svg = flags.svg.clone().map(Destination::from);
    let mut places = vec![("the results", &output)];
    places.extend(svg.iter().map(|svg| ("the picture", svg)));
    check_apart(&places)?;

    let (question, mut loaded) = resolve(flags)?;
    let bar = Bar::new();
    let style = terminal::style(&output, flags.bars.into());
    // Drawn only where it is wanted.
    let picture: Box<dyn FnOnce() -> String>;
    let text = if let Some(row) = loaded.questions.series.take() {
        let series = study::series_loaded(&question, row, loaded, &bar)?;
        let text = match flags.output.format() {
            Format::Table => report::table(&series, style),
            Format::Json => report::json(&series),
            Format::Csv => report::csv(&series),
        };
        picture = Box::new(move || report::series_svg(&series, None));
        text
    } else {
        let comparison = study::answer_loaded(&question, loaded, &bar)?.comparison;
        let text = match flags.output.format() {
            Format::Table => report::table(&comparison, style),
            Format::Json => report::json(&comparison),
            Format::Csv => report::csv(&comparison),
        };
        picture = Box::new(move || report::comparison_svg(&comparison));
        text
    };
    drop(bar);
    let told = output.write(text.as_bytes());
    // A reader that left early, or a full disk, is no reason to withhold the picture.
    let drawn = svg.map_or(Ok(()), |svg| svg.write(picture().as_bytes()));
    match told {
        Ok(()) | Err(Failure::ReaderLeft) => drawn.and(told),
        failed => failed,
    }
}

/// The question, and its workload as it stands: with a series if one is to be run.
fn resolve(flags: &Sim) -> Result<(Question, Experiment), Failure> {
    let said = binding::resolve(&flags.binding, flags.threads)?;
    let changes = Changes::parse(&flags.overrides, flags.series.as_deref())?;
    let threads = |machine: &_| load::team_size(machine, said.threads, flags.procs.as_ref());
    let names =
        Names { machine: &flags.machine, workload: &flags.workload, runtime: flags.runtime.as_deref() };
    let Inputs { machine, experiment: mut loaded, runtime } = changes.load(&names, threads)?;
    let procs = team::procs(&machine.value, flags.procs.as_ref())?;
    if let Some(placement) = &flags.placement {
        check_nodes(placement, &machine.value)?;
    }
    let fixed = |over: &str| if over == "threads" { said.threads.is_some() } else { changes.fix(over) };
    let leave = |series: &Series| flags.no_series || flags.series.is_none() && fixed(&series.over);
    loaded.questions.series = loaded.questions.series.filter(|series| !leave(series));
    let mut question = Question {
        machine,
        workload: flags.workload.clone(),
        overrides: flags.overrides.clone(),
        policies: once_each(&flags.policies),
        threads: said.threads,
        procs,
        binding: said.binding.clone(),
        placement: flags.placement.clone(),
        runtime: Some(runtime),
        seed: flags.seed,
        jobs: None,
    };
    let request = question.request(loaded.workload.clone(), &Change::default())?;
    team::check(&request, &said)?;
    let runs = loaded.questions.series.as_ref().map_or(request.policies.len(), |row| row.points.len());
    question.jobs = Some(jobs(flags.jobs, runs));
    Ok((question, loaded))
}

/// The nodes of `--placement` are nodes of the machine.
fn check_nodes(placement: &Placement, machine: &Machine) -> Result<(), Failure> {
    let nodes = totals(machine).nodes;
    match placement.nodes().iter().find(|node| **node >= nodes) {
        None => Ok(()),
        Some(node) => Err(Failure::request(
            format!("--placement names node {node}, but {} has {nodes}", machine.name),
            format!("its nodes are 0-{}", nodes.saturating_sub(1)),
        )),
    }
}

/// Workers beyond the runs would only be started and stopped.
fn jobs(asked: Option<u16>, runs: usize) -> usize {
    let here = || std::thread::available_parallelism().map_or(1, |count| count.get());
    let most = if runs > 1 { asked.map_or_else(here, usize::from) } else { 1 };
    most.min(runs).max(1)
}

/// Two runs of one policy would be the same bytes twice.
fn once_each(typed: &[Schedule]) -> Vec<Schedule> {
    let mut policies: Vec<Schedule> = Vec::new();
    for policy in typed {
        if !policies.contains(policy) {
            policies.push(*policy);
        }
    }
    policies
}
