//! `numalab calibrate fit`: makes a machine file and a runtime file from measurements.

use crate::commands::{bare, load};
use crate::failure::Failure;
use crate::flags::CalibrateFit;
use crate::hints;
use crate::message::shown;
use crate::output::{Destination, check_apart, spare_inputs, write_together};
use crate::progress::Bar;
use crate::terminal;
use numalab_calibrate::fit::{
    Errors, Fitted, Inputs, InputsError, Origin, RowKind, Verdict, fit, machine_file, runtime_file,
    runtime_of,
};
use numalab_imports::{Evidence, evidence};
use numalab_report as report;
use numalab_study::Progress;
use numalab_syntax::diagnostics::Diagnostics;
use numalab_syntax::streams;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Reads the inputs, fits, writes the files and prints each value with its standard error.
pub fn run(flags: &CalibrateFit) -> Result<(), Failure> {
    let machine = Destination::from(flags.output.clone());
    let Destination::File(path) = &machine else {
        return Err(Failure::request(
            "standard output cannot hold both a machine file and a runtime file",
            "name a FILE with -o; the runtime and the errors go beside it",
        ));
    };
    let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("host").to_owned();
    let beside = format!("{name}.runtime.toml");
    let runtime = Destination::File(path.with_file_name(&beside));
    let errors = Destination::File(path.with_file_name(format!("{name}.errors.json")));
    let places = [("the machine", &machine), ("the runtime", &runtime), ("the errors", &errors)];
    check_apart(&places)?;

    let evidence = read(flags)?;
    spare_inputs(&places)?;
    let profile =
        load::runtime(flags.runtime.as_deref().unwrap_or_else(|| runtime_of(&evidence)), &[])?.value;
    let mut inputs =
        Inputs::new(&name, &evidence, profile).map_err(|error| unsuited(&flags.inputs, error))?;
    inputs.subject.runtime.name = format!("{name}.runtime");
    let bar = Bar::of_whole_work();
    let fitted = fit(&inputs, &|done, stages| bar.report(done as u64, stages as u64))?;
    drop(bar);

    let measured = fitted.estimates.iter().any(|finding| finding.verdict != Verdict::Untold);
    if !measured && !flags.assume {
        return Err(hints::nothing_measured(&flags.inputs, &fitted));
    }
    say(&fitted)?;
    let sources: Vec<String> = flags.inputs.iter().map(|path| file_name(path)).collect();
    let sources = sources.join(", ");
    write_together(&[
        (&errors, &Errors::of(&fitted).text()),
        (&runtime, &runtime_file(&fitted, &sources)),
        (&machine, &machine_file(&fitted, &sources, &beside)),
    ])?;
    let wrote = format!("\nwrote {}, and beside it the runtime file and the errors file\n", shown(path));
    Destination::Stdout.write(wrote.as_bytes())
}

/// Failure for input files that do not describe one machine together.
pub(super) fn unsuited(files: &[PathBuf], error: InputsError) -> Failure {
    let all = || streams::names(files);
    match error {
        InputsError::Unsuited(problem) => Diagnostics::plain(format!("{}: {problem}", all()), "").into(),
        InputsError::Inexpressible(source, error) => files
            .get(source)
            .map_or_else(|| error.in_file(&all()), |path| bare::inexpressible(&error, path))
            .into(),
        InputsError::DifferentMachines { sources, problem } => {
            let [a, b] = sources.map(|at| files.get(at).map_or_else(all, |path| streams::name(path)));
            Diagnostics::plain(format!("{a} and {b}: {problem}"), "leave one of them out").into()
        }
    }
}

fn read(flags: &CalibrateFit) -> Result<Vec<Evidence>, Failure> {
    let read: Vec<Result<Evidence, Diagnostics>> = flags.inputs.iter().map(|path| evidence(path)).collect();
    let mut all = Vec::new();
    let mut wrong: Option<Diagnostics> = None;
    for source in read {
        match source {
            Ok(source) => all.push(source),
            Err(errors) => {
                wrong = Some(match wrong.take() {
                    Some(before) => before.and(errors),
                    None => errors,
                })
            }
        }
    }
    wrong.map_or(Ok(all), |errors| Err(errors.into()))
}

