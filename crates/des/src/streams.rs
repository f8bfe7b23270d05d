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

    /// Stream of the component with number `index` in a domain.
    pub fn stream(&self, domain: Domain, index: u64) -> Stream {
        // Three rounds of SplitMix64, the last one in `seed_from_u64`, make the streams of neighbouring indices
        // unrelated.
        let mut mixed = self.seed;
        for word in [domain as u64, index] {
            mixed = SplitMix64::seed_from_u64(mixed ^ word.wrapping_mul(0x9E37_79B9_7F4A_7C15)).next_u64();
        }
        Stream { generator: Xoshiro256PlusPlus::seed_from_u64(mixed) }
    }
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
