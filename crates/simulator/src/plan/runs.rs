//! Cuts iterations into runs that touch the pages of one iteration, where nodes share pages; lists the pages of a
//! run.

use super::{PageUse, Step};
use crate::pages::sharing::use_of;
use numalab_dsm::Dsm;
use numalab_workload::{Phase, Slice};
use std::ops::Range;

/// Longest front of `left` whose iterations touch only pages that the first iteration of `left` touches. Ends at the
/// next virtual synchronisation point. One iteration for sparse slices.
pub(super) fn run(phase: &Phase, left: &Range<u64>, page: u64) -> Range<u64> {
    let data = phase.accesses.iter().filter(|access| access.mode.is_data());
    let ends = data.map(|access| end_of_run(&access.slice, left, page));
    // A run ends at a virtual synchronisation point.
    let point = phase.vsp.map(|every| (left.start / every + 1) * every);
    let end = ends.chain(point).min().unwrap_or(left.end).min(left.end);
    left.start..end.max(left.start + 1)
}

/// End of the longest front of `left` that touches only pages of the first iteration.
fn end_of_run(slice: &Slice, left: &Range<u64>, page: u64) -> u64 {
    let (lo, hi) = (left.start as usize, left.end as usize);
    match slice {
        Slice::Whole(_) => left.end,
        Slice::Sparse(_) => left.start + 1,
        Slice::Partition(bounds) => {
            let limit = bounds[lo + 1].next_multiple_of(page);
            left.start + bounds[lo + 1..=hi].partition_point(|bound| *bound <= limit) as u64
        }
        Slice::Explicit(pieces) => {
            let slices = &pieces.slices()[lo..hi];
            let pages = |(start, length): (u64, u64)| (start / page, (start + length.max(1) - 1) / page);
            let (first, last) = pages(slices[0]);
            let inside = |slice: &&(u64, u64)| {
                let (from, to) = pages(**slice);
                first <= from && to <= last
            };
            let end = left.start + slices.iter().take_while(inside).count() as u64;
            if slice.piece(left.start, end).is_some() { end } else { left.start + 1 }
        }
        Slice::Partial(partial) => {
            let found = partial.indices(left.start, left.end);
            let iteration = |at: u64| partial.iterations().get(at as usize).map(|one| u64::from(*one));
            let next = match iteration(found.start) {
                Some(first) if first == left.start => end_of_run(partial.slice(), &found, page),
                _ => found.start,
            };
            iteration(next).map_or(left.end, |next| next.min(left.end))
        }
    }
}

/// Appends the steps that use the pages of a run, after a virtual synchronisation point if the run begins at one.
pub(super) fn use_pages(phase: &Phase, run: &Range<u64>, dsm: &Dsm, steps: &mut Vec<Step>) {
    if phase.vsp.is_some_and(|every| run.start.is_multiple_of(every)) {
        steps.push(Step::SyncPoint);
    }
    for access in &phase.accesses {
        let Some(how) = use_of(access.mode) else { continue };
        let region = access.region.0;
        let step = |(pages, bytes): (Range<u64>, u64)| {
            let count = pages.end - pages.start;
            let each = bytes.div_ceil(count.max(1)).min(dsm.page_size());
            (count > 0).then_some(Step::Pages(PageUse { pages, how, each: each as u32 }))
        };
        let mut last: Option<(Range<u64>, u64)> = None;
        let mut put = |bytes: Range<u64>| {
            let length = bytes.end.saturating_sub(bytes.start);
            let pages = dsm.pages(region, bytes);
            match &mut last {
                // Neighbouring page ranges, which may share a page, are joined.
                Some((known, sum)) if (known.start..=known.end).contains(&pages.start) => {
                    known.end = known.end.max(pages.end);
                    *sum += length;
                }
                _ => steps.extend(last.replace((pages, length)).and_then(step)),
            }
        };
        let (slice, part) = access.slice.touching(run.clone());
        if part.is_empty() {
            continue;
        }
        match slice {
            Slice::Sparse(sparse) => sparse.ranges(part.start, dsm.page_size(), &mut put),
            Slice::Partition(_) | Slice::Explicit(_) | Slice::Whole(_) | Slice::Partial(_) => {
                if let Some(piece) = slice.piece(part.start, part.end).filter(|piece| piece.touched > 0) {
                    put(piece.start..piece.end);
                }
            }
        }
        steps.extend(last.and_then(step));
    }
}
