//! Scores over rows: the errors of the rows, and the agreement of published and simulated order.

use numalab_results::{Score, ValidationRow};
use std::collections::BTreeMap;

/// Minimum relative difference of two published values that is a gap, whose direction the simulator must have.
const GAP: f64 = 0.05;

/// Scores by machine and experiment, and by experiment over all machines.
pub fn scores(rows: &[ValidationRow]) -> (Vec<Score>, Vec<Score>) {
    let mut parts: BTreeMap<(&str, &str), Vec<&ValidationRow>> = BTreeMap::new();
    let mut whole: BTreeMap<&str, Vec<&ValidationRow>> = BTreeMap::new();
    for row in rows.iter().filter(|row| !row.stated) {
        parts.entry((&row.machine, &row.experiment)).or_default().push(row);
        whole.entry(&row.experiment).or_default().push(row);
    }
    let parts =
        parts.into_iter().map(|((machine, experiment), rows)| score(Some(machine), experiment, &rows));
    (parts.collect(), whole.into_iter().map(|(experiment, rows)| score(None, experiment, &rows)).collect())
}

fn score(machine: Option<&str>, experiment: &str, rows: &[&ValidationRow]) -> Score {
    let mut errors: Vec<(f64, &str)> =
        rows.iter().filter_map(|row| Some((row.error?.abs(), &*row.id))).collect();
    // The first of equal errors counts as the worst.
    let worst = errors.iter().rev().max_by(|a, b| a.0.total_cmp(&b.0)).copied();
    errors.sort_by(|a, b| a.0.total_cmp(&b.0));
    let median =
        (!errors.is_empty()).then(|| (errors[(errors.len() - 1) / 2].0 + errors[errors.len() / 2].0) / 2.0);
    let order = Order::of(rows);
    Score {
        machine: machine.map(str::to_owned),
        experiment: experiment.to_owned(),
        values: rows.len() as u64,
        simulated: rows.iter().filter(|row| row.within.is_some()).count() as u64,
        within: rows.iter().filter(|row| row.within == Some(true)).count() as u64,
        median_error: median,
        worst_error: worst.map(|(error, _)| error),
        worst: worst.map(|(_, id)| id.to_owned()),
        tau: order.tau(),
        gaps: order.gaps,
        gaps_ordered: order.gaps_ordered,
    }
}

/// Machine, experiment and quantity of comparable rows.
type Group<'a> = (&'a str, &'a str, &'a str);

/// Comparison of the orders of published and simulated values, over pairs of rows of the same machine, experiment and
/// quantity.
#[derive(Debug, Default)]
struct Order {
    concordant: u64,
    discordant: u64,
    /// Number of pairs whose published values differ; `simulated` is the number of pairs whose simulated values
    /// differ.
    published: u64,
    simulated: u64,
    gaps: u64,
    gaps_ordered: u64,
}

