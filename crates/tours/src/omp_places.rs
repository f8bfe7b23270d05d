//! Place lists in the syntax of `OMP_PLACES`.

use std::fmt::Write;

/// One place for each set of processors, in this order: `{0:8},{16:8}`. Evenly spaced numbers
/// become an interval `first:count:stride`, without the stride if it is 1.
pub fn omp_places(places: &[Vec<u32>]) -> String {
    let places: Vec<String> =
        places.iter().map(|processors| format!("{{{}}}", intervals(processors))).collect();
    places.join(",")
}

fn intervals(processors: &[u32]) -> String {
    let mut numbers = processors.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    let mut text = String::new();
    let mut rest = &numbers[..];
    while let [first, ..] = rest {
        let (count, stride) = run(rest);
        let comma = if text.is_empty() { "" } else { "," };
        // Writing to a string cannot fail.
        let _ = match (count, stride) {
            (1, _) => write!(text, "{comma}{first}"),
            (_, 1) => write!(text, "{comma}{first}:{count}"),
            _ => write!(text, "{comma}{first}:{count}:{stride}"),
        };
        rest = &rest[count..];
    }
    text
}

/// Length of the evenly spaced run at the start of `numbers`, and its stride. Two numbers that are not adjacent are
/// written separately, since a list is easier to read than an interval.
fn run(numbers: &[u32]) -> (usize, u32) {
    let Some(stride) = numbers.get(1).map(|second| second - numbers[0]) else { return (1, 1) };
    let even = numbers.windows(2).take_while(|pair| pair[1] - pair[0] == stride).count() + 1;
    if even == 2 && stride > 1 { (1, 1) } else { (even, stride) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn intervals_where_numbers_are_evenly_spaced() {
        let text = |processors: &[u32]| omp_places(&[processors.to_vec()]);
        assert_eq!(text(&[0, 1, 2, 3]), "{0:4}");
        assert_eq!(text(&[0, 1]), "{0:2}");
        // Hardware threads of a core, as they are numbered on most machines.
        assert_eq!(text(&[0, 1, 2, 64, 65, 66]), "{0:3,64:3}");
        // Every other core, as on machines that number cores alternately over two sockets.
        assert_eq!(text(&[1, 3, 5, 7]), "{1:4:2}");
        assert_eq!(text(&[3]), "{3}");
        assert_eq!(text(&[0, 5, 9, 10]), "{0,5,9:2}");
        assert_eq!(omp_places(&[vec![4], vec![1, 0]]), "{4},{0:2}");
        assert_eq!(omp_places(&[]), "");
    }

    proptest! {
        /// Expanding the notation gives the original processors.
        #[test]
        fn every_processor_is_named_once(numbers in prop::collection::btree_set(0u32..64, 1..40)) {
            let text = omp_places(&[numbers.iter().copied().collect()]);
            let mut named = Vec::new();
            for interval in text.trim_matches(['{', '}']).split(',') {
                let parts: Vec<u32> = interval.split(':').map(|part| part.parse().unwrap()).collect();
                let (count, stride) = (*parts.get(1).unwrap_or(&1), *parts.get(2).unwrap_or(&1));
                named.extend((0..count).map(|step| parts[0] + step * stride));
            }
            prop_assert_eq!(named, numbers.into_iter().collect::<Vec<_>>());
        }
    }
}
