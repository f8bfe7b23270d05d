use std::ops::Range;

/// Places on a machine, each with at least one processor. All places share one array, as a large machine has millions
/// of places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Processors of all places, ascending in each place.
    processors: Vec<u32>,
    /// End of each place in `processors`.
    ends: Vec<usize>,
    /// Number of places that were left out, since none of their processors is allowed.
    pub dropped: usize,
}

impl Places {
    /// Collects ascending sets of processors as places and drops the empty sets.
    pub(crate) fn from_sets(sets: impl IntoIterator<Item = Vec<u32>>) -> Places {
        let mut places = Places::default();
        for set in sets.into_iter().filter(|set| !set.is_empty()) {
            places.processors.extend(set);
            places.ends.push(places.processors.len());
        }
        places
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Indices of all places, as the partition of the outermost team.
    pub fn all(&self) -> Range<u32> {
        0..self.len() as u32
    }

    /// The processors of a place, ascending; empty if `place` is not below the number of places.
    pub fn get(&self, place: u32) -> &[u32] {
        let at = place as usize;
        let begin = at.checked_sub(1).map_or(0, |before| self.ends.get(before).copied().unwrap_or(0));
        self.ends.get(at).map_or(&[], |end| &self.processors[begin..*end])
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.all().map(|place| self.get(place))
    }
}
