//! `numalab sim`: which policy is best, and why; or what changes over a series of runs.

use super::binding::Said;
use super::{binding, load, replay, team};
use crate::failure::Failure;
use crate::flags::{Format, Sim};
use crate::hints;
use crate::output::{Destination, check_apart};
use crate::progress::Bar;
use crate::terminal;
use numalab_report as report;
use numalab_study::{self as study, Files, Given, RunSpec};

/// Resolves, runs, delivers.
pub fn run(flags: &Sim) -> Result<(), Failure> {
    let output = flags.output.destination();
    let svg = flags.svg.clone().map(Destination::from);
    let mut places = vec![("the results", &output)];
    places.extend(svg.iter().map(|svg| ("the picture", svg)));
    check_apart(&places)?;

    let files = Files::default();
    let said = binding::resolve(&flags.binding, flags.threads)?;
    let mut run =
        spec(flags, &said)?.resolve(&files).map_err(|error| hints::spec(error, said.places_from))?;
    // The table of a series does not show it.
    run.spec.sequential &= run.series().is_none();
    team::tell(&run, &said);
    replay::tell(&run);
    let series = run.series();
    let jobs = Some(jobs(flags.jobs, series.map_or(run.schedules.len(), |series| series.points.len())));
    let bar = Bar::new();
    let style = terminal::style(&output, flags.bars.into());
    // Drawn only where it is wanted.
    let picture: Box<dyn FnOnce() -> String>;
    let text = if let Some(row) = series {
        let series = study::series(&run, row, &files, jobs, &bar)?;
        let text = match flags.output.format() {
            Format::Table => report::table(&series, style),
            Format::Json => report::json(&series),
            Format::Csv => report::csv(&series),
        };
        picture = Box::new(move || report::series_svg(&series, None));
        text
    } else {
        let comparison = run.comparison(study::answer(&run, &files, jobs, &bar)?.runs);
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

/// The run that was typed.
fn spec(flags: &Sim, said: &Said) -> Result<RunSpec, Failure> {
    Ok(RunSpec {
        runtime: flags.runtime.as_deref().map(Given::from),
        overrides: replay::with_typed(flags, load::overrides(&flags.overrides, flags.series.as_deref())?)?,
        threads: said.threads,
        processors: flags.procs.clone(),
        binding: said.binding.clone(),
        placement: flags.placement.clone(),
        schedules: flags.policies.clone(),
        seed: flags.seed,
        series: !flags.no_series,
        sequential: !flags.no_sequential,
        ..RunSpec::new(&*flags.machine, &flags.workload)
    })
}

/// Workers beyond the runs would only be started and stopped.
fn jobs(asked: Option<u16>, runs: usize) -> usize {
    let here = || std::thread::available_parallelism().map_or(1, |count| count.get());
    let most = if runs > 1 { asked.map_or_else(here, usize::from) } else { 1 };
    most.min(runs).max(1)
}
