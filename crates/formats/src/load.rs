//! Name to machine, workload or runtime: find, parse, override, check, resolve, and say everything that is
//! wrong.

use crate::facts::Facts;
use crate::lookup::{self, Kind};
use crate::overrides::{self, Override};
use crate::questions::Questions;
use crate::resolved::ResolvedText;
use crate::slices::Partitions;
use crate::structure::Checked;
use crate::sweep::{Sweep, folder};
use crate::sweep_file::SweepFile;
use crate::{
    machine_resolve, machine_write, runtime_resolve, schema, structure, sweep_resolve, workload_resolve,
};
use numalab_machine::{Machine, SyntheticError};
use numalab_runtime::Profile;
use numalab_syntax::diagnostics::{Diagnostic, Diagnostics, Source};
use numalab_syntax::expression::ExpressionError;
use numalab_syntax::nearest::hint_or;
use numalab_syntax::report::Report;
use numalab_syntax::tree::{Node, Parsed, TextRange, Value};
use numalab_syntax::{toml_tree, yaml_tree};
use numalab_workload::Workload;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::borrow::Cow;
use std::fmt;

/// A machine, workload or runtime, and what decided it.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded<T> {
    /// The thing itself.
    pub value: T,
    /// BLAKE3 of [`Loaded::resolved`], in hexadecimal.
    pub hash: String,
    /// `--set` texts that applied.
    pub overrides: Vec<String>,
    /// The whole configuration with defaults filled in, keys sorted, quantities in base units.
    pub resolved: ResolvedText,
}

impl<T: fmt::Debug> Loaded<T> {
    /// A value that was made in memory: no file says it.
    pub fn in_memory(value: T) -> Loaded<T> {
        let hash = blake3::hash(format!("{value:?}").as_bytes()).to_hex().to_string();
        Loaded { value, hash, overrides: Vec::new(), resolved: ResolvedText::whole(&Json::Null) }
    }
}

/// A file of one of the kinds, read and held against its schema once. Many runs that differ in values begin with it.
#[derive(Debug)]
pub struct ReadFile {
    source: Source,
    parsed: Parsed,
    /// The file as JSON, if nothing is wrong with it.
    checked: Option<Json>,
    /// Slices of workloads that were made of it last.
    partitions: Partitions,
}

impl ReadFile {
    fn new(source: Source, parsed: Parsed, schema: &Json) -> ReadFile {
        let checked = || {
            let mut report = Report::new(&parsed.root);
            let json = structure::check(schema, &mut report, None);
            report.clean().then_some(json)
        };
        let checked = (parsed.complete && parsed.errors.is_empty()).then(checked).flatten();
        ReadFile { source, parsed, checked, partitions: Partitions::default() }
    }

    /// The facts on which a workload depends that is made of this file with values replaced.
    pub fn facts_read(&self, overrides: &[Override], facts: &Facts) -> Facts {
        let values = overrides.iter().map(|change| change.value.as_str());
        facts.read_by(std::iter::once(self.source.text.as_str()).chain(values))
    }
}

/// Loads the machine that a name, a path or a synthetic form (`board:4 socket:4 core:8`) means.
pub fn machine(name: &str, overrides: &[Override]) -> Result<Loaded<Machine>, Diagnostics> {
    machine_of(&read_machine(name)?, overrides)
}

/// Reads the machine that a name, a path or a synthetic form means, without its values.
pub fn read_machine(name: &str) -> Result<ReadFile, Diagnostics> {
    if !is_synthetic(name) {
        return Ok(machine_file(lookup::find(Kind::Machine, name)?));
    }
    let source = Source { name: "synthetic machine".to_owned(), text: name.to_owned() };
    match numalab_machine::synthetic(name) {
        Ok(machine) => {
            let span = TextRange { source: 0, start: 0, end: name.len() };
            let root = machine_write::tree(&machine, span);
            let parsed = Parsed { root, errors: Vec::new(), complete: true };
            Ok(ReadFile::new(source, parsed, schema::machine()))
        }
        Err(error) => {
            let ExpressionError { range, message, label } = wrong_form(name, error);
            let span = TextRange { source: 0, start: range.start, end: range.end };
            Err(Diagnostics::new(vec![source], vec![Diagnostic::new(span, message, label)]))
        }
    }
}

/// An error in the short form of a machine.
pub(crate) fn wrong_form(form: &str, error: SyntheticError) -> ExpressionError {
    let wrong = form.get(error.span.clone()).unwrap_or_default();
    let label = hint_or(wrong, error.names, &error.expected);
    ExpressionError { range: error.span, message: error.message, label }
}

/// A workload, and what it asks of its runs.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Workload that runs.
    pub workload: Loaded<Workload>,
    /// In what series, and what is read off.
    pub questions: Questions,
    /// Notes for a reader of the results about where the workload comes from.
    pub notes: Vec<String>,
    /// Whether the bytes that it touches are unknown, so that no result depends on where they are.
    pub computes_only: bool,
    /// Times of a recorded program, for replays on the computer that recorded it.
    pub recorded: Option<Recorded>,
    /// File and line of each phase, by its name, for messages about its runs.
    pub places: Vec<(String, String)>,
}

