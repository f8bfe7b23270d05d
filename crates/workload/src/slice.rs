use crate::Partial;
use std::sync::Arc;

// Glossary: slice: Bytes of a region that an iteration touches.
/// Bytes of a region that iteration `i` accesses.
#[derive(Clone, Debug, PartialEq)]
pub enum Slice {
    /// Consecutive slices: iteration `i` accesses the bytes `bounds[i]..bounds[i + 1]`.
    Partition(Arc<[u64]>),
    /// Any slices: each iteration has its own start and length.
    Explicit(Pieces),
    /// Some of the lines of a window, as in strided and blocked walks and gathers.
    Sparse(Sparse),
    /// The whole region (of this many bytes) in every iteration.
    Whole(u64),
    /// Only some iterations touch bytes.
    Partial(Partial),
}

/// Slices with their own start and length. Slices of successive iterations may overlap, as in the halo of a stencil.
#[derive(Clone, Debug, PartialEq)]
pub struct Pieces {
    slices: Arc<[(u64, u64)]>,
    /// Cumulative lengths of the slices before each iteration; empty if the slices have gaps or do not ascend.
    before: Arc<[u64]>,
    /// True if each iteration's slice ends where the slice of the iteration before starts, as in a loop that walks
    /// downwards.
    backwards: bool,
}

/// Some of the lines of a window; each iteration has a window of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Sparse {
    windows: Arc<[(u64, u64)]>,
    /// Sum of the bytes of the lines that earlier iterations touch, by iteration, with the total as last entry;
    /// repeats included.
    before: Arc<[u64]>,
    drawn: bool,
    monotone: bool,
    /// Exact positions of the bytes, used where memory is shared by pages.
    exact: Exact,
}

/// Exact positions of the bytes that an iteration touches in its window.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Exact {
    /// Positions that are not needed; all bytes of the window count as touched.
    #[default]
    Unknown,
    /// Length and number of the pieces of every iteration, at equal distances from the start of the
    /// window to its end.
    Pieces(Arc<[(u64, u64)]>),
    /// Elements drawn from the window by a hash of `key` and the iteration, so every execution draws the same.
    Drawn {
        /// Bytes of an element.
        element: u64,
        /// Number of elements by iteration.
        counts: Arc<[u64]>,
        /// Number that distinguishes the draws of different accesses.
        key: u64,
    },
}

/// Bytes that a range of consecutive iterations touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Start of the window of the iterations, as a byte offset in the region.
    pub start: u64,
    /// End of the window of the iterations (exclusive), as a byte offset in the region.
    pub end: u64,
    /// Bytes of the touched lines, each counted once: `end - start` if all lines are touched.
    pub touched: u64,
    /// Bytes of repeated touches, which `touched` does not count.
    pub again: u64,
    /// Bytes of this piece that a cache must hold to serve the repeated touches.
    pub reuse: u64,
    /// True if the lines come in random order, so that data of many home nodes arrive at a time.
    pub scattered: bool,
}

impl Piece {
    /// Piece that consists of all bytes of a range, each touched once.
    pub fn dense(start: u64, end: u64) -> Piece {
        Piece { start, end, touched: end - start, again: 0, reuse: 0, scattered: false }
    }
}

impl Pieces {
    /// Slices with this start and length in bytes, by iteration.
    pub fn new(slices: Arc<[(u64, u64)]>) -> Pieces {
        let gapless = slices.windows(2).all(|pair| {
            let [(start, length), (next, next_length)] = [pair[0], pair[1]];
            (start..=start + length).contains(&next) && start + length <= next + next_length
        });
        // Slices of a damaged recording overlap so much that their sum overflows.
        let sum = slices.iter().try_fold(0u64, |sum, slice| sum.checked_add(slice.1));
        let before = match sum {
            Some(_) if gapless => sums(slices.iter().map(|slice| slice.1)),
            _ => [].into(),
        };
        let backwards = slices.len() > 1 && slices.windows(2).all(|pair| pair[1].0 + pair[1].1 == pair[0].0);
        Pieces { slices, before, backwards }
    }

    fn piece(&self, lo: usize, hi: usize) -> Option<Piece> {
        let (start, (last, length)) = (self.slices[lo].0, self.slices[hi - 1]);
        if hi == lo + 1 {
            return Some(Piece::dense(start, last + length));
        }
        if self.backwards {
            let (first, whole) = self.slices[lo];
            return Some(Piece::dense(last, first + whole));
        }
        let before = self.before.get(lo..=hi)?;
        let piece = Piece::dense(start, last + length);
        // Bytes shared by adjacent iterations are touched again at the next iteration.
        let again = before[hi - lo] - before[0] - piece.touched;
        Some(Piece { again, reuse: length, ..piece })
    }

    /// Start and length of the slices in bytes, by iteration.
    pub fn slices(&self) -> &[(u64, u64)] {
        &self.slices
    }
}

