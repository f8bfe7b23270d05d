//! Builds the graph of tasks, level by level from the first tasks.

use super::grammar::{Call, Grammar, row_length};
use super::graph::Graph;
use numalab_syntax::expression::{BLOCK, Formula, Room};
use numalab_syntax::tree::show;

/// Limits that stop an endless recursion.
#[derive(Clone, Copy, Debug)]
pub(in crate::workload_resolve) struct Limits {
    /// Largest number of different tasks.
    pub tasks: usize,
    pub levels: usize,
    /// Largest number of evaluations of `spawn` entries.
    pub steps: u64,
    /// Largest number of tasks that all executions of a phase execute. A task counts as often as it is created.
    pub executed: f64,
}

impl Limits {
    /// Default of `executed`: about a minute of simulation on one processor.
    const EXECUTED: u64 = 12_000_000;
    /// Largest number of different tasks, and of evaluations of `spawn` entries, that memory has room for.
    const IN_MEMORY: u64 = 1_000_000_000;

    /// Limits of a workload that states `most_tasks`, or does not.
    pub fn new(most_tasks: Option<u64>) -> Limits {
        let executed = most_tasks.unwrap_or(Limits::EXECUTED);
        let steps = executed.clamp(Limits::EXECUTED, Limits::IN_MEMORY);
        Limits { tasks: steps.max(20_000_000) as usize, levels: 100_000, steps, executed: executed as f64 }
    }
}

/// Number of evaluations of `spawn` entries above which too many executed tasks end the search at once. A smaller
/// graph is completed, so that the error states the exact number of tasks.
const STEPS_THAT_END: u64 = 1_000_000;

/// Error in a grammar with its path in the file, and the expected value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fault {
    pub path: String,
    pub message: String,
    pub label: String,
}

impl Fault {
    pub fn new(path: impl Into<String>, message: impl Into<String>, label: impl Into<String>) -> Fault {
        Fault { path: path.into(), message: message.into(), label: label.into() }
    }
}

/// Error about a phase that executes too many tasks; `count`: their number as text.
pub(super) fn too_many(path: &str, count: String, limits: Limits) -> Fault {
    let most = limits.executed;
    let label =
        format!("expected at most {most}; `cutoff` makes fewer of the same work, `most_tasks` allows more");
    Fault::new(path, format!("{count} tasks would be executed"), label)
}

/// Graph of all tasks, with the numbers of the first tasks and of the tasks that are cut off.
pub(super) struct Grown {
    pub graph: Graph,
    pub roots: Vec<u32>,
    /// Numbers of the tasks that are cut off: these tasks execute their descendants themselves.
    pub cut: Vec<u32>,
    /// Lower bound of the number of executed tasks.
    #[cfg(test)]
    pub at_least: f64,
}

/// Builds the graph of all tasks of a grammar, down to the tasks at which `cutoff` ends the creation of tasks.
pub(super) fn grow(grammar: &Grammar, limits: Limits) -> Result<Grown, Fault> {
    let mut grower = Grower::new(grammar, limits, true);
    for call in &grammar.roots {
        grower.call(call, None, 0.0)?;
    }
    let roots = std::mem::take(&mut grower.created);
    grower.create(&roots, 1.0);
    grower.expand_all()?;
    Ok(Grown {
        graph: grower.graph,
        roots,
        cut: grower.cut,
        #[cfg(test)]
        at_least: grower.executed,
    })
}

/// Builds the graph of the descendants of the tasks that are cut off in the graph `above`. Also returns the number of
/// each cut-off task in the new graph.
pub(super) fn below(grammar: &Grammar, above: &Grown, limits: Limits) -> Result<(Graph, Vec<u32>), Fault> {
    let mut grower = Grower::new(grammar, limits, false);
    let mut starts = Vec::with_capacity(above.cut.len());
    for task in &above.cut {
        let kind = above.graph.kind(*task as usize);
        grower.key.clear();
        grower.key.extend_from_slice(above.graph.key(*task as usize));
        if let (Some(depth), false) = (grower.key.last_mut(), grower.deep[kind]) {
            *depth = 0.0;
        }
        starts.push(grower.intern(kind));
    }
    grower.expand_all()?;
    Ok((grower.graph, starts))
}