/// Times of a recorded program, and the work that they are of.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// Class of work of each phase.
    pub classes: Vec<u32>,
    /// Number of classes.
    pub count: usize,
    /// Whether each class is a part of regions.
    pub in_regions: Vec<bool>,
    /// Time of the measured phases on one thread, in nanoseconds.
    pub alone_ns: u64,
    /// Times within regions of a team that ran freely, where all phases are measured.
    pub free: Option<FreeTeam>,
}

/// Times of a team that ran freely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeTeam {
    /// Its threads.
    pub threads: u32,
    /// Time within regions, of each run, in nanoseconds.
    pub regions_ns: Vec<u64>,
    /// Times that the system took a processor away, of each run where anybody counted.
    pub switches: Vec<u64>,
}

impl Experiment {
    /// The same workload where these facts hold, which differ only in what nobody read of those it was made for. Whoever
    /// asks for one by its name finds it.
    #[must_use]
    pub fn moved(&self, from: &Facts, to: &Facts) -> Experiment {
        let mut moved = self.clone();
        let both = from.values().into_iter().zip(to.values());
        for (name, (_, value)) in Facts::NAMES.into_iter().zip(both).filter(|(_, (from, to))| from != to) {
            let constants = moved.questions.constants.iter_mut().filter(|constant| constant.0 == name);
            constants.for_each(|constant| constant.1 = value);
        }
        moved
    }
}

/// Loads the workload that a name or a path means, for a machine and a team.
pub fn workload(name: &str, overrides: &[Override], facts: &Facts) -> Result<Experiment, Diagnostics> {
    workload_of(&read_workload(name)?, overrides, facts)
}

/// Reads the workload that a name or a path means, without its values.
pub fn read_workload(name: &str) -> Result<ReadFile, Diagnostics> {
    Ok(workload_file(lookup::find(Kind::Workload, name)?))
}

/// Loads the OpenMP runtime that a name or a path means.
pub fn runtime(name: &str, overrides: &[Override]) -> Result<Loaded<Profile>, Diagnostics> {
    runtime_of(&read_runtime(name)?, overrides)
}

/// Reads the OpenMP runtime that a name or a path means, without its values.
pub fn read_runtime(name: &str) -> Result<ReadFile, Diagnostics> {
    Ok(runtime_file(lookup::find(Kind::Runtime, name)?))
}

/// A runtime from the text of a file.
pub(crate) fn runtime_file(source: Source) -> ReadFile {
    let parsed = toml_tree::parse(&source.text, 0);
    ReadFile::new(source, parsed, schema::runtime())
}

/// The OpenMP runtime of a file, with values replaced.
pub fn runtime_of(file: &ReadFile, overrides: &[Override]) -> Result<Loaded<Profile>, Diagnostics> {
    load(file, schema::runtime(), overrides, runtime_resolve::resolve)
}

/// Loads the sweep that a name or a path means. What it names is only looked for, not read.
pub fn sweep(name: &str) -> Result<Sweep, Diagnostics> {
    let source = lookup::find(Kind::Sweep, name)?;
    let parsed = yaml_tree::parse(&source.text, 0);
    let resolve = |file: &SweepFile, report: &mut Report<'_>| sweep_resolve::resolve(file, &source, report);
    let file = ReadFile::new(source.clone(), parsed, schema::sweep());
    load(&file, schema::sweep(), &[], resolve).map(|loaded| loaded.value)
}

/// A machine from the text of a file.
pub(crate) fn machine_file(source: Source) -> ReadFile {
    let parsed = toml_tree::parse(&source.text, 0);
    ReadFile::new(source, parsed, schema::machine())
}

/// The machine of a file, with values replaced.
pub fn machine_of(file: &ReadFile, overrides: &[Override]) -> Result<Loaded<Machine>, Diagnostics> {
    let folder = folder(&file.source).to_owned();
    let mut machine = load(file, schema::machine(), overrides, machine_resolve::resolve)?;
    // A runtime that lies beside the machine, wherever that is.
    if let Some(runtime) = &mut machine.value.runtime {
        *runtime = lookup::beside(Kind::Runtime, &folder, runtime);
    }
    Ok(machine)
}

/// A workload from the text of a file.
pub(crate) fn workload_file(source: Source) -> ReadFile {
    let parsed = yaml_tree::parse(&source.text, 0);
    ReadFile::new(source, parsed, schema::workload())
}

