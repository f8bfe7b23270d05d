//! Writes a sweep's results: rows, table, verdicts of gates.

use super::gates;
use crate::failure::Failure;
use crate::flags::{Rows, Sweep};
use crate::hints;
use crate::message::shown;
use crate::output::{Destination, check_apart};
use crate::terminal;
use numalab_report as report;
use numalab_sweep::file::{Gate, Rule};
use numalab_sweep::{self as sweep, Plan, Shard, Store};
use std::io;

/// Destination of the rows of a sweep, and their format.
pub type Output = (Destination, Rows);

/// A sweep after its run, with the stored results of all or some of its points.
pub struct Finished<'a> {
    pub flags: &'a Sweep,
    pub plan: &'a Plan<'a>,
    pub store: &'a Store,
    /// Number of points simulated by this command.
    pub ran: u64,
    /// False if results of points are missing.
    pub complete: bool,
}

/// Destinations of the rows. All destinations are checked before a long run.
pub fn outputs(flags: &Sweep) -> Result<Vec<Output>, Failure> {
    let mut outputs = Vec::new();
    for path in &flags.output {
        let destination = Destination::from(path.clone());
        let rows = Rows::of(path).or(flags.format);
        let rows = match destination {
            Destination::Stdout => rows.or(Some(Rows::Csv)),
            Destination::File(_) => rows,
        };
        let unknown = || {
            Failure::request(
                format!("\"{}\" has no ending that selects a format", path.display()),
                "end it in .csv, .jsonl or .parquet, or add --format",
            )
        };
        outputs.push((destination, rows.ok_or_else(unknown)?));
    }
    let others = [(&flags.markdown, "the Markdown"), (&flags.junit, "the JUnit XML")];
    let others: Vec<(&str, Destination)> = others
        .into_iter()
        .filter_map(|(path, what)| Some((what, Destination::from(path.clone()?))))
        .collect();
    let mut places: Vec<(&str, &Destination)> =
        outputs.iter().map(|(destination, _)| ("the rows", destination)).collect();
    places.extend(others.iter().map(|(what, destination)| (*what, destination)));
    check_apart(&places)?;
    Ok(outputs)
}

/// Refuses to overwrite the sweep file or files that the sweep reads. Called before a long run.
pub fn spare_inputs(flags: &Sweep, outputs: &[Output]) -> Result<(), Failure> {
    let others = [&flags.markdown, &flags.junit].into_iter().flatten();
    others.map(|path| Destination::from(path.clone())).try_for_each(|place| place.spare_inputs())?;
    outputs.iter().try_for_each(|(place, _)| place.spare_inputs())
}

/// Prints how many points a shard owns and has run, and the folder of the store with its results.
pub fn share(plan: &Plan<'_>, store: &Store, shard: Shard, ran: u64) -> Result<(), Failure> {
    let owned = (0..plan.points().len()).filter(|at| shard.owns(*at)).count();
    let text = format!(
        "{} · shard {shard} · {owned} of {} points · {ran} run now · {}\n",
        plan.sweep().name,
        plan.points().len(),
        shown(store.folder())
    );
    Destination::Stdout.write(text.as_bytes())
}

/// Writes verdicts, rows and table.
pub fn all(finished: &Finished<'_>, outputs: &[Output]) -> Result<(), Failure> {
    let Finished { flags, plan, store, ran, complete } = finished;
    let frame = sweep::frame(plan, store, |name| wanted(plan, name))?;
    let partial = !complete || !flags.filters.is_empty();
    // Gates are evaluated before the rows are written, since the rows may overwrite the baseline that the gates
    // compare with.
    let verdicts = gates::evaluate(plan, &frame, partial);
    let published = gates::publish(flags, &verdicts);
    // If the reader left early or the disk is full, the verdicts are still printed.
    let delivered = outputs.iter().map(|output| rows(plan, store, output)).fold(published, Result::and);
    let written = match outputs.iter().any(|output| output.0 == Destination::Stdout) {
        true => delivered,
        false => {
            let style = terminal::style(&Destination::Stdout, report::Bars::None);
            let here = plan.points().iter().filter(|point| point.key().is_some_and(|key| store.has(key)));
            let counts = (*ran, (here.count() as u64).saturating_sub(*ran));
            let summary = sweep::summary(&plan.sweep().name, &frame, verdicts.failed.clone(), counts);
            let mut text = report::table(&summary, report::Style { elsewhere: hints::ALL_POINTS, ..style });
            if !verdicts.verdicts.is_empty() {
                text.push('\n');
                text.push_str(&report::table(&verdicts, style));
            }
            delivered.and(Destination::Stdout.write(text.as_bytes()))
        }
    };
    match (verdicts.passed(), written) {
        (true, written) => written,
        (false, Ok(()) | Err(Failure::ReaderLeft)) => Err(broken(&verdicts)),
        (false, written) => written,
    }
}

/// True for columns that the table or a gate needs; a row has many more columns.
fn wanted(plan: &Plan<'_>, name: &str) -> bool {
    let plain = |gate: &Gate| gate.measure == "makespan" && !matches!(gate.rule, Rule::Holds(_));
    ["makespan_ps", "error"].contains(&name) || !plan.sweep().gates.iter().all(plain)
}

fn rows(plan: &Plan<'_>, store: &Store, (destination, form): &Output) -> Result<(), Failure> {
    let columns = plan.columns();
    let rows = sweep::rows(plan, store).map(|row| row.map_err(io::Error::other));
    destination.fill(|out| match form {
        Rows::Csv => report::frame_csv(&columns, rows, out),
        Rows::Jsonl => report::frame_jsonl(&columns, rows, out),
        Rows::Parquet => report::frame_parquet(&columns, rows, out),
    })
}

/// Failure for broken gates, which ends the command with status 1.
fn broken(report: &numalab_results::GateReport) -> Failure {
    let gates = report.verdicts.iter().filter(|verdict| !verdict.passed()).count();
    let several = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let parts = [(gates, "gate", "not hold"), (report.failed.len(), "point", "not run")];
    let parts = parts.iter().filter(|part| part.0 > 0);
    let parts: Vec<String> = parts
        .map(|(count, what, verb)| {
            format!("{} {} {verb}", several(*count, what), if *count == 1 { "does" } else { "do" })
        })
        .collect();
    Failure::Run(format!("{}: {}", report.sweep, parts.join(", ")))
}
