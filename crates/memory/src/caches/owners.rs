//! Last writers of the bytes of a region, which decide the validity of copies.
//!
//! No invalidation is sent to caches: a copy remembers the stamp of its latest access, and is
//! checked against this map when it is met again. Adjacent runs of one writer merge, so there are
//! about as many runs as ranges that the writers own.

use super::AccessKind;
use super::level::CacheId;
use numalab_base::Snapshot;
use std::ops::Range;

/// Upper limit of the runs of a region; each last-level cache adds four. Above it the runs are coarsened to larger
/// extents.
const MOST: usize = 4096;

/// Bytes with one last writer. Bytes in no run were never written, so every copy of them is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OwnedRun {
    start: u64,
    end: u64,
    /// Last-level cache of the writer; `None` for a streaming store.
    pub owner: Option<CacheId>,
    /// Stamp after which a copy in another cache must have been used to be valid; 0 if only the owner's copy is
    /// valid.
    shared: u64,
}

impl OwnedRun {
    /// True if only the owner may have a valid copy.
    pub fn exclusive(&self) -> bool {
        self.shared == 0
    }

    /// True if a copy that a cache used at `stamp` is valid.
    pub fn valid(&self, cache: CacheId, stamp: u64) -> bool {
        self.owner == Some(cache) || !self.exclusive() && stamp > self.shared
    }

