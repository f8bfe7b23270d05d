//! Columns of numbers from files that a workload names.

use super::Resolver;
use numalab_files::quantity::Expression;
use numalab_files::workload_file::{ColumnFile, TableFile, WorkloadFile};
use numalab_syntax::cells::{Line, comma_separated};
use numalab_syntax::expression::{self, Table};
use numalab_syntax::files_read;
use numalab_syntax::nearest::hint;
use numalab_syntax::text_file;
use numalab_syntax::tree::shorten;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Largest size of a table's file, in bytes.
const MOST_BYTES: u64 = 1 << 30;
/// Largest number of rows in a column.
const MOST_ROWS: usize = 20_000_000;

impl Resolver<'_, '_> {
    /// Reads the tables into the scope. Returns the hashes of their files by table name.
    pub(super) fn tables(&mut self, file: &WorkloadFile, folder: &Path) -> BTreeMap<String, String> {
        let mut hashes = BTreeMap::new();
        for (name, table) in &file.tables {
            let path = format!("tables.{name}");
            if !expression::is_name(name) {
                let label = "expected letters, digits and _, not beginning with a digit";
                self.report.at(&path, format!("`{}` cannot name a table", shorten(name)), label);
            }
            let (found, is_file) = match table {
                TableFile::Numbers(values) => (self.listed(&path, values), false),
                TableFile::Path(_) | TableFile::Column(_) => (self.table(&path, table, folder), true),
            };
            let mut content = String::new();
            let values = match found {
                Some((hash, values)) => {
                    content.clone_from(&hash);
                    if is_file {
                        hashes.insert(name.clone(), hash);
                    }
                    values
                }
                None => {
                    // Errors that result from the table's missing numbers are not reported.
                    self.report.repair("parameters.tables");
                    vec![1.0]
                }
            };
            self.scope.add(format!("{name}_rows"), values.len() as f64);
            self.scope.tables.push((name.clone(), Arc::new(Table { content, values })));
        }
        hashes
    }

    /// Numbers that the workload itself lists, with a text that differs from that of any other list.
    fn listed(&mut self, path: &str, texts: &[Expression]) -> Option<(String, Vec<f64>)> {
        if texts.is_empty() {
            self.report.at(path, "this table is empty", "expected at least one number");
            return None;
        }
        let number = |(at, text): (usize, &Expression)| self.constant(&format!("{path}[{at}]"), text);
        let values: Vec<f64> = texts.iter().enumerate().map(number).collect::<Option<_>>()?;
        Some((format!("{values:?}"), values))
    }

    fn table(&mut self, path: &str, table: &TableFile, folder: &Path) -> Option<(String, Vec<f64>)> {
        let (name, column) = match table {
            TableFile::Numbers(_) => return None,
            TableFile::Path(name) => (name, None),
            TableFile::Column(ColumnFile { file, column }) => (file, Some(column.as_str())),
        };
        let place = folder.join(name);
        files_read::note(&place);
        let source = match text_file::read(&place, MOST_BYTES, "a table of numbers") {
            Ok(source) => source,
            Err(error) => {
                self.report.at(path, error.brief(), "expected the path of a table, relative to this file");
                return None;
            }
        };
        let lines = comma_separated(&source.text);
        match numbers(&lines, column) {
            Ok(values) => {
                let content = format!("{}:{}", source.text.len(), column.unwrap_or(""));
                let hash = blake3::hash(source.text.as_bytes()).to_hex();
                Some((format!("{hash}:{content}"), values))
            }
            Err((at, message, label)) => {
                let line = at.map_or(1, |at| 1 + source.text[..at].matches('\n').count());
                self.report.at(path, format!("{}:{line}: {message}", place.display()), label);
                None
            }
        }
    }
}

/// Error in a table: position in the text at which the line with the error begins, in bytes; message; label. Without
/// a position, the error is about the whole table.
type Mistake = (Option<usize>, String, String);

/// Numbers of a table's column, which is given by its name; without a name, each line is one number.
fn numbers(lines: &[Line<'_>], column: Option<&str>) -> Result<Vec<f64>, Mistake> {
    let (at, rows) = match column {
        None => (0, lines),
        Some(column) => {
            let Some((header, rows)) = lines.split_first() else {
                return Err((None, "there is no header".to_owned(), format!("expected the column {column}")));
            };
            let Some(at) = header.cells.iter().position(|cell| cell.text == column) else {
                let message = format!("there is no column {}", shorten(column));
                let label = hint(column, header.cells.iter().map(|cell| cell.text));
                return Err((Some(header.span.start), message, label));
            };
            (at, rows)
        }
    };
    if rows.is_empty() || rows.len() > MOST_ROWS {
        let message = format!("the table has {} rows", rows.len());
        return Err((None, message, format!("expected between 1 and {MOST_ROWS}")));
    }
    let number = |row: &Line<'_>| {
        let alone = column.is_some() || row.cells.len() == 1;
        let cell = row.cells.get(at).filter(|_| alone);
        let value = cell
            .and_then(|cell| cell.text.parse::<f64>().ok())
            .filter(|value| numalab_base::is_sensible(*value));
        let label = || match column {
            Some(column) => format!("expected a number in the column {column}"),
            None => "expected one number in each line; { file: …, column: … } names a column".to_owned(),
        };
        value.ok_or_else(|| {
            let line = || row.cells.iter().map(|cell| cell.text).collect::<Vec<_>>().join(",");
            let text = cell.map_or_else(line, |cell| cell.text.to_owned());
            (Some(row.span.start), format!("{} is no number", shorten(&text)), label())
        })
    };
    rows.iter().map(number).collect()
}
