//! A grammar of tasks whose names have been looked up.

use numalab_syntax::expression::Formula;
use numalab_workload::{Demand, Mode};

/// Kinds of tasks, and the first ones.
pub(super) struct Grammar {
    pub kinds: Vec<Kind>,
    pub roots: Vec<Call>,
}

/// A kind of task. Its formulas know its arguments, then `depth`.
pub(super) struct Kind {
    pub name: String,
    /// Path of it in the file.
    pub path: String,
    pub arguments: Vec<String>,
    pub spawn: Vec<Call>,
    pub wait: bool,
    pub cutoff: Option<Formula>,
    pub instructions: Option<Formula>,
    pub after: Option<Formula>,
    pub touches: Vec<Touch>,
    pub affinity: Option<Formula>,
}

/// Tasks that are created. Its formulas know the variable of its row after the names of the kind.
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
    /// Start and length; the whole region without.
    pub piece: Option<(Formula, Formula)>,
}

impl Grammar {
    /// Most arguments of any kind.
    pub fn most_arguments(&self) -> usize {
        self.kinds.iter().map(|kind| kind.arguments.len()).max().unwrap_or(0)
    }

    /// For each kind, whether something about a task of it or of what follows depends on its depth.
    pub fn deep(&self, cuts: bool) -> Vec<bool> {
        let mut deep: Vec<bool> = self.kinds.iter().map(|kind| kind.uses_depth(cuts)).collect();
        // One more kind each time, or no more at all.
        for _ in 0..self.kinds.len() {
            for (at, kind) in self.kinds.iter().enumerate() {
                deep[at] |= kind.spawn.iter().any(|call| deep[call.kind]);
            }
        }
        deep
    }
}

impl Kind {
    /// The place of `depth` among the variables.
    pub fn depth(&self) -> usize {
        self.arguments.len()
    }

    fn uses_depth(&self, cuts: bool) -> bool {
        let calls = self.spawn.iter().flat_map(Call::formulas);
        let touches = self.touches.iter().flat_map(Touch::formulas);
        let own = [&self.instructions, &self.after, &self.affinity].into_iter().flatten();
        let cut = self.cutoff.iter().filter(|_| cuts);
        own.chain(cut).chain(calls).chain(touches).any(|formula| formula.uses(self.depth()))
    }
}

impl Call {
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
