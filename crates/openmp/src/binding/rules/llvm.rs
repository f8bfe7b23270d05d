//! Rules of libomp.

use super::{Opener, Parts};

/// Number of threads on each of `places` places: `each`, and one more on every n-th, where n is the largest distance
/// at which `more` places have one.
pub(super) fn shares(places: u32, each: u32, more: u32) -> impl Fn(u32) -> u32 + 'static {
    let gap = places.checked_div(more);
    move |place| {
        let extra = gap.is_some_and(|gap| place.is_multiple_of(gap) && place / gap < more);
        each + u32::from(extra)
    }
}

/// Parts of the whole place list. They are (places + 1) / threads long, with beginnings rounded down; the last one
/// ends with the list. libomp adds lengths up in floating point, and so does this: the exact quotient would be
/// rounded differently for some teams of more than 30 threads.
pub(super) fn parts_of_all(threads: u32, opener: &Opener) -> Parts {
    let count = opener.count();
    let length = f64::from(count + 1) / f64::from(threads);
    let mut begin = f64::from(opener.place);
    let mut parts = Vec::with_capacity(threads as usize);
    for _ in 0..threads {
        let (mut first, mut end) = (begin as u32, (begin + length) as u32);
        begin += length;
        if first >= count {
            (first, end) = (first - count, end - count);
            // The part of the opener begins at its own place.
            end = if end == opener.place + 1 { opener.place.max(first + 1) } else { end };
        }
        parts.push(first..end.min(count).max(first + 1));
    }
    Parts(parts)
}

/// Parts of a partition that is not the whole list: equal lengths, and one place more for every n-th part. The
/// opener is on the first place of its partition.
pub(super) fn parts_of_some(threads: u32, opener: &Opener) -> Parts {
    let (each, more) = (opener.count() / threads, opener.count() % threads);
    let share = shares(threads, each, more);
    let mut begin = opener.partition.start;
    let mut parts = Vec::with_capacity(threads as usize);
    for thread in 0..threads {
        let end = begin + share(thread);
        parts.push(begin..end);
        begin = end;
    }
    Parts(parts)
}
