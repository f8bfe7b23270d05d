//! Origins of the values of a machine or runtime: one line below a result, and a table.

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

/// Sentence about the origins of a machine's values and its published rows; `None` for records without origins.
pub(super) fn sentence(machine: &Input) -> Option<String> {
    let of = |origin: ValueOrigin| machine.origins.iter().filter(|of| of.origin == origin.word()).count();
    sentence_of(&machine.name, of, machine.published_rows)
}

fn sentence_of(name: &str, of: impl Fn(ValueOrigin) -> usize, published: Option<u32>) -> Option<String> {
    let counts = NAMES.iter().map(|(origin, words)| (of(*origin), words)).filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, words)| format!("{count} {words}")).collect();
    let rows = match published? {
        0 => "no published row".to_owned(),
        rows => count(rows, "published row"),
    };
    (!counts.is_empty()).then(|| format!("Values of {name}: {}; {rows}.", counts.join(", ")))
}

/// Values of a machine or runtime with their origins.
pub struct OriginTable<'a, P> {
    pub name: &'a str,
    pub origins: &'a ValueOrigins,
    pub values: &'a [FileValue<P>],
    /// Number of published rows; `None` for runtimes.
    pub published: Option<u32>,
}

impl<P> View for OriginTable<'_, P> {
    fn page(&self, _: &Style) -> Page {
        let sheet = Sheet::of(self.values)
            .text("value of", |one| one.path.clone())
            .number("value", |one| one.value.to_string())
            .text("origin", |one| self.origins.of(one).to_string())
            .number("within", |one| match self.origins.within(one) {
                0.0 => None,
                within => Some(percent(within)),
            });
        let of = |origin| self.values.iter().filter(|one| self.origins.of(one) == origin).count();
        Page::default().table(sheet).text(sentence_of(self.name, of, self.published))
    }
}
