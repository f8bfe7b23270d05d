//! Results of `numalab sim`, in the formats in which they are written and drawn.

use crate::commands::trace;
use crate::embedded::{self, Record};
use crate::failure::Failure;
use crate::flags::{Form, Format, Picture, Sim};
use crate::output::Destination;
use crate::terminal;
use numalab_draw as draw;
use numalab_report as report;
use numalab_results::{Comparison, Explanation, Series, Timeline};
use numalab_study::{ResolvedRun, Watch};

/// Size limit of the timelines kept for reports and pictures, in bytes.
pub(in crate::commands) const SEEN_BYTES: u64 = 16_000_000;

pub(super) enum Answer {
    Series(Series),
    /// Comparison of policies. The lists of timelines and explanations are empty if the output shows none.
    Comparison(Comparison, Vec<Timeline>, Vec<Explanation>),
}

impl Answer {
    /// The answer, unless a program that embeds the command takes its record. Timelines are then left out.
    pub fn kept(self) -> Option<Answer> {
        match self {
            Answer::Series(series) => embedded::keep(series, Record::Series).map(Answer::Series),
            Answer::Comparison(runs, timelines, reasons) => embedded::keep(runs, Record::Comparison)
                .map(|runs| Answer::Comparison(runs, timelines, reasons)),
        }
    }

    /// Writes the results in a format.
    pub fn write(&self, form: Form, output: &Destination, flags: &Sim) -> Result<(), Failure> {
        let style = terminal::style(output, flags.bars.into());
        let text = match (form, self) {
            (Form::Text(Format::Table), Answer::Series(series)) => report::table(series, style),
            (Form::Text(Format::Table), Answer::Comparison(runs, ..)) => report::table(runs, style),
            (Form::Text(Format::Json), Answer::Series(series)) => report::json(series),
            (Form::Text(Format::Json), Answer::Comparison(runs, ..)) => report::json(runs),
            (Form::Text(Format::Csv), _) => self.csv(),
            (Form::Svg, _) => self.picture(flags.picture),
            (Form::Html, Answer::Series(_)) => String::new(),
            (Form::Html, Answer::Comparison(runs, timelines, reasons)) => {
                draw::run_page(runs, timelines, reasons)
            }
            (Form::Parquet, _) => {
                let rows = numalab_result_files::csv_rows(&self.csv()).unwrap_or_default();
                let cells = || rows.rows.iter().cloned().map(Ok);
                return output.fill(|out| report::frame_parquet(&rows.columns, cells(), out));
            }
        };
        output.write(text.as_bytes())
    }

    /// Writes results of which some are missing: to standard output only, since a file would look complete.
    pub fn write_part(&self, form: Form, output: &Destination, flags: &Sim) -> Result<(), Failure> {
        match output {
            Destination::Stdout => self.write(form, output, flags),
            Destination::File(_) => Ok(()),
        }
    }

    fn csv(&self) -> String {
        match self {
            Answer::Series(series) => report::csv(series),
            Answer::Comparison(runs, ..) => report::csv(runs),
        }
    }

    pub fn picture(&self, picture: Picture) -> String {
        match (self, picture) {
            (Answer::Series(series), _) => draw::series_svg(series, None),
            (Answer::Comparison(runs, timelines, _), Picture::Schedule) if !timelines.is_empty() => {
                draw::schedule_svg(runs, timelines)
            }
            (Answer::Comparison(runs, ..), Picture::Pages) => draw::shared_pages_svg(runs),
            (Answer::Comparison(runs, ..), Picture::Schedule | Picture::Sums) => draw::comparison_svg(runs),
        }
    }
}

/// Limits of the timeline that the outputs need; `None` if no output shows times.
pub(super) fn watch(flags: &Sim, form: Form) -> Option<Watch> {
    if let Some(limit) = trace::limit(&flags.trace) {
        return Some(Watch::of_bytes(flags.trace.window.clone(), limit));
    }
    let drawn = (flags.svg.is_some() || form == Form::Svg) && flags.picture == Picture::Schedule;
    match form == Form::Html {
        true => Some(Watch::of_bytes(None, SEEN_BYTES).with_domains()),
        false => drawn.then(|| Watch::of_bytes(None, SEEN_BYTES)),
    }
}

/// Refuses a trace if there are several policies; for a series, refuses outputs that show a single run.
pub(super) fn check_over_time(flags: &Sim, form: Form, run: &ResolvedRun) -> Result<(), Failure> {
    if run.series().is_some() {
        check_single(flags, form)?;
    }
    if trace::watches(&flags.trace) && run.schedules.len() > 1 {
        let names: Vec<String> = run.schedules.iter().map(ToString::to_string).collect();
        return Err(Failure::request(
            format!("a trace shows one run, but there are {} policies", names.len()),
            format!("choose one with --policy: {}", names.join(", ")),
        ));
    }
    Ok(())
}

/// Refuses the picture `pages` for a series, and if the nodes share no pages in software.
pub(super) fn check_pages(flags: &Sim, run: &ResolvedRun) -> Result<(), Failure> {
    let shares = run.machine.loaded.value.dsm.is_some();
    if flags.picture != Picture::Pages || shares && run.series().is_none() {
        return Ok(());
    }
    if shares {
        return check_pages_of_one(flags);
    }
    let machine = &run.machine.loaded.value.name;
    let message =
        format!("--picture pages needs nodes that share pages in software; those of {machine} do not");
    Err(Failure::request(message, ONE_PICTURE))
}

const ONE_PICTURE: &str = "name such a machine (marenostrum8) without a series, or use --picture sums";

/// Refuses the picture `pages` for a series.
pub(super) fn check_pages_of_one(flags: &Sim) -> Result<(), Failure> {
    if flags.picture != Picture::Pages {
        return Ok(());
    }
    let message = "--picture pages shows single runs; a series has many";
    Err(Failure::request(message, ONE_PICTURE))
}

/// Refuses outputs that show a single run, if the workload runs as a series.
pub(super) fn check_single(flags: &Sim, form: Form) -> Result<(), Failure> {
    let traced = flags.trace.file.is_some();
    if !traced && form != Form::Html {
        return Ok(());
    }
    let what = if traced { "a trace" } else { "a report" };
    Err(Failure::request(
        format!("{what} shows single runs over time; a series has many"),
        "add --no-series for one run of each policy",
    ))
}
