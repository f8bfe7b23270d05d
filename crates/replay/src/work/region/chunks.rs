//! Chunks of a loop in the order of its iterations.

use super::Taken;
use crate::work::instance::Sample;

/// Largest number of unobserved chunks that become samples of their own.
const MOST_DEALT: u64 = 1 << 20;
/// Largest number of chunks of a loop.
const MOST_SEEN: usize = 1 << 20;

/// Chunks in the order of iterations. If the loop counts down, the first chunk taken has the
/// highest value.
pub(super) fn in_order(mut taken: Vec<Taken>) -> Vec<Sample> {
    taken.sort_by_key(|taken| taken.first as i64);
    let first = taken.iter().min_by_key(|taken| taken.at).map(|taken| taken.first);
    if taken.len() > 1 && taken.last().map(|taken| taken.first) == first {
        taken.reverse();
    }
    taken.iter().map(|taken| taken.sample).collect()
}

/// Merges adjacent chunks if there are more than `MOST_SEEN`.
pub(super) fn gathered(samples: Vec<Sample>) -> Vec<Sample> {
    if samples.len() <= MOST_SEEN {
        return samples;
    }
    let one = |chunks: &[Sample]| Sample {
        count: chunks.iter().map(|sample| sample.count).fold(0, u64::saturating_add),
        ns: chunks.iter().map(|sample| sample.ns).fold(0, u64::saturating_add),
        disturbed: chunks.iter().any(|sample| sample.disturbed),
        touched: 0,
    };
    samples.chunks(samples.len().div_ceil(MOST_SEEN)).map(one).collect()
}

/// One block for each member, as under `schedule(static)`: if the iterations do not divide evenly, the first members
/// have one more. Empty blocks are left out. `members`: number and nanoseconds of each member.
pub(super) fn blocks(iterations: u64, team: u64, members: &[(u64, u64)]) -> Vec<Sample> {
    let (share, more) = (iterations / team, iterations % team);
    let each = members.iter().map(|(member, ns)| {
        let count = share + u64::from(*member < more);
        Sample { count, ns: *ns, ..Sample::default() }
    });
    each.filter(|sample| sample.count > 0).collect()
}

/// All chunks of `schedule(static,c)`, of which only the first of each member was observed. They are dealt
/// round-robin; each member's time is divided among its chunks by their iterations.
pub(super) fn dealt(iterations: u64, team: u64, chunk: u64, seen: &[Taken]) -> Vec<Sample> {
    // The first chunks are adjacent, in the order of members.
    let firsts = in_order(seen.to_vec());
    let chunks = iterations.div_ceil(chunk);
    if chunks > MOST_DEALT {
        // Chunks this small differ only by chance: they become one sample.
        let ns = firsts.iter().map(|sample| sample.ns).fold(0, u64::saturating_add);
        let disturbed = firsts.iter().any(|sample| sample.disturbed);
        return vec![Sample { count: iterations, ns, disturbed, touched: 0 }];
    }
    let count = |number: u64| chunk.min(iterations - number * chunk);
    let mut totals = vec![0u64; firsts.len()];
    for number in 0..chunks {
        if let Some(total) = totals.get_mut((number % team) as usize) {
            *total += count(number);
        }
    }
    (0..chunks)
        .map(|number| {
            let member = (number % team) as usize;
            let (sample, total) =
                (firsts.get(member).copied().unwrap_or_default(), totals.get(member).copied().unwrap_or(0));
            let ns = sample.ns as f64 * count(number) as f64 / total.max(1) as f64;
            Sample { count: count(number), ns: ns.round() as u64, disturbed: sample.disturbed, touched: 0 }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(first: u64, count: u64, at: u64, ns: u64) -> Taken {
        Taken { first, at, sample: Sample { count, ns, ..Sample::default() } }
    }

    // schedule(static,4) over 18 iterations by 2: the first has 0-3, 8-11, 16-17 (10 iterations, 100
    // ns), the second 4-7 and 12-15 (8 iterations, 40 ns): 40, 20, 40, 20, and 2 of 10 iterations: 20.
    #[test]
    fn chunks_that_were_not_seen_are_dealt() {
        let samples = dealt(18, 2, 4, &[taken(0, 4, 0, 100), taken(4, 4, 9, 40)]);
        let pairs: Vec<(u64, u64)> = samples.iter().map(|sample| (sample.count, sample.ns)).collect();
        assert_eq!(pairs, [(4, 40), (4, 20), (4, 40), (4, 20), (2, 20)]);
    }

    #[test]
    fn many_chunks_are_merged_without_loss() {
        let all: Vec<Sample> =
            (0..3_000_000).map(|ns| Sample { count: 2, ns: ns % 7, ..Sample::default() }).collect();
        let ns: u64 = all.iter().map(|sample| sample.ns).sum();
        let few = gathered(all);
        assert_eq!(few.len(), 1_000_000);
        assert!(few.iter().all(|sample| sample.count == 6));
        assert_eq!(few.iter().map(|sample| sample.ns).sum::<u64>(), ns);
    }

    #[test]
    fn a_loop_may_count_downwards() {
        let samples = in_order(vec![taken(7, 3, 5, 70), taken(10, 3, 1, 100), taken(4, 3, 9, 40)]);
        assert_eq!(samples.iter().map(|sample| sample.ns).collect::<Vec<_>>(), [100, 70, 40]);
        // -2 is less than 1.
        let samples = in_order(vec![taken(1, 3, 5, 10), taken(-2i64 as u64, 3, 1, 20)]);
        assert_eq!(samples.iter().map(|sample| sample.ns).collect::<Vec<_>>(), [20, 10]);
    }

    // 10 iterations by 4: 3, 3, 2, 2.
    #[test]
    fn blocks_are_those_of_the_standard() {
        let members: Vec<(u64, u64)> = (0..4).map(|member| (member, 5)).collect();
        assert_eq!(
            blocks(10, 4, &members).iter().map(|sample| sample.count).collect::<Vec<_>>(),
            [3, 3, 2, 2]
        );
    }
}
