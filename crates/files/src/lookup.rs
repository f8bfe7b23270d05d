//! Finds and reads the file of a name.

use crate::held;
use numalab_syntax::diagnostics::{Diagnostics, Source};
use numalab_syntax::nearest::{nearest, one_of};
use numalab_syntax::text_file;
use std::fs;
use std::path::{Path, PathBuf};

mod embedded {
    use super::BuiltIn;
    include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));
}

/// File that the binary carries.
pub struct BuiltIn {
    pub name: &'static str,
    /// Value of the file's key `description`.
    pub description: &'static str,
    pub text: &'static str,
}

/// Number of published rows that simulations of a machine are compared with.
pub fn published_rows(machine: &str) -> u32 {
    let at = embedded::PUBLISHED.binary_search_by(|(name, _)| (*name).cmp(machine));
    at.map_or(0, |at| embedded::PUBLISHED[at].1)
}

/// Largest size of a file that is read, in bytes, so that reading takes seconds at most.
pub const MOST_BYTES: u64 = 4 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Description of the hardware, in TOML.
    Machine,
    /// Description of a program, in YAML.
    Workload,
    /// Description of an OpenMP runtime, in TOML.
    Runtime,
    /// Grid of runs, in YAML.
    Sweep,
    /// Rule by which loops are divided, in YAML.
    Policy,
}

impl Kind {
    /// Kind in lower case: `machine`, `workload`, `runtime`, `sweep` or `policy`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Machine => "machine",
            Kind::Workload => "workload",
            Kind::Runtime => "runtime",
            Kind::Sweep => "sweep",
            Kind::Policy => "policy",
        }
    }

    /// Folder with files of this kind, and their usual extension.
    pub fn place(self) -> (&'static str, &'static str) {
        let (folder, extensions) = self.folder();
        (folder, extensions[0])
    }

    /// Folder with files of this kind, and their extensions, the usual one first.
    pub fn folder(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Kind::Machine => ("machines", &["toml"]),
            Kind::Workload => ("workloads", &["yaml", "yml"]),
            Kind::Runtime => ("runtimes", &["toml"]),
            Kind::Sweep => ("sweeps", &["yaml", "yml"]),
            Kind::Policy => ("policies", &["yaml", "yml"]),
        }
    }

    /// Built-in files, sorted by name.
    pub fn embedded(self) -> &'static [BuiltIn] {
        match self {
            Kind::Machine => embedded::MACHINES,
            Kind::Workload => embedded::WORKLOADS,
            Kind::Runtime => embedded::RUNTIMES,
            Kind::Sweep => embedded::SWEEPS,
            Kind::Policy => embedded::POLICIES,
        }
    }

    pub fn built_in(self, name: &str) -> Option<&'static BuiltIn> {
        self.embedded().iter().find(|file| file.name == name)
    }

    /// File name without its extension if the extension belongs to this kind; otherwise the whole name.
    pub fn stem(self, name: &str) -> &str {
        let extensions = self.folder().1;
        match name.rsplit_once('.') {
            Some((stem, extension)) if extensions.contains(&extension) => stem,
            _ => name,
        }
    }
}

/// Reads the file of a name: a held text, a path, a name in the kind's folder, or a built-in file.
pub fn find(kind: Kind, name: &str) -> Result<Source, Diagnostics> {
    if let Some(source) = held::source(kind, name) {
        return suited(kind, Path::new(""), source);
    }
    let path = Path::new(name);
    let has_separator = path.components().count() > 1 || name.ends_with(std::path::MAIN_SEPARATOR);
    if has_separator || path.is_file() || name == text_file::STANDARD_INPUT {
        return read(kind, path);
    }
    let (folder, extensions) = kind.folder();
    let stem = kind.stem(name);
    for extension in extensions {
        let path = Path::new(folder).join(format!("{stem}.{extension}"));
        if path.symlink_metadata().is_ok() {
            return read(kind, &path);
        }
    }
    if let Some(BuiltIn { name, text, .. }) = kind.built_in(stem) {
        return Ok(Source { name: format!("{name}.{} (built in)", extensions[0]), text: (*text).to_owned() });
    }
    if path.exists() {
        return read(kind, path);
    }
    Err(unknown(kind, name))
}

