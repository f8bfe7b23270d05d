//! Last sentence of a comparison: which policy is fastest, by how much, and what cannot be told apart.

use crate::numbers::time;
use crate::views::summary::that_matters;
use numalab_results::{Comparison, Replicas, Run};

/// Difference that is no difference: models of machines are not surer.
const SAME: f64 = 0.01;

/// Sentence about the policies; `None` for less than two.
pub(super) fn sentence(comparison: &Comparison) -> Option<String> {
    let mut runs: Vec<&Run> = comparison.runs.iter().collect();
    runs.sort_by_key(|run| median(run));
    let (best, _) = runs.split_first().filter(|(_, others)| !others.is_empty())?;
    let (tied, others): (Vec<&Run>, Vec<&Run>) = runs.iter().partition(|run| !is_slower(run, best));
    let low = tied.iter().map(|run| range(run).0).min().unwrap_or(0);
    let high = tied.iter().map(|run| range(run).1).max().unwrap_or(0);
    let between = match (time(low), time(high)) {
        (low, high) if low == high => low,
        (low, high) => format!("{low} to {high}"),
    };
    let Some(next) = others.first() else {
        let lost = that_matters(best.bottleneck.as_ref());
        let decides = lost.map_or(String::new(), |lost| format!("; most time is lost to {}", lost.name));
        return Some(format!(
            "The policies cannot be told apart: all take {between}{decides}.{}",
            unstable(&runs)
        ));
    };
    let by = match median(best) {
        0 => format!("faster than {}", next.policy),
        best => format!("{:.2} times as fast as {}", median(next) as f64 / best as f64, next.policy),
    };
    let fastest = match &tied[..] {
        [one] => format!("{} is fastest, {by}.", one.policy),
        several => format!("{} cannot be told apart ({between}), {by}.", listed(several)),
    };
    Some(fastest + &unstable(&runs))
}

/// True if a run is slower than `best`: in each sample of values that are not known exactly, which both runs share, or
/// else in all of its range.
fn is_slower(run: &Run, best: &Run) -> bool {
    let apart = |run: u64, best: u64| run as f64 > best as f64 * (1.0 + SAME);
    match (&run.sampled_ps[..], &best.sampled_ps[..]) {
        (of_run, of_best) if !of_run.is_empty() && of_run.len() == of_best.len() => {
            let pairs = of_run.iter().zip(of_best).chain([(&run.makespan_ps, &best.makespan_ps)]);
            pairs.into_iter().all(|(run, best)| apart(*run, *best))
        }
        _ => apart(range(run).0, range(best).1),
    }
}

/// Sentence about unstable policies, behind a space; empty if there are none.
fn unstable(runs: &[&Run]) -> String {
    let is_unstable = |run: &&Run| run.findings.iter().any(|finding| finding.name == "unstable");
    let unstable: Vec<&Run> = runs.iter().copied().filter(is_unstable).collect();
    match unstable.len() {
        0 => String::new(),
        1 => format!(" {} is unstable.", listed(&unstable)),
        _ => format!(" {} are unstable.", listed(&unstable)),
    }
}

/// Median of the makespans where replicas differ, else the makespan of the nominal run.
fn median(run: &Run) -> u64 {
    run.replicas.filter(Replicas::differ).map_or(run.makespan_ps, |replicas| replicas.median_ps)
}

/// Range of the makespans of a run, over its replicas and between the ends of a replay.
fn range(run: &Run) -> (u64, u64) {
    let alone = (run.makespan_ps, run.makespan_ps);
    let (low, high) = run.replicas.map_or(alone, |replicas| (replicas.low_ps, replicas.high_ps));
    let end = |name: &str| {
        let measure = run.measures.iter().find(|measure| measure.name == name && measure.unit == "ms")?;
        Some((measure.value? * 1e9).round() as u64)
    };
    (low.min(end("least").unwrap_or(low)), high.max(end("most").unwrap_or(high)))
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
    use numalab_results::{Comparison, Finding, MeasureValue, Replicas};

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

    /// At the other end of its replay the first policy takes 400 ms.
    #[test]
    fn ends_of_a_replay_widen_the_range() {
        let mut comparison = ranges(&[(100, 101), (200, 201)]);
        let measure =
            |name: &str, ms| MeasureValue { name: name.to_owned(), unit: "ms".to_owned(), value: Some(ms) };
        comparison.runs[0].measures = vec![measure("least", 100.0), measure("most", 400.0)];
        let text = sentence(&comparison).unwrap();
        assert!(text.starts_with("The policies cannot be told apart: all take 100 ms to 400 ms"), "{text}");
    }

    /// On each machine c is faster than a; b is slower on the first and faster on the second.
    #[test]
    fn samples_are_compared_machine_by_machine() {
        let mut comparison = ranges(&[(110, 220), (105, 210), (100, 200)]);
        for (run, sampled) in comparison.runs.iter_mut().zip([[110, 220], [102, 190], [100, 200]]) {
            run.sampled_ps = sampled.map(|ms| ms * 1_000_000_000).to_vec();
        }
        let text = sentence(&comparison).unwrap();
        assert_eq!(text, "c and b cannot be told apart (100 ms to 210 ms), 1.10 times as fast as a.");
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
