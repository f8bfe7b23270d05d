//! Places on a machine.

use std::ops::Range;

/// Places, each with at least one processor. Stored end to end: a large machine has millions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Processors of all places, each place's ascending.
    processors: Vec<u32>,
    /// End of each place in `processors`.
    ends: Vec<usize>,
    /// Places of the list that had no processor that may be used.
    pub dropped: usize,
}

impl Places {
    /// These, without the empty ones; each set is ascending.
    pub(crate) fn from_sets(sets: impl IntoIterator<Item = Vec<u32>>) -> Places {
        let mut places = Places::default();
        for set in sets.into_iter().filter(|set| !set.is_empty()) {
            places.processors.extend(set);
            places.ends.push(places.processors.len());
        }
        places
    }

    /// Number of places.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All of them, as a partition.
    pub fn all(&self) -> Range<u32> {
        0..self.len() as u32
    }

    /// The processors of one, ascending; of none where there is no such place.
    pub fn get(&self, place: u32) -> &[u32] {
        let at = place as usize;
        let begin = at.checked_sub(1).map_or(0, |before| self.ends.get(before).copied().unwrap_or(0));
        self.ends.get(at).map_or(&[], |end| &self.processors[begin..*end])
    }

    /// Each in turn.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.all().map(|place| self.get(place))
    }
}
