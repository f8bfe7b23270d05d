//! Files of `/sys` and `/proc` in a dump, each a path and a text.
//!
//! Files used: `/sys/devices/system/cpu/{online,present}`, `cpu*/topology/*`, `cpu*/cache/index*/*`,
//! `cpu*/cpufreq/cpuinfo_max_freq`, `/sys/devices/system/node/node*/{cpulist,meminfo,distance}`, `/proc/cpuinfo` and
//! `/proc/meminfo`. Each file may be missing; a malformed one is an error.

mod caches;
mod nodes;
mod processors;

use super::Topology;
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::{TextRange, shorten};
use std::collections::BTreeMap;

const CPU: &str = "/sys/devices/system/cpu/";
const NODE: &str = "/sys/devices/system/node/";

#[derive(Clone, Debug)]
pub struct File {
    pub text: String,
    /// Position of the file's text in the dump.
    pub span: TextRange,
}

/// Files of a dump by path.
#[derive(Default)]
pub struct Dump {
    files: BTreeMap<String, File>,
}

impl Dump {
    /// Adds a file. Its path may begin with the folder of a copy. Files outside of `/sys/devices/system` and `/proc`
    /// are ignored.
    pub fn add(&mut self, path: &str, file: File) {
        let path = path.trim();
        let Some(start) = ["/sys/devices/system/", "/proc/"].iter().find_map(|folder| path.find(folder))
        else {
            return;
        };
        self.files.insert(path[start..].to_owned(), file);
    }

    fn file(&self, path: &str) -> Option<&File> {
        self.files.get(path)
    }

    fn text(&self, path: &str) -> Option<&str> {
        self.file(path).map(|file| file.text.as_str())
    }

    /// Parses a file; `None` if it is missing, an error if it is malformed.
    fn parsed<T>(
        &self,
        path: &str,
        expected: &str,
        errors: &mut Vec<Diagnostic>,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let file = self.file(path)?;
        let value = parse(file.text.trim());
        if value.is_none() {
            errors.push(wrong(path, file, expected));
        }
        value
    }

    /// Numbers N of the entries `<folder><word>N/…`, ascending.
    fn numbered(&self, folder: &str, word: &str) -> Vec<u32> {
        let start = format!("{folder}{word}");
        let entries = self.files.range(start.clone()..).take_while(|(path, _)| path.starts_with(&start));
        let name =
            |path: &str| path[start.len()..].split_once('/').and_then(|(name, _)| super::lists::number(name));
        let mut numbers: Vec<u32> = entries.filter_map(|(path, _)| name(path)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

/// Reads the topology from a dump; `None` if it has no processors.
pub fn read(dump: &Dump) -> Result<Option<Topology>, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let (processors, offline) = processors::read(dump, &mut errors);
    let (nodes, distances) = nodes::read(dump, &processors, &mut errors);
    let caches = caches::read(dump, &processors, &mut errors);
    let model = processors::model(dump);
    let clock = processors::clock(dump, &mut errors).or(model.as_deref().and_then(super::lists::clock_in));
    if !errors.is_empty() {
        return Err(errors);
    }
    let (vendor, features) = (processors::vendor(dump), processors::features(dump));
    let topology = Topology {
        model,
        vendor,
        features,
        clock,
        processors,
        offline,
        nodes,
        caches,
        distances,
        ..Topology::default()
    };
    Ok(Some(topology).filter(|topology| !topology.processors.is_empty()))
}

fn wrong(path: &str, file: &File, expected: &str) -> Diagnostic {
    let message = format!("{path} says `{}`", shorten(file.text.trim()));
    Diagnostic::new(file.span, message, format!("expected {expected}"))
}
