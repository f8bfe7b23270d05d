//! Reads a file and checks it against its schema once. It can then be loaded with any overrides.

use crate::lookup::{self, Kind};
use crate::machine_write;
use crate::overrides::{self, Override};
use crate::resolved::ResolvedText;
use crate::schema::{self, Part};
use crate::structure::{self, Checked};
use crate::synthetic;
use crate::written::{WrittenValue, written_values};
use numalab_syntax::diagnostics::{Diagnostic, Diagnostics, Source, line_at};
use numalab_syntax::report::Report;
use numalab_syntax::tree::{Node, Parsed, TextRange, Value};
use numalab_syntax::{toml_tree, yaml_tree};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::borrow::Cow;
use std::fmt;
use std::path::Path;

/// A machine, workload or runtime with its complete configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded<T> {
    pub value: T,
    /// BLAKE3 hash of [`Loaded::resolved`], hexadecimal.
    pub hash: String,
    /// `--set` texts that applied.
    pub overrides: Vec<String>,
    /// Complete configuration with defaults filled in, keys sorted, quantities in base units.
    pub resolved: ResolvedText,
}

impl<T: fmt::Debug> Loaded<T> {
    /// Wraps a value that was made in memory, without a file.
    pub fn in_memory(value: T) -> Loaded<T> {
        let hash = blake3::hash(format!("{value:?}").as_bytes()).to_hex().to_string();
        Loaded { value, hash, overrides: Vec::new(), resolved: ResolvedText::whole(&Json::Null) }
    }
}

/// A file, read and checked against its schema once. Many runs with different values start from it.
#[derive(Clone, Debug)]
pub struct ReadFile {
    source: Source,
    parsed: Parsed,
    schema: &'static Part,
    /// The file as JSON. `None` if the file has an error; every load then checks all of it.
    pub checked: Option<Json>,
}

impl ReadFile {
    fn new(source: Source, parsed: Parsed, schema: &'static Part) -> ReadFile {
        let checked = || {
            let mut report = Report::new(&parsed.root);
            let json = structure::check(schema, &mut report, None);
            report.clean().then_some(json)
        };
        let checked = (parsed.complete && parsed.errors.is_empty()).then(checked).flatten();
        ReadFile { source, parsed, schema, checked }
    }

    pub fn machine(source: Source) -> ReadFile {
        let parsed = toml_tree::parse(&source.text, 0);
        ReadFile::new(source, parsed, schema::of(Kind::Machine))
    }

    /// A machine from its short form, such as `socket:2 core:4`.
    pub fn synthetic(form: &str) -> Result<ReadFile, Diagnostics> {
        let machine = synthetic::machine(form)?;
        let span = TextRange { source: 0, start: 0, end: form.len() };
        let root = machine_write::tree(&machine, span);
        let parsed = Parsed { root, errors: Vec::new(), complete: true };
        Ok(ReadFile::new(synthetic::source(form), parsed, schema::of(Kind::Machine)))
    }

    pub fn workload(source: Source) -> ReadFile {
        let parsed = yaml_tree::parse(&source.text, 0);
        ReadFile::new(source, parsed, schema::of(Kind::Workload))
    }

    pub fn runtime(source: Source) -> ReadFile {
        let parsed = toml_tree::parse(&source.text, 0);
        ReadFile::new(source, parsed, schema::of(Kind::Runtime))
    }

    pub fn sweep(source: Source) -> ReadFile {
        let parsed = yaml_tree::parse(&source.text, 0);
        ReadFile::new(source, parsed, schema::of(Kind::Sweep))
    }

    pub fn policy(source: Source) -> ReadFile {
        let parsed = yaml_tree::parse(&source.text, 0);
        ReadFile::new(source, parsed, schema::of(Kind::Policy))
    }

    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Tree of the file, before overrides are applied.
    pub fn root(&self) -> &Node {
        &self.parsed.root
    }

    /// Values that the file writes, with values replaced. Overrides that do not fit the file are left out.
    pub fn written_values(&self, changes: &[Override]) -> Vec<WrittenValue> {
        let mut root = Cow::Borrowed(self.root());
        if !changes.is_empty() {
            overrides::apply(changes, self.schema, root.to_mut(), &mut Vec::new());
        }
        written_values(&root)
    }

    /// Folder that paths in the file are relative to.
    pub fn folder(&self) -> &Path {
        lookup::folder(&self.source)
    }

    /// Result of `resolve` on the file with values replaced, or all errors at once.
    pub fn load<F, T>(
        &self,
        changes: &[Override],
        resolve: impl FnOnce(&F, &mut Report<'_>) -> T,
    ) -> Result<Loaded<T>, Diagnostics>
    where
        F: DeserializeOwned + Serialize,
    {
        let schema = self.schema;
        let mut sources = vec![self.source.clone()];
        let Parsed { root: before, errors, complete } = &self.parsed;
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
        let checked = self.checked.as_ref().map(|json| Checked { node: before, json });
        let json = structure::check(schema, &mut report, checked);
        report.items.extend(errors.iter().cloned());
        report.items.extend(wrong_paths);
        // Number of errors above which the later checks are skipped.
        const MOST: usize = 1000;
        if report.items.len() > MOST {
            return Err(Diagnostics::new(sources, report.items));
        }
        let file = match serde_json::from_value::<F>(json) {
            Ok(file) => file,
            Err(error) => {
                // Reached only if the schema admits a value that the type refuses.
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
}

/// Adds errors of other lines to syntax errors, as far as the text could be read. Missing keys are not reported: the
/// syntax error may hide them.
fn beside_syntax(
    root: &Node,
    schema: &'static Part,
    mut errors: Vec<Diagnostic>,
    text: &str,
) -> Vec<Diagnostic> {
    let line = |span: Option<TextRange>| line_at(text, span.map_or(0, |span| span.start));
    if !matches!(root.value, Value::Table(_)) {
        return errors;
    }
    // Each error costs a pass over the text to count lines.
    const MOST: usize = 100;
    let broken: Vec<usize> = errors.iter().take(MOST).map(|error| line(error.span())).collect();
    let mut report = Report::new(root);
    structure::check(schema, &mut report, None);
    let others = report.items.into_iter().take(MOST);
    errors.extend(
        others.filter(|item| !item.message.starts_with("missing") && !broken.contains(&line(item.span()))),
    );
    errors
}
