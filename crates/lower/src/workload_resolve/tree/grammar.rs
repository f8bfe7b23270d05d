//! Grammar of tasks with resolved names.

use numalab_syntax::expression::Formula;
use numalab_workload::{Demand, Mode};

/// Kinds of tasks, and the first tasks.
pub(super) struct Grammar {
    pub kinds: Vec<Kind>,
    pub roots: Vec<Call>,
}

/// Kind of task. Its formulas know its arguments, then `depth`.
pub(super) struct Kind {
    pub name: String,
    pub path: String,
    pub arguments: Vec<String>,
    pub spawn: Vec<Call>,
    pub wait: bool,
    pub cutoff: Option<Formula>,
    pub instructions: Option<Formula>,
    pub after: Option<Formula>,
    pub touches: Vec<Touch>,
    pub affinity: Option<Formula>,
    pub depends: Vec<Depend>,
}

/// Item that tasks of a kind depend on. No item if its number is negative or not a number.
pub(super) struct Depend {
    pub path: String,
    pub item: Formula,
    pub writes: bool,
}

/// Creation of tasks. Its formulas know the variable of its row after the names of the kind.
pub(super) struct Call {
    pub path: String,
    pub kind: usize,
    pub arguments: Vec<Formula>,
    pub when: Option<Formula>,
    /// First and last value of the variable.
    pub row: Option<(Formula, Formula)>,
}

/// Access of a task to a region.
pub(super) struct Touch {
    pub path: String,
    pub region: usize,
    /// Size of the region.
    pub size: u64,
    pub mode: Mode,
    pub demand: Demand,
    pub when: Option<Formula>,
    /// Start and length; the whole region if absent.
    pub piece: Option<(Formula, Formula)>,
}

/// Number of values of a variable.
pub(super) fn row_length(from: f64, to: f64) -> f64 {
    ((to - from).floor() + 1.0).max(0.0)
}

impl Grammar {
    /// Greatest number of arguments of a kind.
    pub fn most_arguments(&self) -> usize {
        self.kinds.iter().map(|kind| kind.arguments.len()).max().unwrap_or(0)
    }

    /// True if any kind has dependences.
    pub fn depends(&self) -> bool {
        self.kinds.iter().any(|kind| !kind.depends.is_empty())
    }

    /// For each kind, true if the task or its descendants depend on its depth.
    pub fn deep(&self, cuts: bool) -> Vec<bool> {
        let mut deep: Vec<bool> = self.kinds.iter().map(|kind| kind.uses_depth(cuts)).collect();
        // Each round adds at least one kind, or is the last.
        for _ in 0..self.kinds.len() {
            for (at, kind) in self.kinds.iter().enumerate() {
                deep[at] |= kind.spawn.iter().any(|call| deep[call.kind]);
            }
        }
        deep
    }
}

impl Kind {
    /// Index of `depth` among the variables.
    pub fn depth(&self) -> usize {
        self.arguments.len()
    }

    /// Least number of `spawn` entries evaluated for a task of a kind, for any arguments. Rows longer than `most` are
    /// refused elsewhere and not counted.
    pub fn least_entries(&self, cuts: bool, most: u64) -> u64 {
        if cuts && self.cutoff.is_some() {
            return 0;
        }
        self.spawn.iter().filter_map(Call::known_length).filter(|length| *length <= most).sum()
    }

    fn uses_depth(&self, cuts: bool) -> bool {
        let calls = self.spawn.iter().flat_map(Call::formulas);
        let touches = self.touches.iter().flat_map(Touch::formulas);
        let own = [&self.instructions, &self.after, &self.affinity].into_iter().flatten();
        // A task that is cut off executes its descendants in order.
        let depends = self.depends.iter().map(|depend| &depend.item);
        let cut = self.cutoff.iter().chain(depends).filter(|_| cuts);
        own.chain(cut).chain(calls).chain(touches).any(|formula| formula.uses(self.depth()))
    }
}

impl Call {
    /// Number of entries evaluated, if it is the same for every task.
    fn known_length(&self) -> Option<u64> {
        let Some((from, to)) = &self.row else { return Some(1) };
        Some(row_length(from.constant()?, to.constant()?) as u64)
    }

    fn formulas(&self) -> impl Iterator<Item = &Formula> {
        let row = self.row.iter().flat_map(|(from, to)| [from, to]);
        self.arguments.iter().chain(&self.when).chain(row)
    }
}

impl Touch {
    fn formulas(&self) -> impl Iterator<Item = &Formula> {
        let piece = self.piece.iter().flat_map(|(start, length)| [start, length]);
        self.when.iter().chain(piece)
    }
}
