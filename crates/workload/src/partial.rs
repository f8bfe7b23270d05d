use crate::{Piece, Slice};
use std::ops::Range;
use std::sync::Arc;

/// Slices of some iterations; all others touch nothing. Takes memory in proportion to the iterations that touch bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Partial {
    /// Iterations that touch bytes, ascending.
    iterations: Arc<[u32]>,
    /// The same iterations as bits, if they are not too far apart; otherwise empty.
    words: Arc<[Word]>,
    /// Slices of these iterations, by their index in `iterations`.
    slice: Box<Slice>,
}

/// Which of 64 iterations touch bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Word {
    bits: u64,
    /// Number of iterations before these 64 that touch bytes.
    before: u32,
}

/// Numbers of the word and of the bit of an iteration.
fn place(iteration: u64) -> (u64, u64) {
    (iteration / 64, iteration % 64)
}

/// Iterations as bits, from the word of the first one on. Empty if they would take more than half of the memory of the
/// list.
fn words(iterations: &[u32]) -> Arc<[Word]> {
    /// Least number of iterations for each word: a word takes the memory of four.
    const EACH: u64 = 8;
    let (Some(&earliest), Some(&latest)) = (iterations.first(), iterations.last()) else { return [].into() };
    let base = place(earliest.into()).0;
    let count = place(latest.into()).0 - base + 1;
    if count * EACH > iterations.len() as u64 {
        return [].into();
    }
    let mut words = vec![Word::default(); count as usize];
    for iteration in iterations {
        let (word, bit) = place((*iteration).into());
        words[(word - base) as usize].bits |= 1 << bit;
    }
    let mut sum = 0;
    for word in &mut words {
        word.before = sum;
        sum += word.bits.count_ones();
    }
    words.into()
}

impl Partial {
    /// Iterations that touch bytes, ascending.
    pub fn iterations(&self) -> &Arc<[u32]> {
        &self.iterations
    }

    /// Slices of the iterations that touch bytes, by their index in [`Partial::iterations`].
    pub fn slice(&self) -> &Slice {
        &self.slice
    }

    /// Indices of the iterations among `lo..hi` that touch bytes.
    pub fn indices(&self, lo: u64, hi: u64) -> Range<u64> {
        let (Some(&earliest), Some(&latest)) = (self.iterations.first(), self.iterations.last()) else {
            return 0..0;
        };
        if !self.words.is_empty() {
            return self.rank(lo, earliest)..self.rank(hi, earliest);
        }
        // In most loops the iterations that touch bytes are evenly apart, or nearly.
        let apart = u64::from(latest - earliest).max(1);
        let among = |iterations: u64| (iterations * (self.iterations.len() as u64 - 1) / apart) as usize;
        let first = self.before(lo, among(lo.saturating_sub(earliest.into()).min(apart)));
        let none = self.iterations.get(first).is_none_or(|next| u64::from(*next) >= hi);
        let end = if none { first } else { self.before(hi, first + among((hi - lo).min(apart))) };
        first as u64..end as u64
    }

    /// Number of iterations that touch bytes before `limit`, from the bits. `earliest`: the first one that touches
    /// bytes.
    fn rank(&self, limit: u64, earliest: u32) -> u64 {
        let (word, bit) = place(limit);
        let Some(word) = word.checked_sub(place(earliest.into()).0) else { return 0 };
        match self.words.get(word as usize) {
            Some(Word { bits, before }) => u64::from(before + (bits & ((1 << bit) - 1)).count_ones()),
            None => self.iterations.len() as u64,
        }
    }

    /// Number of iterations that touch bytes before `limit`, searched for outwards from index `near`.
    fn before(&self, limit: u64, near: usize) -> usize {
        let is_before = |one: &u32| u64::from(*one) < limit;
        let near = near.min(self.iterations.len());
        let (mut low, mut high, mut step) = (near, near, 1);
        while low > 0 && !is_before(&self.iterations[low - 1]) {
            high = low - 1;
            low = low.saturating_sub(step);
            step *= 2;
        }
        while high < self.iterations.len() && is_before(&self.iterations[high]) {
            low = high + 1;
            high = (high + step).min(self.iterations.len());
            step *= 2;
        }
        low + self.iterations[low..high].partition_point(is_before)
    }

