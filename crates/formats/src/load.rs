//! Name to machine, workload or runtime: find, parse, override, check, resolve, and say everything that is
//! wrong.

use crate::facts::Facts;
use crate::lookup::{self, Kind};
use crate::overrides::{self, Override};
use crate::questions::Questions;
use crate::sweep::Sweep;
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
use std::fmt;
use std::path::Path;

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
    pub resolved: Json,
}

impl<T: fmt::Debug> Loaded<T> {
    /// A value that was made in memory: no file says it.
    pub fn in_memory(value: T) -> Loaded<T> {
        let hash = blake3::hash(format!("{value:?}").as_bytes()).to_hex().to_string();
        Loaded { value, hash, overrides: Vec::new(), resolved: Json::Null }
    }
}

/// Loads the machine that a name, a path or a synthetic form (`board:4 socket:4 core:8`) means.
pub fn machine(name: &str, overrides: &[Override]) -> Result<Loaded<Machine>, Diagnostics> {
    if !is_synthetic(name) {
        return machine_from(lookup::find(Kind::Machine, name)?, overrides);
    }
    let source = Source { name: "synthetic machine".to_owned(), text: name.to_owned() };
    match numalab_machine::synthetic(name) {
        Ok(machine) => {
            let span = TextRange { source: 0, start: 0, end: name.len() };
            let root = machine_write::tree(&machine, span);
            let parsed = Parsed { root, errors: Vec::new(), complete: true };
            load(source, parsed, schema::machine(), overrides, machine_resolve::resolve)
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
}

/// Loads the workload that a name or a path means, for a machine and a team.
pub fn workload(name: &str, overrides: &[Override], facts: &Facts) -> Result<Experiment, Diagnostics> {
    workload_from(lookup::find(Kind::Workload, name)?, overrides, facts)
}

/// Loads the OpenMP runtime that a name or a path means.
pub fn runtime(name: &str, overrides: &[Override]) -> Result<Loaded<Profile>, Diagnostics> {
    let source = lookup::find(Kind::Runtime, name)?;
    let parsed = toml_tree::parse(&source.text, 0);
    load(source, parsed, schema::runtime(), overrides, runtime_resolve::resolve)
}

/// Loads the sweep that a name or a path means. What it names is only looked for, not read.
pub fn sweep(name: &str) -> Result<Sweep, Diagnostics> {
    let source = lookup::find(Kind::Sweep, name)?;
    let parsed = yaml_tree::parse(&source.text, 0);
    let resolve = |file: &SweepFile, report: &mut Report<'_>| sweep_resolve::resolve(file, &source, report);
    load(source.clone(), parsed, schema::sweep(), &[], resolve).map(|loaded| loaded.value)
}

/// Loads a machine from the text of a file.
pub(crate) fn machine_from(source: Source, overrides: &[Override]) -> Result<Loaded<Machine>, Diagnostics> {
    let parsed = toml_tree::parse(&source.text, 0);
    let folder = Path::new(&source.name).parent().map(Path::to_owned).unwrap_or_default();
    let mut machine = load(source, parsed, schema::machine(), overrides, machine_resolve::resolve)?;
    // A runtime that lies beside the machine, wherever that is.
    if let Some(runtime) = &mut machine.value.runtime {
        let beside = folder.join(&*runtime);
        if beside.is_file()
            && let Some(path) = beside.to_str()
        {
            *runtime = path.to_owned();
        }
    }
    Ok(machine)
}

/// Loads a workload from the text of a file.
pub(crate) fn workload_from(
    source: Source,
    overrides: &[Override],
    facts: &Facts,
) -> Result<Experiment, Diagnostics> {
    let parsed = yaml_tree::parse(&source.text, 0);
    // Of a built-in workload it is the folder that the program runs in.
    let folder = Path::new(&source.name).parent().map(Path::to_owned).unwrap_or_default();
    let resolve = |file: &_, report: &mut Report<'_>| workload_resolve::resolve(file, facts, &folder, report);
    let Loaded { value, hash, overrides, mut resolved } =
        load(source, parsed, schema::workload(), overrides, resolve)?;
    let hash = match value.matrix_hash {
        None => hash,
        // What the file holds decides the result as well.
        Some(matrix) => {
            resolved["matrix_blake3"] = matrix.into();
            resolved = sorted(resolved);
            hash_of(&resolved)
        }
    };
    let workload = Loaded { value: value.workload, hash, overrides, resolved };
    Ok(Experiment { workload, questions: value.questions })
}

/// Words with counts, and no file of that name.
pub(crate) fn is_synthetic(name: &str) -> bool {
    let word = |word: &str| word.split_once(':').is_some_and(|(kind, _)| !kind.contains(['/', '\\', '.']));
    name.split_whitespace().next().is_some_and(word) && !std::path::Path::new(name).exists()
}

fn load<F, T>(
    source: Source,
    parsed: Parsed,
    schema: &Json,
    changes: &[Override],
    resolve: impl FnOnce(&F, &mut Report<'_>) -> T,
) -> Result<Loaded<T>, Diagnostics>
where
    F: DeserializeOwned + Serialize,
{
    let mut sources = vec![source];
    let Parsed { mut root, errors, complete } = parsed;
    if !complete {
        let errors = beside_syntax(&root, schema, errors, &sources[0].text);
        return Err(Diagnostics::new(sources, errors));
    }
    let wrong_paths = overrides::apply(changes, schema, &mut root, &mut sources);
    let mut report = Report::new(&root);
    let json = structure::check(schema, &mut report);
    report.items.extend(errors);
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
    let resolved = sorted(serde_json::to_value(&file).unwrap_or_default());
    let hash = hash_of(&resolved);
    Ok(Loaded { value, hash, overrides: changes.iter().map(Override::recorded).collect(), resolved })
}

fn hash_of(resolved: &Json) -> String {
    blake3::hash(resolved.to_string().as_bytes()).to_hex().to_string()
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
    structure::check(schema, &mut report);
    let others = report.items.into_iter().take(MOST);
    errors.extend(
        others.filter(|item| !item.message.starts_with("missing") && !broken.contains(&line(item.span))),
    );
    errors
}

/// The same value with the keys of every table sorted, whatever map the JSON library was built with, and without
/// keys that have nothing.
fn sorted(json: Json) -> Json {
    match json {
        Json::Object(table) => {
            let mut entries: Vec<(String, Json)> =
                table.into_iter().filter(|(_, value)| !value.is_null()).collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            Json::Object(entries.into_iter().map(|(key, value)| (key, sorted(value))).collect())
        }
        Json::Array(items) => Json::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}
