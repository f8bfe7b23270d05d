//! Any thread with work left, each as likely as the others. Every thief draws from a stream of its own.

use super::Choice;
use numalab_des::{Domain, Stream, Streams};
use std::ops::Range;

/// No place in the list.
const NOWHERE: u32 = u32::MAX;

/// See the module.
pub struct Random {
    streams: Streams,
    stream: Vec<Option<Stream>>,
    /// Threads with work left, in no particular but reproducible order.
    loaded: Vec<u32>,
    place: Vec<u32>,
}

impl Random {
    pub(crate) fn new(streams: &Streams) -> Random {
        Random { streams: *streams, stream: Vec::new(), loaded: Vec::new(), place: Vec::new() }
    }
}

impl Choice for Random {
    const SCANS: bool = false;

    fn start(&mut self, left: &[Range<u64>]) {
        self.stream = vec![None; left.len()];
        self.place = vec![NOWHERE; left.len()];
        for (thread, range) in left.iter().enumerate() {
            if !range.is_empty() {
                self.place[thread] = self.loaded.len() as u32;
                self.loaded.push(thread as u32);
            }
        }
    }

    fn took_one(&mut self, thread: u32, before: u64) {
        if before == 1 {
            let at = std::mem::replace(&mut self.place[thread as usize], NOWHERE) as usize;
            self.loaded.swap_remove(at);
            if let Some(&moved) = self.loaded.get(at) {
                self.place[moved as usize] = at as u32;
            }
        }
    }

    fn victim(&mut self, thief: u32, _: &[Range<u64>]) -> Option<u32> {
        if self.loaded.is_empty() {
            return None;
        }
        let streams = self.streams;
        let stream = self.stream[thief as usize]
            .get_or_insert_with(|| streams.stream(Domain::Steal, u64::from(thief)));
        Some(self.loaded[stream.below(self.loaded.len() as u64) as usize])
    }
}
