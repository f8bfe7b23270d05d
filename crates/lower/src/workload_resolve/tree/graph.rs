//! Tasks, interned by kind and arguments: equal tasks are one node with several parents.

use super::grammar::Grammar;
use hashbrown::HashTable;
use numalab_syntax::tree::show;

/// Graph of tasks, numbered level by level from the first tasks.
pub(super) struct Graph {
    /// Numbers in a key: the largest number of arguments of a kind, and one number for the depth.
    width: usize,
    kinds: Vec<u32>,
    keys: Vec<f64>,
    /// Index of each expanded task's first child, and the number of all children as last entry.
    first: Vec<u32>,
    children: Vec<u32>,
    known: HashTable<u32>,
}

impl Graph {
    pub fn new(grammar: &Grammar) -> Graph {
        Graph {
            width: grammar.most_arguments() + 1,
            kinds: Vec::new(),
            keys: Vec::new(),
            first: vec![0],
            children: Vec::new(),
            known: HashTable::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn kind(&self, task: usize) -> usize {
        self.kinds[task] as usize
    }

    /// Key of a task: its arguments, padded with zeros, and its depth if the kind's tasks differ by depth.
    pub fn key(&self, task: usize) -> &[f64] {
        &self.keys[task * self.width..(task + 1) * self.width]
    }

    /// Number of the task with this kind and key, which is added to the graph if new.
    pub fn intern(&mut self, kind: usize, key: &[f64]) -> u32 {
        let Graph { width, kinds, keys, known, .. } = self;
        let of = |task: u32| &keys[task as usize * *width..][..*width];
        let same = |task: &u32| kinds[*task as usize] as usize == kind && of(*task) == key;
        let hash = hash(kind, key);
        if let Some(task) = known.find(hash, same) {
            return *task;
        }
        let task = kinds.len() as u32;
        known.insert_unique(hash, task, |task| self::hash(kinds[*task as usize] as usize, of(*task)));
        kinds.push(kind as u32);
        keys.extend_from_slice(key);
        task
    }

    /// Sets the children of the next task; called for all tasks in the order of their numbers.
    pub fn expand(&mut self, children: &[u32]) {
        self.children.extend_from_slice(children);
        self.first.push(self.children.len() as u32);
    }

    pub fn children(&self, task: u32) -> &[u32] {
        let task = task as usize;
        &self.children[self.first[task] as usize..self.first[task + 1] as usize]
    }

    /// Index of a task's first child in the list of all children.
    pub fn first(&self, task: usize) -> u32 {
        self.first[task]
    }

    /// Numbers of the children of all tasks, grouped by parent.
    pub fn all_children(&self) -> &[u32] {
        &self.children
    }

    /// Name of a task for messages, such as `fib(k = 3)`.
    pub fn describe(&self, grammar: &Grammar, task: usize) -> String {
        let kind = &grammar.kinds[self.kind(task)];
        let values = kind.arguments.iter().zip(self.key(task));
        let values: Vec<String> = values.map(|(name, value)| format!("{name} = {}", show(*value))).collect();
        format!("{}({})", kind.name, values.join(", "))
    }
}

/// Hash of a kind and a key. Equal numbers have equal bits: zero has one sign, and there is no NaN. Small whole
/// numbers differ in their upper bits only; the final shift brings these down.
fn hash(kind: usize, key: &[f64]) -> u64 {
    key.iter().fold(kind as u64, |state, number| {
        let mixed = (state ^ number.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 32)
    })
}
