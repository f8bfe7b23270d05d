//! Cores that hold a copy of a line: few by number, many as a bit set.

use super::lists::Lists;
use numalab_base::{Snapshot, index_type};
use std::ops::Range;

/// Limit on the holders of a line that are stored by number; more are stored as a bit set.
const FEW: usize = 4;

index_type! {
    /// Bit set in [`Sets`].
    SetId
}

/// Set of the cores that hold one line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Holders {
    count: u32,
    /// Bit set of all holders; `None` while they are stored by number in `few`.
    set: Option<SetId>,
    few: [u32; FEW],
}

/// Storage of the bit sets of all lines.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    /// Number of bits (`cores`) and of words (`words`) of each set.
    cores: u32,
    words: usize,
    bits: Vec<u64>,
    unused: Vec<SetId>,
    /// Lists of directories; kept here because only lines with many holders need them.
    pub lists: Lists,
}

impl Sets {
    pub fn new(cores: u32) -> Sets {
        Sets {
            cores,
            words: cores.div_ceil(64) as usize,
            bits: Vec::new(),
            unused: Vec::new(),
            lists: Lists::default(),
        }
    }

    fn take(&mut self) -> SetId {
        self.unused.pop().unwrap_or_else(|| {
            self.bits.resize(self.bits.len() + self.words, 0);
            SetId::new((self.bits.len() / self.words - 1) as u32)
        })
    }

    fn give_back(&mut self, set: SetId) {
        let start = set.index() * self.words;
        self.bits[start..start + self.words].fill(0);
        self.unused.push(set);
    }

    #[inline]
    fn word(&self, set: SetId, at: u32) -> u64 {
        self.bits[set.index() * self.words + at as usize]
    }

    #[inline]
    fn word_of(&mut self, set: SetId, core: u32) -> &mut u64 {
        &mut self.bits[set.index() * self.words + core as usize / 64]
    }

    #[inline]
    fn has(&self, set: SetId, core: u32) -> bool {
        self.word(set, core / 64) >> (core % 64) & 1 == 1
    }

    #[inline]
    fn put(&mut self, set: SetId, core: u32) {
        *self.word_of(set, core) |= 1 << (core % 64);
    }

    #[inline]
    fn take_out(&mut self, set: SetId, core: u32) {
        *self.word_of(set, core) &= !(1 << (core % 64));
    }

    /// Core with the lowest number of a bit set within a range; `None` if the range has none.
    #[inline]
    fn first_in(&self, set: SetId, range: Range<u32>) -> Option<u32> {
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
    pub fn snapshot(&self, sets: &Sets, into: &mut Snapshot) {
        let Holders { count, set, few: _ } = self;
        into.add(count);
        match *set {
            Some(set) => (0..sets.words as u32).for_each(|at| into.add(&sets.word(set, at))),
            None => into.add(self.few()),
        }
    }

    #[inline]
    fn few(&self) -> &[u32] {
        &self.few[..self.count as usize]
    }

    #[inline]
    pub fn has(&self, sets: &Sets, core: u32) -> bool {
        match self.set {
            Some(set) => sets.has(set, core),
            None => self.few().contains(&core),
        }
    }

    /// Three flags: true if the core, its group, its domain have a copy.
    #[inline]
    pub fn near(&self, sets: &Sets, core: u32, group: Range<u32>, domain: Range<u32>) -> [bool; 3] {
        match self.set {
            Some(set) => {
                let in_group = sets.first_in(set, group).is_some();
                let in_domain = in_group || sets.first_in(set, domain).is_some();
                [in_group && sets.has(set, core), in_group, in_domain]
            }
            None => {
                let mut near = [false; 3];
                for holder in self.few() {
                    near[0] |= *holder == core;
                    near[1] |= group.contains(holder);
                    near[2] |= domain.contains(holder);
                }
                near
            }
        }
    }

    /// Adds a core. Returns true if the core held no copy before.
    #[inline]
    pub fn add(&mut self, sets: &mut Sets, core: u32) -> bool {
        let Some(set) = self.set else { return self.add_to_few(sets, core) };
        let word = sets.word_of(set, core);
        let bit = 1 << (core % 64);
        let new = *word & bit == 0;
        *word |= bit;
        self.count += u32::from(new);
        new
    }

    #[inline]
    fn add_to_few(&mut self, sets: &mut Sets, core: u32) -> bool {
        if self.few().contains(&core) {
            return false;
        }
        if (self.count as usize) < FEW {
            self.few[self.count as usize] = core;
        } else {
            let set = sets.take();
            self.few.iter().chain([&core]).for_each(|core| sets.put(set, *core));
            self.set = Some(set);
        }
        self.count += 1;
        true
    }

    #[inline]
    pub fn remove(&mut self, sets: &mut Sets, core: u32) {
        if !self.has(sets, core) {
            return;
        }
        if let Some(set) = self.set {
            sets.take_out(set, core);
            self.count -= 1;
            if self.count <= 1 {
                // Only one core is left: store its number instead of a set.
                self.few[0] = sets.first_in(set, 0..sets.cores).unwrap_or_default();
                sets.give_back(set);
                self.set = None;
            }
            return;
        }
        let last = self.count as usize - 1;
        if let Some(place) = self.few().iter().position(|holder| *holder == core) {
            self.few.swap(place, last);
            self.count -= 1;
        }
    }

    #[inline]
    pub fn are_one(&self) -> bool {
        self.count == 1
    }

    /// Makes a core the only holder.
    #[inline]
    pub fn keep_only(&mut self, sets: &mut Sets, core: u32) {
        if let Some(set) = self.set.take() {
            sets.give_back(set);
        }
        self.count = 1;
        self.few[0] = core;
    }

    /// Removes the holders in a range of cores, except those in two other ranges.
    pub fn clear(&mut self, sets: &mut Sets, range: Range<u32>, but: [Range<u32>; 2]) {
        let goes = |core: u32| range.contains(&core) && !but.iter().any(|kept| kept.contains(&core));
        if self.set.is_none() {
            let mut left = 0;
            for at in 0..self.count as usize {
                if !goes(self.few[at]) {
                    self.few[left] = self.few[at];
                    left += 1;
                }
            }
            self.count = left as u32;
            return;
        }
        let mut rest = range.clone();
        while let Some(core) = self.first_in(sets, rest.clone()) {
            rest.start = core + 1;
            match but.iter().find(|kept| kept.contains(&core)) {
                Some(kept) => rest.start = kept.end,
                None => self.remove(sets, core),
            }
        }
    }

    /// Holder with the lowest number within a range of cores; `None` if the range has none.
    #[inline]
    pub fn first_in(&self, sets: &Sets, range: Range<u32>) -> Option<u32> {
        match self.set {
            Some(set) => sets.first_in(set, range),
            None => {
                let mut first = range.end;
                for core in self.few() {
                    if range.start <= *core && *core < first {
                        first = *core;
                    }
                }
                (first < range.end).then_some(first)
            }
        }
    }

    /// Visits the first holder of every aligned block of `block` cores in a range.
    pub fn each_block(&self, sets: &Sets, range: Range<u32>, block: u32, mut visit: impl FnMut(u32)) {
        let mut at = range.start;
        while let Some(core) = self.first_in(sets, at..range.end) {
            visit(core);
            at = (core / block + 1) * block;
        }
    }
}
