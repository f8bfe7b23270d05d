//! A table of processors: `lscpu -p` (cells with commas, the header in a comment), `-e` (with blanks), `-e -J`.

use super::super::number::{index, whole};
use super::super::page::{Line, Page};
use super::super::{Foreign, Note};
use super::cache_sizes::{Size, of_one};
use super::fields::json_value;
use crate::topology::{CacheUnit, Node, Processor, Topology};
use numalab_syntax::cells::{Cell, counted};
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::TextRange;
use serde_json::Value;
use std::collections::BTreeMap;

const MOST_PROCESSORS: usize = 16384;

/// A row of the table.
#[derive(Clone, Debug, Default)]
struct Row {
    number: u32,
    core: Option<u32>,
    socket: Option<u32>,
    node: Option<u32>,
    offline: bool,
    /// Level and number of each data and unified cache.
    caches: Vec<(u8, u32)>,
}

pub struct Table {
    line: usize,
    rows: Vec<Row>,
}

/// True if a line names the columns.
pub fn is_header(line: &Line<'_>) -> bool {
    columns(line).is_some()
}

/// Names of the columns in lower case; true if commas separate the cells, not blanks.
fn columns(line: &Line<'_>) -> Option<(Vec<String>, bool)> {
    let (names, commas): (Vec<&str>, bool) = match line.text().strip_prefix('#') {
        Some(rest) if rest.contains(',') => (rest.split(',').map(str::trim).collect(), true),
        _ => (line.text().split_whitespace().collect(), false),
    };
    let lower: Vec<String> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
    let known = |name: &String| {
        ["node", "socket", "core", "online", "cache", "book", "drawer"].contains(&name.as_str())
    };
    (lower.first().is_some_and(|name| name == "cpu") && lower.iter().skip(1).any(known))
        .then_some((lower, commas))
}

