//! Time of all threads in one phase, as a sequence of pieces.

use numalab_base::{ThreadId, Time};

// Glossary: release: Act of a thread that ends another's wait: coming last, giving a lock back, creating
//   work.
/// Thread that released a waiter, and the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Release {
    pub by: ThreadId,
    pub at: Time,
}

/// Interval of a thread's time with one reason. It begins at the end of the thread's previous interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub to: Time,
    /// Index of the piece's reason in `Reasons`.
    pub reason: u32,
    /// True for a wait that another thread ended; `releases` then has an entry for the piece.
    pub released: bool,
    /// True for a wait for other threads, which are then charged with the time.
    pub idle: bool,
}

/// Pieces of one thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct ThreadHistory {
    pub pieces: Vec<Piece>,
    /// Releases that ended pieces, each with the index of its piece.
    releases: Vec<(u32, Release)>,
}

impl ThreadHistory {
    /// Appends a piece. It is joined to the last one if both have the same reason and no release ended either.
    pub fn add(&mut self, to: Time, reason: u32, idle: bool, release: Option<Release>) {
        if let Some(last) = self.pieces.last_mut()
            && release.is_none()
            && (last.reason, last.idle, last.released) == (reason, idle, false)
        {
            last.to = to;
            return;
        }
        if let Some(release) = release {
            self.releases.push((self.pieces.len() as u32, release));
        }
        self.pieces.push(Piece { to, reason, idle, released: release.is_some() });
    }

    /// Release that ended a piece; `None` if no other thread ended the piece.
    pub fn release(&self, at: usize) -> Option<Release> {
        let piece = self.pieces.get(at).filter(|piece| piece.released)?;
        debug_assert!(piece.released);
        let found = self.releases.binary_search_by_key(&(at as u32), |entry| entry.0).ok()?;
        Some(self.releases[found].1)
    }

    /// Index of the piece that covers the time just before an instant.
    pub fn before(&self, at: Time) -> Option<usize> {
        let index = self.pieces.partition_point(|piece| piece.to < at);
        (index < self.pieces.len()).then_some(index)
    }

    /// Removes all pieces.
    pub fn clear(&mut self) {
        self.pieces.clear();
        self.releases.clear();
    }
}

/// Pieces of all threads since the start of the phase.
#[derive(Clone, Debug)]
pub(crate) struct History {
    pub began: Time,
    pub threads: Vec<ThreadHistory>,
}

impl History {
    /// Start of a thread's piece, by the index of the piece.
    pub fn from(&self, thread: usize, at: usize) -> Time {
        at.checked_sub(1).map_or(self.began, |before| self.threads[thread].pieces[before].to)
    }

    /// The history from one instant to another, with other reasons. Pieces that cross an end are cut there.
    pub fn part(&self, from: Time, to: Time, mut reason: impl FnMut(u32) -> u32) -> History {
        let threads = self.threads.iter().enumerate().map(|(thread, own)| {
            let mut part = ThreadHistory::default();
            let first = own.before(Time(from.0 + 1)).unwrap_or(own.pieces.len());
            for at in first..own.pieces.len() {
                if self.from(thread, at) >= to {
                    break;
                }
                let Piece { to: end, reason: of, idle, .. } = own.pieces[at];
                part.add(end.min(to), reason(of), idle, own.release(at));
            }
            part
        });
        History { began: from, threads: threads.collect() }
    }

    /// End of the latest piece of any thread.
    pub fn end(&self) -> Time {
        self.threads
            .iter()
            .filter_map(|thread| thread.pieces.last())
            .map(|last| last.to)
            .max()
            .unwrap_or(self.began)
    }
}
