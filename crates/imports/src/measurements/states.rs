//! States of a machine whose processors move: a hypervisor runs two processors of a guest now on one chip, now on
//! two, for seconds at a time. The costs of all that they share (a line, a cache, the way to memory) then change.
//!
//! Before each sample of a team the kernels measure how long a line takes from the team's first thread to its last. A
//! model has no value for a mixture of states, and rows with different mixtures cannot be compared. So the samples of
//! the usual state count.

use super::Row;
use std::collections::BTreeMap;

/// Hand-over time of a line between a team's first and last thread, measured just before a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndsApart {
    /// Numbers of the processors of the first and the last thread.
    pub ends: (u32, u32),
    /// Time of handing a line from one end to the other, in nanoseconds.
    pub hand_over: f64,
}

/// Most frequent state of two processors, over the runs of all kernels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usual {
    /// Smallest and largest hand-over time of the state, in nanoseconds.
    pub range: (f64, f64),
    /// Fraction of the runs that were in the most frequent state.
    pub part: f64,
    /// Median of the hand-over times in other states, in nanoseconds; `None` if all runs were in this state.
    pub others: Option<f64>,
}

/// Usual states by pair of processors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct States(BTreeMap<(u32, u32), Usual>);

/// Largest factor between hand-over times of one state. Chips and clocks change these times by less, a move to other
/// processors by more.
const WIDTH: f64 = 1.5;
/// Tolerance of single samples around the range of a state, as a factor.
const MARGIN: f64 = 1.25;

impl States {
    /// Finds the usual state of each pair of processors in `rows`. Each run counts once, for any number of samples.
    pub fn of(rows: &[Row]) -> States {
        let mut found: BTreeMap<(u32, u32), Vec<f64>> = BTreeMap::new();
        for run in rows.iter().flat_map(|row| row.samples.chunk_by(|a, b| a.run == b.run)) {
            let mut apart: Vec<EndsApart> = run.iter().filter_map(|sample| sample.apart).collect();
            apart.sort_by(|a, b| a.hand_over.total_cmp(&b.hand_over));
            if let Some(median) = apart.get(apart.len() / 2) {
                found.entry(median.ends).or_default().push(median.hand_over);
            }
        }
        let usual = |(ends, all): ((u32, u32), Vec<f64>)| Some((ends, Usual::of(all)?));
        States(found.into_iter().filter_map(usual).collect())
    }

    /// True if the ends are in the usual state of their processors, or if no usual state is known.
    pub fn is_usual(&self, apart: EndsApart) -> bool {
        self.0
            .get(&apart.ends)
            .is_none_or(|usual| (usual.range.0 / MARGIN..=usual.range.1 * MARGIN).contains(&apart.hand_over))
    }

    pub fn iter(&self) -> impl Iterator<Item = (&(u32, u32), &Usual)> {
        self.0.iter()
    }
}

impl Usual {
    /// Finds the state of most hand-over times; the state with the shortest times wins a tie.
    fn of(mut all: Vec<f64>) -> Option<Usual> {
        all.retain(|one| *one > 0.0);
        all.sort_by(f64::total_cmp);
        let state = |first: usize| {
            let end = all.partition_point(|one| *one <= all[first] * WIDTH);
            first..end
        };
        // The first wins a tie; `max_by_key` takes the last.
        let most = (0..all.len()).rev().map(state).max_by_key(|state| state.len())?;
        let others = [&all[..most.start], &all[most.end..]].concat();
        Some(Usual {
            range: (all[most.start], all[most.end - 1]),
            part: most.len() as f64 / all.len() as f64,
            others: others.get(others.len() / 2).copied(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Sample;
    use super::*;

    fn row(runs: &[f64]) -> Row {
        let apart = |hand_over| Some(EndsApart { ends: (0, 1), hand_over });
        let samples = runs.iter().zip(0..);
        let samples = samples.map(|(ns, run)| Sample { apart: apart(*ns), run, ..Sample::of(*ns) }).collect();
        let [experiment, quantity, unit, source] = ["locks", "hand_over", "ns", "f:1"].map(str::to_owned);
        Row { experiment, quantity, params: Vec::new(), unit, samples, source }
    }

    /// Three of 25 to 30 and two of 160: the state of the three is usual for all rows.
    #[test]
    fn most_runs_say_what_is_usual() {
        let rows = [row(&[160.0, 25.0, 28.0]), row(&[161.0, 30.0])];
        let states = States::of(&rows);
        let usual = Usual { range: (25.0, 30.0), part: 0.6, others: Some(161.0) };
        assert_eq!(states.iter().collect::<Vec<_>>(), [(&(0, 1), &usual)]);
        let is_usual = |hand_over| states.is_usual(EndsApart { ends: (0, 1), hand_over });
        assert_eq!([19.0, 21.0, 37.0, 38.0].map(is_usual), [false, true, true, false]);
        assert!(
            states.is_usual(EndsApart { ends: (0, 7), hand_over: 900.0 }),
            "no usual value is known there"
        );
    }

    #[test]
    fn what_only_drifts_is_one_state() {
        let states = States::of(&[row(&[59.0, 75.0, 65.0, 61.0, 58.0])]);
        assert_eq!(states.iter().next().unwrap().1.others, None);
        assert_eq!(States::of(&[row(&[])]), States::default());
    }

    /// Samples of the usual state count if a row has enough of them; otherwise all samples count, with a flag.
    #[test]
    fn samples_of_the_usual_state_count() {
        let rows = [row(&[25.0, 26.0, 27.0, 160.0]), row(&[160.0, 160.0, 25.0]), row(&[25.0; 4])];
        let limits = super::super::Limits::of(&rows, 2);
        let undisturbed = |at: usize| {
            let undisturbed = rows[at].undisturbed(&limits);
            (undisturbed.values.len(), undisturbed.dropped, undisturbed.disturbed, undisturbed.median)
        };
        assert_eq!(undisturbed(0), (3, 1, false, 26.0));
        assert_eq!(undisturbed(1), (3, 0, true, 160.0));
    }
}