impl Sparse {
    /// Windows (start and end) and bytes of touched lines by iteration. With `drawn` the lines are
    /// drawn at random from the window, so that some repeat; otherwise all are different.
    pub fn new(windows: Arc<[(u64, u64)]>, touched: impl IntoIterator<Item = u64>, drawn: bool) -> Sparse {
        let monotone = windows.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 <= pair[1].1);
        Sparse { windows, before: sums(touched), drawn, monotone, exact: Exact::Unknown }
    }

    /// The same lines, with exact positions of the touched bytes.
    pub fn exactly(self, exact: Exact) -> Sparse {
        Sparse { exact, ..self }
    }

    /// Byte ranges that an iteration touches, in order, as exact as pages of `page` bytes require. The range is the
    /// whole window if the draws are frequent enough to hit every page, or too many to list.
    pub fn ranges(&self, iteration: u64, page: u64, mut put: impl FnMut(std::ops::Range<u64>)) {
        /// Limits: `OFTEN` draws per page count as all pages; `MOST` draws per iteration count as the whole
        /// window.
        const OFTEN: u64 = 16;
        const MOST: u64 = 1 << 20;
        let at = iteration as usize;
        let (start, end) = self.windows[at];
        match &self.exact {
            Exact::Unknown => put(start..end),
            Exact::Pieces(pieces) => {
                let (length, count) = pieces[at];
                if count == 0 || length == 0 {
                    return;
                }
                let stride = (end - start - length).checked_div(count - 1).unwrap_or(0);
                (0..count).map(|piece| start + piece * stride).for_each(|from| put(from..from + length));
            }
            Exact::Drawn { element, counts, key } => {
                let places = ((end - start) / element).max(1);
                if counts[at] / OFTEN >= (end - start).div_ceil(page.max(1)) || counts[at] > MOST {
                    return put(start..end);
                }
                let mut drawn: Vec<u64> =
                    (0..counts[at]).map(|draw| mixed(key ^ mixed(iteration << 32 ^ draw)) % places).collect();
                drawn.sort_unstable();
                drawn.dedup();
                drawn
                    .into_iter()
                    .map(|place| start + place * element)
                    .for_each(|from| put(from..(from + element).min(end)));
            }
        }
    }

    /// Start and end of the window in bytes, by iteration.
    pub fn windows(&self) -> &Arc<[(u64, u64)]> {
        &self.windows
    }

    /// Bytes of touched lines by iteration.
    pub fn touched(&self) -> impl Iterator<Item = u64> + '_ {
        self.before.windows(2).map(|pair| pair[1] - pair[0])
    }

    pub fn exact(&self) -> &Exact {
        &self.exact
    }

    /// True if the lines of an iteration come in random order.
    pub fn is_scattered(&self) -> bool {
        self.drawn
    }

    /// Bytes of the lines that all iterations touch, repeats included.
    pub fn total(&self) -> u64 {
        self.before.last().copied().unwrap_or(0)
    }

    fn piece(&self, lo: usize, hi: usize) -> Piece {
        let (start, end) = (self.windows[lo].0, self.windows[hi - 1].1);
        let (asked, window) = (self.before[hi] - self.before[lo], end - start);
        let touched = if self.drawn { distinct(asked, window) } else { asked.min(window) };
        // Random lines repeat at any time, regular ones at the next iteration.
        let reuse = if self.drawn { window } else { (self.before[lo + 1] - self.before[lo]).min(window) };
        Piece { start, end, touched, again: asked - touched, reuse, scattered: self.drawn }
    }
}

/// Pseudo-random function: the finalizer of splitmix64.
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Cumulative sums, starting with 0.
fn sums(amounts: impl IntoIterator<Item = u64>) -> Arc<[u64]> {
    let mut sum = 0;
    let sums = amounts.into_iter().map(|amount| {
        sum += amount;
        sum
    });
    std::iter::once(0).chain(sums).collect()
}

/// Expected number of distinct bytes among `asked` bytes drawn at random from `window`: each byte of the window is
/// missed with probability `exp(-asked / window)`.
fn distinct(asked: u64, window: u64) -> u64 {
    if window == 0 {
        return 0;
    }
    let share = -(-(asked as f64) / window as f64).exp_m1();
    (window as f64 * share).ceil().min(asked.min(window) as f64) as u64
}

impl Slice {
    /// `size` bytes in `parts` consecutive parts, equal up to one byte.
    pub fn evenly(size: u64, parts: u64) -> Slice {
        let bound = |part: u64| (u128::from(size) * u128::from(part) / u128::from(parts)) as u64;
        Slice::Partition((0..=parts).map(bound).collect())
    }

    /// First byte, and end, of the bytes that iteration `i` touches.
    pub fn range(&self, i: u64) -> (u64, u64) {
        self.piece(i, i + 1).map_or((0, 0), |piece| (piece.start, piece.end))
    }

