//! Intervals of cached bytes in LRU order, with look-up by address.
//!
//! Accesses run upwards, so inside an interval the higher address is the more recent one. A slab
//! holds the intervals as a linked list in LRU order. Sorted keys of 16 bytes find them by address.
//! A large machine has millions of intervals, so each is stored only once, in 48 bytes.

mod keys;

use keys::{Key, Keys, Position};
use std::ops::Range;

numalab_base::index_type! {
    /// Index into the slab.
    pub(super) Slot
}

/// State of cached bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::caches) struct Mark {
    /// The only core that used the bytes since they came into the cache, or [`Mark::MANY`].
    pub sole: u32,
    /// True if the bytes were written since they came into the cache.
    pub dirty: bool,
}

impl Mark {
    /// Value of `sole` if more than one core used the bytes.
    pub const MANY: u32 = u32::MAX;

    /// Value of `sole` after an access by `core`.
    pub fn join(self, core: u32) -> u32 {
        if self.sole == core { core } else { Mark::MANY }
    }
}

/// Adjacent bytes of one region with one position in the LRU order.
#[derive(Clone, Copy, Debug)]
pub(in crate::caches) struct Interval {
    pub region: u32,
    pub start: u64,
    pub end: u64,
    /// Stamp of the latest access.
    pub stamp: u64,
    pub mark: Mark,
}

/// A [`Mark`] in 32 bits: the core, and the dirty bit.
#[derive(Clone, Copy, Debug)]
struct PackedMark(u32);

impl PackedMark {
    const DIRTY: u32 = 1 << 31;

    /// Packs a mark. The core takes 31 bits; all of them set means more than one core.
    fn new(mark: Mark) -> PackedMark {
        debug_assert!(
            mark.sole == Mark::MANY || mark.sole < !PackedMark::DIRTY,
            "core numbers must fit 31 bits"
        );
        PackedMark(mark.sole & !PackedMark::DIRTY | if mark.dirty { PackedMark::DIRTY } else { 0 })
    }

    fn mark(self) -> Mark {
        let sole = self.0 & !PackedMark::DIRTY;
        let sole = if sole == !PackedMark::DIRTY { Mark::MANY } else { sole };
        Mark { sole, dirty: self.0 & PackedMark::DIRTY != 0 }
    }
}

/// A slab entry: the properties of an interval that its key does not hold.
#[derive(Clone, Copy, Debug)]
struct Node {
    end: u64,
    stamp: u64,
    region: u32,
    mark: PackedMark,
    /// The next newer interval; in a free entry, the next free entry.
    newer: Option<Slot>,
    older: Option<Slot>,
}

/// Position of an interval, valid until intervals are added or removed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    key: Position,
    slot: Slot,
}

/// Slabs smaller than this are never compacted.
const SMALL: usize = 16;

/// Makes room in a full vector for a quarter more entries only: large machines have thousands of caches, and an inner
/// cache that streaming data fills often keeps a single interval.
fn make_room<T>(list: &mut Vec<T>) {
    if list.len() == list.capacity() {
        list.reserve_exact(1 + list.len() / 4);
    }
}

#[derive(Clone, Debug)]
pub(super) struct Intervals {
    nodes: Vec<Node>,
    /// Keys of all intervals, sorted by region and start.
    keys: Keys,
    /// First free entry of the slab.
    free: Option<Slot>,
    newest: Option<Slot>,
    oldest: Option<Slot>,
}

