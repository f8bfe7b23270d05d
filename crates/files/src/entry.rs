//! Entry of the catalogue: kind, text, and the text in other formats.

use crate::lookup::{self, Kind};
use crate::read::ReadFile;
use crate::synthetic::{self, is_synthetic};
use crate::{schema, structure, text, yaml_text};
use numalab_syntax::diagnostics::{Diagnostics, Source};
use numalab_syntax::nearest::hint;
use numalab_syntax::report::Report;
use numalab_syntax::tree::{Parsed, shorten};
use numalab_syntax::{text_file, toml_tree, yaml_tree};
use serde_json::Value as Json;
use std::path::Path;

const KINDS: [Kind; 5] = [Kind::Machine, Kind::Workload, Kind::Runtime, Kind::Sweep, Kind::Policy];

/// Machine, workload, runtime, sweep or policy, as in its file.
#[derive(Clone, Debug)]
pub struct Entry {
    pub kind: Kind,
    /// Path of the file, or name of a built-in file.
    pub place: String,
    /// Text in the format that files of this kind use.
    pub text: String,
}

/// Entry of a name, a path, `-` (standard input) or the short form of a machine. If `kind` is `None` and several
/// kinds have the name, the order is machine, workload, runtime, sweep, policy.
pub fn entry(name: &str, kind: Option<Kind>) -> Result<Entry, Diagnostics> {
    if kind.is_none_or(|kind| kind == Kind::Machine) && is_synthetic(name) {
        let machine = synthetic::machine(name)?;
        let text = text::machine_text(&machine, &|_| None);
        return Ok(Entry { kind: Kind::Machine, place: "synthetic machine".to_owned(), text });
    }
    let kind = match kind {
        Some(kind) => kind,
        None => match KINDS.into_iter().find(|kind| lookup::is_known(*kind, kind.stem(name))) {
            Some(kind) if Path::new(name).components().count() == 1 => kind,
            _ => return unnamed(name),
        },
    };
    let Source { name: place, text } = lookup::find(kind, name)?;
    Ok(Entry { kind, place, text })
}

/// Entry of standard input, or of a file that no name of the catalogue stands for. The keys of the text tell its
/// kind.
fn unnamed(name: &str) -> Result<Entry, Diagnostics> {
    if name != text_file::STANDARD_INPUT && !Path::new(name).exists() {
        let known: Vec<String> = KINDS.into_iter().flat_map(lookup::names).collect();
        let help = format!("{}; `numalab list` shows all", hint(name, known.iter().map(String::as_str)));
        return Err(Diagnostics::plain(format!("nothing is called `{}`", shorten(name)), help));
    }
    let expected = "a machine, workload, runtime, sweep or policy file";
    entry_in(text_file::read(Path::new(name), lookup::MOST_BYTES, expected)?, None)
}

/// Entry of a text that has been read already (a pipe can be read only once). The text's keys tell its kind, unless
/// `kind` is given.
pub fn entry_in(source: Source, kind: Option<Kind>) -> Result<Entry, Diagnostics> {
    if let Some(kind) = kind {
        let Source { name: place, text } = lookup::suited(kind, Path::new(""), source)?;
        return Ok(Entry { kind, place, text });
    }
    let Source { name: place, text } = source;
    let (toml, yaml) = (toml_tree::parse(&text, 0), yaml_tree::parse(&text, 0));
    let has = |parsed: &Parsed, keys: &[&str]| keys.iter().any(|key| parsed.root.get(key).is_some());
    let kind = match () {
        () if toml.complete && has(&toml, &["fork", "barrier"]) => Some(Kind::Runtime),
        () if has(&toml, &["level", "memory", "core"]) => Some(Kind::Machine),
        () if has(&yaml, &["points", "gates"]) => Some(Kind::Sweep),
        () if has(&yaml, &["phases", "regions"]) => Some(Kind::Workload),
        () if has(&yaml, &["first"]) => Some(Kind::Policy),
        () => None,
    };
    match kind {
        Some(kind) => Ok(Entry { kind, place, text }),
        None => {
            let message = "this is no machine, workload, runtime, sweep or policy";
            let label = "expected a machine's `level`, a workload's `phases`, a runtime's `fork`, a sweep's `points` or a \
                         policy's `first`";
            Err(Diagnostics::of_file(Source { name: place, text }, message, label))
        }
    }
}