impl Order {
    fn of(rows: &[&ValidationRow]) -> Order {
        // Only numbers have a rank; a value within a published range has none.
        let mut groups: BTreeMap<Group<'_>, Vec<(f64, f64)>> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.expected.is_none()) {
            if let (Some(published), Some(simulated)) = (row.published, row.simulated) {
                let group = (&*row.machine, &*row.experiment, &*row.quantity);
                groups.entry(group).or_default().push((published, simulated));
            }
        }
        let mut order = Order::default();
        for values in groups.values() {
            for (at, a) in values.iter().enumerate() {
                values[..at].iter().for_each(|b| order.pair(*a, *b));
            }
        }
        order
    }

    fn pair(&mut self, a: (f64, f64), b: (f64, f64)) {
        let (published, simulated) = (a.0.total_cmp(&b.0), a.1.total_cmp(&b.1));
        self.published += u64::from(published.is_ne());
        self.simulated += u64::from(simulated.is_ne());
        let concordant = published == simulated && published.is_ne();
        self.concordant += u64::from(concordant);
        self.discordant += u64::from(published == simulated.reverse() && published.is_ne());
        let (least, most) = (a.0.abs().min(b.0.abs()), a.0.abs().max(b.0.abs()));
        if most > least * (1.0 + GAP) {
            self.gaps += 1;
            self.gaps_ordered += u64::from(concordant);
        }
    }

    /// Kendall's tau-b, the rank correlation of published and simulated values: (concordant − discordant) over the
    /// root of `published` × `simulated`. `None` if one of them is 0.
    fn tau(&self) -> Option<f64> {
        let pairs = (self.published as f64 * self.simulated as f64).sqrt();
        (pairs > 0.0).then(|| (self.concordant as f64 - self.discordant as f64) / pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn order(values: &[(f64, f64)]) -> Order {
        let mut order = Order::default();
        for (at, a) in values.iter().enumerate() {
            values[..at].iter().for_each(|b| order.pair(*a, *b));
        }
        order
    }

    // Published 1 2 3 4, simulated 1 3 2 4: six pairs, five in order, one not: (5 - 1) / 6.
    #[test]
    fn one_pair_of_six_is_the_wrong_way() {
        let order = order(&[(1.0, 1.0), (2.0, 3.0), (3.0, 2.0), (4.0, 4.0)]);
        assert!((order.tau().unwrap() - 4.0 / 6.0).abs() < 1e-12);
        assert_eq!((order.gaps, order.gaps_ordered), (6, 5));
    }

    // Published 1 1 2 3 (five pairs apart), simulated 1 2 2 3 (five pairs apart). Of the pairs apart in both,
    // (1,2) (1,3) (1,3) (2,3), all four are in order: tau-b = 4 / sqrt(5 x 5) = 0.8. Gaps: five; the pair (1, 2)
    // that the simulator ties is not ordered.
    #[test]
    fn ties_count_on_their_side() {
        let order = order(&[(1.0, 1.0), (1.0, 2.0), (2.0, 2.0), (3.0, 3.0)]);
        assert!((order.tau().unwrap() - 0.8).abs() < 1e-12);
        assert_eq!((order.gaps, order.gaps_ordered), (5, 4));
    }

    // 1.00 and 1.04 are 4 % apart: no gap, for any simulated values. 1.00 and 1.06 are a gap.
    #[test]
    fn small_gaps_may_be_the_wrong_way() {
        let order = order(&[(1.0, 2.0), (1.04, 1.0)]);
        assert_eq!((order.gaps, order.tau()), (0, Some(-1.0)));
        let order = self::order(&[(1.0, 2.0), (1.06, 1.0)]);
        assert_eq!((order.gaps, order.gaps_ordered), (1, 0));
    }

    #[test]
    fn one_value_has_no_order() {
        assert_eq!(order(&[(1.0, 1.0)]).tau(), None);
        assert_eq!(order(&[(1.0, 1.0), (1.0, 2.0)]).tau(), None, "nothing apart in what was published");
    }

    proptest! {
        /// Any increasing function of the published values is in perfect order, its negative in reverse.
        #[test]
        fn only_ranks_count(values in prop::collection::btree_set(1u32..1000, 2..12)) {
            let pairs = |sign: f64| -> Vec<(f64, f64)> {
                values.iter().map(|value| (f64::from(*value), sign * f64::from(*value).sqrt())).collect()
            };
            prop_assert_eq!(order(&pairs(1.0)).tau(), Some(1.0));
            prop_assert_eq!(order(&pairs(-1.0)).tau(), Some(-1.0));
            let order = order(&pairs(1.0));
            prop_assert_eq!(order.gaps, order.gaps_ordered);
        }

        /// Neither the order of the rows nor a mirror of both sides changes anything.
        #[test]
        fn tau_is_symmetric(values in prop::collection::vec((0u8..6, 0u8..6), 2..10)) {
            let values: Vec<(f64, f64)> =
                values.into_iter().map(|(a, b)| (f64::from(a), f64::from(b))).collect();
            let turned: Vec<(f64, f64)> = values.iter().rev().copied().collect();
            let swapped: Vec<(f64, f64)> = values.iter().map(|(a, b)| (*b, *a)).collect();
            let tau = order(&values).tau();
            prop_assert_eq!(tau, order(&turned).tau());
            prop_assert_eq!(tau, order(&swapped).tau());
            prop_assert!(tau.is_none_or(|tau| (-1.0..=1.0).contains(&tau)));
        }
    }
}