impl Intervals {
    pub fn new() -> Intervals {
        Intervals { nodes: Vec::new(), keys: Keys::new(), free: None, newest: None, oldest: None }
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn clear(&mut self) {
        self.nodes.clear();
        self.keys.clear();
        (self.free, self.newest, self.oldest) = (None, None, None);
    }

    /// Shrinks the memory to that of `most` intervals, if it has room for more than twice as many.
    pub fn shrink(&mut self, most: usize) {
        if self.nodes.capacity() > 2 * most {
            self.nodes.shrink_to(most);
        }
        self.keys.shrink(most);
    }

    pub fn replace_all(&mut self, interval: Interval) {
        self.clear();
        self.append(interval);
    }

    /// Quick test: false if certainly none of the bytes is present.
    pub fn may_hold(&self, region: u32, bytes: &Range<u64>) -> bool {
        match (self.keys.len(), self.keys.ends()) {
            (1, Some((key, _))) => {
                let end = self.nodes[key.slot.index()].end;
                key.region == region && key.start < bytes.end && bytes.start < end
            }
            (_, Some((first, last))) => (first.region..=last.region).contains(&region),
            (_, None) => false,
        }
    }

    /// The interval that holds a byte, else the start of the region's next interval (`u64::MAX` without a next
    /// interval).
    pub fn find(&self, region: u32, byte: u64) -> Result<Place, u64> {
        let after = self.keys.position(region, byte.saturating_add(1));
        if let Some((key, Key { region: of, slot, .. })) = self.keys.before(after)
            && of == region
            && byte < self.nodes[slot.index()].end
        {
            return Ok(Place { key, slot });
        }
        Err(self.keys.after(after).filter(|key| key.region == region).map_or(u64::MAX, |key| key.start))
    }

    pub fn get(&self, place: Place) -> Interval {
        self.interval_of(&self.keys.get(place.key))
    }

    fn interval_of(&self, &Key { start, region, slot }: &Key) -> Interval {
        let Node { end, stamp, mark, .. } = self.nodes[slot.index()];
        Interval { region, start, end, stamp, mark: mark.mark() }
    }

    /// The next interval to be evicted.
    pub fn oldest(&self) -> Option<(Place, Interval)> {
        self.oldest.map(|slot| self.locate(slot)).map(|place| (place, self.get(place)))
    }

    /// The most recently used interval.
    pub fn newest(&self) -> Option<Interval> {
        self.newest.map(|slot| self.get(self.locate(slot)))
    }

    /// Stamp and mark of the newest interval, if this interval ends at `byte` of `region`.
    pub fn newest_until(&self, region: u32, byte: u64) -> Option<(u64, Mark)> {
        let node = &self.nodes[self.newest?.index()];
        (node.end == byte && node.region == region).then(|| (node.stamp, node.mark.mark()))
    }

    /// True if an interval is the most recently used one.
    pub fn is_newest(&self, place: Place) -> bool {
        self.newest == Some(place.slot)
    }

    /// Extends the newest interval upwards.
    pub fn extend_newest(&mut self, end: u64, stamp: u64, mark: Mark) {
        if let Some(slot) = self.newest {
            let node = &mut self.nodes[slot.index()];
            (node.end, node.stamp, node.mark) = (end, stamp, PackedMark::new(mark));
        }
    }

    /// Bytes of the intervals that are newer than one, of `used` bytes in all. Counts from both ends of the list, in at
    /// most `most` steps; of an interval in the middle of a longer list it takes half of what it did not count.
    pub fn newer_than(&self, Place { slot, .. }: Place, used: u64, most: usize) -> u64 {
        let length = |slot: Slot| {
            let place = self.locate(slot);
            self.nodes[slot.index()].end - self.keys.get(place.key).start
        };
        let (mut newer, mut older, mut above, mut below) = (0, 0, self.newest, self.oldest);
        for _ in 0..most {
            match (above, below) {
                (Some(at), _) if at == slot => return newer,
                (_, Some(at)) if at == slot => return used.saturating_sub(older + length(slot)),
                (Some(high), Some(low)) => {
                    newer += length(high);
                    older += length(low);
                    (above, below) = (self.nodes[high.index()].older, self.nodes[low.index()].newer);
                }
                (None, _) | (_, None) => break,
            }
        }
        newer + used.saturating_sub(newer + older) / 2
    }

    /// All intervals, oldest first.
    pub fn by_age(&self) -> impl Iterator<Item = Interval> + '_ {
        let mut at = self.oldest;
        std::iter::from_fn(move || {
            let slot = at?;
            at = self.nodes[slot.index()].newer;
            Some(self.get(self.locate(slot)))
        })
    }

    /// Removes all intervals and returns them, oldest first.
    pub fn drain_by_age(&mut self) -> Vec<Interval> {
        let mut starts = vec![0; self.nodes.len()];
        self.keys.iter().for_each(|key| starts[key.slot.index()] = key.start);
        let mut drained = Vec::with_capacity(self.keys.len());
        let mut next = self.oldest;
        while let Some(slot) = next {
            let Node { end, stamp, region, mark, newer, .. } = self.nodes[slot.index()];
            drained.push(Interval { region, start: starts[slot.index()], end, stamp, mark: mark.mark() });
            next = newer;
        }
        self.clear();
        drained
    }

    /// Adds intervals, oldest first, to an empty list. They must not overlap.
    pub fn append_all(&mut self, intervals: &[Interval]) {
        debug_assert_eq!(self.keys.len(), 0);
        let last = (intervals.len() as u32).checked_sub(1).map(Slot::new);
        let (mut older, slots) = (None, Slot::first(intervals.len() as u32));
        let mut keys = Vec::with_capacity(intervals.len());
        for (&Interval { region, start, end, stamp, mark }, slot) in intervals.iter().zip(slots) {
            let newer = (Some(slot) != last).then(|| Slot::new(slot.number() + 1));
            self.nodes.push(Node { end, stamp, region, mark: PackedMark::new(mark), newer, older });
            keys.push(Key { start, region, slot });
            older = Some(slot);
        }
        self.keys.replace(keys);
        (self.newest, self.oldest) = (last, last.map(|_| Slot::new(0)));
    }