    /// Bytes that the first `iterations` iterations touch, repeats included.
    pub fn total(&self, iterations: u64) -> u128 {
        match self {
            Slice::Partition(bounds) => match bounds[..] {
                [first, .., last] => u128::from(last - first),
                _ => 0,
            },
            Slice::Explicit(pieces) => pieces.slices().iter().map(|slice| u128::from(slice.1)).sum(),
            Slice::Sparse(sparse) => sparse.total().into(),
            Slice::Whole(size) => u128::from(*size) * u128::from(iterations),
            Slice::Partial(partial) => partial.slice().total(partial.iterations().len() as u64),
        }
    }

    /// Bytes that iterations `lo..hi` touch; `None` if the bytes do not form one piece in order. The bytes of a
    /// single iteration always do.
    pub fn piece(&self, lo: u64, hi: u64) -> Option<Piece> {
        if let Slice::Partial(partial) = self {
            return partial.piece(lo, hi);
        }
        let (lo, hi) = (lo as usize, hi as usize);
        match self {
            Slice::Partition(bounds) => Some(Piece::dense(bounds[lo], bounds[hi])),
            Slice::Explicit(pieces) => pieces.piece(lo, hi),
            Slice::Sparse(sparse) if sparse.monotone || hi == lo + 1 => Some(sparse.piece(lo, hi)),
            Slice::Whole(size) => {
                let again = size.saturating_mul((hi - lo - 1) as u64);
                Some(Piece { again, reuse: *size, ..Piece::dense(0, *size) })
            }
            Slice::Sparse(_) | Slice::Partial(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two pieces of 8 bytes, 100 bytes apart; a gather that draws the same 5 of 100 elements every time, and a
    /// gather that draws so many elements that every page is hit.
    #[test]
    fn exact_ranges_distinguish_pages() {
        let all = |sparse: &Sparse, i| {
            let mut all = Vec::new();
            sparse.ranges(i, 4096, |range| all.push(range));
            all
        };
        let windows: Arc<[(u64, u64)]> = [(0, 108), (8, 116)].into();
        let plain = Sparse::new(windows.clone(), [64, 64], false);
        assert_eq!(all(&plain, 1), Vec::from_iter(Some(8..116)));
        let pieces = plain.exactly(Exact::Pieces([(8, 2), (8, 2)].into()));
        assert_eq!(all(&pieces, 1), [8..16, 108..116]);
        let drawn = |count| {
            let exact = Exact::Drawn { element: 4096, counts: [count].into(), key: 7 };
            Sparse::new([(0, 409_600)].into(), [64], true).exactly(exact)
        };
        let places = all(&drawn(5), 0);
        assert!(
            places.len() <= 5 && places.iter().all(|place| place.start.is_multiple_of(4096)),
            "{places:?}"
        );
        assert_eq!(places, all(&drawn(5), 0));
        assert_eq!(all(&drawn(1600), 0), Vec::from_iter(Some(0..409_600)));
    }

    #[test]
    fn gapless_pieces_join() {
        // A stencil: 10 bytes each and 2 on both sides.
        let halo = Slice::Explicit(Pieces::new([(0, 12), (8, 14), (18, 12)].into()));
        // 12 + 14 + 12 bytes, of which 4 and 4 are touched twice.
        assert_eq!(halo.piece(0, 3), Some(Piece { again: 8, reuse: 12, ..Piece::dense(0, 30) }));
        let gaps = Slice::Explicit(Pieces::new([(0, 4), (8, 4)].into()));
        assert_eq!(gaps.piece(0, 2), None);
        assert_eq!(gaps.piece(1, 2), Some(Piece::dense(8, 12)));
        // Downwards without a gap they form one piece, too.
        let back = Slice::Explicit(Pieces::new([(8, 4), (4, 4)].into()));
        assert_eq!(back.piece(0, 2), Some(Piece::dense(4, 12)));
        let apart = Slice::Explicit(Pieces::new([(8, 4), (2, 4)].into()));
        assert_eq!(apart.piece(0, 2), None);
    }

    /// 640 bytes drawn from a window of 640 bytes hit 1 - 1/e of the window: 404.6 bytes. 1280 drawn bytes hit 553.4.
    #[test]
    fn drawn_lines_repeat() {
        let windows: Arc<[_]> = [(0, 640), (0, 640)].into();
        let gather = Slice::Sparse(Sparse::new(windows.clone(), [640, 640], true));
        assert_eq!(gather.piece(0, 1).map(|piece| piece.touched), Some(405));
        assert_eq!(gather.piece(0, 2).map(|piece| (piece.touched, piece.again)), Some((554, 726)));
        let stride = Slice::Sparse(Sparse::new(windows, [64, 64], false));
        assert_eq!(stride.piece(0, 2).map(|piece| piece.touched), Some(128));
    }

    #[test]
    fn whole_region_repeats_every_iteration() {
        let piece = Slice::Whole(100).piece(3, 7).unwrap();
        assert_eq!(piece, Piece { again: 300, reuse: 100, ..Piece::dense(0, 100) });
    }
}
