//! Victim: a random thread with work left, all equally likely. Every thief has a random stream of its own.

use super::{Choice, Scanning};
use numalab_base::ThreadId;
use numalab_des::{Domain, Stream, Streams};
use std::ops::Range;

numalab_base::index_type! {
    /// Index into the list of threads with iterations left.
    Position
}

/// Chooses a random thread with iterations left as victim.
pub struct Random {
    streams: Streams,
    stream: Vec<Option<Stream>>,
    /// Threads with iterations left, in an arbitrary but reproducible order.
    loaded: Vec<ThreadId>,
    /// Index of each thread in `loaded`, by thread number; `None` once the thread has no iterations left.
    position: Vec<Option<Position>>,
}

impl Random {
    pub(crate) fn new(streams: &Streams) -> Random {
        Random { streams: *streams, stream: Vec::new(), loaded: Vec::new(), position: Vec::new() }
    }
}

impl Scanning for Random {
    const SCANS: bool = false;
}

impl Choice for Random {
    fn start(&mut self, left: &[Range<u64>]) {
        self.stream = vec![None; left.len()];
        self.position = vec![None; left.len()];
        for (thread, range) in ThreadId::first(left.len() as u32).zip(left) {
            if !range.is_empty() {
                self.position[thread.index()] = Some(Position::new(self.loaded.len() as u32));
                self.loaded.push(thread);
            }
        }
    }

    fn changed(&mut self, thread: ThreadId, before: u64, now: u64) {
        if before == 0 && now > 0 {
            self.position[thread.index()] = Some(Position::new(self.loaded.len() as u32));
            self.loaded.push(thread);
        }
        if before == 0 || now > 0 {
            return;
        }
        if let Some(at) = self.position[thread.index()].take() {
            self.loaded.swap_remove(at.index());
            if let Some(moved) = self.loaded.get(at.index()) {
                self.position[moved.index()] = Some(at);
            }
        }
    }

    fn victim(&mut self, thief: ThreadId, _: &[Range<u64>]) -> Option<ThreadId> {
        if self.loaded.is_empty() {
            return None;
        }
        let streams = self.streams;
        let stream = self.stream[thief.index()]
            .get_or_insert_with(|| streams.stream(Domain::Steal, u64::from(thief.number())));
        Some(self.loaded[stream.below(self.loaded.len() as u64) as usize])
    }
}
