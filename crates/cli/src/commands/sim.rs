//! `numalab sim`: which policy is best, and why; or what changes over a series of runs.

use super::binding::Said;
use super::{binding, load, replay, team, trace};
use crate::failure::Failure;
use crate::flags::{Form, Format, Picture, Sim};
use crate::hints;
use crate::output::{Destination, check_apart};
use crate::progress::Bar;
use crate::terminal;
use numalab_report as report;
use numalab_results::{Comparison, Series, Timeline};
use numalab_study::{self as study, Files, Given, ResolvedRun, RunSpec, Watch};

/// What is kept of a run over time for reports and pictures.
const SEEN_BYTES: u64 = 16_000_000;

/// Resolves, runs, delivers.
pub fn run(flags: &Sim) -> Result<(), Failure> {
    let (form, output) = flags.output.seen()?;
    let svg = flags.svg.clone().map(Destination::from);
    let traced = trace::destinations(&flags.trace);
    let mut places = vec![("the results", &output)];
    places.extend(svg.iter().map(|svg| ("the picture", svg)));
    places.extend(traced.iter().map(|file| ("the trace", file)));
    check_apart(&places)?;

    let files = Files::default();
    let said = binding::resolve(&flags.binding, flags.threads)?;
    let mut run =
        spec(flags, &said)?.resolve(&files).map_err(|error| hints::spec(error, said.places_from))?;
    // The table of a series does not show it.
    run.spec.sequential &= run.series().is_none();
    check_over_time(flags, form, &run)?;
    team::tell(&run, &said);
    replay::tell(&run);
    let series = run.series();
    let jobs = Some(jobs(flags.jobs, series.map_or(run.schedules.len(), |series| series.points.len())));
    let bar = Bar::new();
    let answered = match series {
        Some(row) => Answer::Series(study::series(&run, row, &files, jobs, &bar)?),
        None => match watch(flags, form) {
            Some(watch) => {
                let (answered, timelines) = study::answer_watched(&run, &files, jobs, &bar, &watch)?;
                Answer::Comparison(run.comparison(answered.runs), timelines)
            }
            None => {
                Answer::Comparison(run.comparison(study::answer(&run, &files, jobs, &bar)?.runs), Vec::new())
            }
        },
    };
    drop(bar);
    let told = answered.write(form, &output, flags);
    // A reader that left early, or a full disk, is no reason to withhold the picture and the trace.
    let drawn = svg.map_or(Ok(()), |svg| svg.write(answered.picture(flags.picture).as_bytes()));
    let traced = match &answered {
        Answer::Series(_) => Ok(()),
        Answer::Comparison(_, timelines) => trace::write(&flags.trace, timelines),
    };
    match told {
        Ok(()) | Err(Failure::ReaderLeft) => drawn.and(traced).and(told),
        failed => failed,
    }
}

/// What was asked for.
enum Answer {
    Series(Series),
    /// With what happened over time, where somebody wants to see that.
    Comparison(Comparison, Vec<Timeline>),
}

impl Answer {
    fn write(&self, form: Form, output: &Destination, flags: &Sim) -> Result<(), Failure> {
        let style = terminal::style(output, flags.bars.into());
        let text = match (form, self) {
            (Form::Text(Format::Table), Answer::Series(series)) => report::table(series, style),
            (Form::Text(Format::Table), Answer::Comparison(runs, _)) => report::table(runs, style),
            (Form::Text(Format::Json), Answer::Series(series)) => report::json(series),
            (Form::Text(Format::Json), Answer::Comparison(runs, _)) => report::json(runs),
            (Form::Text(Format::Csv), _) => self.csv(),
            (Form::Svg, _) => self.picture(flags.picture),
            (Form::Html, Answer::Series(_)) => String::new(),
            (Form::Html, Answer::Comparison(runs, timelines)) => report::run_page(runs, timelines),
            (Form::Parquet, _) => {
                let rows = numalab_frames::csv_rows(&self.csv()).unwrap_or_default();
                let cells = || rows.rows.iter().cloned().map(Ok);
                return output.fill(|out| report::frame_parquet(&rows.columns, cells(), out));
            }
        };
        output.write(text.as_bytes())
    }

    fn csv(&self) -> String {
        match self {
            Answer::Series(series) => report::csv(series),
            Answer::Comparison(runs, _) => report::csv(runs),
        }
    }

    fn picture(&self, picture: Picture) -> String {
        match (self, picture) {
            (Answer::Series(series), _) => report::series_svg(series, None),
            (Answer::Comparison(runs, timelines), Picture::Schedule) if !timelines.is_empty() => {
                report::schedule_svg(runs, timelines)
            }
            (Answer::Comparison(runs, _), Picture::Schedule | Picture::Sums) => report::comparison_svg(runs),
        }
    }
}

/// What of the runs is to be kept over time; none, if nobody looks at that.
fn watch(flags: &Sim, form: Form) -> Option<Watch> {
    if let Some(limit) = trace::limit(&flags.trace) {
        return Some(Watch::of_bytes(flags.trace.window.clone(), limit));
    }
    let drawn = (flags.svg.is_some() || form == Form::Svg) && flags.picture == Picture::Schedule;
    (drawn || form == Form::Html).then(|| Watch::of_bytes(None, SEEN_BYTES))
}

/// Refuses what has no single run to look at.
fn check_over_time(flags: &Sim, form: Form, run: &ResolvedRun) -> Result<(), Failure> {
    let traced = flags.trace.file.is_some();
    if run.series().is_some() && (traced || form == Form::Html) {
        let what = if traced { "a trace" } else { "a report" };
        return Err(Failure::request(
            format!("{what} shows runs over time, and a series is many of them"),
            "say --no-series for one run of each policy",
        ));
    }
    if traced && run.schedules.len() > 1 {
        let names: Vec<String> = run.schedules.iter().map(ToString::to_string).collect();
        return Err(Failure::request(
            format!("a trace is of one run, and there are {} policies", names.len()),
            format!("choose one with --policy: {}", names.join(", ")),
        ));
    }
    Ok(())
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
