//! Tasks that were grown before, by kind and arguments: such a task is not grown again.

use hashbrown::HashTable;

/// Largest number of numbers in the keys and sums of all remembered tasks. A fuller memory is emptied: what it
/// forgets is grown again where it is needed.
const MOST_NUMBERS: usize = 1 << 23;

/// Outcome of a search for a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Not grown yet. Its entry, which is added.
    New(Option<Entry>),
    /// Being grown: the task is its own descendant.
    Open,
    /// Grown, with this number.
    Grown(u32),
}

/// Entry of a task; it ends when the memory is emptied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    at: u32,
    emptied: u32,
}

/// Tasks by kind and key.
pub(super) struct Memo {
    /// Numbers in a key.
    width: usize,
    most: usize,
    emptied: u32,
    kinds: Vec<u32>,
    keys: Vec<f64>,
    grown: Vec<u32>,
    known: HashTable<u32>,
    /// For each class, the numbers of searches and of tasks found.
    searches: Vec<(u64, u64)>,
}

/// Number of searches after which a class with few repeated tasks is not remembered any more: a search costs as much as
/// growing a small task again.
const TRIED: u64 = 1 << 20;
/// One task of so many is few.
const FEW: u64 = 64;

/// Number of a task that is being grown. [`LAST_STEP`](numalab_workload::LAST_STEP) is another one.
const OPEN: u32 = u32::MAX - 1;

impl Memo {
    /// Memory for tasks of `classes` classes with keys of `width` numbers, and `more` numbers for each task elsewhere.
    pub fn new(classes: usize, width: usize, more: usize) -> Memo {
        Memo {
            width,
            most: MOST_NUMBERS / (width + more + 1),
            emptied: 0,
            kinds: Vec::new(),
            keys: Vec::new(),
            grown: Vec::new(),
            known: HashTable::new(),
            searches: vec![(0, 0); classes],
        }
    }

    /// Empties the memory if it is full; true if it was.
    pub fn make_room(&mut self) -> bool {
        let full = self.grown.len() >= self.most;
        if full {
            self.emptied += 1;
            self.kinds.clear();
            self.keys.clear();
            self.grown.clear();
            self.known.clear();
        }
        full
    }

    /// True if nearly all tasks of a class differ.
    pub fn is_useless(&self, class: usize) -> bool {
        let (all, found) = self.searches[class];
        all >= TRIED && found * FEW < all
    }

    /// Looks up a task of a class and adds an entry for a new one.
    pub fn look(&mut self, class: usize, key: &[f64]) -> Known {
        let Memo { width, kinds, keys, known, grown, searches, .. } = self;
        let (kind, searches) = (class as u32, &mut searches[class]);
        searches.0 += 1;
        let of = |task: u32| &keys[task as usize * *width..][..*width];
        let hash = hash(kind, key);
        let same = |task: &u32| kinds[*task as usize] == kind && of(*task) == key;
        if let Some(task) = known.find(hash, same) {
            searches.1 += 1;
            return match grown[*task as usize] {
                OPEN => Known::Open,
                number => Known::Grown(number),
            };
        }
        let at = grown.len() as u32;
        known.insert_unique(hash, at, |task| self::hash(kinds[*task as usize], of(*task)));
        kinds.push(kind);
        keys.extend_from_slice(key);
        grown.push(OPEN);
        Known::New(Some(Entry { at, emptied: self.emptied }))
    }

    /// Sets the number of a task that is grown, if it has an entry that has not ended.
    pub fn set(&mut self, entry: Option<Entry>, number: u32) {
        if let Some(entry) = entry.filter(|entry| self.holds(*entry)) {
            self.grown[entry.at as usize] = number;
        }
    }

    /// True if the entry has not ended.
    pub fn holds(&self, entry: Entry) -> bool {
        entry.emptied == self.emptied
    }
}

/// Hash of a kind and a key. Equal numbers have equal bits: zero has one sign, and there is no NaN. Small whole
/// numbers differ in their upper bits only; the final shift brings these down.
fn hash(kind: u32, key: &[f64]) -> u64 {
    key.iter().fold(u64::from(kind), |state, number| mix(state, number.to_bits()))
}

/// State of a hash after one more number.
pub(super) fn mix(state: u64, bits: u64) -> u64 {
    let mixed = (state ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 32)
}
