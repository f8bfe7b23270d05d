//! Random streams. Every component draws from its own stream, so that a new draw in one component never shifts the
//! draws of another, and two policies see the same numbers.

// Glossary: seed: Number that all random streams of a run start from.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Choice of victims by threads that steal iterations.
    Steal,
    /// Choice of the task queues from which threads steal.
    TaskSteal,
    /// Random orders, such as those in which ideals are granted.
    Orders,
    /// Instants at which idle processors look for threads to move.
    Balance,
    /// Times of requests that race with an owner's writes.
    Requests,
    /// Times of computing and of starts in perturbed replicas.
    Noise,
    /// Values of machines and runtimes that are not known exactly.
    Values,
    /// Schedules that a method of learning draws.
    Learning,
}

/// Random streams of one run, all derived from its seed.
#[derive(Clone, Copy, Debug)]
pub struct Streams {
    seed: u64,
}

#[derive(Clone, Debug)]
pub struct Stream {
    generator: Xoshiro256PlusPlus,
}

impl Streams {
    pub fn new(seed: u64) -> Streams {
        Streams { seed }
    }

    /// Streams of a replica of the run with a seed. Replica 0 has those of [`Streams::new`].
    pub fn of_replica(seed: u64, replica: u32) -> Streams {
        match replica {
            0 => Streams::new(seed),
            _ => Streams::new(seed).part([replica.into()]),
        }
    }

    /// Streams of a part of the run with a key, such as a phase.
    pub fn part(&self, key: impl IntoIterator<Item = u64>) -> Streams {
        Streams { seed: mixed(self.seed, key) }
    }

    /// Even number from 0 to below 1 that depends on the seed, the domain and the key only. Unlike the next number of
    /// a stream, it is the same however often it is taken, so executions that repeat stay equal.
    pub fn even<const N: usize>(&self, domain: Domain, key: [u64; N]) -> f64 {
        /// Distance of neighbouring numbers: the mantissa of an `f64` has 53 bits.
        const STEP: f64 = 1.0 / (1u64 << 53) as f64;
        (mixed(mixed(self.seed, [domain as u64]), key) >> 11) as f64 * STEP
    }

    /// Stream of the component with number `index` in a domain.
    pub fn stream(&self, domain: Domain, index: u64) -> Stream {
        // Three rounds of SplitMix64, the last one in `seed_from_u64`, make the streams of neighbouring indices
        // unrelated.
        let seed = mixed(self.seed, [domain as u64, index]);
        Stream { generator: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }
}

/// Hash of words: one round of SplitMix64 for each.
fn mixed(start: u64, words: impl IntoIterator<Item = u64>) -> u64 {
    words.into_iter().fold(start, |mixed, word| {
        SplitMix64::seed_from_u64(mixed ^ word.wrapping_mul(0x9E37_79B9_7F4A_7C15)).next_u64()
    })
}

impl Stream {
    /// Uniform integer below `bound` (Lemire's method). `bound` must not be 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        debug_assert!(bound > 0, "no number is below 0");
        loop {
            let wide = u128::from(self.generator.next_u64()) * u128::from(bound);
            let low = wide as u64;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (wide >> 64) as u64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ() {
        let draw = |seed, index| {
            let mut stream = Streams::new(seed).stream(Domain::Steal, index);
            (0..8).map(|_| stream.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1, 5), draw(1, 5));
        assert_ne!(draw(1, 5), draw(1, 6));
        assert_ne!(draw(1, 5), draw(2, 5));
    }

    /// Law: Replica 0 draws the numbers of the seed alone; other replicas draw others.
    #[test]
    fn replicas_differ() {
        let draw = |streams: Streams| {
            let mut stream = streams.stream(Domain::Steal, 3);
            (0..8).map(|_| stream.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(Streams::of_replica(5, 0)), draw(Streams::new(5)));
        let all: Vec<_> =
            (0..4).flat_map(|seed| (0..4).map(move |r| draw(Streams::of_replica(seed, r)))).collect();
        assert!((0..16).all(|one| (0..one).all(|other| all[one] != all[other])));
    }

    /// The mean of 10 000 even numbers has a standard deviation of 1 / sqrt(12 * 10 000) = 0.0029.
    #[test]
    fn numbers_of_keys_are_even() {
        let streams = Streams::of_replica(1, 1);
        let of = |key: u64| streams.even(Domain::Noise, [key / 100, key % 100]);
        let mean = (0..10_000).map(of).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.015, "{mean}");
        assert!((0..10_000).map(of).all(|number| (0.0..1.0).contains(&number)));
        assert_eq!(of(7), of(7));
        assert_ne!(of(7), of(8));
        assert_ne!(of(7), Streams::of_replica(1, 2).even(Domain::Noise, [0, 7]));
    }

    #[test]
    fn below_is_even() {
        let mut stream = Streams::new(7).stream(Domain::Steal, 0);
        let mut seen = [0u32; 3];
        for _ in 0..30_000 {
            seen[stream.below(3) as usize] += 1;
        }
        // 10 000 draws expected, standard deviation 82: the tolerance is six standard deviations.
        assert!(seen.iter().all(|count| (9_500..10_500).contains(count)), "{seen:?}");
    }
}