/// Reads the table; `None` if there is none.
pub fn read(page: &Page<'_>, found: &mut Foreign) -> Result<Option<Table>, Vec<Diagnostic>> {
    if let Some((value, start)) = json_value(page)? {
        return objects(&value, page, start, found);
    }
    let Some((at, (names, commas))) =
        page.lines.iter().enumerate().find_map(|(at, line)| Some((at, columns(line)?)))
    else {
        return Ok(None);
    };
    let header = &page.lines[at];
    let mut table = Table { line: header.number, rows: Vec::new() };
    let below = &page.lines[at + 1..];
    let second = below.iter().position(is_header);
    if let Some(second) = second.map(|second| &below[second]) {
        let line = Some(second.number);
        found.notes.push(Note { line, text: "left out: a second table of processors".to_owned() });
    }
    let below = &below[..second.unwrap_or(below.len())];
    for line in below.iter().filter(|line| !line.is_empty() && !line.text().starts_with('#')) {
        let cells = if commas { line.cells(',') } else { line.words() };
        if !cells.first().is_some_and(|cell| whole(cell.text)) {
            break;
        }
        // The name of a processor model has blanks in it; its column follows the columns used here.
        let blanks = !commas && names.iter().any(|name| name == "modelname");
        if cells.len() != names.len() && !(blanks && cells.len() > names.len()) {
            let message = format!("{}, but {}", counted(cells.len(), "cell"), counted(names.len(), "column"));
            return Err(vec![
                line.refused(message, format!("expected {}; is the file cut here?", names.len())),
            ]);
        }
        let named: Vec<(&str, Cell<'_>)> = names.iter().map(String::as_str).zip(cells).collect();
        table.rows.push(row(&named, line.number, found).map_err(|error| vec![error])?);
        if table.rows.len() > MOST_PROCESSORS {
            return Err(vec![
                line.refused("too many processors", format!("expected at most {MOST_PROCESSORS}")),
            ]);
        }
    }
    table.checked(header.span())
}

/// Reads the table of `lscpu -e -J`.
fn objects(
    value: &Value,
    page: &Page<'_>,
    start: usize,
    found: &mut Foreign,
) -> Result<Option<Table>, Vec<Diagnostic>> {
    let Some(Value::Array(items)) = value.get("cpus") else { return Ok(None) };
    let line = page.text[..start].matches('\n').count() + 1;
    let span = TextRange { source: 0, start, end: start + 1 };
    let mut table = Table { line, rows: Vec::new() };
    for item in items.iter().take(MOST_PROCESSORS) {
        let Value::Object(object) = item else {
            return Err(vec![Diagnostic::new(
                span,
                "a processor is no object",
                "expected what \"lscpu -e -J\" prints",
            )]);
        };
        let text = |value: &Value| match value {
            Value::String(text) => text.clone(),
            Value::Null => "-".to_owned(),
            other => other.to_string(),
        };
        let texts: Vec<(String, String)> =
            object.iter().map(|(name, value)| (name.to_ascii_lowercase(), text(value))).collect();
        let named: Vec<(&str, Cell<'_>)> =
            texts.iter().map(|(name, text)| (name.as_str(), Cell { text, span })).collect();
        table.rows.push(row(&named, line, found).map_err(|error| vec![error])?);
    }
    table.checked(span)
}

fn row(cells: &[(&str, Cell<'_>)], line: usize, found: &mut Foreign) -> Result<Row, Diagnostic> {
    let cell = |name: &str| cells.iter().find(|(column, _)| *column == name).map(|(_, cell)| *cell);
    let number = |name: &str| match cell(name) {
        None => Ok(None),
        Some(cell) if cell.text.is_empty() || cell.text == "-" => Ok(None),
        Some(cell) => index(cell, "a number").map(Some),
    };
    let Some(cpu) = number("cpu")? else {
        let span = cells.first().map(|(_, cell)| cell.span).unwrap_or_default();
        return Err(Diagnostic::new(span, "the processor has no number", "expected one in column CPU"));
    };
    let (core, socket, node) = (number("core")?, number("socket")?, number("node")?);
    let word = cell("online").map_or(String::new(), |cell| cell.text.to_ascii_lowercase());
    // The word for yes depends on the language; an off-line processor has no core.
    let offline = word.starts_with('n')
        || word == "false"
        || cell("core").is_some() && core.is_none() && socket.is_none();
    let mut caches = Vec::new();
    for (name, cell) in cells {
        let names: Vec<&str> = name.split(':').collect();
        let ids: Vec<&str> = cell.text.split(':').collect();
        let is_cache =
            |name: &str| name.len() >= 2 && name.starts_with('l') && name.as_bytes()[1].is_ascii_digit();
        if !names.iter().all(|name| is_cache(name)) || cell.text.is_empty() || cell.text == "-" {
            continue;
        }
        if ids.len() != names.len() {
            found.note(
                line,
                format!("left out: caches {} of processor {cpu}, which has not one of each kind", cell.text),
            );
            continue;
        }
        for (name, id) in names.iter().zip(ids).filter(|(name, id)| !name.ends_with('i') && whole(id)) {
            let id = index(Cell { text: id, span: cell.span }, "a cache's number")?;
            caches.push((name.as_bytes()[1] - b'0', id));
        }
    }
    Ok(Row { number: cpu, core, socket, node, offline, caches })
}

impl Table {
    fn checked(mut self, header: TextRange) -> Result<Option<Table>, Vec<Diagnostic>> {
        self.rows.sort_by_key(|row| row.number);
        if let Some(pair) = self.rows.windows(2).find(|pair| pair[0].number == pair[1].number) {
            let message = format!("processor {} has two lines", pair[0].number);
            return Err(vec![Diagnostic::new(header, message, "expected one below this header")]);
        }
        if self.rows.iter().all(|row| row.offline) {
            let message = "the table has no processor that is on-line";
            return Err(vec![Diagnostic::new(
                header,
                message,
                "expected a line for each below; is the file cut?",
            )]);
        }
        Ok(Some(self))
    }

    /// Makes a topology. `sizes` are stated elsewhere in the file, if at all.
    pub fn topology(&self, sizes: &[Size], found: &mut Foreign) -> Topology {
        let online = || self.rows.iter().filter(|row| !row.offline);
        // Core numbers may begin at 0 again in each socket.
        let mut cores: Vec<(Option<u32>, u32)> =
            online().filter_map(|row| Some((row.socket, row.core?))).collect();
        cores.sort_unstable();
        cores.dedup();
        let core = |row: &Row| cores.binary_search(&(row.socket, row.core?)).ok().map(|at| at as u32);
        let mut nodes: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut groups: BTreeMap<(u8, u32), Vec<u32>> = BTreeMap::new();
        for row in online() {
            if let Some(node) = row.node {
                nodes.entry(node).or_default().push(row.number);
            }
            for &(level, id) in &row.caches {
                groups.entry((level, id)).or_default().push(row.number);
            }
        }
        let mut caches = Vec::new();
        for ((level, _), processors) in &groups {
            let count = groups.keys().filter(|(other, _)| other == level).count();
            if let Some(size) = sizes.iter().find(|size| size.level == *level) {
                caches.push(CacheUnit {
                    level: *level,
                    size: of_one(size, count),
                    line: None,
                    processors: processors.clone(),
                });
            }
        }
        if caches.is_empty() && !groups.is_empty() {
            found.note(
                self.line,
                "left out: caches; the table does not say their sizes, \"lscpu\" without options does",
            );
        }
        caches.sort_by_key(|cache: &CacheUnit| (cache.level, cache.processors.first().copied()));
        Topology {
            processors: online()
                .map(|row| Processor { number: row.number, package: row.socket, core: core(row) })
                .collect(),
            offline: self.rows.iter().filter(|row| row.offline).map(|row| row.number).collect(),
            nodes: nodes
                .into_iter()
                .map(|(number, processors)| Node { number, capacity: None, processors, ..Node::default() })
                .collect(),
            caches,
            ..Topology::default()
        }
    }
}
