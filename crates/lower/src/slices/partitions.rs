//! Cache of partitions, shared by the accesses of one workload, also if it is resolved again with other values.

use super::partition::partition;
use numalab_syntax::expression::Program;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Number of cached partitions; the arrays of a workload have few different partitions.
const MOST: usize = 4;

/// Number of slices above which a partition is dropped when no workload uses it: a longer partition costs more memory
/// than it saves time.
const LONG: u64 = 1 << 16;

/// Cached partition: text of its weight, number of slices and size in bytes, with the resulting bounds.
type Known = (String, u64, u64, Arc<[u64]>);

/// The most recently computed partitions, at most `MOST`.
#[derive(Debug, Default)]
pub(crate) struct Partitions {
    known: Mutex<VecDeque<Known>>,
}

impl Partitions {
    /// Bounds of the slices, as [`partition`] computes them; taken from the cache if known.
    pub fn get(&self, weight: &Program, count: u64, size: u64) -> Result<Arc<[u64]>, String> {
        // The debug form of an expression shows every bit of its numbers, with parameters replaced by values.
        let text = format!("{weight:?}");
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |known: &&Known| (known.1, known.2) == (count, size) && known.0 == text;
        let found = lock().iter().find(same).map(|known| Arc::clone(&known.3));
        if let Some(bounds) = found {
            return Ok(bounds);
        }
        let bounds = partition(weight, count, size)?;
        let mut known = lock();
        known.retain(|known| known.1 <= LONG || Arc::strong_count(&known.3) > 1);
        known.push_front((text, count, size, Arc::clone(&bounds)));
        known.truncate(MOST);
        Ok(bounds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slices::program;

    /// A partition is computed again for another weight, count or size, and after four other requests.
    #[test]
    fn what_is_the_same_is_made_once() {
        let partitions = Partitions::default();
        let get = |text: &str, count, size| partitions.get(&program(text), count, size).unwrap();
        let first = get("i + 1", 4, 100);
        assert!(Arc::ptr_eq(&first, &get("i + 1", 4, 100)));
        assert_eq!(&first[..], [0, 10, 30, 60, 100]);
        for (text, count, size) in
            [("i + 2", 4, 100), ("i + 1", 5, 100), ("i + 1", 4, 200), ("i * 1", 4, 100)]
        {
            let other = get(text, count, size);
            assert_eq!(other, partition(&program(text), count, size).unwrap());
        }
        let again = get("i + 1", 4, 100);
        assert!(!Arc::ptr_eq(&first, &again) && first == again);
    }
}