impl Entry {
    /// The machine file, checked against its schema. Overrides can then be applied to it any number of times.
    pub fn read_machine(&self) -> ReadFile {
        ReadFile::machine(self.source())
    }

    /// The runtime file, checked against its schema. Overrides can then be applied to it any number of times.
    pub fn read_runtime(&self) -> ReadFile {
        ReadFile::runtime(self.source())
    }

    /// The text under its name in errors.
    pub fn source(&self) -> Source {
        Source { name: self.place.clone(), text: self.text.clone() }
    }

    /// Content in the order of its keys, or the errors of the text.
    pub fn json(&self) -> Result<Json, Diagnostics> {
        let parsed = match self.kind {
            Kind::Machine | Kind::Runtime => toml_tree::parse(&self.text, 0),
            Kind::Workload | Kind::Sweep | Kind::Policy => yaml_tree::parse(&self.text, 0),
        };
        let mut report = Report::new(&parsed.root);
        let json = structure::check(schema::of(self.kind), &mut report, None);
        report.items.extend(parsed.errors.iter().cloned());
        match report.items.is_empty() {
            true => Ok(json),
            false => Err(Diagnostics::new(vec![self.source()], report.items)),
        }
    }

    /// Content as TOML; the original text if it is TOML.
    pub fn toml(&self) -> Result<String, Diagnostics> {
        match self.kind {
            Kind::Machine | Kind::Runtime => Ok(self.text.clone()),
            Kind::Workload | Kind::Sweep | Kind::Policy => toml::to_string(&self.json()?).map_err(|error| {
                Diagnostics::plain(
                    format!("{} has no form in TOML: {error}", self.place),
                    "yaml and json show it",
                )
            }),
        }
    }

    /// Content as YAML; the original text if it is YAML.
    pub fn yaml(&self) -> Result<String, Diagnostics> {
        match self.kind {
            Kind::Workload | Kind::Sweep | Kind::Policy => Ok(self.text.clone()),
            Kind::Machine | Kind::Runtime => Ok(yaml_text::yaml_text(&self.json()?)),
        }
    }

    /// Text for a new file: this text with the value of its key `name` replaced.
    pub fn renamed(&self, name: &str) -> String {
        let (sign, quote) = match self.kind {
            Kind::Machine | Kind::Runtime => (" = ", true),
            Kind::Workload | Kind::Sweep | Kind::Policy => (": ", false),
        };
        let new = if quote { format!("name{sign}\"{name}\"") } else { format!("name{sign}{name}") };
        let mut found = false;
        let lines = self.text.split_inclusive('\n').map(|line| {
            let is_name =
                line.starts_with("name") && line["name".len()..].trim_start().starts_with([':', '=']);
            let first = is_name && !found;
            found |= is_name;
            if first { format!("{new}\n") } else { line.to_owned() }
        });
        lines.collect()
    }
}

/// Commented template for a file of a kind.
pub fn template(kind: Kind) -> Entry {
    let text = match kind {
        Kind::Machine => include_str!("../templates/machine.toml"),
        Kind::Workload => include_str!("../templates/workload.yaml"),
        Kind::Runtime => include_str!("../templates/runtime.toml"),
        Kind::Sweep => include_str!("../templates/sweep.yaml"),
        Kind::Policy => include_str!("../templates/policy.yaml"),
    };
    Entry { kind, place: format!("start of a {}", kind.name()), text: text.to_owned() }
}
