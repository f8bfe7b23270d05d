//! Difference of a value from its reference. It counts only if it is decided: if the ranges of the replicas have no value
//! in common.

use super::measure::{change, exceeds};
use crate::values::Ranged;
use numalab_results::{Broken, Violation};

/// Difference of a value from its reference, beside the limit.
pub(super) enum Difference {
    Within,
    /// Beyond the limit, but the ranges have values in common.
    Undecided,
    Beyond(Violation),
}

/// Compares a value at a point with a reference; both have a name. `excess`: the part of a relative change that the limit
/// bounds.
pub(super) fn difference(
    (point, (name, value)): (&str, (&str, &Ranged)),
    (reference, reference_value): (&str, &Ranged),
    excess: impl Fn(f64) -> f64,
    limit: f64,
) -> Difference {
    let change = change(value.median, reference_value.median);
    if !exceeds(excess(change), limit) {
        return Difference::Within;
    }
    if !value.is_apart(reference_value) {
        return Difference::Undecided;
    }
    let (value, reference_value) = (value.median, reference_value.median);
    let reference = reference.to_owned();
    Difference::Beyond(Violation {
        point: point.to_owned(),
        policy: name.to_owned(),
        broken: Broken::Beside { value, reference, reference_value, change, limit },
    })
}
