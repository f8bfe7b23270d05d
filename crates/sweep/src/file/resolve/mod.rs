//! Turns a sweep file into a sweep: values are expanded, names are looked up, and contradictions are reported.

mod amount;
mod axes;
mod figures;
mod filters;
mod fraction;
mod gates;
mod names;
mod set;
mod team;
mod values;

use crate::file::{Axis, Sweep};
use numalab_files::lookup::folder;
use numalab_files::sweep_file::SweepFile;
use numalab_study::ReplicaCount;
use numalab_syntax::diagnostics::Source;
use numalab_syntax::nearest::hint;
use numalab_syntax::report::Report;
use numalab_syntax::tree::shorten;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Largest number of simulated runs of a sweep, including replicas.
const MOST_RUNS: u64 = 1_000_000;
/// Largest number of axes of `set`, of filters, and of gates.
const MOST_ENTRIES: usize = 1000;
/// Largest number of values of an axis.
const MOST_VALUES: u64 = 100_000;

/// Builds the sweep that was read from `source`.
pub(crate) fn resolve(file: &SweepFile, source: &Source, report: &mut Report<'_>) -> Sweep {
    let mut resolver = Resolver {
        report,
        folder: folder(source).to_owned(),
        axes: Vec::new(),
        broken: Vec::new(),
        runs: file.replicas.unwrap_or(1).into(),
    };
    resolver.name(&file.name);
    resolver.axes(&file.points);
    resolver.size();
    let filters = resolver.filters(&file.filters);
    let keep = resolver.keep(file, &filters);
    let gates = resolver.gates(file, &filters, source);
    let Resolver { axes, .. } = resolver;
    Sweep {
        name: file.name.clone(),
        description: file.description.clone(),
        axes,
        replicas: file.replicas.map_or(ReplicaCount::ByWork, ReplicaCount::Number),
        assume: file.assume,
        filters,
        keep,
        gates,
        source: source.clone(),
        root: report.root.clone(),
    }
}

struct Resolver<'r, 'n> {
    report: &'r mut Report<'n>,
    /// Folder of the sweep file, at which relative paths in the file start.
    folder: PathBuf,
    axes: Vec<Axis>,
    /// Names of axes that had errors; their values are incomplete.
    broken: Vec<String>,
    /// Number of runs so far, before filters: combinations of the axes read, times replicas.
    runs: u64,
}

impl Resolver<'_, '_> {
    /// Checks the sweep's name, which also names the store's folder.
    fn name(&mut self, name: &str) {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name.len() > 100 || name.starts_with(['.', '-']) || !name.chars().all(plain) {
            let label =
                "expected up to 100 letters, digits, `-`, `_` and `.`, beginning with a letter or a digit";
            self.report.at("name", format!("a sweep cannot be called \"{}\"", shorten(name)), label);
        }
    }

    /// Checks that a table or a list has at most `MOST_ENTRIES` entries.
    fn few(&mut self, path: &str, entries: usize) -> bool {
        if entries > MOST_ENTRIES {
            let message = format!("{path} has {entries} entries");
            self.report.at(path, message, format!("expected at most {MOST_ENTRIES}"));
        }
        entries <= MOST_ENTRIES
    }

    fn size(&mut self) {
        if self.runs > MOST_RUNS {
            let message = match self.runs {
                u64::MAX => "the sweep has far too many runs".to_owned(),
                runs => format!("the sweep has {runs} runs, replicas included"),
            };
            self.report.at("points", message, format!("expected at most {MOST_RUNS}"));
        }
    }

    /// Reports values that occur twice. Each value comes with its path and its text for the message.
    fn once<T: Ord>(&mut self, values: impl Iterator<Item = (T, String, String)>) {
        let mut seen: BTreeMap<T, String> = BTreeMap::new();
        for (value, path, text) in values {
            match seen.get(&value) {
                None => {
                    seen.insert(value, path);
                }
                Some(first) => {
                    let message = format!("{} stands twice", shorten(&text));
                    self.report.at(&path, message, format!("the same as {first}"));
                }
            }
        }
    }

    /// Index of the filter with this name; reports unknown names.
    fn filter(&mut self, path: &str, name: &str, filters: &[crate::file::Filter]) -> Option<usize> {
        let found = filters.iter().position(|filter| filter.name == name);
        if found.is_none() {
            let message = format!("there is no filter `{}`", shorten(name));
            let label = match filters {
                [] => "expected it among `filters`".to_owned(),
                _ => hint(name, filters.iter().map(|filter| filter.name.as_str())),
            };
            self.report.at(path, message, label);
        }
        found
    }

    fn keep(&mut self, file: &SweepFile, filters: &[crate::file::Filter]) -> Vec<usize> {
        let mut keep = Vec::new();
        for (path, name) in file.keep.iter().flat_map(|names| names.at("keep")) {
            keep.extend(self.filter(&path, name, filters));
        }
        keep.sort_unstable();
        keep.dedup();
        keep
    }
}