/// File name without folders, so that it remains valid if files are copied.
fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Prints the values to be written: measured, stated and assumed ones.
fn say(fitted: &Fitted) -> Result<(), Failure> {
    let out = Destination::Stdout;
    let rows: Vec<report::FittedRow> = fitted
        .estimates
        .iter()
        .map(|finding| {
            let shown = finding.to_string();
            let value = shown.split_once(" = ").map_or("", |(_, value)| value).to_owned();
            report::FittedRow {
                path: finding.path.clone(),
                value,
                sure: finding.sure(),
                rows: finding.rows.len(),
                stage: finding.stage,
            }
        })
        .collect();
    let mut text = report::table(&rows[..], terminal::style(&out, report::Bars::None));
    text += "\n";
    text += &report::table(&kinds(fitted)[..], terminal::style(&out, report::Bars::None));
    for cost in &fitted.loops {
        let mut beside = cost
            .own
            .overlap
            .map_or_else(String::new, |part| format!(", {part:.2} of waiting overlaps with them"));
        if cost.own.lines < 1.0 {
            let _ = write!(beside, " with {:.2} of a stream's lines in flight", cost.own.lines);
        }
        let _ = writeln!(
            text,
            "loop of {} by its compiler: {:.3} instructions a byte, {:.2} a cycle{} ({})",
            cost.experiment, cost.instructions_per_byte, cost.instructions_per_cycle, beside, cost.source
        );
    }
    text += &origins(fitted);
    text += &misses(fitted);
    for warning in &fitted.warnings {
        text += &format!("note: {warning}\n");
    }
    out.write(text.as_bytes())
}

/// Measured rows by kind, beside their simulation with the values to be written.
fn kinds(fitted: &Fitted) -> Vec<report::MeasuredKind> {
    let shown = |value: f64| match value.abs() {
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    };
    let row = |kind: RowKind| report::MeasuredKind {
        measured: format!("{} {}", shown(kind.measured), kind.unit),
        simulated: kind.simulated.map_or_else(String::new, shown),
        worst: kind
            .worst
            .map_or_else(|| "not simulated".to_owned(), |worst| format!("{:+.1}%", worst * 100.0)),
        rows: kind.rows,
        kind: kind.name,
    };
    fitted.kinds().into_iter().map(row).collect()
}

/// Counts of measured, stated and assumed values, and the experiments that measure the assumed ones.
fn origins(fitted: &Fitted) -> String {
    let mut stated: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut assumed: BTreeMap<(&str, Option<&str>), Vec<&str>> = BTreeMap::new();
    let mut measured = 0;
    for (path, origin) in &fitted.origins {
        match origin {
            Origin::Measured => measured += 1,
            Origin::Stated(from) => stated.entry(from).or_default().push(path),
            Origin::Assumed { table, experiment } => {
                assumed.entry((table, *experiment)).or_default().push(path);
            }
        }
    }
    let count = |lists: &mut dyn Iterator<Item = usize>| lists.sum::<usize>();
    let mut text = format!(
        "\nof {} values of the machine {measured} are measured, {} stated, {} assumed\n",
        fitted.origins.len(),
        count(&mut stated.values().map(Vec::len)),
        count(&mut assumed.values().map(Vec::len)),
    );
    for (from, paths) in &stated {
        let _ = writeln!(text, "stated by {from}: {}", paths.join(", "));
    }
    for ((table, experiment), paths) in &assumed {
        let experiment = experiment.map_or_else(String::new, hints::measured_by);
        let _ = writeln!(text, "assumed as in {table}: {}{experiment}", paths.join(", "));
    }
    text
}

/// Lists measured rows that the fit left out, and fitted values that contradict the rows they were fitted to.
fn misses(fitted: &Fitted) -> String {
    let mut text = String::new();
    for (row, checked) in fitted.rows.iter().filter(|(_, checked)| checked.beyond) {
        let params: Vec<String> =
            row.row.params.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let missed = checked.missed.unwrap_or_default() * 100.0;
        let _ = writeln!(
            text,
            "left out: {} {} ({}), {missed:+.0} %: no parameter values fit both this row and the others",
            row.row.experiment,
            params.join(" "),
            row.row.source,
        );
    }
    for off in fitted.off() {
        let _ = writeln!(text, "missed: {off}");
    }
    for finding in fitted.estimates.iter().filter(|finding| finding.verdict == Verdict::Contradicted) {
        let _ = writeln!(
            text,
            "contradicted: {finding} disagrees with the {} rows that it was fitted to",
            finding.rows.len()
        );
    }
    text
}
