//! Possible changes and their gains.

use crate::numbers::{TimeScale, count, signed_percent};
use crate::page::{Page, Sheet};
use crate::style::Ink;
use numalab_base::printable;
use numalab_results::Advice;

/// Smallest gain that is shown, as a fraction of the makespan.
const WORTH: f64 = 0.03;

/// Largest number of changes shown.
const MOST: usize = 8;

/// Gain of a change as text. For a replay with two gains, their range, marked as a tie if the second one is no gain.
fn gain(advice: &Advice) -> String {
    let Some(other) = advice.other_gain else { return signed_percent(-advice.gain) };
    let (least, most) = (advice.gain.min(other), advice.gain.max(other));
    let range = format!("{} to {}", signed_percent(-most), signed_percent(-least));
    if advice.is_tie() { format!("tie: {range}") } else { range }
}

/// Sentence on the best change; `None` if no change gains at least `WORTH`.
pub(super) fn best(advice: &[Advice], tried: u64) -> Option<String> {
    let best = advice.iter().find(|advice| advice.gain >= WORTH && !advice.is_tie())?;
    let flags = best.how.iter().all(|how| how.starts_with("--")).then(|| format!(": {}", best.how.join(" ")));
    Some(format!(
        "The best of {} that were simulated is {} ({}){}",
        count(advice.len() as u64 + tried, "change"),
        best.changes.join(" and "),
        gain(best),
        flags.unwrap_or_else(|| ".".to_owned())
    ))
}

/// Adds the advice, if there is any. `tried`: number of changes that gain nothing; `makespan_ps`: time without a change.
pub(crate) fn add(page: Page, advice: &[Advice], tried: u64, makespan_ps: u64) -> Page {
    let shown: Vec<&Advice> = advice.iter().filter(|advice| advice.gain >= WORTH).take(MOST).collect();
    if shown.is_empty() {
        let tried = advice.len() as u64 + tried;
        let nothing = format!("None of {} that were simulated gains at least 3%.", count(tried, "change"));
        return page.text((tried > 0).then_some(nothing));
    }
    let how: Vec<String> = shown
        .iter()
        .filter(|advice| advice.changes.len() == 1)
        .flat_map(|advice| {
            let typed = advice.on_machine.iter().cloned().chain(std::iter::repeat(None));
            advice.changes.iter().zip(&advice.how).zip(typed).map(|((change, how), typed)| {
                let typed = typed.map(|typed| format!("\n    on the machine: {}", printable(&typed)));
                format!("{}:\n    {}{}", printable(change), printable(how), typed.unwrap_or_default())
            })
        })
        .collect();
    let scale = TimeScale::of([makespan_ps]);
    let sheet = Sheet::of(shown)
        .text("change", |advice| advice.changes.join(" + "))
        .number("makespan", |advice| scale.show(advice.makespan_ps as f64))
        .number("gain", |advice| gain(advice));
    let page = page.table_under(Ink::Bold, "simulated changes".to_owned(), sheet);
    let others = advice.iter().filter(|advice| advice.gain < WORTH).count() as u64 + tried;
    let page = page.below((others > 0).then(|| format!("{} gain less", count(others, "other change"))));
    if how.is_empty() {
        return page;
    }
    page.title(Ink::Bold, 3, "how to try them".to_owned()).drawn(how.join("\n") + "\n")
}
