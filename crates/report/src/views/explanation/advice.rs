//! Changes that could be made, and what they gain.

use crate::numbers::{TimeScale, count, signed_percent};
use crate::page::{Page, Sheet};
use crate::style::Ink;
use numalab_results::{Advice, Explanation};

/// Changes that gain less are not worth telling a reader.
const WORTH: f64 = 0.03;

/// Changes that a reader sees.
const MOST: usize = 8;

/// The gain, or the two that it lies between; a tie where they do not agree.
fn gain(advice: &Advice) -> String {
    let Some(other) = advice.other_gain else { return signed_percent(-advice.gain) };
    let (least, most) = (advice.gain.min(other), advice.gain.max(other));
    let range = format!("{} to {}", signed_percent(-most), signed_percent(-least));
    if advice.is_tie() { format!("tie: {range}") } else { range }
}

/// The change that helps most, for the top of the page: its name, its gain and the flags that make it.
pub(super) fn best(explanation: &Explanation) -> Option<String> {
    let best = explanation.advice.iter().find(|advice| advice.gain >= WORTH && !advice.is_tie())?;
    let flags = best.how.iter().all(|how| how.starts_with("--")).then(|| format!(": {}", best.how.join(" ")));
    Some(format!(
        "What helps most of {} that were simulated is {} ({}){}",
        count(explanation.advice.len() as u64 + explanation.tried, "change"),
        best.changes.join(" and "),
        gain(best),
        flags.unwrap_or_else(|| ".".to_owned())
    ))
}

/// Adds the advice, if there is any.
pub(super) fn add(page: Page, explanation: &Explanation) -> Page {
    let told: Vec<&Advice> =
        explanation.advice.iter().filter(|advice| advice.gain >= WORTH).take(MOST).collect();
    if told.is_empty() {
        let tried = explanation.advice.len() as u64 + explanation.tried;
        let nothing = format!("None of {} that were simulated gains 3% or more.", count(tried, "change"));
        return page.text((tried > 0).then_some(nothing));
    }
    let how: Vec<(String, String)> = told
        .iter()
        .filter(|advice| advice.changes.len() == 1)
        .flat_map(|advice| advice.changes.iter().cloned().zip(advice.how.iter().cloned()))
        .collect();
    let scale = TimeScale::of([explanation.makespan_ps]);
    let sheet = Sheet::of(told)
        .text("change", |advice| advice.changes.join(" + "))
        .number("makespan", |advice| scale.show(advice.makespan_ps as f64))
        .number("gain", |advice| gain(advice));
    let page = page.table_under(Ink::Bold, "what to change, each simulated".to_owned(), sheet);
    let others =
        explanation.advice.iter().filter(|advice| advice.gain < WORTH).count() as u64 + explanation.tried;
    let page = page.below((others > 0).then(|| format!("{} gain less", count(others, "other change"))));
    let lines: Vec<String> = how.iter().map(|(change, how)| format!("{change}:\n    {how}")).collect();
    if lines.is_empty() {
        return page;
    }
    page.title(Ink::Bold, 3, "how to try them".to_owned()).drawn(lines.join("\n") + "\n")
}
