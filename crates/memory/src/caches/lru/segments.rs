//! Intervals of regions in order of recency, found by address.
//!
//! Accesses run upwards, so inside a segment the higher address is the more recent one. A slab holds the segments and
//! links their order; a sorted vector finds them, and has their first bytes: few live at a time, and moving 16-byte keys is
//! cheap. A large machine has millions of segments, so that each is written down once, in 48 bytes.

use std::ops::Range;

numalab_base::index_type! {
    /// A place in the slab.
    pub(super) Slot
}

/// State of some bytes of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::caches) struct Mark {
    /// The only core that used them since they came, or [`Mark::MANY`].
    pub sole: u32,
    /// Written since they came.
    pub dirty: bool,
}

impl Mark {
    /// More than one core.
    pub const MANY: u32 = u32::MAX;

    /// Another core uses them, too.
    pub fn join(self, core: u32) -> u32 {
        if self.sole == core { core } else { Mark::MANY }
    }
}

/// Bytes of one region that stand together in the order of recency.
#[derive(Clone, Copy, Debug)]
pub(in crate::caches) struct Segment {
    pub region: u32,
    pub start: u64,
    pub end: u64,
    /// The access that used them last.
    pub stamp: u64,
    pub mark: Mark,
}

/// A [`Mark`] in 32 bits: the core, and whether it is dirty.
#[derive(Clone, Copy, Debug)]
struct PackedMark(u32);

impl PackedMark {
    /// The highest bit.
    const DIRTY: u32 = 1 << 31;

    /// The other bits stand for more than one core if all are set.
    fn new(mark: Mark) -> PackedMark {
        debug_assert!(mark.sole == Mark::MANY || mark.sole < !PackedMark::DIRTY, "a core has 31 bits");
        PackedMark(mark.sole & !PackedMark::DIRTY | if mark.dirty { PackedMark::DIRTY } else { 0 })
    }

    fn mark(self) -> Mark {
        let sole = self.0 & !PackedMark::DIRTY;
        let sole = if sole == !PackedMark::DIRTY { Mark::MANY } else { sole };
        Mark { sole, dirty: self.0 & PackedMark::DIRTY != 0 }
    }
}

/// What a segment's key does not say.
#[derive(Clone, Copy, Debug)]
struct Node {
    end: u64,
    stamp: u64,
    region: u32,
    mark: PackedMark,
    /// In a free place, the next free one.
    newer: Option<Slot>,
    older: Option<Slot>,
}

/// First byte of a segment.
#[derive(Clone, Copy, Debug)]
struct Key {
    start: u64,
    region: u32,
    slot: Slot,
}

/// Place of a segment, until segments come or go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Index among the keys.
    at: u32,
    slot: Slot,
}

/// A slab of fewer places than this is not worth making smaller.
const SMALL: usize = 16;

/// Makes room for one more where there is none, and for a quarter of what there is: large machines have thousands of
/// caches. An inner cache often has one segment for good: what streams through it fills it.
fn make_room<T>(list: &mut Vec<T>) {
    if list.len() == list.capacity() {
        list.reserve_exact(1 + list.len() / 4);
    }
}

/// The segments of one cache.
#[derive(Clone, Debug)]
pub(super) struct Segments {
    nodes: Vec<Node>,
    /// Sorted by region and start.
    keys: Vec<Key>,
    /// The first free place of the slab.
    free: Option<Slot>,
    newest: Option<Slot>,
    oldest: Option<Slot>,
}

