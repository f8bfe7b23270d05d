//! Consecutive slices whose sizes are in proportion to weights.

use numalab_syntax::expression::Program;
use numalab_syntax::tree::show;
use std::iter;
use std::sync::Arc;

/// Cuts `size` bytes into `count` consecutive slices in proportion to the weights: bound `k` is `floor(size · w(0..k)
/// / w(0..count))`. Exact if all weights are whole numbers.
pub(crate) fn partition(weight: &Program, count: u64, size: u64) -> Result<Arc<[u64]>, String> {
    // Weights are stored in the place of their bounds, to save memory: a column can be the largest object of all.
    // Evaluating the weights twice instead would take longer than all other work on them.
    let mut bounds: Arc<[u64]> = iter::repeat_n(0, count as usize + 1).collect();
    let kept = Arc::get_mut(&mut bounds).map_or(&mut [][..], |bounds| &mut bounds[1..]);
    let mut sum = 0.0;
    let mut exact: u128 = 0;
    let mut most: f64 = 0.0;
    let mut whole = true;
    let mut wrong = None;
    weight.each(0, count, |first, values| {
        // Sums of exact whole numbers in a block fit into 64 bits.
        let mut block: u64 = 0;
        for ((k, &value), kept) in (first..).zip(values).zip(&mut kept[first as usize..]) {
            if !(value.is_finite() && value >= 0.0) {
                wrong.get_or_insert((k, value));
            }
            sum += value;
            most = most.max(value);
            whole &= value <= (1u64 << 53) as f64 && (value as i64) as f64 == value;
            block = block.wrapping_add(value as i64 as u64);
            *kept = value.to_bits();
        }
        exact = exact.saturating_add(u128::from(block));
    });
    if let Some((i, value)) = wrong {
        return Err(format!(
            "the weight of iteration {i} is {}; weights are finite and not negative",
            show(value)
        ));
    }
    // Every slice of nothing is empty, whatever its weight.
    if count == 0 || (size == 0 && sum == 0.0) {
        kept.fill(0);
        return Ok(bounds);
    }
    if sum <= 0.0 || !sum.is_finite() {
        return Err(format!(
            "the weights of all iterations sum to {}; expected a finite number above 0",
            show(sum)
        ));
    }
    if whole {
        bound_exactly(kept, size, exact, most as u64);
    } else {
        let mut before = 0.0;
        for kept in &mut *kept {
            before += f64::from_bits(*kept);
            *kept = ((size as f64 * (before / sum)) as u64).min(size);
        }
    }
    if let Some(last) = kept.last_mut() {
        *last = size;
    }
    Ok(bounds)
}

/// Replaces whole weights, each at most `most` and `total` in sum, by bounds in `size` bytes. The remainder is
/// carried along, since dividing 128-bit products would take most of the time for large workloads.
fn bound_exactly(kept: &mut [u64], size: u64, total: u128, most: u64) {
    let weights = |kept: &u64| f64::from_bits(*kept) as i64 as u64;
    let mut bound = 0;
    if let (Some(_), Ok(total)) = (size.checked_mul(most), u64::try_from(total))
        && total < 1 << 63
    {
        let mut remainder = 0;
        for kept in kept {
            let product = size * weights(kept);
            remainder += product % total;
            let carry = remainder >= total;
            remainder -= if carry { total } else { 0 };
            bound += product / total + u64::from(carry);
            *kept = bound;
        }
        return;
    }
    let mut remainder = 0;
    for kept in kept {
        let product = u128::from(size) * u128::from(weights(kept));
        remainder += product % total;
        let carry = remainder >= total;
        remainder -= if carry { total } else { 0 };
        bound += (product / total) as u64 + u64::from(carry);
        *kept = bound;
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
        // Halves: 0.5, 1, 1.5 of 3 of 10 bytes: 1.67, 5, 10.
        assert_eq!(&partition(&program("(i + 1) / 2"), 3, 10).unwrap()[..], [0, 1, 5, 10]);
    }

    #[test]
    fn bad_weights_are_named() {
        assert!(partition(&program("2 - i"), 4, 10).unwrap_err().contains("iteration 3 is -1"));
        assert!(partition(&program("i / i"), 4, 10).unwrap_err().contains("iteration 0 is NaN"));
        assert!(partition(&program("0 * i"), 4, 10).unwrap_err().contains("sum to 0"));
    }

    #[test]
    fn empty_partitions_need_no_weights() {
        assert_eq!(&partition(&program("1"), 0, 100).unwrap()[..], [0]);
        assert_eq!(&partition(&program("0 * i"), 2, 0).unwrap()[..], [0, 0, 0]);
        assert_eq!(&partition(&program("1"), 2, 0).unwrap()[..], [0, 0, 0]);
    }

    proptest! {
        #[test]
        fn carrying_equals_dividing(a in 1u64..1_000_000_000, b in 0u64..1000, size in 1u64..(1 << 60), less in 0u32..60, n in 1u64..600) {
            // The products have 64 or 128 bits, depending on the size.
            let size = (size >> less).max(1);
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
