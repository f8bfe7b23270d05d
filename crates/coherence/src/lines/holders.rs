//! Which cores have a copy of a line: a few by number, many as a set of bits.

use std::ops::Range;

/// Cores that are kept by number.
const FEW: usize = 4;

/// In place of a count: the cores are a set of bits.
const MANY: u32 = u32::MAX;

/// The holders of one line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Holders {
    count: u32,
    /// The cores; of a set of bits the first is its number.
    few: [u32; FEW],
}

/// The sets of bits of all lines.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    /// Words of each set.
    words: usize,
    bits: Vec<u64>,
    unused: Vec<u32>,
}

impl Sets {
    pub fn new(cores: u32) -> Sets {
        Sets { words: cores.div_ceil(64) as usize, bits: Vec::new(), unused: Vec::new() }
    }

    fn take(&mut self) -> u32 {
        self.unused.pop().unwrap_or_else(|| {
            self.bits.resize(self.bits.len() + self.words, 0);
            (self.bits.len() / self.words - 1) as u32
        })
    }

    fn give_back(&mut self, set: u32) {
        self.of(set).fill(0);
        self.unused.push(set);
    }

    fn of(&mut self, set: u32) -> &mut [u64] {
        &mut self.bits[set as usize * self.words..][..self.words]
    }

    fn word(&self, set: u32, at: u32) -> u64 {
        self.bits[set as usize * self.words + at as usize]
    }

    fn put(&mut self, set: u32, core: u32) {
        self.of(set)[core as usize / 64] |= 1 << (core % 64);
    }

    /// The first core of a set in a range.
    #[inline]
    fn first_in(&self, set: u32, range: Range<u32>) -> Option<u32> {
        let mut at = range.start;
        while at < range.end {
            let rest = self.word(set, at / 64) >> (at % 64);
            if rest != 0 {
                let first = at + rest.trailing_zeros();
                return (first < range.end).then_some(first);
            }
            at = (at / 64 + 1) * 64;
        }
        None
    }
}

impl Holders {
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline]
    pub fn has(&self, sets: &Sets, core: u32) -> bool {
        if self.count == MANY {
            return sets.word(self.few[0], core / 64) >> (core % 64) & 1 == 1;
        }
        self.few[..self.count as usize].contains(&core)
    }

    #[inline]
    pub fn add(&mut self, sets: &mut Sets, core: u32) {
        if self.count == MANY {
            return sets.put(self.few[0], core);
        }
        let count = self.count as usize;
        if self.few[..count].contains(&core) {
            return;
        }
        if count < FEW {
            self.few[count] = core;
            self.count += 1;
            return;
        }
        let set = sets.take();
        for core in self.few.into_iter().chain([core]) {
            sets.put(set, core);
        }
        self.count = MANY;
        self.few[0] = set;
    }

    /// All other copies go.
    pub fn keep_only(&mut self, sets: &mut Sets, core: u32) {
        if self.count == MANY {
            sets.give_back(self.few[0]);
        }
        self.count = 1;
        self.few[0] = core;
    }

    /// The first holder in a range of cores.
    #[inline]
    pub fn first_in(&self, sets: &Sets, range: Range<u32>) -> Option<u32> {
        if self.count == MANY {
            return sets.first_in(self.few[0], range);
        }
        self.few[..self.count as usize].iter().copied().filter(|core| range.contains(core)).min()
    }

    /// Of every aligned block of so many cores in a range that has holders, the first holder.
    pub fn each_block(&self, sets: &Sets, range: Range<u32>, block: u32, mut visit: impl FnMut(u32)) {
        let mut at = range.start;
        while let Some(core) = self.first_in(sets, at..range.end) {
            visit(core);
            at = (core / block + 1) * block;
        }
    }
}
