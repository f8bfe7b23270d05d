//! Origins of the values of a machine, runtime or workload: one line below a result, and a table.

use crate::numbers::{count, percent};
use crate::page::{Page, Sheet, View};
use crate::style::Style;
use numalab_base::{FileValue, ValueOrigin, ValueOrigins, Word};
use numalab_results::Input;

/// Names of origins in the line, in its order.
const NAMES: [(ValueOrigin, &str); 5] = [
    (ValueOrigin::Measured, "measured"),
    (ValueOrigin::Sheet, "from data sheets"),
    (ValueOrigin::Assumed, "assumed"),
    (ValueOrigin::Default, "left at defaults"),
    (ValueOrigin::Stated, "stated without a source"),
];

/// Sentences about the origins of a machine's values and its published rows, and of a workload's values; `None` for
/// records without origins.
pub(super) fn sentences(machine: &Input, workload: &Input) -> Option<String> {
    let published = machine.published_rows.map(rows);
    let of_machine = published.and_then(|rows| sentence_of(&machine.name, counts(machine), Some(rows)));
    let of_workload = sentence_of(&workload.name, unknown(workload), None);
    let all: Vec<String> = of_machine.into_iter().chain(of_workload).collect();
    (!all.is_empty()).then(|| all.join(" "))
}

fn counts(input: &Input) -> impl Fn(ValueOrigin) -> usize {
    |origin| input.origins.iter().filter(|of| of.origin == origin.word()).count()
}

/// Numbers of values that may be off; the others of a workload, such as a chosen number of passes, are exact.
fn unknown(workload: &Input) -> impl Fn(ValueOrigin) -> usize {
    |origin| {
        let unknown = workload.origins.iter().filter(|of| of.within > 0.0);
        unknown.filter(|of| of.origin == origin.word()).count()
    }
}

/// Number of published rows in words.
fn rows(published: u32) -> String {
    match published {
        0 => "no published row".to_owned(),
        rows => count(rows, "published row"),
    }
}

/// Sentence with the numbers of values by origin, and the text `published` at its end; `None` without values.
fn sentence_of(name: &str, of: impl Fn(ValueOrigin) -> usize, published: Option<String>) -> Option<String> {
    let counts = NAMES.iter().map(|(origin, words)| (of(*origin), words)).filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, words)| format!("{count} {words}")).collect();
    let published = published.map_or(String::new(), |rows| format!("; {rows}"));
    (!counts.is_empty()).then(|| format!("Values of {name}: {}{published}.", counts.join(", ")))
}

/// One value with its origin.
pub struct OriginRow {
    /// Path of the value, as `--set` takes it.
    pub path: String,
    pub value: String,
    pub origin: ValueOrigin,
    /// Largest relative error; `None` for sizes, counts and words, which no run draws.
    pub within: Option<f64>,
}

impl OriginRow {
    /// Row of a value that may be off.
    fn of<P>(value: &FileValue<P>, origins: &ValueOrigins) -> OriginRow {
        OriginRow {
            path: value.path.clone(),
            value: value.value.to_string(),
            origin: origins.of(value),
            within: Some(origins.within(value)),
        }
    }

    /// Rows of all values that may be off, and then of the sizes, counts and words that a file writes. `written`: path,
    /// place and text of each value of the file.
    pub fn all<P>(
        origins: &ValueOrigins,
        values: &[FileValue<P>],
        written: impl Iterator<Item = (String, String, String)>,
    ) -> Vec<OriginRow> {
        let is_known = |place: &String| values.iter().any(|value| value.place == *place);
        let facts = written.filter(|(_, place, _)| !is_known(place)).map(|(path, place, value)| {
            let origin = origins.at(&path, &place);
            OriginRow { path, value, origin, within: None }
        });
        let facts = facts.filter(|row| row.origin != ValueOrigin::Default);
        values.iter().map(|value| OriginRow::of(value, origins)).chain(facts).collect()
    }
}

/// Values of a machine, runtime or workload with their origins.
pub struct OriginTable<'a> {
    pub name: &'a str,
    pub rows: Vec<OriginRow>,
    /// Number of published rows; `None` for runtimes and workloads.
    pub published: Option<u32>,
}

impl View for OriginTable<'_> {
    fn page(&self, _: &Style) -> Page {
        let sheet = Sheet::of(&self.rows)
            .text("value of", |row| row.path.clone())
            .number("value", |row| row.value.clone())
            .text("origin", |row| row.origin.to_string())
            .number("within", |row| row.within.filter(|within| *within > 0.0).map(percent));
        if self.rows.is_empty() {
            return Page::default().text([format!("All values of {} are stated by its file.", self.name)]);
        }
        let counted =
            |origin| self.rows.iter().filter(move |row| row.within.is_some() && row.origin == origin);
        let of = |origin| counted(origin).count();
        Page::default().table(sheet).text(sentence_of(self.name, of, self.published.map(rows)))
    }
}
