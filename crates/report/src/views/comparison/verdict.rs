//! Last sentence of a comparison: which policy is fastest, by how much, and what cannot be told apart.

use crate::numbers::time;
use crate::views::summary::that_matters;
use numalab_results::{Comparison, Run};

/// Difference that is no difference: models of machines are not surer.
const SAME: f64 = 0.01;

/// Sentence about the policies; `None` for less than two.
pub(super) fn sentence(comparison: &Comparison) -> Option<String> {
    let mut runs: Vec<&Run> = comparison.runs.iter().collect();
    runs.sort_by_key(|run| median(run));
    let (best, _) = runs.split_first().filter(|(_, others)| !others.is_empty())?;
    let reach = range(best).1 as f64 * (1.0 + SAME);
    let (tied, others): (Vec<&Run>, Vec<&Run>) = runs.iter().partition(|run| range(run).0 as f64 <= reach);
    let low = tied.iter().map(|run| range(run).0).min().unwrap_or(0);
    let high = tied.iter().map(|run| range(run).1).max().unwrap_or(0);
    let between = match (time(low), time(high)) {
        (low, high) if low == high => low,
        (low, high) => format!("{low} to {high}"),
    };
    let Some(next) = others.first() else {
        let lost = that_matters(best.bottleneck.as_ref());
        let decides = lost.map_or(String::new(), |lost| format!("; most time is lost to {}", lost.name));
        return Some(format!("The policies cannot be told apart: all take {between}{decides}."));
    };
    let ratio = median(next) as f64 / median(best).max(1) as f64;
    let by = format!("{ratio:.2} times as fast as {}", next.policy);
    let mut text = match &tied[..] {
        [one] => format!("{} is fastest, {by}.", one.policy),
        several => format!("{} cannot be told apart ({between}), {by}.", listed(several)),
    };
    let unstable: Vec<&Run> = runs.iter().copied().filter(|run| is_unstable(run)).collect();
    if !unstable.is_empty() {
        let verb = if unstable.len() == 1 { "is" } else { "are" };
        text += &format!(" {} {verb} unstable.", listed(&unstable));
    }
    Some(text)
}

fn is_unstable(run: &Run) -> bool {
    run.findings.iter().any(|finding| finding.name == "unstable")
}

/// Median of the makespans where replicas differ, else the makespan of the nominal run.
fn median(run: &Run) -> u64 {
    let differing = run.replicas.filter(|replicas| replicas.differ());
    differing.map_or(run.makespan_ps, |replicas| replicas.median_ps)
}

fn range(run: &Run) -> (u64, u64) {
    run.replicas.map_or((run.makespan_ps, run.makespan_ps), |replicas| (replicas.low_ps, replicas.high_ps))
}

/// Names of policies, as `a`, `a and b`, or `a, b and c`.
fn listed(runs: &[&Run]) -> String {
    let names: Vec<&str> = runs.iter().map(|run| run.policy.as_str()).collect();
    match &names[..] {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::sentence;
    use crate::fixtures;
    use numalab_results::{Comparison, Finding, Replicas};

    /// Comparison of the policies a, b and c with these ranges, in milliseconds.
    fn ranges(of: &[(u64, u64)]) -> Comparison {
        let mut comparison = fixtures::small();
        let run = comparison.runs[0].clone();
        comparison.runs = ["a", "b", "c"]
            .iter()
            .zip(of)
            .map(|(name, (low, high))| {
                let mut run = run.clone();
                let [low, high] = [low, high].map(|ms| ms * 1_000_000_000);
                (run.policy, run.makespan_ps) = ((*name).to_owned(), low);
                run.replicas = Replicas::of(&[low, low, high]);
                run
            })
            .collect();
        comparison
    }

    #[test]
    fn the_fastest_is_named_if_its_range_is_apart() {
        let text = sentence(&ranges(&[(500, 500), (210, 230), (100, 105)])).unwrap();
        assert_eq!(text, "c is fastest, 2.10 times as fast as b.");
    }

    #[test]
    fn overlapping_ranges_are_ties() {
        let text = sentence(&ranges(&[(100, 110), (300, 310), (110, 130)])).unwrap();
        assert_eq!(text, "a and c cannot be told apart (100 ms to 130 ms), 3.00 times as fast as b.");
        let text = sentence(&ranges(&[(100, 110), (100, 100), (110, 130)])).unwrap();
        let lost = "most time is lost to memory.";
        assert_eq!(text, format!("The policies cannot be told apart: all take 100 ms to 130 ms; {lost}"));
    }

    #[test]
    fn unstable_policies_are_named() {
        let mut comparison = ranges(&[(100, 101), (200, 300), (400, 900)]);
        for run in &mut comparison.runs[1..] {
            run.findings = vec![Finding { name: "unstable".to_owned(), evidence: String::new() }];
        }
        let text = sentence(&comparison).unwrap();
        assert_eq!(text, "a is fastest, 2.00 times as fast as b. b and c are unstable.");
    }

    #[test]
    fn one_policy_has_no_sentence() {
        assert_eq!(sentence(&ranges(&[(100, 110)])), None);
    }
}
