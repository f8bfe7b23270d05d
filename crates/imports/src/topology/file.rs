//! Files that describe a machine: hwloc's XML, measurements, or output of `grep -r . /sys/devices/system/cpu
//! /sys/devices/system/node`.

use super::{Topology, hwloc, sys};
use crate::measurements;
use numalab_syntax::diagnostics::{Diagnostic, Diagnostics, Source};
use numalab_syntax::text_file;
use numalab_syntax::tree::{TextRange, shorten};
use std::path::Path;

const MOST_BYTES: u64 = 64 << 20;
const EXPECTED: &str = "hwloc's XML, a file of measurements, or files of /sys as \"grep -r .\" prints them";

/// Reads a topology from a file of at most 64 MiB; its contents decide which of the formats it has.
pub fn topology(path: &Path) -> Result<Topology, Diagnostics> {
    read(text_file::read(path, MOST_BYTES, EXPECTED)?)
}

/// Reads a topology from a text; `name` appears in errors.
pub fn topology_from_text(name: &str, text: &str) -> Result<Topology, Diagnostics> {
    read(Source { name: name.to_owned(), text: text.to_owned() })
}

fn read(source: Source) -> Result<Topology, Diagnostics> {
    let nothing = |source: Source| {
        Diagnostics::of_file(source, "no processors are listed here", format!("expected {EXPECTED}"))
    };
    let found = match source.text.trim_start().chars().next() {
        Some('<') => hwloc::read(&source.text).map(Some),
        Some('{') => {
            let (name, text) = (&source.name, &source.text);
            return measurements::measurements_from_text(name, text)?.topology.ok_or_else(|| nothing(source));
        }
        _ => printed(&source.text),
    };
    match found {
        Ok(Some(topology)) => Ok(topology),
        Ok(None) => Err(nothing(source)),
        Err(items) => Err(Diagnostics::new(vec![source], items)),
    }
}

/// Reads lines of `path:text`, one for each line of a file.
fn printed(text: &str) -> Result<Option<Topology>, Vec<Diagnostic>> {
    let mut dump = sys::Dump::default();
    let mut open: Option<(&str, sys::File)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let span = TextRange { source: 0, start, end: start + line.trim_end().len() };
        start += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        if line.trim().is_empty() {
            continue;
        }
        // A path of /sys may hold a colon (a PCI address); no path that is used here does.
        let Some((path, content)) = line.split_once(':').filter(|(path, _)| path.contains('/')) else {
            let message = format!("`{}` is no path and text of a file", shorten(line));
            return Err(vec![Diagnostic::new(span, message, format!("expected {EXPECTED}"))]);
        };
        match &mut open {
            Some((same, file)) if *same == path => {
                file.text.push('\n');
                file.text.push_str(content);
            }
            _ => {
                let before = open.replace((path, sys::File { text: content.to_owned(), span }));
                before.into_iter().for_each(|(path, file)| dump.add(path, file));
            }
        }
    }
    open.into_iter().for_each(|(path, file)| dump.add(path, file));
    sys::read(&dump)
}