    /// The piece of iterations `lo..hi`; if they touch nothing, an empty piece behind the iterations before.
    pub(crate) fn piece(&self, lo: u64, hi: u64) -> Option<Piece> {
        let found = self.indices(lo, hi);
        match found.is_empty() {
            false => self.slice.piece(found.start, found.end),
            true => {
                let end = found.start.checked_sub(1).map_or(0, |last| self.slice.range(last).1);
                Some(Piece::dense(end, end))
            }
        }
    }
}

impl Slice {
    /// A slice for `iterations` iterations of which those in `touching` (ascending) have the slices in `slice`, by
    /// their index in `touching`, and all others touch nothing.
    pub fn partial(iterations: u64, touching: Vec<u32>, slice: Slice) -> Slice {
        match touching.len() as u64 == iterations {
            true => slice,
            false => Slice::Partial(Partial {
                words: words(&touching),
                iterations: touching.into(),
                slice: Box::new(slice),
            }),
        }
    }

    /// The slices of the iterations that can touch bytes, and the indices of those in `iterations` among them.
    pub fn touching(&self, iterations: Range<u64>) -> (&Slice, Range<u64>) {
        match self {
            Slice::Partial(partial) => (partial.slice(), partial.indices(iterations.start, iterations.end)),
            Slice::Partition(_) | Slice::Explicit(_) | Slice::Sparse(_) | Slice::Whole(_) => {
                (self, iterations)
            }
        }
    }

    /// Iterations that can touch bytes, of a loop of `iterations`, with the piece of each, in order.
    pub fn pieces(&self, iterations: u64) -> impl Iterator<Item = (u64, Piece)> + '_ {
        let (some, slice) = match self {
            Slice::Partial(partial) => (Some(&partial.iterations), partial.slice()),
            Slice::Partition(_) | Slice::Explicit(_) | Slice::Sparse(_) | Slice::Whole(_) => (None, self),
        };
        let count = some.map_or(iterations, |some| some.len() as u64);
        (0..count).filter_map(move |at| {
            let iteration = some.map_or(at, |some| some[at as usize].into());
            slice.piece(at, at + 1).map(|piece| (iteration, piece))
        })
    }

    /// True if the lines of an iteration come in random order.
    pub fn is_scattered(&self) -> bool {
        match self {
            Slice::Sparse(sparse) => sparse.is_scattered(),
            Slice::Partial(partial) => partial.slice.is_scattered(),
            Slice::Partition(_) | Slice::Explicit(_) | Slice::Whole(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pieces;

    // Of 6 iterations the second, third and sixth touch 10 bytes each, one after another.
    #[test]
    fn iterations_that_touch_nothing_have_empty_pieces() {
        let pieces = Slice::Explicit(Pieces::new([(0, 10), (10, 10), (20, 10)].into()));
        let some = Slice::partial(6, vec![1, 2, 5], pieces.clone());
        let spans: Vec<(u64, u64)> = (0..6).map(|at| some.range(at)).collect();
        assert_eq!(spans, [(0, 0), (0, 10), (10, 20), (20, 20), (20, 20), (20, 30)]);
        assert_eq!(some.piece(0, 6), pieces.piece(0, 3));
        assert_eq!(some.piece(2, 5), Some(Piece::dense(10, 20)));
        assert_eq!((some.piece(3, 5), some.total(6)), (Some(Piece::dense(20, 20)), 30));
        let touching: Vec<u64> = some.pieces(6).map(|(iteration, _)| iteration).collect();
        assert_eq!(touching, [1, 2, 5]);
        assert_eq!(Slice::partial(3, vec![0, 1, 2], pieces.clone()), pieces);
    }

    // Even, bunched, and absent at both ends, against a search of the whole list. The last two are close enough for
    // bits.
    #[test]
    fn every_range_is_found() {
        let lists = [
            vec![],
            vec![7],
            (0..40).map(|at| 13 * at + 5).collect(),
            (0..4).chain(90..92).collect(),
            (0..40).map(|at| 3 * at + 5).collect(),
            (0..40).chain(90..99).collect(),
        ];
        assert_eq!(
            lists.each_ref().map(|list| words(list).is_empty()),
            [true, true, true, true, false, false]
        );
        for touching in lists {
            let count = touching.len() as u64;
            let some = Slice::partial(200, touching.clone(), Slice::Whole(1));
            for (lo, hi) in (0..120).flat_map(|lo| (lo..130).map(move |hi| (lo, hi))) {
                let before =
                    |limit: u64| touching.iter().filter(|one| u64::from(**one) < limit).count() as u64;
                assert_eq!(some.touching(lo..hi).1, before(lo)..before(hi), "{lo}..{hi} of {count}");
            }
        }
    }
}
