//! Consecutive slices in proportion to a weight.

use numalab_syntax::expression::{Cursor, Program};
use numalab_syntax::tree::show;
use std::iter;
use std::sync::Arc;

/// Cuts `size` bytes into `count` consecutive slices in proportion to the weights: bound `k` is
/// `floor(size · w(0..k) / w(0..count))`. Exact where all weights are whole numbers.
pub(crate) fn partition(weight: &Program, count: u64, size: u64) -> Result<Arc<[u64]>, String> {
    let mut sum = 0.0;
    let mut exact: u128 = 0;
    let mut whole = true;
    let mut wrong = None;
    weight.each(0, count, |first, values| {
        for (k, &value) in values.iter().enumerate() {
            if !(value.is_finite() && value >= 0.0) {
                wrong.get_or_insert((first + k as u64, value));
            }
            sum += value;
            // Whole numbers up to here are exact in a float.
            whole &= value.fract() == 0.0 && value <= (1u64 << 53) as f64;
            exact = exact.saturating_add(value as u128);
        }
    });
    if let Some((i, value)) = wrong {
        return Err(format!(
            "the weight of iteration {i} is {}; weights are finite and not negative",
            show(value)
        ));
    }
    if sum <= 0.0 || !sum.is_finite() {
        return Err(format!(
            "the weights of all iterations sum to {}; expected a finite number above 0",
            show(sum)
        ));
    }
    // Collected at once into what is kept: a column may be larger than all else.
    let mut weights = Cursor::new(weight);
    let mut exactly = Exactly { size, total: exact, bound: 0, remainder: 0 };
    let mut before = 0.0;
    let next = |i| {
        let value = weights.at(i);
        if i + 1 == count {
            return size;
        }
        if whole {
            return exactly.next(value);
        }
        before += value;
        ((size as f64 * (before / sum)) as u64).min(size)
    };
    Ok(iter::once(0).chain((0..count).map(next)).collect())
}

/// Carries the remainder along instead of dividing 128-bit products, which would take most of the
/// time of a large workload.
struct Exactly {
    size: u64,
    total: u128,
    bound: u64,
    remainder: u128,
}

impl Exactly {
    fn next(&mut self, value: f64) -> u64 {
        let product = u128::from(self.size) * value as u128;
        let (quotient, rest) = match (u64::try_from(product), u64::try_from(self.total)) {
            (Ok(product), Ok(total)) => (product / total, u128::from(product % total)),
            _ => ((product / self.total) as u64, product % self.total),
        };
        self.remainder += rest;
        let carry = self.remainder >= self.total;
        self.remainder -= if carry { self.total } else { 0 };
        self.bound += quotient + u64::from(carry);
        self.bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slices::program;
    use proptest::prelude::*;

    #[test]
    fn slices_are_in_proportion() {
        // Weights 1, 2, 3, 4 of 100 bytes: sums 1, 3, 6, 10 of 10.
        assert_eq!(&partition(&program("i + 1"), 4, 100).unwrap()[..], [0, 10, 30, 60, 100]);
        // Halves are no whole numbers: 0.5, 1, 1.5 of 3 of 10 bytes: 1.67, 5, 10.
        assert_eq!(&partition(&program("(i + 1) / 2"), 3, 10).unwrap()[..], [0, 1, 5, 10]);
    }

    #[test]
    fn bad_weights_are_named() {
        assert!(partition(&program("2 - i"), 4, 10).unwrap_err().contains("iteration 3 is -1"));
        assert!(partition(&program("i / i"), 4, 10).unwrap_err().contains("iteration 0 is NaN"));
        assert!(partition(&program("0 * i"), 4, 10).unwrap_err().contains("sum to 0"));
    }

    proptest! {
        /// The carried remainder gives the same bounds as the definition.
        #[test]
        fn carrying_equals_dividing(a in 1u64..1_000_000_000, b in 0u64..1000, size in 1u64..(1 << 60), n in 1u64..600) {
            let weight = program(&format!("{a} + {b} * i"));
            let total: u128 = (0..n).map(|i| u128::from(a + b * i)).sum();
            let mut sum = 0;
            let bounds = partition(&weight, n, size).unwrap();
            prop_assert_eq!(bounds.len() as u64, n + 1);
            for i in 0..n {
                prop_assert_eq!(u128::from(bounds[i as usize]), u128::from(size) * sum / total);
                sum += u128::from(a + b * i);
            }
            prop_assert_eq!(bounds[n as usize], size);
        }
    }
}
