//! Expert selection: fuzzy rules over the time of a loop, its imbalance, and the changes of both. Candidates are in the
//! order of their cost and of their power to balance, so a rule moves along the list.

use super::Method;
use crate::clinic::measured::LoopTime;

/// Position on the list that stands for schedules that balance most.
const AGGRESSIVE: f64 = 14.0;

/// Position on the list that stands for schedules that balance somewhat.
const MODERATE: f64 = 3.0;

/// Largest step along the list.
const STEP: f64 = 4.0;

pub(super) struct Expert {
    /// Number of candidates.
    number: usize,
    /// Time in seconds and imbalance in percent of the last step; `None` before the first one.
    before: Option<(f64, f64)>,
}

impl Expert {
    pub fn new(number: usize) -> Expert {
        Expert { number, before: None }
    }
}

/// Membership that grows linearly from 0 at `from` to 1 at `to`; with `from` above `to` it falls.
fn ramp(x: f64, from: f64, to: f64) -> f64 {
    ((x - from) / (to - from)).clamp(0.0, 1.0)
}

/// Mean of positions, weighted by membership times the area of each set; `None` if no rule holds.
fn centre(sets: [(f64, f64, f64); 3]) -> Option<f64> {
    let whole: f64 = sets.iter().map(|(membership, area, _)| membership * area).sum();
    let sum: f64 = sets.iter().map(|(membership, area, position)| membership * area * position).sum();
    (whole > 0.0).then(|| sum / whole)
}

/// Position of the first choice, from the first time and imbalance.
fn first(time: f64, imbalance: f64) -> f64 {
    let (short, long) = (ramp(time, 0.03, 0.01), ramp(time, 1.0, 10.0));
    let medium = ramp(time, 0.0, 0.1).min(ramp(time, 10.0, 1.0));
    let (low, high) = (ramp(imbalance, 2.0, 1.0), ramp(imbalance, 4.0, 10.0));
    let moderate = ramp(imbalance, 1.0, 2.0).min(ramp(imbalance, 5.0, 4.0));
    let simple = short.max(low);
    let some = medium.min(high.max(moderate)).max(long.min(moderate));
    // Areas of trapezoids from 4 (full from 7) to 14, from 0.5 (2 to 4) to 6, and from 0 to 1 (full to 0.5).
    centre([(high.min(long), 8.5, AGGRESSIVE), (some, 3.75, MODERATE), (simple, 0.75, 0.0)]).unwrap_or(0.0)
}

/// Step along the list after a change of time and imbalance.
fn step(time: f64, imbalance: f64, before: (f64, f64)) -> f64 {
    let of_time = (time - before.0) / time * 100.0;
    let of_imbalance = imbalance - before.1;
    let (slower, faster) = (ramp(of_time, 0.5, 3.0), ramp(-of_time, 0.5, 3.0));
    let (worse, better) = (ramp(of_imbalance, 0.0, 3.0), ramp(-of_imbalance, 0.0, 3.0));
    let (as_fast, as_even) = (ramp(of_time.abs(), 1.0, 0.5), ramp(of_imbalance.abs(), 3.0, 1.5));
    let (low, high) = (ramp(imbalance, 2.0, 1.0), ramp(imbalance, 4.0, 10.0));
    let same = as_fast.min(as_even).max(low).max(faster);
    let more = high.min(ramp(time, 1.0, 10.0)).max(slower.min(worse)).max(as_fast.min(worse));
    let less = slower.min(better.max(as_even).max(low)).max(as_fast.min(better)).max(ramp(time, 0.03, 0.01));
    centre([(more, 2.75, STEP), (same, 1.5, 0.0), (less, 2.75, -STEP)]).unwrap_or(0.0)
}

impl Method for Expert {
    fn name(&self) -> &'static str {
        "expert"
    }

    fn exploration(&self) -> u64 {
        0
    }

    fn next(&mut self, last: usize, time: LoopTime) -> usize {
        let (seconds, imbalance) = (time.time_ps as f64 * 1e-12, time.imbalance * 100.0);
        let position = match self.before.replace((seconds, imbalance)) {
            None => first(seconds, imbalance).floor(),
            Some(before) => (last as f64 + step(seconds, imbalance, before)).round(),
        };
        position.clamp(0.0, (self.number - 1) as f64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // 20 s, 50 % imbalance: long and high, so only the rule for the most powerful schedules holds.
    // 5 ms, balanced: short and low, so only the rule for simple schedules holds.
    // 0.5 s, 3 %: medium and moderate; position 3.
    #[test]
    fn the_first_choice_follows_time_and_imbalance() {
        assert_eq!(first(20.0, 50.0), AGGRESSIVE);
        assert_eq!(first(0.005, 0.0), 0.0);
        assert_eq!(first(0.5, 3.0), MODERATE);
    }

    // 0.5 s after 0.4 s is 20 % slower. With 30 % imbalance after 20 %, only "more" holds: a step of 4. With 20 %
    // after 30 %, only "less" does. After the same time and imbalance nothing changes.
    #[test]
    fn later_choices_follow_changes() {
        assert_eq!(step(0.5, 30.0, (0.4, 20.0)), STEP);
        assert_eq!(step(0.5, 20.0, (0.4, 30.0)), -STEP);
        assert_eq!(step(0.5, 20.0, (0.5, 20.0)), 0.0);
    }
}