    fn same_state(&self, other: &OwnedRun) -> bool {
        (self.owner, self.shared) == (other.owner, other.shared)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Owners {
    /// Runs of bytes that were written, disjoint, in address order; adjacent runs of the same state are merged.
    runs: Vec<OwnedRun>,
    /// Stamp of the latest access that invalidated copies; 0 for none.
    last: u64,
    /// Size in bytes of the extents to which runs are rounded, a power of two, less one.
    mask: u64,
    most: usize,
    scratch: Vec<OwnedRun>,
}

impl Owners {
    /// An unwritten region, on a machine with `caches` last-level caches.
    pub fn new(caches: usize) -> Owners {
        Owners { runs: Vec::new(), last: 0, mask: 0, most: MOST + 4 * caches, scratch: Vec::new() }
    }

    /// Visits all stamps of runs that decide whether copies are valid.
    pub fn stamps(&self, mut visit: impl FnMut(u64)) {
        visit(self.last);
        self.runs.iter().for_each(|run| visit(run.shared));
    }

    /// Adds the runs to a snapshot. `order`: rank of a stamp.
    pub fn snapshot(&self, order: impl Fn(u64) -> usize, into: &mut Snapshot) {
        let Owners { runs, last, mask, most: _, scratch: _ } = self;
        into.add(&(runs.len(), order(*last), mask));
        for OwnedRun { start, end, owner, shared } in runs {
            into.add(&(start, end, owner, order(*shared)));
        }
    }

    /// True if the region was never written.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Quick test: true if certainly all bytes that a cache used at `stamp` are valid.
    pub fn fresh(&self, cache: CacheId, stamp: u64, bytes: Range<u64>) -> bool {
        let quick = || match self.runs.get(self.first(bytes.start)) {
            Some(run) if run.start <= bytes.start => run.end >= bytes.end && run.valid(cache, stamp),
            next => next.is_none_or(|run| run.start >= bytes.end),
        };
        stamp > self.last || quick()
    }

    /// True if an access by a cache has the same effect on all the bytes and no other cache serves any of them: the
    /// bytes are unwritten, or in one run. For a write this run must be exclusive to the cache; for a read it may
    /// also be shared. Always false while runs are rounded, or their number is near the limit.
    pub fn uniform(&self, cache: CacheId, bytes: Range<u64>, kind: AccessKind) -> bool {
        let alike = match self.runs.get(self.first(bytes.start)) {
            Some(run) if run.start <= bytes.start => {
                let own = run.owner == Some(cache) && run.exclusive();
                let same = match kind {
                    AccessKind::Read => own || !run.exclusive(),
                    AccessKind::Write => own,
                    AccessKind::Stream => true,
                };
                same && run.end >= bytes.end
            }
            next => next.is_none_or(|run| run.start >= bytes.end),
        };
        alike && self.mask == 0 && self.runs.len() + 2 < self.most
    }

    /// Calls `each` with the runs in some bytes and the gaps (`None`) between them, in address order.
    pub fn each(&self, bytes: Range<u64>, mut each: impl FnMut(Option<OwnedRun>, Range<u64>)) {
        let mut at = bytes.start;
        for run in &self.runs[self.first(bytes.start)..] {
            if run.start >= bytes.end {
                break;
            }
            if run.start > at {
                each(None, at..run.start);
                at = run.start;
            }
            let end = run.end.min(bytes.end);
            each(Some(*run), at..end);
            at = end;
        }
        if at < bytes.end {
            each(None, at..bytes.end);
        }
    }

    /// Records a write by a cache, or a streaming store (`None`): all other copies become invalid.
    pub fn write(&mut self, owner: Option<CacheId>, bytes: Range<u64>, now: u64) {
        let bytes = self.round(bytes);
        let first = self.first(bytes.start);
        let own = |run: &OwnedRun| run.owner == owner && run.exclusive();
        let run = self.runs.get(first);
        if run.is_some_and(|run| own(run) && run.start <= bytes.start && bytes.end <= run.end) {
            return;
        }
        self.last = now;
        if self.extend(first, &bytes, own) {
            return;
        }
        let Range { start, end } = bytes;
        self.replace(start..end, |_, scratch| append(scratch, OwnedRun { start, end, owner, shared: 0 }));
    }

    /// Fast path for ascending writes: extends the adjacent or overlapping run over the rest of the
    /// bytes, if no other run is met. `first` is the first run that ends behind the start of the bytes.
    fn extend(&mut self, first: usize, bytes: &Range<u64>, own: impl Fn(&OwnedRun) -> bool) -> bool {
        let inside = self.runs.get(first).is_some_and(|run| run.start <= bytes.start);
        let at = if inside { Some(first) } else { first.checked_sub(1) };
        let Some(at) = at else { return false };
        if self.runs.get(at + 1).is_some_and(|next| next.start <= bytes.end) {
            return false;
        }
        let run = &mut self.runs[at];
        let grows = own(run) && run.end >= bytes.start;
        if grows {
            run.end = bytes.end;
        }
        grows
    }

    /// Records a read by a cache: lines exclusive to other caches become shared and clean.
    pub fn read(&mut self, cache: CacheId, bytes: Range<u64>) {
        let bytes = self.round(bytes);
        let theirs = |run: &OwnedRun| run.exclusive() && run.owner != Some(cache);
        let mut runs = self.runs[self.first(bytes.start)..].iter().take_while(|run| run.start < bytes.end);
        if !runs.any(theirs) {
            return;
        }
        let shared = self.last;
        self.replace(bytes, |run, scratch| {
            append(scratch, if theirs(&run) { OwnedRun { shared, ..run } } else { run });
        });
    }

    /// Index of the first run that ends behind `byte`.
    fn first(&self, byte: u64) -> usize {
        self.runs.partition_point(|run| run.end <= byte)
    }

    /// Replaces the runs in some bytes. `each` appends the new runs for each old part, or for one empty run if the
    /// bytes have no run.
    fn replace(&mut self, bytes: Range<u64>, mut each: impl FnMut(OwnedRun, &mut Vec<OwnedRun>)) {
        // Includes the adjacent runs, so that they can merge.
        let low = self.runs.partition_point(|run| run.end < bytes.start);
        let high = low + self.runs[low..].partition_point(|run| run.start <= bytes.end);
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        let old = &self.runs[low..high];
        for run in old.iter().filter(|run| run.start < bytes.start) {
            append(&mut scratch, OwnedRun { end: run.end.min(bytes.start), ..*run });
        }
        let inside = old.iter().filter(|run| run.start < bytes.end && run.end > bytes.start);
        let mut parts = inside.map(|run| OwnedRun {
            start: run.start.max(bytes.start),
            end: run.end.min(bytes.end),
            ..*run
        });
        let none = OwnedRun { start: bytes.start, end: bytes.start, owner: None, shared: 0 };
        each(parts.next().unwrap_or(none), &mut scratch);
        parts.for_each(|part| each(part, &mut scratch));
        for run in old.iter().filter(|run| run.end > bytes.end) {
            append(&mut scratch, OwnedRun { start: run.start.max(bytes.end), ..*run });
        }
        if scratch.len() == high - low {
            self.runs[low..high].copy_from_slice(&scratch);
        } else {
            self.runs.splice(low..high, scratch.iter().copied());
        }
        self.scratch = scratch;
        if self.runs.len() > self.most {
            self.coarsen();
        }
    }

    /// Rounds a range of bytes outwards to whole extents.
    fn round(&self, bytes: Range<u64>) -> Range<u64> {
        bytes.start & !self.mask..bytes.end.checked_add(self.mask).map_or(u64::MAX, |end| end & !self.mask)
    }

    /// Enlarges the extents, from 4 KiB up, until at most half of the allowed number of runs is left. The first owner
    /// in an extent gets the whole extent.
    fn coarsen(&mut self) {
        while self.runs.len() > self.most / 2 {
            self.mask = (self.mask * 2 + 1).max(4095);
            let mut runs: Vec<OwnedRun> = Vec::new();
            for run in &self.runs {
                let Range { start, end } = self.round(run.start..run.end);
                let start = runs.last().map_or(start, |before| start.max(before.end));
                if start < end {
                    append(&mut runs, OwnedRun { start, end, ..*run });
                }
            }
            self.runs = runs;
        }
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.runs.len()
    }
}

/// Appends a run, or extends the last run if both have the same state.
fn append(runs: &mut Vec<OwnedRun>, run: OwnedRun) {
    match runs.last_mut() {
        Some(last) if last.end >= run.start && last.same_state(&run) => last.end = last.end.max(run.end),
        _ => runs.push(run),
    }
}