/// The workload of a file, with values replaced, for a machine and a team.
pub fn workload_of(
    file: &ReadFile,
    overrides: &[Override],
    facts: &Facts,
) -> Result<Experiment, Diagnostics> {
    let folder = folder(&file.source).to_owned();
    let known = &file.partitions;
    let resolve =
        |file: &_, report: &mut Report<'_>| workload_resolve::resolve(file, facts, &folder, known, report);
    let mut loaded = load(file, schema::workload(), overrides, resolve)?;
    if let Some(matrix) = overrides.iter().find(|change| change.path == "matrix")
        && !loaded.value.reads_matrix
    {
        let message = format!("nothing in {} reads a matrix", file.source.name);
        return Err(matrix.refused(message, "expected none for this workload".to_owned()));
    }
    if !loaded.value.files.is_empty() {
        // What the files hold decides the result as well.
        let mut resolved = loaded.resolved.json();
        for (kind, hashes) in std::mem::take(&mut loaded.value.files) {
            resolved[kind] = hashes;
        }
        loaded.resolved = ResolvedText::of(&resolved);
        loaded.hash = loaded.resolved.hash();
    }
    let Loaded { value, hash, overrides, resolved } = loaded;
    let workload = Loaded { value: value.workload, hash, overrides, resolved };
    Ok(Experiment {
        workload,
        questions: value.questions,
        notes: Vec::new(),
        computes_only: false,
        recorded: None,
        places: phase_places(file),
    })
}

/// Where phases stand, by their names.
fn phase_places(file: &ReadFile) -> Vec<(String, String)> {
    let Some(Node { value: Value::List(phases), .. }) = file.parsed.root.get("phases") else {
        return Vec::new();
    };
    let place = |phase: &Node| {
        let name = phase.get("name")?;
        let Value::Str(text) = &name.value else { return None };
        let before = file.source.text.get(..name.span.start)?;
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        Some((text.clone(), format!("{}:{line}", file.source.name)))
    };
    phases.iter().filter_map(place).collect()
}

/// Words with counts, and no file of that name.
pub(crate) fn is_synthetic(name: &str) -> bool {
    let word = |word: &str| word.split_once(':').is_some_and(|(kind, _)| !kind.contains(['/', '\\', '.']));
    name.split_whitespace().next().is_some_and(word) && !std::path::Path::new(name).exists()
}

fn load<F, T>(
    file: &ReadFile,
    schema: &Json,
    changes: &[Override],
    resolve: impl FnOnce(&F, &mut Report<'_>) -> T,
) -> Result<Loaded<T>, Diagnostics>
where
    F: DeserializeOwned + Serialize,
{
    let mut sources = vec![file.source.clone()];
    let Parsed { root: before, errors, complete } = &file.parsed;
    if !complete {
        let errors = beside_syntax(before, schema, errors.clone(), &sources[0].text);
        return Err(Diagnostics::new(sources, errors));
    }
    let mut root = Cow::Borrowed(before);
    let mut wrong_paths = Vec::new();
    if !changes.is_empty() {
        wrong_paths = overrides::apply(changes, schema, root.to_mut(), &mut sources);
    }
    let mut report = Report::new(&root);
    let checked = file.checked.as_ref().map(|json| Checked { node: before, json });
    let json = structure::check(schema, &mut report, checked);
    report.items.extend(errors.iter().cloned());
    report.items.extend(wrong_paths);
    // A file that is wrong throughout gets no second look.
    const MOST: usize = 1000;
    if report.items.len() > MOST {
        return Err(Diagnostics::new(sources, report.items));
    }
    let file = match serde_json::from_value::<F>(json) {
        Ok(file) => file,
        Err(error) => {
            // Reached only where the schema admits what the type does not.
            if report.clean() {
                report.at("", format!("the file does not fit its schema: {error}"), "");
            }
            return Err(Diagnostics::new(sources, report.items));
        }
    };
    let value = resolve(&file, &mut report);
    if !report.clean() {
        return Err(Diagnostics::new(sources, report.items));
    }
    let resolved = ResolvedText::of(&file);
    let overrides = changes.iter().map(Override::recorded).collect();
    Ok(Loaded { value, hash: resolved.hash(), overrides, resolved })
}

/// After syntax errors, what else is wrong on other lines of what could still be read. What seems to
/// be missing may only have been lost.
fn beside_syntax(root: &Node, schema: &Json, mut errors: Vec<Diagnostic>, text: &str) -> Vec<Diagnostic> {
    let line = |span: Option<TextRange>| {
        let end = span.map_or(0, |span| span.start.min(text.len()));
        text.as_bytes()[..end].iter().filter(|&&byte| byte == b'\n').count()
    };
    if !matches!(root.value, Value::Table(_)) {
        return errors;
    }
    // Counting lines costs a pass over the text for each error.
    const MOST: usize = 100;
    let broken: Vec<usize> = errors.iter().take(MOST).map(|error| line(error.span)).collect();
    let mut report = Report::new(root);
    structure::check(schema, &mut report, None);
    let others = report.items.into_iter().take(MOST);
    errors.extend(
        others.filter(|item| !item.message.starts_with("missing") && !broken.contains(&line(item.span))),
    );
    errors
}

#[cfg(test)]
mod tests;
