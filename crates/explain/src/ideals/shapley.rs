//! Shapley values: mean contribution of each player over all orders of the players.

// Glossary: Shapley value: What an ideal gains in the mean over all orders in which ideals may be granted.

use numalab_des::{Domain, Streams};

/// Shapley values of a game over one common denominator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shapley {
    /// Sums of each player's contributions, over orders or over sets weighted by their orders; exact integers.
    pub sums: Vec<i128>,
    /// Divisor of the sums; a value is a sum divided by it.
    pub over: i128,
    /// Sums by player for each pair of orders; empty if the values are exact.
    pub pairs: Vec<Vec<i128>>,
}

impl Shapley {
    /// Shapley value of a player, numbered from 0.
    pub fn value(&self, player: usize) -> f64 {
        self.sums[player] as f64 / self.over as f64
    }

    /// Standard error of a player's value; 0 for exact values. Pairs of an order and its reverse are drawn
    /// independently of each other.
    pub fn error(&self, player: usize) -> f64 {
        let pairs = self.pairs.len() as f64;
        if pairs < 2.0 {
            return 0.0;
        }
        let values = || self.pairs.iter().map(|pair| pair[player] as f64 / 2.0);
        let mean = values().sum::<f64>() / pairs;
        let variance = values().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (pairs - 1.0);
        (variance / pairs).sqrt()
    }
}

/// Exact Shapley values. `gain` returns the gain of a set of players, one bit each.
pub(crate) fn exact(players: usize, gain: impl Fn(u32) -> i128) -> Shapley {
    let factorial = |n: usize| (1..=n as i128).product::<i128>();
    let mut sums = vec![0; players];
    for set in 0..1u32 << players {
        let weight = |size: usize| factorial(size) * factorial(players - size - 1);
        for (player, sum) in sums.iter_mut().enumerate().filter(|(player, _)| set & 1 << player == 0) {
            *sum += weight(set.count_ones() as usize) * (gain(set | 1 << player) - gain(set));
        }
    }
    Shapley { sums, over: factorial(players), pairs: Vec::new() }
}

/// Draws `pairs` random orders of the players, each together with its reverse.
pub(crate) fn orders(players: usize, pairs: u64, seed: u64) -> Vec<Vec<usize>> {
    let mut orders = Vec::new();
    for pair in 0..pairs {
        let mut stream = Streams::new(seed).stream(Domain::Orders, pair);
        let mut order: Vec<usize> = (0..players).collect();
        for at in (1..players).rev() {
            order.swap(at, stream.below(at as u64 + 1) as usize);
        }
        let reverse = order.iter().rev().copied().collect();
        orders.extend([order, reverse]);
    }
    orders
}

/// Sets of players along an order, from the empty set to all players, adding one player at a time; one bit per
/// player.
pub(crate) fn sets(order: &[usize]) -> impl Iterator<Item = u32> + '_ {
    let mut set = 0;
    std::iter::once(0).chain(order.iter().map(move |player| {
        set |= 1 << player;
        set
    }))
}

/// Means over drawn orders. Each order is followed by its reverse.
pub(crate) fn sampled(players: usize, orders: &[Vec<usize>], gain: impl Fn(u32) -> i128) -> Shapley {
    let mut pairs = Vec::new();
    for pair in orders.chunks(2) {
        let mut sums = vec![0; players];
        for order in pair {
            let gains: Vec<i128> = sets(order).map(&gain).collect();
            for (player, step) in order.iter().zip(gains.windows(2)) {
                sums[*player] += step[1] - step[0];
            }
        }
        pairs.push(sums);
    }
    let sums = (0..players).map(|player| pairs.iter().map(|pair| pair[player]).sum()).collect();
    Shapley { sums, over: orders.len().max(1) as i128, pairs }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Gloves: player 0 has a left glove, two players have right ones, and a pair is worth 1. In 4 of 6 orders the
    /// left glove completes a pair, in one order each the right ones do.
    #[test]
    fn the_rare_glove_is_worth_most() {
        let gain = |set: u32| i128::from(set & 1 != 0 && set & 6 != 0);
        let values = exact(3, gain);
        assert_eq!((values.sums, values.over), (vec![4, 1, 1], 6));
    }

    proptest! {
        /// Law: Shares of ideals add up to the whole gain.
        ///
        /// In any game the values sum to the gain of all players, and a player that adds nothing has the value 0.
        #[test]
        fn values_add_up(gains in proptest::collection::vec(-1_000_000_000_000i64..1_000_000_000_000, 64), nobody in 0usize..6, seed in any::<u64>()) {
            // A player that adds nothing to any set.
            let gain = |set: u32| i128::from(gains[(set & !(1 << nobody)) as usize]);
            let values = exact(6, gain);
            let whole = gain(63) - gain(0);
            prop_assert_eq!(values.sums.iter().sum::<i128>(), whole * values.over);
            prop_assert_eq!(values.sums[nobody], 0);
            let drawn = orders(6, 5, seed);
            let some = sampled(6, &drawn, gain);
            prop_assert_eq!(some.sums.iter().sum::<i128>(), whole * some.over);
            prop_assert_eq!(some.sums[nobody], 0);
        }

        /// All orders together give the exact values.
        #[test]
        fn all_orders_are_exact(gains in proptest::collection::vec(-1000i64..1000, 8)) {
            let gain = |set: u32| i128::from(gains[set as usize]);
            let all = [[0, 1, 2], [2, 1, 0], [0, 2, 1], [1, 2, 0], [1, 0, 2], [2, 0, 1]].map(|order| order.to_vec());
            let values = sampled(3, &all, gain);
            let expected = exact(3, gain);
            prop_assert_eq!((values.sums, values.over), (expected.sums, expected.over));
        }
    }
}
