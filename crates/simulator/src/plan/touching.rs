//! Finds the accesses that can touch bytes in given iterations. In recorded programs a phase has hundreds of accesses,
//! of which an iteration makes few.

use numalab_workload::{Access, Phase, Piece, Slice};
use std::ops::Range;

/// Accesses that can touch bytes in some iterations, with the bytes. The size of a block, its cut and its plan ask for
/// the same iterations one after the other.
#[derive(Debug, Default)]
pub(super) struct BlockAccesses {
    iterations: Range<u64>,
    /// Indices of the accesses, ascending. Scratch space.
    found: Vec<u32>,
    /// Accesses with a piece, and their pieces, in the order of `found`.
    pub pieces: Vec<(u32, Piece)>,
    /// True if each access has a piece without a gap, or touches nothing.
    pub joins: bool,
}

impl BlockAccesses {
    /// Finds the accesses of iterations, unless they are known from the last call.
    pub fn find(&mut self, iterations: &Range<u64>, accesses: &[Access], touching: &Touching) {
        if self.iterations == *iterations {
            return;
        }
        self.iterations = iterations.clone();
        touching.find(iterations, &mut self.found);
        self.pieces.clear();
        self.joins = true;
        for at in &self.found {
            let piece = accesses[*at as usize].slice.piece(iterations.start, iterations.end);
            self.joins &= piece.is_some_and(|one| [0, one.end - one.start].contains(&one.touched));
            self.pieces.extend(piece.map(|piece| (*at, piece)));
        }
    }
}

/// Accesses of a phase, by iteration.
pub(super) struct Touching {
    /// Accesses that all iterations make.
    always: Vec<u32>,
    /// Accesses that some iterations make, by iteration.
    some: Vec<u32>,
    /// Index in `some` of the first access of each iteration, and the length of `some`; empty if `some` is.
    first: Vec<u32>,
    /// Number of accesses of the phase.
    all: u32,
}

impl Touching {
    pub fn new(phase: &Phase) -> Touching {
        let numbered = || (0..).zip(&phase.accesses);
        let partial = || {
            numbered().filter_map(|(at, access)| match &access.slice {
                Slice::Partial(partial) => Some((at, partial.iterations())),
                Slice::Partition(_) | Slice::Explicit(_) | Slice::Sparse(_) | Slice::Whole(_) => None,
            })
        };
        let is_partial = |slice: &Slice| matches!(slice, Slice::Partial(_));
        let always = numbered().filter(|(_, access)| !is_partial(&access.slice)).map(|(at, _)| at).collect();
        let all = phase.accesses.len() as u32;
        if partial().next().is_none() {
            return Touching { always, some: Vec::new(), first: Vec::new(), all };
        }
        // `first[i + 1]` counts the accesses of iteration i, then is the end of those before it, then of its own.
        let mut first = vec![0u32; phase.iterations as usize + 2];
        for iteration in partial().flat_map(|(_, iterations)| &iterations[..]) {
            first[*iteration as usize + 2] += 1;
        }
        let mut sum = 0;
        for entry in &mut first {
            sum += *entry;
            *entry = sum;
        }
        let mut some = vec![0; sum as usize];
        for (at, iterations) in partial() {
            for iteration in &iterations[..] {
                let place = &mut first[*iteration as usize + 1];
                some[*place as usize] = at;
                *place += 1;
            }
        }
        first.pop();
        Touching { always, some, first, all }
    }

    /// Replaces `found` by the indices of the accesses that can touch bytes in `iterations`, ascending.
    pub fn find(&self, iterations: &Range<u64>, found: &mut Vec<u32>) {
        found.clear();
        let (lo, hi) = (iterations.start as usize, iterations.end as usize);
        let some = match (self.first.get(lo), self.first.get(hi)) {
            (Some(from), Some(to)) => &self.some[*from as usize..*to as usize],
            _ => &[],
        };
        if some.len() >= self.all as usize {
            found.extend(0..self.all);
            return;
        }
        found.extend(self.always.iter().chain(some));
        if !some.is_empty() {
            found.sort_unstable();
            found.dedup();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_workload::{Access, Mode, RegionId};
    use proptest::prelude::*;

    proptest! {
        /// All accesses with bytes in a range of iterations are found, in order.
        #[test]
        fn accesses_of_iterations_are_found(
            lists in proptest::collection::vec(proptest::option::of(proptest::collection::btree_set(0u32..9, 0..9)), 0..6),
            lo in 0u64..9,
            length in 1u64..9,
        ) {
            let access = |list: &Option<std::collections::BTreeSet<u32>>| {
                let slice = match list {
                    None => Slice::Whole(1),
                    Some(list) => {
                        Slice::partial(9, list.iter().copied().collect(), Slice::evenly(9, list.len().max(1) as u64))
                    }
                };
                Access::new(RegionId(0), slice, Mode::Read)
            };
            let phase = Phase { accesses: lists.iter().map(access).collect(), ..Phase::new("p", 9) };
            let range = lo..(lo + length).min(9);
            let mut found = vec![7];
            Touching::new(&phase).find(&range, &mut found);
            prop_assert!(found.is_sorted_by(|one, next| one < next));
            for (at, access) in (0u32..).zip(&phase.accesses) {
                let touches = access.slice.piece(range.start, range.end).is_some_and(|piece| piece.touched > 0);
                prop_assert!(!touches || found.contains(&at), "{} {:?}", at, found);
                prop_assert!((at as usize) < phase.accesses.len());
            }
        }
    }
}
