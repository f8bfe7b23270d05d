//! Keys of intervals, sorted, in blocks: a cache that small chunks cut up has ten thousand keys, of which an insertion
//! or a removal moves one block.

use super::Slot;

/// Most keys of a block. Small in tests, so that short lists have several blocks.
const BLOCK: usize = if cfg!(test) { 8 } else { 128 };

/// Key of an interval: its first byte.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    pub start: u64,
    pub region: u32,
    pub slot: Slot,
}

impl Key {
    fn rank(&self) -> u128 {
        rank(self.region, self.start)
    }
}

/// Rank of a region's byte in the order of keys. One number is compared without branches.
fn rank(region: u32, byte: u64) -> u128 {
    u128::from(region) << 64 | u128::from(byte)
}

/// Position before a key, or behind the last key of a block. Valid until keys are added or removed.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// 0 is the first block.
    block: u32,
    at: u32,
}

/// A block behind the first one. It has at least one key.
#[derive(Clone, Debug)]
struct Block {
    /// Rank at or below those of all keys of the block, and not below those of earlier blocks.
    from: u128,
    keys: Vec<Key>,
}

#[derive(Clone, Debug)]
pub struct Keys {
    /// First block. Nearly all caches have no other.
    first: Vec<Key>,
    others: Vec<Block>,
    len: usize,
}

impl Keys {
    pub fn new() -> Keys {
        Keys { first: Vec::new(), others: Vec::new(), len: 0 }
    }

    /// Replaces all keys by keys in any order.
    pub fn replace(&mut self, mut keys: Vec<Key>) {
        keys.sort_unstable_by_key(Key::rank);
        self.len = keys.len();
        self.others = match keys.len() {
            0..=BLOCK => Vec::new(),
            // Blocks have room for some more keys.
            _ => keys[BLOCK / 2..]
                .chunks(BLOCK / 4 * 3)
                .map(|keys| Block { from: keys[0].rank(), keys: keys.to_vec() })
                .collect(),
        };
        if !self.others.is_empty() {
            keys.truncate(BLOCK / 2);
            keys.shrink_to_fit();
        }
        self.first = keys;
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn clear(&mut self) {
        self.first.clear();
        self.others.clear();
        self.len = 0;
    }

    /// Shrinks the memory to that of `most` keys, if it has room for more than twice as many.
    pub fn shrink(&mut self, most: usize) {
        if self.first.capacity() > 2 * most {
            self.first.shrink_to(most);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Key> {
        self.first.iter().chain(self.others.iter().flat_map(|block| &block.keys))
    }

    /// Lowest and highest key; `None` without keys.
    pub fn ends(&self) -> Option<(&Key, &Key)> {
        let last = self.others.last().map_or(&self.first, |block| &block.keys).last()?;
        Some((self.first.first()?, last))
    }

    /// Position behind all keys below a region's byte.
    pub fn position(&self, region: u32, byte: u64) -> Position {
        let rank = rank(region, byte);
        let block = match self.others.is_empty() {
            true => 0,
            false => self.others.partition_point(|block| block.from < rank) as u32,
        };
        let at = self.block(block).partition_point(|key| key.rank() < rank) as u32;
        Position { block, at }
    }

    /// Key before a position, and its own position.
    pub fn before(&self, Position { block, at }: Position) -> Option<(Position, Key)> {
        let place = match (at.checked_sub(1), block.checked_sub(1)) {
            (Some(at), _) => Position { block, at },
            (None, Some(block)) => Position { block, at: self.block(block).len() as u32 - 1 },
            (None, None) => return None,
        };
        Some((place, self.get(place)))
    }

    /// Key behind a position.
    pub fn after(&self, Position { block, at }: Position) -> Option<&Key> {
        let next = || self.others.get(block as usize)?.keys.first();
        self.block(block).get(at as usize).or_else(next)
    }

    /// Key at the position that [`Keys::before`] gave.
    pub fn get(&self, Position { block, at }: Position) -> Key {
        self.block(block)[at as usize]
    }

    /// Raises the start of a key, to at most that of the next key of the region.
    pub fn raise(&mut self, Position { block, at }: Position, start: u64) {
        let keys = self.block_mut(block);
        keys[at as usize].start = start;
        if at as usize + 1 == keys.len()
            && let Some(next) = self.others.get_mut(block as usize)
        {
            // The next block's limit may be that of a key that is gone, below `start`.
            next.from = next.keys[0].rank();
        }
    }

    pub fn insert(&mut self, key: Key) {
        let Position { block, at } = self.position(key.region, key.start);
        self.len += 1;
        let keys = self.block_mut(block);
        super::make_room(keys);
        keys.insert(at as usize, key);
        if keys.len() > BLOCK {
            let keys = keys.split_off(BLOCK / 2);
            self.others.insert(block as usize, Block { from: keys[0].rank(), keys });
        }
    }

    pub fn remove(&mut self, Position { block, at }: Position) {
        self.len -= 1;
        let keys = self.block_mut(block);
        keys.remove(at as usize);
        if keys.is_empty() {
            match block.checked_sub(1) {
                Some(other) => drop(self.others.remove(other as usize)),
                None if self.others.is_empty() => {}
                None => self.first = self.others.remove(0).keys,
            }
        }
    }

    fn block(&self, block: u32) -> &Vec<Key> {
        block.checked_sub(1).map_or(&self.first, |other| &self.others[other as usize].keys)
    }

    fn block_mut(&mut self, block: u32) -> &mut Vec<Key> {
        match block.checked_sub(1) {
            Some(other) => &mut self.others[other as usize].keys,
            None => &mut self.first,
        }
    }
}
