//! `numalab calibrate fit`: measurements become a machine file and a runtime file.

use crate::commands::load;
use crate::failure::Failure;
use crate::flags::CalibrateFit;
use crate::output::{Destination, check_apart, spare_inputs};
use crate::terminal;
use numalab_calibrate::fit::{Fitted, Inputs, fit, machine_file, runtime_file, runtime_of};
use numalab_formats::Diagnostics;
use numalab_imports::{Evidence, evidence};
use numalab_report as report;
use std::path::Path;

/// Reads everything, fits, writes two files, and says how sure each value is.
pub fn run(flags: &CalibrateFit) -> Result<(), Failure> {
    let machine = Destination::from(flags.output.clone());
    let Destination::File(path) = &machine else {
        return Err(Failure::request(
            "a machine file and a runtime file do not both fit on standard output",
            "name a FILE with -o; the runtime goes beside it",
        ));
    };
    let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("host").to_owned();
    let beside = format!("{name}.runtime.toml");
    let runtime = Destination::File(path.with_file_name(&beside));
    check_apart(&[("the machine", &machine), ("the runtime", &runtime)])?;

    let evidence = read(flags)?;
    spare_inputs(&[("the machine", &machine), ("the runtime", &runtime)])?;
    let profile =
        load::runtime(flags.runtime.as_deref().unwrap_or_else(|| runtime_of(&evidence)), &[])?.value;
    let mut inputs =
        Inputs::new(&name, &evidence, profile).map_err(|error| Failure::Run(error.to_string()))?;
    inputs.subject.runtime.name = format!("{name}.runtime");
    let fitted = fit(&inputs, &|_, _| ())?;

    let sources: Vec<String> = flags.inputs.iter().map(|path| file_name(path)).collect();
    let sources = sources.join(", ");
    runtime.write(runtime_file(&fitted, &sources).as_bytes())?;
    machine.write(machine_file(&fitted, &sources, &beside).as_bytes())?;
    say(&fitted, path)
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

/// Without folders: what a file says stays true where it is taken.
fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn say(fitted: &Fitted, path: &Path) -> Result<(), Failure> {
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
                error: finding.estimate.error,
                identifiable: finding.is_identifiable(),
                rows: finding.rows.len(),
                stage: finding.stage,
            }
        })
        .collect();
    let mut text = report::table(&rows[..], terminal::style(&out, report::Bars::None));
    for warning in &fitted.warnings {
        text += &format!("note: {warning}\n");
    }
    text += &format!("\nwrote {} and the runtime beside it\n", path.display());
    out.write(text.as_bytes())
}
