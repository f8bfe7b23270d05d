//! Reads all lines of a file and pools those of the same measurement.

use super::host::HostRecord;
use super::record::Record;
use super::{Measurements, Row, measured};
use crate::topology::{Topology, records::Records};
use numalab_syntax::diagnostics::{Diagnostic, Diagnostics, Source};
use numalab_syntax::nearest;
use numalab_syntax::tree::{TextRange, shorten};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// Longest line: hwloc's XML of thousands of processors fits.
const MOST_LINE: usize = 16 << 20;
const KINDS: [&str; 5] = ["measurement", "host", "file", "hwloc", "skipped"];

/// Identity of a measurement: experiment, quantity and parameters.
type Same = (String, String, Vec<(String, String)>);

/// Rows, other records and errors collected from the lines so far.
#[derive(Default)]
struct Reader {
    file: String,
    host: Option<(usize, HostRecord)>,
    rows: Vec<Row>,
    /// Index into `rows` by the identity of the measurement.
    places: BTreeMap<Same, usize>,
    skipped: Vec<(String, String)>,
    records: Records,
    warnings: Vec<String>,
    /// Unknown keys that were warned about.
    unknown: BTreeSet<String>,
    errors: Vec<Diagnostic>,
}

pub(super) fn read(source: Source) -> Result<Measurements, Diagnostics> {
    let hash = blake3::hash(source.text.as_bytes()).to_hex().to_string();
    let mut reader = Reader { file: source.name.clone(), ..Reader::default() };
    let lines: Vec<(usize, TextRange)> = lines(&source.text).collect();
    if lines.is_empty() {
        let start = TextRange::default();
        reader.errors.push(Diagnostic::new(
            start,
            "there is nothing in this file",
            "expected a JSON record a line",
        ));
    }
    // A file of another kind gets one error, not one a line.
    if let Some(&(_, first)) = lines.first()
        && !lines.iter().any(|(_, span)| source.text[span.start..span.end].trim_start().starts_with('{'))
    {
        reader.errors.push(Diagnostic::new(
            first,
            "this is no file of measurements",
            "expected a JSON record a line, as the kernels write them; what other tools print is no such file",
        ));
        return reader.finish(source, hash);
    }
    for (at, &(line, span)) in lines.iter().enumerate() {
        let text = &source.text[span.start..span.end];
        if text.len() > MOST_LINE {
            let message = format!("a line of more than {} MiB", MOST_LINE >> 20);
            reader.errors.push(Diagnostic::new(span, message, "expected a record"));
            continue;
        }
        match Record::parse(text, span, line) {
            Ok(record) => {
                let outcome = reader.record(&record);
                reader.errors.extend(outcome.err());
            }
            Err(broken) if broken.cut && at + 1 == lines.len() && at > 0 => {
                let file = &source.name;
                reader
                    .warnings
                    .push(format!("{file}:{line}: the file ends within this record, which is left out"));
            }
            Err(broken) => reader.errors.push(broken.error),
        }
    }
    reader.finish(source, hash)
}

/// Lines that are not blank.
fn lines(text: &str) -> impl Iterator<Item = (usize, TextRange)> {
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(|(at, line)| {
        let line = line.trim_end();
        let start = line.as_ptr() as usize - text.as_ptr() as usize;
        (at + 1, TextRange { source: 0, start, end: start + line.len() })
    })
}

impl Reader {
    fn record(&mut self, record: &Record<'_>) -> Result<(), Diagnostic> {
        match record.string("record")? {
            "measurement" => {
                self.known(record, &measured::KEYS);
                self.measurement(record)
            }
            "host" => self.host(record),
            "skipped" => {
                self.known(record, &["record", "experiment", "quantity", "params", "reason"]);
                self.skipped.push((record.name("experiment")?, record.string("reason")?.trim().to_owned()));
                Ok(())
            }
            "file" => {
                self.known(record, &["record", "path", "text"]);
                let (path, text) = (record.name("path")?, record.string("text")?);
                self.records.file(&path, text, record.span);
                Ok(())
            }
            "hwloc" => {
                self.known(record, &["record", "xml"]);
                self.records.hwloc(&format!("{}:{} (hwloc)", self.file, record.line), record.string("xml")?);
                Ok(())
            }
            other => {
                let message = format!("there is no record `{}`", shorten(other));
                Err(record.wrong("record", message, nearest::hint(other, KINDS)))
            }
        }
    }

    /// Warns of unknown keys, which newer kernels may write.
    fn known(&mut self, record: &Record<'_>, keys: &[&str]) {
        for key in record.keys().filter(|key| !keys.contains(key)) {
            if self.unknown.insert(key.to_owned()) {
                let (file, line) = (&self.file, record.line);
                let hint = nearest::hint(key, keys.iter().copied());
                let key = shorten(key);
                self.warnings
                    .push(format!("{file}:{line}: the key `{key}` is not known and not used; {hint}"));
            }
        }
    }

    fn host(&mut self, record: &Record<'_>) -> Result<(), Diagnostic> {
        let host = HostRecord::read(record)?;
        match &self.host {
            None => self.host = Some((record.line, host)),
            Some((_, first)) if *first == host => {}
            Some((first, _)) => {
                let (file, line) = (&self.file, record.line);
                let warning =
                    format!("{file}:{line}: another host than on line {first}, which is the one that counts");
                self.warnings.push(warning);
            }
        }
        Ok(())
    }

    fn measurement(&mut self, record: &Record<'_>) -> Result<(), Diagnostic> {
        let mut row = measured::row(record, &self.file)?;
        if record.get("checked") == Some(&Json::Bool(false)) {
            let experiment = shorten(&row.experiment);
            self.warnings.push(format!("{}: {experiment} got a wrong result: left out", row.source));
            return Ok(());
        }
        let key = (row.experiment.clone(), row.quantity.clone(), row.params.clone());
        let Some(pool) = self.places.get(&key).and_then(|&at| self.rows.get_mut(at)) else {
            self.places.insert(key, self.rows.len());
            self.rows.push(row);
            return Ok(());
        };
        if pool.unit != row.unit {
            let message =
                format!("`{}` here and `{}` at {}", shorten(&row.unit), shorten(&pool.unit), pool.source);
            return Err(record.wrong("unit", message, "expected the same unit for the same measurement"));
        }
        let run = pool.samples.last().map_or(0, |sample| sample.run + 1);
        row.samples.iter_mut().for_each(|sample| sample.run = run);
        pool.samples.append(&mut row.samples);
        Ok(())
    }

    fn finish(mut self, source: Source, hash: String) -> Result<Measurements, Diagnostics> {
        let (topology, elsewhere): (Option<Topology>, _) = match self.records.topology(&mut self.errors) {
            Ok(topology) => (topology, None),
            Err(elsewhere) => (None, Some(elsewhere)),
        };
        if !self.errors.is_empty() {
            let here = Diagnostics::new(vec![source], self.errors);
            return Err(match elsewhere {
                Some(elsewhere) => here.and(elsewhere),
                None => here,
            });
        }
        if let Some(elsewhere) = elsewhere {
            return Err(elsewhere);
        }
        let host = self.host.map(|(_, host)| host).unwrap_or_default();
        let topology =
            topology.map(|topology| Topology { page: topology.page.or(host.page_size), ..topology });
        let (rows, skipped, warnings) = (self.rows, self.skipped, self.warnings);
        Ok(Measurements { hash, host, rows, topology, skipped, warnings })
    }
}
