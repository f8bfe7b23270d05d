//! Grammar of tasks that create tasks, with names resolved to indices.

use numalab_syntax::expression::Formula;
use numalab_syntax::tree::show;
use numalab_workload::{Construct, Demand, Mode};

/// Kinds of tasks, and the entries that create the first tasks.
pub(super) struct Grammar {
    pub kinds: Vec<Kind>,
    pub roots: Vec<Call>,
}

/// Kind of task. Its formulas can use its arguments, followed by `depth` and the kind's names.
pub(super) struct Kind {
    pub name: String,
    pub path: String,
    pub arguments: Vec<String>,
    /// Expressions of the kind's names (`let`), each of which can use those before it.
    pub names: Vec<Formula>,
    /// For each name, true if only the arguments of created tasks use it: most tasks of a search create none.
    pub is_late: Vec<bool>,
    pub spawn: Vec<Call>,
    pub wait: bool,
    pub cutoff: Option<Formula>,
    pub instructions: Option<Formula>,
    pub after: Option<Formula>,
    pub touches: Vec<Touch>,
    pub affinity: Option<Formula>,
    pub depends: Vec<Depend>,
    /// Bytes that the creator of a task copies for it.
    pub copied: Option<Formula>,
    /// Kind of the next step, which has the same arguments.
    pub next: Option<usize>,
    /// True for a later step that changes nothing if it has no work and creates no tasks: the steps before have waited.
    pub may_be_left_out: bool,
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
    /// Values of the variable of a row of tasks; `None` for a single task.
    pub row: Option<Row>,
}

/// Values of the variable of a row of tasks.
pub(super) enum Row {
    /// From the first to the second value in steps of 1.
    Steps(Formula, Formula),
    /// Places of the bits that are set in this number, from the lowest.
    Bits(Formula),
}

impl Row {
    fn formulas(&self) -> impl Iterator<Item = &Formula> {
        let (one, other) = match self {
            Row::Steps(from, to) => (from, Some(to)),
            Row::Bits(mask) => (mask, None),
        };
        std::iter::once(one).chain(other)
    }
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
        let mut grows = true;
        while std::mem::take(&mut grows) {
            // The steps of a kind follow each other, so this order needs one round for all of them.
            for (at, kind) in self.kinds.iter().enumerate().rev() {
                let mut follow = kind.spawn.iter().map(|call| call.kind).chain(kind.next);
                if !deep[at] && follow.any(|kind| deep[kind]) {
                    (deep[at], grows) = (true, true);
                }
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

    /// Name of a task with these values for messages, such as `fib(k = 3)`.
    pub fn describe(&self, values: &[f64]) -> String {
        let values = self.arguments.iter().zip(values);
        let values: Vec<String> = values.map(|(name, value)| format!("{name} = {}", show(*value))).collect();
        format!("{}({})", self.name, values.join(", "))
    }

    /// Finds the names that only arguments of created tasks use.
    pub fn find_late_names(&mut self) {
        let conditions = self.spawn.iter().flat_map(Call::conditions);
        let touches = self.touches.iter().flat_map(Touch::formulas);
        let depends = self.depends.iter().map(|depend| &depend.item);
        let early: Vec<&Formula> =
            self.own().chain(&self.cutoff).chain(depends).chain(touches).chain(conditions).collect();
        let first = self.depth() + 1;
        let mut is_late: Vec<bool> =
            (0..self.names.len()).map(|at| !early.iter().any(|formula| formula.uses(first + at))).collect();
        // A name is defined before the names that use it.
        for user in (0..self.names.len()).rev() {
            for at in 0..user {
                is_late[at] &= is_late[user] || !self.names[user].uses(first + at);
            }
        }
        self.is_late = is_late;
    }

    /// Formulas of the task's own work and place.
    fn own(&self) -> impl Iterator<Item = &Formula> {
        let section =
            self.section.as_ref().map_or([&None; 2], |section| [&section.times, &section.instructions]);
        [&self.instructions, &self.after, &self.affinity, &self.copied].into_iter().chain(section).flatten()
    }

    fn uses_depth(&self, cuts: bool) -> bool {
        let calls = self.spawn.iter().flat_map(Call::formulas);
        let touches = self.touches.iter().flat_map(Touch::formulas);
        // The cut-off condition and dependences matter only if tasks can be cut off; the descendants of a task that
        // is cut off run in order.
        let depends = self.depends.iter().map(|depend| &depend.item);
        let cut = self.cutoff.iter().chain(depends).filter(|_| cuts);
        self.own()
            .chain(cut)
            .chain(calls)
            .chain(touches)
            .chain(&self.names)
            .any(|formula| formula.uses(self.depth()))
    }
}

impl Call {
    fn formulas(&self) -> impl Iterator<Item = &Formula> {
        self.arguments.iter().chain(self.conditions())
    }

    /// Formulas that decide how many tasks the entry creates.
    fn conditions(&self) -> impl Iterator<Item = &Formula> {
        self.row.iter().flat_map(Row::formulas).chain(&self.when)
    }
}

impl Touch {
    fn formulas(&self) -> impl Iterator<Item = &Formula> {
        let piece = self.piece.iter().flat_map(|(start, length)| [start, length]);
        self.when.iter().chain(piece)
    }
}
