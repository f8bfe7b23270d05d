//! Grammar of tasks that create tasks, with names resolved to indices.

use numalab_syntax::expression::Formula;
use numalab_workload::{Construct, Demand, Mode};

/// Kinds of tasks, and the entries that create the first tasks.
pub(super) struct Grammar {
    pub kinds: Vec<Kind>,
    pub roots: Vec<Call>,
}

/// Kind of task. Its formulas can use its arguments, followed by `depth`.
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
    pub section: Option<KindSection>,
}

/// Section of a task in which tasks exclude each other: number of executions (1 if absent), and instructions of each.
pub(super) struct KindSection {
    pub construct: Construct,
    pub times: Option<Formula>,
    pub instructions: Option<Formula>,
}

/// Item of a `depend` clause. If `item` is negative or no number, the clause names no item.
pub(super) struct Depend {
    pub path: String,
    pub item: Formula,
    pub writes: bool,
}

/// Entry of `spawn`, which creates tasks. Its formulas can use the variables of the kind that contains it, followed
/// by the row's variable.
pub(super) struct Call {
    pub path: String,
    pub kind: usize,
    pub arguments: Vec<Formula>,
    pub when: Option<Formula>,
    /// First and last value of the variable of a row of tasks; `None` for a single task.
    pub row: Option<(Formula, Formula)>,
}

/// Access of a task to a region.
pub(super) struct Touch {
    pub path: String,
    pub region: usize,
    /// Size of the region in bytes.
    pub size: u64,
    pub mode: Mode,
    pub demand: Demand,
    pub when: Option<Formula>,
    /// Start and length of the touched bytes; `None` for the whole region.
    pub piece: Option<(Formula, Formula)>,
}

/// Number of tasks in a row whose variable takes the values from `from` to `to` in steps of 1.
pub(super) fn row_length(from: f64, to: f64) -> f64 {
    ((to - from).floor() + 1.0).max(0.0)
}

impl Grammar {
    pub fn most_arguments(&self) -> usize {
        self.kinds.iter().map(|kind| kind.arguments.len()).max().unwrap_or(0)
    }

    /// Construct of the tasks' sections; `None` if no task has one.
    pub fn section(&self) -> Option<Construct> {
        self.kinds.iter().find_map(|kind| kind.section.as_ref()).map(|section| section.construct)
    }

    /// True if any kind has dependences.
    pub fn depends(&self) -> bool {
        self.kinds.iter().any(|kind| !kind.depends.is_empty())
    }

    /// For each kind, true if the work of a task or its descendants depends on its depth. `cuts`: true if `cutoff`
    /// can end the creation of tasks.
    pub fn deep(&self, cuts: bool) -> Vec<bool> {
        let mut deep: Vec<bool> = self.kinds.iter().map(|kind| kind.uses_depth(cuts)).collect();
        // Each round adds at least one kind, until none is left to add.
        for _ in 0..self.kinds.len() {
            for (at, kind) in self.kinds.iter().enumerate() {
                deep[at] |= kind.spawn.iter().any(|call| deep[call.kind]);
            }
        }
        deep
    }
}

impl Kind {
    /// Index of `depth` among the kind's variables.
    pub fn depth(&self) -> usize {
        self.arguments.len()
    }

    /// Least number of `spawn` entries evaluated for a task of this kind, for any arguments. `cuts`: true if `cutoff`
    /// can end the creation of tasks. Rows of more than `most` tasks do not count, since `grow` refuses them.
    pub fn least_entries(&self, cuts: bool, most: u64) -> u64 {
        if cuts && self.cutoff.is_some() {
            return 0;
        }
        self.spawn.iter().filter_map(Call::known_length).filter(|length| *length <= most).sum()
    }

    fn uses_depth(&self, cuts: bool) -> bool {
        let calls = self.spawn.iter().flat_map(Call::formulas);
        let touches = self.touches.iter().flat_map(Touch::formulas);
        let section =
            self.section.as_ref().map_or([&None; 2], |section| [&section.times, &section.instructions]);
        let own = [&self.instructions, &self.after, &self.affinity].into_iter().chain(section).flatten();
        // The cut-off condition and dependences matter only if tasks can be cut off; the descendants of a task that
        // is cut off run in order.
        let depends = self.depends.iter().map(|depend| &depend.item);
        let cut = self.cutoff.iter().chain(depends).filter(|_| cuts);
        own.chain(cut).chain(calls).chain(touches).any(|formula| formula.uses(self.depth()))
    }
}

impl Call {
    /// Number of tasks that the entry creates: 1 without a row, the length of the row if it is a constant, otherwise
    /// `None`.
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
