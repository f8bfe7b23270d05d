//! Snapshots of a state, to compare the state at two instants.

use crate::Time;
use std::hash::{Hash, Hasher};

/// Upper limit of the words in a snapshot; larger states are not compared.
const MOST: usize = 1 << 22;

// Glossary: snapshot: A state written down as words, with times as distances from the present instant, so
//   that the same state at another instant is the same snapshot.
/// A state as words that are equal if and only if the states are.
///
/// Times are stored relative to the instant of the snapshot, so that equal states at different
/// instants have equal snapshots. Counters are kept apart: two states may be equal except for their
/// counters.
#[derive(Clone, Debug)]
pub struct Snapshot {
    now: Time,
    words: Vec<u64>,
    counters: Vec<u64>,
    whole: bool,
}

impl Snapshot {
    /// An empty snapshot at an instant.
    pub fn new(now: Time) -> Snapshot {
        Snapshot { now, words: Vec::new(), counters: Vec::new(), whole: true }
    }

    /// Instant at which the snapshot was taken.
    pub fn now(&self) -> Time {
        self.now
    }

    pub fn add(&mut self, part: &(impl Hash + ?Sized)) {
        part.hash(self);
    }

    /// Adds a time, past or future.
    pub fn time(&mut self, at: Time) {
        self.word(at.0.wrapping_sub(self.now.0));
    }

    /// Adds a time before which an event cannot happen. All past times count as equal.
    pub fn not_before(&mut self, at: Time) {
        self.word(at.since(self.now).0);
    }

    /// Adds a counter, which [`Snapshot::is_like`] does not compare.
    pub fn counter(&mut self, value: u64) {
        match self.counters.len() < MOST {
            true => self.counters.push(value),
            false => self.whole = false,
        }
    }

    /// Marks a state that cannot be captured: its snapshot equals no other snapshot.
    pub fn refuse(&mut self) {
        self.whole = false;
    }

    /// True if the snapshot holds the whole state: [`Snapshot::refuse`] was not called, and the state is not too
    /// large.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// True if both snapshots are complete and equal except for counters.
    pub fn is_like(&self, other: &Snapshot) -> bool {
        self.whole && other.whole && self.words == other.words && self.counters.len() == other.counters.len()
    }

    /// True if every counter increased from `middle` to this snapshot by as much as from `first` to `middle`.
    pub fn counts_on(&self, middle: &Snapshot, first: &Snapshot) -> bool {
        let counters = first.counters.iter().zip(&middle.counters).zip(&self.counters);
        self.counters.len() == first.counters.len()
            && self.counters.len() == middle.counters.len()
            && counters
                .into_iter()
                .all(|((first, middle), last)| middle.wrapping_sub(*first) == last.wrapping_sub(*middle))
    }

    fn word(&mut self, word: u64) {
        match self.words.len() < MOST {
            true => self.words.push(word),
            false => self.whole = false,
        }
    }
}

impl Hasher for Snapshot {
    /// Unused: the words themselves are compared, not a hash.
    fn finish(&self) -> u64 {
        0
    }

    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.word(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.word(word.into());
    }

    fn write_u16(&mut self, word: u16) {
        self.word(word.into());
    }

    fn write_u32(&mut self, word: u32) {
        self.word(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.word(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.word(word as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::Snapshot;
    use crate::Time;

    fn snapshot(now: u64, times: &[u64], counter: u64) -> Snapshot {
        let mut snapshot = Snapshot::new(Time(now));
        snapshot.add(&(Some(3u32), [1u8, 2]));
        times.iter().for_each(|time| snapshot.time(Time(*time)));
        snapshot.not_before(Time(5));
        snapshot.counter(counter);
        snapshot
    }

    #[test]
    fn times_are_distances_and_counters_go_on() {
        let first = snapshot(100, &[90, 130], 7);
        assert!(snapshot(200, &[190, 230], 9).is_like(&first));
        assert!(!snapshot(200, &[190, 231], 9).is_like(&first));
        assert!(!snapshot(200, &[190], 9).is_like(&first));
        assert!(snapshot(300, &[], 11).counts_on(&snapshot(200, &[], 9), &first));
        assert!(!snapshot(300, &[], 12).counts_on(&snapshot(200, &[], 9), &first));
    }

    #[test]
    fn refused_snapshots_equal_nothing() {
        let (first, mut second) = (snapshot(0, &[], 0), snapshot(0, &[], 0));
        assert!(second.is_like(&first));
        second.refuse();
        assert!(!second.is_like(&first) && !first.is_like(&second));
    }
}
