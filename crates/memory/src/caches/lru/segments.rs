//! Intervals of regions in order of recency, found by address.
//!
//! Accesses run upwards, so inside a segment the higher address is the more recent one. A slab holds the segments,
//! links their order, a sorted vector finds them: few live at a time, and moving 16-byte keys is cheap.

use std::ops::Range;

numalab_units::index_type! {
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

#[derive(Clone, Copy, Debug)]
struct Node {
    segment: Segment,
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

/// Makes room for one more where there is none, and for half as many as there are: large machines have thousands of
/// caches. An inner cache often has one segment for good: what streams through it fills it.
fn make_room<T>(list: &mut Vec<T>) {
    if list.len() == list.capacity() {
        list.reserve_exact(1 + list.len() / 2);
    }
}

/// The segments of one cache.
#[derive(Clone, Debug)]
pub(super) struct Segments {
    nodes: Vec<Node>,
    free: Vec<Slot>,
    /// Sorted by region and start.
    keys: Vec<Key>,
    newest: Option<Slot>,
    oldest: Option<Slot>,
}

impl Segments {
    pub fn new() -> Segments {
        Segments { nodes: Vec::new(), free: Vec::new(), keys: Vec::new(), newest: None, oldest: None }
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn clear(&mut self) {
        self.nodes.clear();
        self.free.clear();
        self.keys.clear();
        self.newest = None;
        self.oldest = None;
    }

    /// Gives back room for more than so many, if there is much of it.
    pub fn shrink(&mut self, most: usize) {
        if self.keys.capacity() > 2 * most {
            let Segments { nodes, free, keys, newest: _, oldest: _ } = self;
            nodes.shrink_to(most);
            keys.shrink_to(most);
            free.shrink_to(most);
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
                let end = self.get(key.slot).end;
                key.region == region && key.start < bytes.end && bytes.start < end
            }
            [first, .., last] => (first.region..=last.region).contains(&region),
        }
    }

    /// The slot of the segment that holds a byte, or where the region's next segment begins.
    pub fn find(&self, region: u32, byte: u64) -> Result<Slot, u64> {
        let after = self.position(region, byte.saturating_add(1));
        if let Some(key) = after.checked_sub(1).map(|at| self.keys[at])
            && key.region == region
            && byte < self.nodes[key.slot.index()].segment.end
        {
            return Ok(key.slot);
        }
        Err(self.keys.get(after).filter(|key| key.region == region).map_or(u64::MAX, |key| key.start))
    }

    pub fn get(&self, slot: Slot) -> Segment {
        self.nodes[slot.index()].segment
    }

    /// The segment that goes first.
    pub fn oldest(&self) -> Option<(Slot, Segment)> {
        self.oldest.map(|slot| (slot, self.get(slot)))
    }

    /// The segment used last, to be extended upwards.
    pub fn newest(&mut self) -> Option<&mut Segment> {
        self.newest.map(|slot| &mut self.nodes[slot.index()].segment)
    }

    /// All segments, the oldest first.
    pub fn by_age(&self) -> impl Iterator<Item = Segment> + '_ {
        let mut at = self.oldest;
        std::iter::from_fn(move || {
            let node = &self.nodes[at?.index()];
            at = node.newer;
            Some(node.segment)
        })
    }

    /// All segments by region and address.
    pub fn by_address(&self) -> impl Iterator<Item = Segment> + '_ {
        self.keys.iter().map(|key| self.get(key.slot))
    }

    /// A segment that does not overlap any other becomes the newest.
    pub fn append(&mut self, segment: Segment) {
        let slot = self.store(segment);
        self.link_newest(slot);
    }

    /// A whole segment becomes the newest.
    pub fn renew(&mut self, slot: Slot, stamp: u64, mark: Mark) {
        if Some(slot) != self.newest {
            self.unlink(slot);
            self.link_newest(slot);
        }
        let segment = &mut self.nodes[slot.index()].segment;
        (segment.stamp, segment.mark) = (stamp, mark);
    }

    /// Takes some bytes out of a segment; what is left keeps its place.
    pub fn cut(&mut self, slot: Slot, bytes: Range<u64>) {
        let segment = self.get(slot);
        match (bytes.start == segment.start, bytes.end == segment.end) {
            (true, true) => {
                let at = self.position(segment.region, segment.start);
                self.keys.remove(at);
                self.unlink(slot);
                self.free.push(slot);
            }
            (true, false) => {
                let at = self.position(segment.region, segment.start);
                self.keys[at].start = bytes.end;
                self.nodes[slot.index()].segment.start = bytes.end;
            }
            (false, upper) => {
                self.nodes[slot.index()].segment.end = bytes.start;
                if !upper {
                    let rest = self.store(Segment { start: bytes.end, ..segment });
                    self.link_after(rest, slot);
                }
            }
        }
    }

    /// Number of keys before a region's byte.
    fn position(&self, region: u32, byte: u64) -> usize {
        self.keys.partition_point(|key| (key.region, key.start) < (region, byte))
    }

    fn store(&mut self, segment: Segment) -> Slot {
        let node = Node { segment, newer: None, older: None };
        let slot = match self.free.pop() {
            Some(slot) => {
                self.nodes[slot.index()] = node;
                slot
            }
            None => {
                make_room(&mut self.nodes);
                self.nodes.push(node);
                Slot::new(self.nodes.len() as u32 - 1)
            }
        };
        let at = self.position(segment.region, segment.start);
        make_room(&mut self.keys);
        self.keys.insert(at, Key { start: segment.start, region: segment.region, slot });
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