/// Folder of a file, to which paths in the file are relative. For a built-in file: the current folder.
pub fn folder(source: &Source) -> &Path {
    Path::new(&source.name).parent().unwrap_or(Path::new(""))
}

/// Name or path that stands for `name`, as used in a file of `folder`: a path is relative to `folder`, and a file
/// name with an extension is the file in `folder`, if it exists. Any other name stays unchanged.
pub fn beside(kind: Kind, folder: &Path, name: &str) -> String {
    let path = Path::new(name);
    let is_path = path.components().count() > 1;
    let ends = path
        .extension()
        .and_then(|ending| ending.to_str())
        .is_some_and(|ending| kind.folder().1.contains(&ending) || ending == "nlt");
    let joined = folder.join(path);
    match joined.to_str() {
        // Joining keeps absolute paths.
        Some(joined_name) if is_path || ends && joined.is_file() => joined_name.to_owned(),
        _ => name.to_owned(),
    }
}

/// Checks that a name has a file. Otherwise returns the error's message and label.
pub fn exists(kind: Kind, name: &str) -> Result<(), (String, String)> {
    let path = Path::new(name);
    if path.components().count() > 1 || path.is_absolute() {
        let missing = || (format!("there is no file {}", numalab_syntax::tree::shorten(name)), String::new());
        return path.exists().then_some(()).ok_or_else(missing);
    }
    match is_known(kind, kind.stem(name)) || path.exists() {
        true => Ok(()),
        false => Err(nothing(kind, name)),
    }
}

fn unknown(kind: Kind, name: &str) -> Diagnostics {
    let (message, help) = nothing(kind, name);
    Diagnostics::plain(message, help)
}

/// Message and label for an unknown name.
fn nothing(kind: Kind, name: &str) -> (String, String) {
    let known = names(kind);
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let what = kind.name();
    let help = match nearest(kind.stem(name), known.iter().copied()) {
        Some(close) => format!("did you mean `{close}`? `numalab list` shows all"),
        None => format!("expected the path of a {} file or {}", kind.folder().1[0], one_of(known)),
    };
    (format!("there is no {what} `{}`", numalab_syntax::tree::shorten(name)), help)
}

/// True if a name is a held text, a built-in file or a file in the kind's folder below the current directory.
pub fn is_known(kind: Kind, name: &str) -> bool {
    if held::is_held(kind, name) {
        return true;
    }
    let (folder, extensions) = kind.folder();
    let here = |extension: &&str| Path::new(folder).join(format!("{name}.{extension}")).is_file();
    is_built_in(kind, name) || extensions.iter().any(here)
}

/// True if a file of this name and kind is built into the program.
pub fn is_built_in(kind: Kind, name: &str) -> bool {
    kind.built_in(name).is_some()
}

/// Names of built-in files and of files in the kind's folder below the current directory, each once.
pub fn names(kind: Kind) -> Vec<String> {
    let mut names: Vec<String> = local(kind).into_iter().map(|(name, _)| name).collect();
    names.extend(kind.embedded().iter().map(|file| file.name.to_owned()));
    names.sort();
    names.dedup();
    names
}

/// Names and paths of the files in the kind's folder below the current directory.
pub fn local(kind: Kind) -> Vec<(String, PathBuf)> {
    let (folder, extensions) = kind.folder();
    let mut files: Vec<(String, PathBuf)> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().and_then(|e| e.to_str()).is_some_and(|e| extensions.contains(&e)))
        .filter_map(|path| Some((path.file_stem()?.to_str()?.to_owned(), path)))
        // Runtime files beside a machine file (`NAME.runtime.toml`) are not listed as entries.
        .filter(|(name, _)| !name.ends_with(".runtime"))
        .collect();
    files.sort();
    files
}

/// Reads a file; an error if the file is empty or its language does not suit the kind.
pub fn read(kind: Kind, path: &Path) -> Result<Source, Diagnostics> {
    suited(kind, path, text_file::read(path, MOST_BYTES, &format!("a {} file", kind.name()))?)
}

/// As [`read`], but without noting the file as an input, so that an output may replace it: for descriptions in the
/// catalogue.
pub fn glance(kind: Kind, path: &Path) -> Result<Source, Diagnostics> {
    suited(kind, path, text_file::glance(path, MOST_BYTES, &format!("a {} file", kind.name()))?)
}