impl Segments {
    pub fn new() -> Segments {
        Segments { nodes: Vec::new(), keys: Vec::new(), free: None, newest: None, oldest: None }
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn clear(&mut self) {
        self.nodes.clear();
        self.keys.clear();
        (self.free, self.newest, self.oldest) = (None, None, None);
    }

    /// Gives back room for more than so many, if there is much of it.
    pub fn shrink(&mut self, most: usize) {
        if self.keys.capacity() > 2 * most {
            self.nodes.shrink_to(most);
            self.keys.shrink_to(most);
        }
    }

    /// One segment takes the place of all.
    pub fn replace_all(&mut self, segment: Segment) {
        self.clear();
        self.append(segment);
    }

    /// False if it is quick to say that none of some bytes is here.
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

    /// The segment that holds a byte, or where the region's next segment begins.
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

    pub fn get(&self, place: Place) -> Segment {
        let Node { end, stamp, region, mark, .. } = self.nodes[place.slot.index()];
        Segment { region, start: self.keys[place.at as usize].start, end, stamp, mark: mark.mark() }
    }

    /// The segment that goes first.
    pub fn oldest(&self) -> Option<(Place, Segment)> {
        self.oldest.map(|slot| self.locate(slot)).map(|place| (place, self.get(place)))
    }

    /// The segment used last.
    pub fn newest(&self) -> Option<Segment> {
        self.newest.map(|slot| self.get(self.locate(slot)))
    }

    /// Stamp and mark of the segment used last, if it ends at a region's byte.
    pub fn newest_until(&self, region: u32, byte: u64) -> Option<(u64, Mark)> {
        let node = &self.nodes[self.newest?.index()];
        (node.end == byte && node.region == region).then(|| (node.stamp, node.mark.mark()))
    }

    /// Whether a segment is the one used last.
    pub fn is_newest(&self, place: Place) -> bool {
        self.newest == Some(place.slot)
    }

    /// The segment used last is extended upwards.
    pub fn extend_newest(&mut self, end: u64, stamp: u64, mark: Mark) {
        if let Some(slot) = self.newest {
            let node = &mut self.nodes[slot.index()];
            (node.end, node.stamp, node.mark) = (end, stamp, PackedMark::new(mark));
        }
    }

    /// All segments, the oldest first.
    pub fn by_age(&self) -> impl Iterator<Item = Segment> + '_ {
        let mut at = self.oldest;
        std::iter::from_fn(move || {
            let slot = at?;
            at = self.nodes[slot.index()].newer;
            Some(self.get(self.locate(slot)))
        })
    }

    /// All segments by region and address.
    pub fn by_address(&self) -> impl Iterator<Item = Segment> + '_ {
        (0..).zip(&self.keys).map(|(at, key)| self.get(Place { at, slot: key.slot }))
    }

    /// A segment that does not overlap any other becomes the newest.
    pub fn append(&mut self, segment: Segment) {
        let slot = self.store(segment);
        self.link_newest(slot);
    }

    /// A whole segment becomes the newest.
    pub fn renew(&mut self, Place { slot, .. }: Place, stamp: u64, mark: Mark) {
        if Some(slot) != self.newest {
            self.unlink(slot);
            self.link_newest(slot);
        }
        let node = &mut self.nodes[slot.index()];
        (node.stamp, node.mark) = (stamp, PackedMark::new(mark));
    }

    /// Takes some bytes out of a segment; what is left keeps its place in the order.
    pub fn cut(&mut self, place: Place, bytes: Range<u64>) {
        let segment = self.get(place);
        let Place { at, slot } = place;
        match (bytes.start == segment.start, bytes.end == segment.end) {
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
                    let rest = self.store(Segment { start: bytes.end, ..segment });
                    self.link_after(rest, slot);
                }
            }
        }
    }

    /// Moves the segments together when they use less than a third of the slab: in a cache that was cut up for a while it
    /// would stay as large for good.
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

    /// Where the key of a segment is: the last one that begins before the segment ends.
    fn locate(&self, slot: Slot) -> Place {
        let Node { region, end, .. } = self.nodes[slot.index()];
        let at = self.position(region, end) as u32 - 1;
        debug_assert_eq!(self.keys[at as usize].slot, slot);
        Place { at, slot }
    }

    fn store(&mut self, segment: Segment) -> Slot {
        let Segment { region, start, end, stamp, mark } = segment;
        debug_assert!(start < end, "it would not be found");
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

    /// Puts `slot` in the order as the next newer one than `older`.
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
