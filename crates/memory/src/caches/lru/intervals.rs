//! Intervals of cached bytes in LRU order, with look-up by address.
//!
//! Accesses run upwards, so inside an interval the higher address is the more recent one. A slab
//! holds the intervals as a linked list in LRU order. A sorted vector of keys finds them by address:
//! few intervals are alive at a time, and moving 16-byte keys is cheap. A large machine has millions
//! of intervals, so each is stored only once, in 48 bytes.

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

/// Key of an interval: its first byte.
#[derive(Clone, Copy, Debug)]
struct Key {
    start: u64,
    region: u32,
    slot: Slot,
}

/// Position of an interval, valid until intervals are added or removed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Index into the sorted keys.
    at: u32,
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
    keys: Vec<Key>,
    /// First free entry of the slab.
    free: Option<Slot>,
    newest: Option<Slot>,
    oldest: Option<Slot>,
}

impl Intervals {
    pub fn new() -> Intervals {
        Intervals { nodes: Vec::new(), keys: Vec::new(), free: None, newest: None, oldest: None }
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
        if self.keys.capacity() > 2 * most {
            self.nodes.shrink_to(most);
            self.keys.shrink_to(most);
        }
    }

    pub fn replace_all(&mut self, interval: Interval) {
        self.clear();
        self.append(interval);
    }

    /// Quick test: false if certainly none of the bytes is present.
    pub fn may_hold(&self, region: u32, bytes: &Range<u64>) -> bool {
        match self.keys.as_slice() {
            [] => false,
            [key] => {
                let end = self.nodes[key.slot.index()].end;
                key.region == region && key.start < bytes.end && bytes.start < end
            }
            [first, .., last] => (first.region..=last.region).contains(&region),
        }
    }

    /// The interval that holds a byte, else the start of the region's next interval (`u64::MAX` without a next
    /// interval).
    pub fn find(&self, region: u32, byte: u64) -> Result<Place, u64> {
        let after = self.position(region, byte.saturating_add(1));
        if let Some(at) = after.checked_sub(1)
            && let Key { region: of, slot, .. } = self.keys[at]
            && of == region
            && byte < self.nodes[slot.index()].end
        {
            return Ok(Place { at: at as u32, slot });
        }
        Err(self.keys.get(after).filter(|key| key.region == region).map_or(u64::MAX, |key| key.start))
    }

    pub fn get(&self, place: Place) -> Interval {
        let Node { end, stamp, region, mark, .. } = self.nodes[place.slot.index()];
        Interval { region, start: self.keys[place.at as usize].start, end, stamp, mark: mark.mark() }
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

    /// All intervals, oldest first.
    pub fn by_age(&self) -> impl Iterator<Item = Interval> + '_ {
        let mut at = self.oldest;
        std::iter::from_fn(move || {
            let slot = at?;
            at = self.nodes[slot.index()].newer;
            Some(self.get(self.locate(slot)))
        })
    }

    /// All intervals by region and address.
    pub fn by_address(&self) -> impl Iterator<Item = Interval> + '_ {
        (0..).zip(&self.keys).map(|(at, key)| self.get(Place { at, slot: key.slot }))
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
        let Place { at, slot } = place;
        match (bytes.start == interval.start, bytes.end == interval.end) {
            (true, true) => {
                self.keys.remove(at as usize);
                self.unlink(slot);
                self.nodes[slot.index()].newer = self.free.replace(slot);
                self.compact();
            }
            (true, false) => self.keys[at as usize].start = bytes.end,
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
        let mut moved = Vec::with_capacity(self.keys.len() + self.keys.len() / 4);
        let mut at = self.oldest;
        while let Some(slot) = at {
            let node = self.nodes[slot.index()];
            let place = self.locate(slot);
            self.keys[place.at as usize].slot = Slot::new(moved.len() as u32);
            moved.push(node);
            at = node.newer;
        }
        let count = moved.len() as u32;
        for (node, at) in moved.iter_mut().zip(0..) {
            node.older = u32::checked_sub(at, 1).map(Slot::new);
            node.newer = (at + 1 < count).then(|| Slot::new(at + 1));
        }
        self.nodes = moved;
        self.keys.shrink_to(self.nodes.capacity());
        self.free = None;
        self.oldest = (count > 0).then(|| Slot::new(0));
        self.newest = count.checked_sub(1).map(Slot::new);
    }

    /// Number of keys before a region's byte.
    fn position(&self, region: u32, byte: u64) -> usize {
        self.keys.partition_point(|key| (key.region, key.start) < (region, byte))
    }

    /// Position of an interval by its slab entry. Its key is the last one before the interval's end.
    fn locate(&self, slot: Slot) -> Place {
        let Node { region, end, .. } = self.nodes[slot.index()];
        let at = self.position(region, end) as u32 - 1;
        debug_assert_eq!(self.keys[at as usize].slot, slot);
        Place { at, slot }
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
        let at = self.position(region, start);
        make_room(&mut self.keys);
        self.keys.insert(at, Key { start, region, slot });
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
