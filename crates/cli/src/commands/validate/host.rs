//! Compares a user's own measurements with simulations of the machine fitted to them.

use crate::commands::load;
use crate::embedded::{self, Record};
use crate::failure::Failure;
use crate::flags::{Validate, ViewFormat};
use crate::interrupt;
use crate::output::{Destination, check_apart, spare_inputs};
use crate::progress::Bar;
use crate::terminal;
use numalab_calibrate::fit::Errors;
use numalab_draw as draw;
use numalab_files::{Kind, catalogue};
use numalab_imports::measurements::{self, Measurements};
use numalab_imports::{Evidence, evidence};
use numalab_machine::Machine;
use numalab_report as report;
use numalab_syntax::diagnostics::Diagnostics;
use numalab_syntax::nearest::nearest;
use numalab_validation::{Asked, validate_host};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Reads the measurements, simulates them and writes the comparison.
pub fn run(path: &Path, flags: &Validate) -> Result<(), Failure> {
    let output = flags.output.destination();
    let svg = flags.svg.clone().map(Destination::from);
    let mut places = vec![("the results", &output)];
    places.extend(svg.iter().map(|svg| ("the picture", svg)));
    check_apart(&places)?;

    let machine = named(path, flags)?;
    let (measured, machine) = match (read(path), load::machine(machine, &[])) {
        (Ok(measured), Ok(machine)) => (measured, machine),
        (Err(Failure::Input(file)), Err(Failure::Input(machine))) => return Err(file.and(machine).into()),
        (Err(error), _) | (_, Err(error)) => return Err(error),
    };
    let runtime = load::runtime_on(flags.runtime.as_deref(), &machine.value)?;
    let errors = errors_of(&machine.value)?;
    spare_inputs(&places)?;
    // The file name has no folders, so that it remains valid wherever the results are copied to.
    let file = path
        .file_name()
        .map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    let asked = Asked { all: flags.all, experiment: flags.experiment.as_deref() };
    let bar = Bar::new();
    let validation = validate_host((&file, &measured), &machine, &runtime, errors.as_ref(), asked, &bar)
        .map_err(|error| Failure::Request { problem: format!("{file}: {error}"), advice: None })?;
    drop(bar);
    if interrupt::pressed() {
        return Err(Failure::Interrupted("the comparison is incomplete; nothing is written".to_owned()));
    }
    if validation.rows.is_empty() {
        return Err(nothing(&file, &measured, asked));
    }
    let Some(validation) = embedded::keep(validation, Record::HostValidation) else { return Ok(()) };
    let text = match flags.output.format() {
        ViewFormat::Table => report::table(&validation, terminal::style(&output, report::Bars::None)),
        ViewFormat::Json => report::json(&validation),
        ViewFormat::Markdown => report::markdown(&validation),
        ViewFormat::Csv => report::csv(&validation),
    };
    let written = output.write(text.as_bytes());
    // If the reader of the table left early, the picture is still written.
    let drawn = svg.map_or(Ok(()), |svg| svg.write(draw::host_validation_svg(&validation).as_bytes()));
    match written {
        Ok(()) | Err(Failure::ReaderLeft) => drawn.and(written),
        failed => failed,
    }
}

/// Name of the machine to simulate, from the flags; an error that suggests one if the flags name none.
fn named<'a>(path: &Path, flags: &'a Validate) -> Result<&'a str, Failure> {
    if let Some(machine) = &flags.machine {
        return Ok(machine);
    }
    let shown = path.display().to_string();
    let is_machine =
        |name: &str| catalogue().iter().any(|item| item.kind == Kind::Machine && item.name == name);
    let name = shown.strip_suffix(".toml").unwrap_or(&shown);
    if !path.exists() && is_machine(name) {
        return Err(Failure::request(
            format!("\"{shown}\" is a machine, not a file of measurements"),
            format!("\"numalab validate --machine {name}\" compares it with published measurements"),
        ));
    }
    Err(Failure::request(
        format!("\"{shown}\" needs a machine to compare with"),
        format!(
            "add --machine FILE; \"numalab calibrate fit {shown} -o host.toml\" makes one from the measurements"
        ),
    ))
}

/// Standard errors of a fitted machine, from the file that the fit wrote beside the runtime file; `None` without that
/// file.
fn errors_of(machine: &Machine) -> Result<Option<Errors>, Failure> {
    let stem = machine.runtime.as_deref().and_then(|runtime| runtime.strip_suffix(".runtime.toml"));
    let Some(path) = stem.map(|stem| format!("{stem}.errors.json")).filter(|path| Path::new(path).is_file())
    else {
        return Ok(None);
    };
    let text = fs::read_to_string(&path).map_err(|error| error.to_string());
    match text.and_then(|text| Errors::from_text(&text)) {
        Ok(errors) => Ok(Some(errors)),
        Err(reason) => Err(Failure::request(
            format!("\"{path}\" is not an errors file of {}: {reason}", machine.name),
            "\"numalab calibrate fit\" writes it; if you delete it, predictions have no intervals",
        )),
    }
}

fn read(path: &Path) -> Result<Box<Measurements>, Failure> {
    let what = match evidence(path) {
        Ok(Evidence::Measurements(measured)) => return Ok(measured),
        Ok(Evidence::Topology(_)) => "is a topology",
        Ok(Evidence::Foreign(_)) => "is the output of another tool",
        Err(errors) if !path.is_file() || is_ours(path, &errors) => return Err(errors.into()),
        Err(_) => "should have one JSON record per line",
    };
    Err(Failure::request(
        format!("\"{}\" has no measurements of the kernels: it {what}", path.display()),
        "numalab calibrate run -o host.jsonl measures this computer",
    ))
}

/// True if the errors are about the content of a measurement file. Any other kind of file would give one error per
/// line.
fn is_ours(path: &Path, errors: &Diagnostics) -> bool {
    measurements::measurements(path)
        .is_err_and(|errors_as_measurements| errors_as_measurements.render(false) == errors.render(false))
}

/// Failure if no measurement is left to compare.
fn nothing(file: &str, measured: &Measurements, asked: Asked<'_>) -> Failure {
    let names: BTreeSet<&str> = measured.rows.iter().map(|row| row.experiment.as_str()).collect();
    let list: Vec<&str> = names.into_iter().collect();
    match asked.experiment {
        _ if list.is_empty() => Failure::request(
            format!("\"{file}\" has no measurements"),
            "numalab calibrate run -o host.jsonl measures this computer",
        ),
        Some(name) => {
            let advice = match nearest(name, list.iter().copied()).filter(|near| *near != name) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("it has measurements of {}", list.join(", ")),
            };
            Failure::request(
                format!("\"{file}\" has no measurement of \"{name}\" that can be simulated"),
                advice,
            )
        }
        None => Failure::request(
            format!("\"{file}\" has only measurements that a fit uses"),
            "--all compares these, too",
        ),
    }
}
