//! Summary sentence of a run: the cause of most of its lost time.

use super::blame::{waits_for, whole};
use crate::numbers::{TimeScale, percent, share};
use crate::views::summary::{MATTERS, is_throughout, that_matters, worst_place};
use numalab_results::Explanation;

/// Largest number of activities that the sentence names.
const MOST: usize = 3;

/// The bottleneck, named as in the table of runs, and what threads do while others wait for them.
pub fn worst_of_all(explanation: &Explanation) -> String {
    let Some(worst) = that_matters(explanation.bottleneck.as_ref()) else {
        let computing = explanation.blame.iter().filter(|row| row.kind == "computing");
        let computing: f64 = computing.map(|row| row.own_ps as f64).sum();
        let computing = percent(share(computing, whole(explanation)));
        return format!("The threads compute for {computing} of their time; no wait matters.");
    };
    let scale = TimeScale::of([explanation.makespan_ps]);
    let period = match is_throughout(worst, explanation.makespan_ps) {
        true => "throughout".to_owned(),
        false => format!("from {} to {}", scale.show(worst.from_ps as f64), scale.show(worst.to_ps as f64)),
    };
    let phase = match explanation.phases.len() {
        0 | 1 => String::new(),
        _ => format!(", most of it in phase {}", worst.phase),
    };
    let place = worst_place(worst).map_or(String::new(), |place| format!(", worst at {place}"));
    let mut sentence = format!(
        "Most of the lost time is spent waiting for {}: {} of the threads' time, {period}{phase}{place}.",
        worst.name,
        percent(worst.share)
    );
    sentence += &meanwhile(explanation);
    sentence
}

/// Sentence on the activities of threads while other threads wait for them; empty if the waiting time is negligible.
fn meanwhile(explanation: &Explanation) -> String {
    let mut sums: Vec<(&str, f64)> = Vec::new();
    for row in explanation.blame.iter().filter(|row| row.waited_ps > 0) {
        let name = waits_for(row);
        match sums.iter_mut().find(|sum| sum.0 == name) {
            Some(sum) => sum.1 += row.waited_ps as f64,
            None => sums.push((name, row.waited_ps as f64)),
        }
    }
    let all: f64 = sums.iter().map(|sum| sum.1).sum();
    if share(all, whole(explanation)) < MATTERS {
        return String::new();
    }
    sums.sort_by(|a, b| b.1.total_cmp(&a.1));
    let part = |(name, time): &(&str, f64)| {
        let does = if *name == "computing" { "computing".to_owned() } else { format!("waiting for {name}") };
        format!("{does} ({})", percent(share(*time, all)))
    };
    let parts: Vec<String> = sums.iter().filter(|sum| sum.1 >= 0.05 * all).take(MOST).map(part).collect();
    if parts.is_empty() {
        return String::new();
    }
    let others = percent(share(all, whole(explanation)));
    format!(
        " For {others} of the time threads wait for another thread, which is {} meanwhile.",
        parts.join(", ")
    )
}