struct Grower<'g> {
    grammar: &'g Grammar,
    limits: Limits,
    /// True if `cutoff` ends the creation of tasks in this graph; false in the graph of the descendants of cut-off
    /// tasks.
    cuts: bool,
    /// For each kind, true if the graph distinguishes tasks of the kind by depth.
    deep: Vec<bool>,
    /// For each kind, the least number of `spawn` entries evaluated for a task.
    least: Vec<u64>,
    graph: Graph,
    cut: Vec<u32>,
    steps: u64,
    /// Least number of evaluations of `spawn` entries for all tasks that are not expanded yet.
    ahead: u64,
    /// For each task, the number of its creations by tasks expanded so far. `executed` is the sum.
    times: Vec<f64>,
    executed: f64,
    /// Children of the task being expanded.
    created: Vec<u32>,
    /// Values of the variables of the task being expanded.
    values: Vec<f64>,
    key: Vec<f64>,
    stack: Vec<f64>,
    /// For a row of tasks: values of the row's variable here, and values of the row's condition in `conditions`.
    row: Vec<f64>,
    conditions: Vec<f64>,
    room: Room,
}

impl<'g> Grower<'g> {
    fn new(grammar: &'g Grammar, limits: Limits, cuts: bool) -> Grower<'g> {
        Grower {
            grammar,
            limits,
            cuts,
            deep: grammar.deep(cuts),
            least: grammar.kinds.iter().map(|kind| kind.least_entries(cuts, limits.steps)).collect(),
            graph: Graph::new(grammar),
            cut: Vec::new(),
            steps: 0,
            ahead: 0,
            times: Vec::new(),
            executed: 0.0,
            created: Vec::new(),
            values: Vec::new(),
            key: Vec::new(),
            stack: Vec::new(),
            row: Vec::new(),
            conditions: Vec::new(),
            room: Room::new(),
        }
    }

    fn expand_all(&mut self) -> Result<(), Fault> {
        let (mut task, mut level, mut level_end) = (0, 0, self.graph.len());
        while task < self.graph.len() {
            if task == level_end {
                level += 1;
                level_end = self.graph.len();
            }
            if level > self.limits.levels || self.graph.len() > self.limits.tasks {
                return Err(self.endless(task, level));
            }
            if self.steps > STEPS_THAT_END && self.executed > self.limits.executed {
                let path = &self.grammar.kinds[self.graph.kind(task)].path;
                return Err(too_many(path, format!("more than {}", self.limits.executed), self.limits));
            }
            self.expand(task)?;
            task += 1;
        }
        Ok(())
    }

    fn endless(&self, task: usize, level: usize) -> Fault {
        let path = &self.grammar.kinds[self.graph.kind(task)].path;
        let shown = self.graph.describe(self.grammar, task);
        let message = match level > self.limits.levels {
            true => format!("{shown} is created {level} tasks below the first one"),
            false => format!("there are more than {} different tasks, {shown} among them", self.limits.tasks),
        };
        Fault::new(path, message, "expected a recursion that ends; `when` ends it")
    }

    fn expand(&mut self, task: usize) -> Result<(), Fault> {
        let kind = &self.grammar.kinds[self.graph.kind(task)];
        self.ahead -= self.least[self.graph.kind(task)];
        let key = self.graph.key(task);
        let depth = key.last().copied().unwrap_or(0.0);
        self.values.clear();
        self.values.extend_from_slice(&key[..kind.arguments.len()]);
        self.values.push(depth);
        self.created.clear();
        let cut = match &kind.cutoff {
            Some(cutoff) if self.cuts => {
                let path = || format!("{}.cutoff", kind.path);
                self.number(cutoff, Some(task), path)? != 0.0
            }
            _ => false,
        };
        if cut {
            self.cut.push(task as u32);
        } else {
            for call in &kind.spawn {
                self.call(call, Some(task), depth + 1.0)?;
            }
        }
        self.graph.expand(&self.created);
        if self.cuts {
            let created = std::mem::take(&mut self.created);
            self.create(&created, self.times[task]);
            self.created = created;
        }
        Ok(())
    }

    /// Counts `times` creations of each of `tasks`. If a task was expanded before all tasks that create it, the
    /// creations of its descendants are counted too low, never too high.
    fn create(&mut self, tasks: &[u32], times: f64) {
        self.times.resize(self.graph.len(), 0.0);
        tasks.iter().for_each(|task| self.times[*task as usize] += times);
        // `times` can be infinite, and infinity times zero is no number.
        if !tasks.is_empty() {
            self.executed += times * tasks.len() as f64;
        }
    }

    /// Creates the tasks of a `spawn` entry. `parent`: the creating task, `None` for the first tasks. `depth`: depth
    /// of the created tasks.
    fn call(&mut self, call: &Call, parent: Option<usize>, depth: f64) -> Result<(), Fault> {
        let Some((from, to)) = &call.row else {
            let condition = call.when.as_ref().map(|when| when.at(&self.values, &mut self.stack));
            return self.one(call, condition, parent, depth);
        };
        let from = self.number(from, parent, || format!("{}.from", call.path))?;
        let to = self.number(to, parent, || format!("{}.to", call.path))?;
        let count = row_length(from, to);
        if count > self.limits.steps as f64 {
            let message = format!("{}: {} tasks at once", self.who(parent), show(count));
            return Err(Fault::new(&call.path, message, "expected fewer"));
        }
        let steps = count as u64;
        for first in (0..steps).step_by(BLOCK) {
            self.row.clear();
            self.row.extend((first..steps.min(first + BLOCK as u64)).map(|step| from + step as f64));
            if let Some(when) = &call.when {
                self.conditions.clear();
                self.conditions.extend_from_slice(when.over(&self.values, &self.row, &mut self.room));
            }
            for at in 0..self.row.len() {
                let condition = call.when.as_ref().map(|_| self.conditions[at]);
                self.values.push(self.row[at]);
                let result = self.one(call, condition, parent, depth);
                self.values.pop();
                result?;
            }
        }
        Ok(())
    }

    /// Creates one task of an entry, unless the entry's condition has the value 0.
    fn one(
        &mut self,
        call: &Call,
        condition: Option<f64>,
        parent: Option<usize>,
        depth: f64,
    ) -> Result<(), Fault> {
        self.steps += 1;
        // Evaluations that must follow are counted in advance. A search that widens is then refused before its widest
        // level is grown.
        if self.steps + self.ahead > self.limits.steps {
            let message = format!("more than {} tasks are considered", self.limits.steps);
            return Err(Fault::new(
                &call.path,
                message,
                "expected a smaller problem or an earlier `when`; `most_tasks` allows more",
            ));
        }
        if let Some(condition) = condition
            && self.finite(condition, parent, || format!("{}.when", call.path))? == 0.0
        {
            return Ok(());
        }
        self.key.clear();
        for (at, argument) in call.arguments.iter().enumerate() {
            let value = self.number(argument, parent, || format!("{}.arguments[{at}]", call.path))?;
            // Adding 0.0 turns -0.0 into 0.0, which has other bits.
            self.key.push(value + 0.0);
        }
        self.key.resize(self.graph.width() - 1, 0.0);
        self.key.push(if self.deep[call.kind] { depth } else { 0.0 });
        let task = self.intern(call.kind);
        self.created.push(task);
        Ok(())
    }

    /// Number of the task with this kind and the key `self.key`, which is added to the graph if new.
    fn intern(&mut self, kind: usize) -> u32 {
        let known = self.graph.len();
        let task = self.graph.intern(kind, &self.key);
        if task as usize == known {
            self.ahead += self.least[kind];
        }
        task
    }

    /// Value of a formula, which must be finite.
    fn number(
        &mut self,
        formula: &Formula,
        parent: Option<usize>,
        path: impl Fn() -> String,
    ) -> Result<f64, Fault> {
        let value = formula.at(&self.values, &mut self.stack);
        self.finite(value, parent, path)
    }

    /// Checks that a formula's value is finite.
    fn finite(&self, value: f64, parent: Option<usize>, path: impl Fn() -> String) -> Result<f64, Fault> {
        if value.is_finite() {
            return Ok(value);
        }
        let message = format!("{}: this is {}", self.who(parent), show(value));
        Err(Fault::new(path(), message, "expected a finite number"))
    }

    fn who(&self, parent: Option<usize>) -> String {
        parent.map_or("the first tasks".to_owned(), |task| self.graph.describe(self.grammar, task))
    }
}