    /// All intervals by region and address.
    pub fn by_address(&self) -> impl Iterator<Item = Interval> + '_ {
        self.keys.iter().map(|key| self.interval_of(key))
    }

    /// Adds an interval, which must not overlap another interval, as the newest.
    pub fn append(&mut self, interval: Interval) {
        let slot = self.store(interval);
        self.link_newest(slot);
    }

    /// Makes a whole interval the newest, with a new stamp and mark.
    pub fn renew(&mut self, Place { slot, .. }: Place, stamp: u64, mark: Mark) {
        if Some(slot) != self.newest {
            self.unlink(slot);
            self.link_newest(slot);
        }
        let node = &mut self.nodes[slot.index()];
        (node.stamp, node.mark) = (stamp, PackedMark::new(mark));
    }

    /// Removes bytes of an interval. The remaining bytes keep their position in the LRU order.
    pub fn cut(&mut self, place: Place, bytes: Range<u64>) {
        let interval = self.get(place);
        let Place { key, slot } = place;
        match (bytes.start == interval.start, bytes.end == interval.end) {
            (true, true) => {
                self.keys.remove(key);
                self.unlink(slot);
                self.nodes[slot.index()].newer = self.free.replace(slot);
                self.compact();
            }
            (true, false) => self.keys.raise(key, bytes.end),
            (false, upper) => {
                self.nodes[slot.index()].end = bytes.start;
                if !upper {
                    let rest = self.store(Interval { start: bytes.end, ..interval });
                    self.link_after(rest, slot);
                }
            }
        }
    }

    /// Compacts the slab when less than a third of it is in use. Otherwise a cache that was cut up for
    /// a while would stay large.
    fn compact(&mut self) {
        if self.nodes.len() < SMALL || 3 * self.keys.len() >= self.nodes.len() {
            return;
        }
        let room = self.keys.len() + self.keys.len() / 4;
        let (mut moved, mut keys) = (Vec::with_capacity(room), Vec::with_capacity(room));
        let mut at = self.oldest;
        while let Some(slot) = at {
            let node = self.nodes[slot.index()];
            let key = self.keys.get(self.locate(slot).key);
            keys.push(Key { slot: Slot::new(moved.len() as u32), ..key });
            moved.push(node);
            at = node.newer;
        }
        let count = moved.len() as u32;
        for (node, at) in moved.iter_mut().zip(0..) {
            node.older = u32::checked_sub(at, 1).map(Slot::new);
            node.newer = (at + 1 < count).then(|| Slot::new(at + 1));
        }
        self.nodes = moved;
        self.keys.replace(keys);
        self.free = None;
        self.oldest = (count > 0).then(|| Slot::new(0));
        self.newest = count.checked_sub(1).map(Slot::new);
    }

    /// Position of an interval by its slab entry. Its key is the last one before the interval's end.
    fn locate(&self, slot: Slot) -> Place {
        let Node { region, end, .. } = self.nodes[slot.index()];
        let after = self.keys.position(region, end);
        let key = self.keys.before(after).map_or(after, |(key, _)| key);
        debug_assert_eq!(self.keys.get(key).slot, slot);
        Place { key, slot }
    }

    fn store(&mut self, interval: Interval) -> Slot {
        let Interval { region, start, end, stamp, mark } = interval;
        debug_assert!(start < end, "empty intervals cannot be found");
        let node = Node { end, stamp, region, mark: PackedMark::new(mark), newer: None, older: None };
        let slot = match self.free {
            Some(slot) => {
                self.free = std::mem::replace(&mut self.nodes[slot.index()], node).newer;
                slot
            }
            None => {
                make_room(&mut self.nodes);
                self.nodes.push(node);
                Slot::new(self.nodes.len() as u32 - 1)
            }
        };
        self.keys.insert(Key { start, region, slot });
        slot
    }

    fn link_newest(&mut self, slot: Slot) {
        if let Some(newest) = self.newest {
            self.link_after(slot, newest);
        } else {
            let node = &mut self.nodes[slot.index()];
            (node.newer, node.older) = (None, None);
            (self.newest, self.oldest) = (Some(slot), Some(slot));
        }
    }

    /// Inserts `slot` into the LRU order as the next newer entry after `older`.
    fn link_after(&mut self, slot: Slot, older: Slot) {
        let newer = self.nodes[older.index()].newer;
        self.nodes[slot.index()].older = Some(older);
        self.nodes[slot.index()].newer = newer;
        self.nodes[older.index()].newer = Some(slot);
        match newer {
            None => self.newest = Some(slot),
            Some(newer) => self.nodes[newer.index()].older = Some(slot),
        }
    }

    fn unlink(&mut self, slot: Slot) {
        let Node { newer, older, .. } = self.nodes[slot.index()];
        match newer {
            None => self.newest = older,
            Some(newer) => self.nodes[newer.index()].older = older,
        }
        match older {
            None => self.oldest = newer,
            Some(older) => self.nodes[older.index()].newer = newer,
        }
    }
}

#[cfg(test)]
mod tests;
