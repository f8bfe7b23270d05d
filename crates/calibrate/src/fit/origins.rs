//! Origins of the values of a machine file: measured, stated by the system, or assumed.

use super::inputs::Inputs;
use super::load;
use super::read_off;
use super::subject::Subject;
use super::{Finding, Verdict, stages};
use numalab_base::parameter::{Parameter, Parameters};
use numalab_base::{ValueOrigin, ValueOrigins};
use numalab_files::machine_text;
use numalab_machine::{Cache, Core, Machine};
use std::cell::RefCell;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Fitted to rows; the `Finding` with the path of the value has the evidence.
    Measured,
    /// Read off: stated unambiguously by a row or the operating system. The text names the source.
    Stated(String),
    /// From a table of defaults.
    Assumed {
        table: &'static str,
        /// Experiment that would measure the value; `None` if no experiment measures it.
        experiment: Option<&'static str>,
    },
}

/// Keys of a machine file that describe the file, not the machine.
const LABELS: [&str; 3] = ["name", "description", "runtime"];

/// Origins of all values of the machine file, in the order of the file.
pub(super) fn of(subject: &Subject, inputs: &Inputs, findings: &[Finding]) -> Vec<(String, Origin)> {
    // The writer of the file visits the path of every value.
    let paths = RefCell::new(Vec::new());
    machine_text(&subject.machine, &|path| {
        paths.borrow_mut().push(path.to_owned());
        None
    });
    let mut paths = paths.into_inner();
    // The file omits values that equal the default; these are assumed values, too.
    for silent in ["core.overlap", load::PATH] {
        if !paths.iter().any(|path| path == silent) {
            paths.push(silent.to_owned());
        }
    }
    let mut known: Vec<(String, Origin)> = Vec::new();
    for path in paths.into_iter().filter(|path| !LABELS.contains(&path.as_str())) {
        let origin = origin(&path, subject, inputs, findings);
        known.push((path, origin));
    }
    known
}

fn origin(path: &str, subject: &Subject, inputs: &Inputs, findings: &[Finding]) -> Origin {
    let found = findings.iter().find(|finding| finding.path == path);
    if found.is_some_and(|finding| finding.verdict != Verdict::Untold) {
        return Origin::Measured;
    }
    if let Some((_, from)) = inputs.stated.iter().find(|(stated, _)| stated == path) {
        return Origin::Stated(from.clone());
    }
    let measures = stages::measuring(subject, path, false);
    // Values that are read off belong to no stage.
    let experiment = measures
        .map(|stage| stage.experiment)
        .or((path == load::PATH).then_some("loaded_latency"))
        .or_else(|| read_off::experiment(path));
    let assumed = Origin::Assumed { table: table(path), experiment };
    let is = |listed: &String| {
        path == *listed || path.strip_prefix(listed.as_str()).is_some_and(|rest| rest.starts_with('.'))
    };
    let unsaid = inputs.assumed.iter().any(is) || measures.is_some() || path == load::PATH;
    match unsaid {
        true => assumed,
        false => Origin::Stated(OF_SYSTEM.to_owned()),
    }
}

/// Description of values that the operating system states.
const OF_SYSTEM: &str = "the system's description of itself";

/// Origins of the machine's values as its file states them: tolerances of measured values are the intervals of their
/// findings.
pub(super) fn written(machine: &Machine, known: &[(String, Origin)], findings: &[Finding]) -> ValueOrigins {
    let values = machine.file_values();
    let mut origins = ValueOrigins::default();
    for (path, origin) in known.iter().filter(|(path, _)| values.iter().any(|value| value.place == *path)) {
        let finding = findings.iter().find(|finding| finding.path == *path);
        let of = match origin {
            Origin::Measured => ValueOrigin::Measured,
            Origin::Stated(from) if from == OF_SYSTEM => ValueOrigin::Sheet,
            Origin::Stated(_) => ValueOrigin::Measured,
            Origin::Assumed { .. } => ValueOrigin::Assumed,
        };
        origins.listed.push((path.clone(), of));
        if let (Origin::Measured, Some(finding)) = (origin, finding) {
            let within = (finding.interval() - 1.0).clamp(0.0, MOST);
            // Three digits, as the comment above the value has at most.
            origins.within.push((path.clone(), (within * 1e3).round() / 1e3));
        }
    }
    origins
}

/// Largest tolerance that is written: above it nothing is known.
const MOST: f64 = 9.0;

/// Name of the machine file or table that supplies the default of a path.
fn table(path: &str) -> &'static str {
    let section = path.split(['.', '[']).next().unwrap_or_default();
    let parameters = match section {
        "core" => Core::SECTION.parameters,
        "cache" => Cache::SECTION.parameters,
        _ => &[],
    };
    let assumed_of = |parameter: &Parameter| {
        let (_, name) = path.rsplit_once('.')?;
        parameter.rule.assumed_of.filter(|_| parameter.name == name)
    };
    match section {
        "os" => "a recent Linux on a small machine",
        "memory" if path.ends_with("loaded_latency") => "the middle of three published curves",
        _ => parameters.iter().find_map(assumed_of).unwrap_or("a two-gigahertz server of 2010 (Xeon X7550)"),
    }
}
