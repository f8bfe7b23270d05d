//! Sums of bytes and time by node, which grow during a run.

use numalab_counts::ByNode;

/// Number of entries at the front that are searched before a new one is appended. Up to twice this number nothing is
/// sorted.
const FEW: usize = 4;

/// Growing sums of bytes and time by node. With thousands of threads the entries of a thread are not in the host's
/// caches when the thread continues, so a search is expensive. New entries are appended unsorted, and merged when
/// there are as many new entries as sorted ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeSums {
    /// Node, bytes and time of each entry.
    entries: Vec<(u32, u64, u64)>,
    /// Number of entries at the front that are sorted by node, each node once.
    sorted: usize,
    /// Index of the entry last added to.
    last: usize,
}

impl NodeSums {
    pub fn add(&mut self, node: u32, bytes: u64, time: u64) {
        if (bytes, time) == (0, 0) {
            return;
        }
        // Likely places: the same node again, the next in a repeated sequence, or one of a few.
        let near = [self.last, self.last + 1].into_iter().chain(0..self.entries.len().min(FEW));
        let is_of = |at: &usize| self.entries.get(*at).is_some_and(|entry| entry.0 == node);
        if let Some(at) = near.into_iter().find(is_of) {
            let (_, bytes_before, time_before) = &mut self.entries[at];
            *bytes_before += bytes;
            *time_before += time;
            self.last = at;
            return;
        }
        if self.entries.len() >= 2 * self.sorted.max(FEW) {
            self.sort();
        }
        self.last = self.entries.len();
        if self.entries.capacity() == 0 {
            // Under a static schedule most threads access one node.
            self.entries.reserve_exact(1);
        }
        self.entries.push((node, bytes, time));
    }

    /// Sorts the entries and merges those of the same node.
    fn sort(&mut self) {
        self.entries.sort_unstable_by_key(|entry| entry.0);
        self.entries.dedup_by(|next, first| {
            let same = next.0 == first.0;
            if same {
                first.1 += next.1;
                first.2 += next.2;
            }
            same
        });
        (self.sorted, self.last) = (self.entries.len(), 0);
    }

    /// Entries, unsorted: node, bytes and time. A node can occur several times.
    pub fn parts(&self) -> impl Iterator<Item = (u32, u64, u64)> + '_ {
        self.entries.iter().copied()
    }

    /// Bytes by node, and time by node; without zeros.
    pub fn into_amounts(mut self) -> [ByNode; 2] {
        self.sort();
        let amounts = |amount: fn(&(u32, u64, u64)) -> u64| {
            let amounts =
                || self.entries.iter().map(|entry| (entry.0, amount(entry))).filter(|entry| entry.1 > 0);
            // Exact capacity: thousands of threads have hundreds of nodes each.
            let mut entries = Vec::with_capacity(amounts().count());
            entries.extend(amounts());
            ByNode::of(entries).expect("sorted, without zeros")
        };
        [amounts(|entry| entry.1), amounts(|entry| entry.2)]
    }
}

#[cfg(test)]
mod tests {
    use super::NodeSums;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn amounts_of_a_node_add_up_and_nothing_leaves_no_trace() {
        let mut sums = NodeSums::default();
        [(2, 7, 0), (0, 1, 5), (2, 1, 0), (3, 0, 0)].into_iter().for_each(|(node, bytes, time)| {
            sums.add(node, bytes, time);
        });
        let [bytes, time] = sums.into_amounts();
        assert_eq!((bytes.get(2), bytes.get(1), bytes.total()), (8, 0, 9));
        assert_eq!((bytes.entries(), time.entries()), (&[(0, 1), (2, 8)][..], &[(0, 5)][..]));
    }

    proptest! {
        #[test]
        fn sums_are_those_of_a_map(added in prop::collection::vec((0u32..40, 0u64..5, 0u64..5), 0..300)) {
            let (mut sums, mut map) = (NodeSums::default(), BTreeMap::new());
            for &(node, bytes, time) in &added {
                sums.add(node, bytes, time);
                let entry: &mut [u64; 2] = map.entry(node).or_default();
                entry[0] += bytes;
                entry[1] += time;
            }
            for (at, amounts) in sums.into_amounts().into_iter().enumerate() {
                let expected = map.iter().map(|(node, sums)| (*node, sums[at])).filter(|entry| entry.1 > 0);
                prop_assert_eq!(amounts.entries(), expected.collect::<Vec<_>>());
            }
        }
    }
}
