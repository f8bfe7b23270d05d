//! Values that are not known exactly, by how much a makespan depends on them.

use crate::numbers::{TimeScale, count, percent};
use crate::page::{Page, Sheet};
use crate::style::Ink;
use numalab_results::Influence;
use std::collections::BTreeSet;

/// Smallest effect that is shown, as a part of the makespan.
const WORTH: f64 = 0.01;
/// Largest number of values shown.
const MOST: usize = 5;

/// Adds the values that matter most to `what`, which takes `makespan_ps`, and what would measure them.
pub(super) fn add(page: Page, what: &str, makespan_ps: u64, values: &[Influence]) -> Page {
    let all = values.iter().filter(|value| value.effect(makespan_ps) >= WORTH).count();
    let shown: Vec<&Influence> = values.iter().take(all.min(MOST)).collect();
    if shown.is_empty() {
        return page.text([format!("No value within its tolerance changes the time of {what} by 1%.")]);
    }
    let scale = TimeScale::of(shown.iter().flat_map(|value| [value.at_least_ps, value.at_most_ps]));
    let commands: BTreeSet<String> = shown.iter().filter_map(|value| value.how.clone()).collect();
    let sheet = Sheet::of(shown)
        .text("value", |value| value.path.clone())
        .text("origin", |value| value.origin.clone())
        .number("within", |value| percent(value.within))
        .number("at the least", |value| scale.show(value.at_least_ps as f64))
        .number("at the most", |value| scale.show(value.at_most_ps as f64))
        .number("effect", |value| percent(value.effect(makespan_ps)));
    let heading =
        format!("values that are not known exactly, and the time of {what} at the ends of their tolerances");
    let page = page.table_under(Ink::Bold, heading, sheet);
    let others = all.saturating_sub(MOST) as u64;
    let page = page
        .below((others > 0).then(|| format!("{} of 1% or more have less effect", count(others, "value"))));
    page.list(
        (Ink::Bold, 2, "measure on the machine"),
        commands.into_iter().map(|command| (String::new(), command)),
    )
}