/// Accepts a text if it is not empty, its language suits the kind, and it is neither results of runs nor the output
/// of a tool.
pub fn suited(kind: Kind, path: &Path, source: Source) -> Result<Source, Diagnostics> {
    let what = kind.name();
    if source.text.trim().is_empty() {
        return Err(Diagnostics::plain(
            format!("cannot read {}: it is empty", source.name),
            format!("`numalab schema {what}` describes what a {what} file holds"),
        ));
    }
    if text_file::is_results(&source.text) {
        let label = "numalab rank, compare and plot read them";
        return Err(Diagnostics::of_file(
            source,
            format!("these are results of runs, and no {what} file"),
            label,
        ));
    }
    let is_printed = |text: &str| PRINTED.iter().any(|start| text.trim_start().starts_with(start));
    if matches!(kind, Kind::Machine)
        && (is_printed(&source.text) || source.text.trim_start().starts_with('<'))
    {
        let label = "`numalab calibrate fit` makes a machine file of it";
        return Err(Diagnostics::of_file(
            source,
            "this is what a tool printed of a machine, and no machine file".to_owned(),
            label,
        ));
    }
    if source.text.trim_start().starts_with('<') {
        let format = if matches!(kind, Kind::Machine | Kind::Runtime) { "TOML" } else { "YAML" };
        return Err(Diagnostics::of_file(
            source,
            format!("this is XML, and a {what} is written in {format}"),
            "",
        ));
    }
    let text = &source.text;
    let expected =
        if matches!(kind, Kind::Machine | Kind::Runtime) { Language::Toml } else { Language::Yaml };
    let ending = path.extension().and_then(|extension| extension.to_str()).and_then(Language::of_ending);
    // The extension decides if the text is ambiguous.
    let found = Language::of_text(text).or(ending);
    match (kind, found) {
        (_, None) => Ok(source),
        (_, Some(found)) if found == expected => Ok(source),
        (Kind::Machine, Some(_)) => Err(swapped(source, "YAML", "a machine is written in TOML")),
        (Kind::Workload, Some(_)) => Err(swapped(source, "TOML", "a workload is written in YAML")),
        (Kind::Runtime, Some(_)) => {
            Err(Diagnostics::of_file(source, "this is YAML, and a runtime is written in TOML".to_owned(), ""))
        }
        (Kind::Sweep, Some(_)) => {
            Err(Diagnostics::of_file(source, "this is TOML, and a sweep is written in YAML".to_owned(), ""))
        }
        (Kind::Policy, Some(_)) => {
            Err(Diagnostics::of_file(source, "this is TOML, and a policy is written in YAML".to_owned(), ""))
        }
    }
}

/// Starts of texts that describe a machine: the output of `lscpu` and of `numactl -H`, and dumps of files in `/sys`,
/// which begin with a path.
const PRINTED: [&str; 5] = ["Architecture:", "CPU op-mode(s):", "Byte Order:", "available:", "/sys/"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Toml,
    Yaml,
}

impl Language {
    fn of_ending(ending: &str) -> Option<Language> {
        match ending {
            "toml" => Some(Language::Toml),
            "yaml" | "yml" => Some(Language::Yaml),
            _ => None,
        }
    }

    /// Language that the unindented lines show, TOML or YAML; `None` if no line shows it, or if lines disagree.
    fn of_text(text: &str) -> Option<Language> {
        let mut found = None;
        for line in text.lines().filter(|line| !line.starts_with([' ', '\t', '#'])) {
            let key = line.trim_start_matches(|c: char| c.is_alphanumeric() || "_-.\"'".contains(c));
            let has_key = key.len() < line.len();
            let language = match () {
                () if has_key && key.trim_start().starts_with('=') => Language::Toml,
                () if line.starts_with('[') && line.trim_end().ends_with(']') && !line.contains(',') => {
                    Language::Toml
                }
                () if has_key && (key == ":" || key.starts_with(": ")) => Language::Yaml,
                () => continue,
            };
            if found.is_some_and(|found| found != language) {
                return None;
            }
            found = Some(language);
        }
        found
    }
}

fn swapped(source: Source, found: &str, expected: &str) -> Diagnostics {
    let label = "the machine comes first, then the workload";
    Diagnostics::of_file(source, format!("this is {found}, and {expected}"), label)
}
