//! Grows the tasks of a grammar, depth first. What a task creates is known when it is left: its children become a node
//! of the graph, or, below a cut-off, are added up and forgotten.

use super::grammar::{Call, Grammar, Kind, Row, row_length};
use super::memo::{Entry, Known, Memo};
use super::nodes::{Candidate, Nodes};
use super::own::{ByteSpan, Column, Evaluate, MOST_INSTRUCTIONS, Own, columns};
use numalab_syntax::expression::{BLOCK, Formula, Room};
use numalab_syntax::tree::show;
use numalab_workload::LAST_STEP;

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
    /// Number of tasks that are told apart by their arguments; of further tasks those of equal work are one.
    pub apart: usize,
}

impl Limits {
    /// Default of `executed`: about a minute of simulation on one processor.
    const EXECUTED: u64 = 12_000_000;
    /// Largest number of different tasks that memory has room for.
    const IN_MEMORY: u64 = 20_000_000;
    const APART: usize = 1 << 20;

    /// Limits of a workload that states `most_tasks`, or does not.
    pub fn new(most_tasks: Option<u64>) -> Limits {
        let executed = most_tasks.unwrap_or(Limits::EXECUTED);
        Limits {
            tasks: Limits::IN_MEMORY as usize,
            levels: 100_000,
            steps: executed.max(Limits::EXECUTED),
            executed: executed as f64,
            apart: Limits::APART,
        }
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

/// Graph of all tasks, with the numbers of the first tasks.
pub(super) struct Grown {
    pub nodes: Nodes,
    pub roots: Vec<u32>,
}

/// Grows all tasks of a grammar, down to the tasks at which `cutoff` ends the creation of tasks: these have the work of
/// their descendants, too. `near`: bytes of the region near whose data the tasks run.
pub(super) fn grow(grammar: &Grammar, near: Option<u64>, limits: Limits) -> Result<Grown, Fault> {
    let mut grower = Grower::new(grammar, near, limits);
    for call in &grammar.roots {
        grower.call(call, None, 0.0, Mode::Created)?;
    }
    for root in 0..grower.waiting.len() {
        grower.enter(root, Mode::Created)?;
        while let Some(top) = grower.frames.last_mut() {
            if top.next < top.end {
                let (child, mode) = (top.next, if top.cut { Mode::Below } else { top.mode });
                top.next += 1;
                grower.enter(child, mode)?;
            } else {
                grower.leave()?;
            }
        }
    }
    let mut roots = std::mem::take(&mut grower.found);
    let nodes = grower.nodes.in_levels(&mut roots);
    Ok(Grown { nodes, roots })
}

/// Purpose of growing a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The task is created, and becomes a node.
    Created,
    /// The task is executed by a task that is cut off, which gets its work.
    Below,
}

/// Task that is being grown.
struct Frame {
    kind: usize,
    mode: Mode,
    /// Number of tasks above.
    level: usize,
    /// True if the task is cut off: its only child is itself, below the cut-off.
    cut: bool,
    /// Indices in `waiting` of the children that are not grown yet. `first`: index of the first child.
    first: usize,
    next: usize,
    end: usize,
    /// Index in `waiting` of the task itself.
    at: usize,
    /// Index in `found` of the first child's node, and in `items` of the task's first item.
    found: usize,
    items: usize,
    entry: Entry,
    own: Own,
}

struct Grower<'g> {
    grammar: &'g Grammar,
    near: Option<u64>,
    limits: Limits,
    /// For each kind, true if tasks of the kind are told apart by depth: those that are created, and those below a
    /// cut-off.
    deep: [Vec<bool>; 2],
    /// For each kind, the column of each touch.
    places: Vec<Vec<usize>>,
    width: usize,
    nodes: Nodes,
    memo: Memo,
    /// Work of the tasks below cut-offs that `memo` knows, and bytes by column.
    sums: Vec<Own>,
    sum_spans: Vec<ByteSpan>,
    steps: u64,
    frames: Vec<Frame>,
    /// Bytes by column of each frame.
    spans: Vec<ByteSpan>,
    /// Tasks that wait to be grown, and those that are being grown: kinds and keys. A key has the arguments, padded with
    /// zeros, and the depth of tasks that are told apart by it.
    waiting: Vec<u32>,
    keys: Vec<f64>,
    /// Nodes of the children of each frame.
    found: Vec<u32>,
    items: Vec<(u64, bool)>,
    /// Values of the variables of the task being entered.
    values: Vec<f64>,
    stack: Vec<f64>,
    /// For a row of tasks: values of the row's variable here, and values of the row's condition in `conditions`.
    row: Vec<f64>,
    conditions: Vec<f64>,
    room: Room,
}

impl<'g> Grower<'g> {
    fn new(grammar: &'g Grammar, near: Option<u64>, limits: Limits) -> Grower<'g> {
        let (columns, places): (Vec<Column>, _) = columns(grammar);
        let width = grammar.most_arguments() + 1;
        Grower {
            grammar,
            near,
            limits,
            deep: [true, false].map(|cuts| grammar.deep(cuts)),
            places,
            width,
            memo: Memo::new(width, 6 + 3 * columns.len()),
            nodes: Nodes::new(grammar, columns, limits.apart),
            sums: Vec::new(),
            sum_spans: Vec::new(),
            steps: 0,
            frames: Vec::new(),
            spans: Vec::new(),
            waiting: Vec::new(),
            keys: Vec::new(),
            found: Vec::new(),
            items: Vec::new(),
            values: Vec::new(),
            stack: Vec::new(),
            row: Vec::new(),
            conditions: Vec::new(),
            room: Room::new(),
        }
    }

    fn columns(&self) -> usize {
        self.nodes.own.columns.len()
    }

    /// Begins to grow a waiting task, or takes what is known of it.
    fn enter(&mut self, at: usize, mode: Mode) -> Result<(), Fault> {
        let kind = self.waiting[at] as usize;
        let it = &self.grammar.kinds[kind];
        let key = &self.keys[at * self.width..][..self.width];
        if self.memo.make_room() {
            self.sums.clear();
            self.sum_spans.clear();
        }
        let entry = match self.memo.look(2 * kind as u32 + mode as u32, key) {
            Known::New(entry) => entry,
            Known::Grown(number) => {
                match mode {
                    Mode::Created => self.found.push(number),
                    Mode::Below => self.add_sum(number as usize),
                }
                return Ok(());
            }
            Known::Open => {
                let message = format!("{} is its own descendant", it.describe(key));
                let label = "expected arguments that change, and a `when` that ends it";
                return Err(Fault::new(&it.path, message, label));
            }
        };
        let depth = key[self.width - 1];
        self.values.clear();
        self.values.extend_from_slice(&key[..it.arguments.len()]);
        self.values.push(depth);
        for name in &it.names {
            let value = name.at(&self.values, &mut self.stack);
            self.values.push(value);
        }
        let cut = match (&it.cutoff, mode) {
            (Some(cutoff), Mode::Created) => {
                self.number(cutoff, Some(it), || format!("{}.cutoff", it.path))? != 0.0
            }
            _ => false,
        };
        let above = self.frames.last().map_or(0, |frame| frame.level + 1);
        // Below a cut-off, the task itself is grown again, with its descendants. The next step of a task is one of it, too.
        let repeated = self.frames.last().is_some_and(|frame| {
            frame.cut || at + 1 == frame.end && self.grammar.kinds[frame.kind].next.is_some()
        });
        let level = if repeated { above - 1 } else { above };
        if level > self.limits.levels || self.nodes.len() > self.limits.tasks {
            return Err(self.endless(it, level));
        }
        let items = self.items.len();
        let mut evaluate = Evaluate { kind: it, values: &self.values, stack: &mut self.stack };
        let near = self.near.filter(|_| mode == Mode::Created);
        let mut own = Own::default();
        let spans = self.spans.len();
        self.spans.resize(spans + self.nodes.own.columns.len(), ByteSpan::default());
        if mode == Mode::Created {
            evaluate.items(&mut self.items)?;
        }
        if cut {
            (own.offset, own.copied) = (evaluate.offset(near)?, evaluate.copied()?);
        } else {
            own = evaluate.own(near)?;
            for (touch, place) in it.touches.iter().zip(&self.places[kind]) {
                self.spans[spans + place] = evaluate.touch(touch)?;
            }
        }
        let first = self.waiting.len();
        if cut {
            self.keys.extend_from_within(at * self.width..(at + 1) * self.width);
            if !self.deep[Mode::Below as usize][kind] {
                self.keys.last_mut().into_iter().for_each(|depth| *depth = 0.0);
            }
            self.waiting.push(kind as u32);
        } else {
            for call in &it.spawn {
                self.call(call, Some(it), depth + 1.0, mode)?;
            }
            // The next step is grown behind the children.
            if let Some(next) = it.next {
                self.keys.extend_from_within(at * self.width..(at + 1) * self.width);
                let deep = self.deep[mode as usize][next];
                self.keys.last_mut().into_iter().for_each(|last| *last = if deep { depth } else { 0.0 });
                self.waiting.push(next as u32);
            }
        }
        if mode == Mode::Below {
            own.instructions += std::mem::take(&mut own.after);
        }
        let end = self.waiting.len();
        let found = self.found.len();
        self.frames.push(Frame {
            kind,
            mode,
            level,
            cut,
            first,
            next: first,
            end,
            at,
            found,
            items,
            entry,
            own,
        });
        Ok(())
    }

    /// Ends the growing of the task on top, all of whose children are grown.
    fn leave(&mut self) -> Result<(), Fault> {
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        self.waiting.truncate(frame.first);
        self.keys.truncate(frame.first * self.width);
        let spans = self.spans.len() - self.columns();
        match frame.mode {
            Mode::Below => {
                if self.memo.holds(frame.entry) {
                    self.memo.set(frame.entry, self.sums.len() as u32);
                    self.sums.push(frame.own);
                    self.sum_spans.extend_from_slice(&self.spans[spans..]);
                }
                if let Some(above) = self.frames.last_mut() {
                    above.own.add(frame.own);
                    let (above, own) = self.spans.split_at_mut(spans);
                    let from = above.len() - own.len();
                    above[from..].iter_mut().zip(own).for_each(|(sum, span)| sum.add(*span));
                }
            }
            Mode::Created => {
                let kind = &self.grammar.kinds[frame.kind];
                if frame.own.instructions > MOST_INSTRUCTIONS {
                    let key = &self.keys[frame.at * self.width..][..self.width];
                    let shown = kind.describe(key);
                    let message = format!("{shown} and all its descendants have more than 1e18 instructions");
                    return Err(Fault::new(
                        format!("{}.cutoff", kind.path),
                        message,
                        "expected a smaller problem",
                    ));
                }
                let found = &self.found[frame.found..];
                let (next, children) = match (kind.next, found.split_last()) {
                    (Some(_), Some((next, children))) if !frame.cut => (*next, children),
                    _ => (LAST_STEP, found),
                };
                let node = self.nodes.add(Candidate {
                    kind: frame.kind,
                    own: frame.own,
                    spans: &self.spans[spans..],
                    children,
                    next,
                    items: &self.items[frame.items..],
                });
                if self.steps > STEPS_THAT_END && self.nodes.executed(node) > self.limits.executed {
                    return Err(too_many(
                        &kind.path,
                        format!("more than {}", self.limits.executed),
                        self.limits,
                    ));
                }
                self.memo.set(frame.entry, node);
                self.found.truncate(frame.found);
                self.items.truncate(frame.items);
                self.found.push(node);
            }
        }
        self.spans.truncate(spans);
        Ok(())
    }

    /// Adds the known work of a task to the task on top.
    fn add_sum(&mut self, number: usize) {
        let columns = self.columns();
        let Some(above) = self.frames.last_mut() else { return };
        above.own.add(self.sums[number]);
        let from = self.spans.len() - columns;
        let known = &self.sum_spans[number * columns..][..columns];
        self.spans[from..].iter_mut().zip(known).for_each(|(sum, span)| sum.add(*span));
    }

    fn endless(&self, kind: &Kind, level: usize) -> Fault {
        let shown = kind.describe(&self.values);
        let message = match level > self.limits.levels {
            true => format!("{shown} is created {level} tasks below the first one"),
            false => format!("there are more than {} different tasks, {shown} among them", self.limits.tasks),
        };
        Fault::new(&kind.path, message, "expected a recursion that ends; `when` ends it")
    }

    /// Adds the tasks of a `spawn` entry to those that wait. `parent`: kind of the creating task, whose values are
    /// `self.values`; `None` for the first tasks. `depth`: depth of the created tasks.
    fn call(&mut self, call: &Call, parent: Option<&Kind>, depth: f64, mode: Mode) -> Result<(), Fault> {
        let from = match &call.row {
            None => {
                let condition = call.when.as_ref().map(|when| when.at(&self.values, &mut self.stack));
                return self.one(call, condition, parent, depth, mode);
            }
            Some(Row::Bits(mask)) => {
                self.bits(call, mask, parent)?;
                return self.block(call, parent, depth, mode);
            }
            Some(Row::Steps(from, to)) => {
                let from = self.number(from, parent, || format!("{}.from", call.path))?;
                let to = self.number(to, parent, || format!("{}.to", call.path))?;
                from..to
            }
        };
        let count = row_length(from.start, from.end);
        if count > self.limits.steps as f64 {
            let message = format!("{}: {} tasks at once", self.who(parent), show(count));
            return Err(Fault::new(&call.path, message, "expected fewer"));
        }
        let steps = count as u64;
        for first in (0..steps).step_by(BLOCK) {
            self.row.clear();
            self.row.extend((first..steps.min(first + BLOCK as u64)).map(|step| from.start + step as f64));
            self.block(call, parent, depth, mode)?;
        }
        Ok(())
    }

    /// Values of the variable of a row that has a task for each bit of a mask.
    fn bits(&mut self, call: &Call, mask: &Formula, parent: Option<&Kind>) -> Result<(), Fault> {
        let value = mask.at(&self.values, &mut self.stack);
        if !(0.0..MOST_BITS).contains(&value) || value.fract() != 0.0 {
            let message = format!("{}: this is {}", self.who(parent), show(value));
            let label = "expected a whole number from 0 to 2^53 - 1, whose bits are the values";
            return Err(Fault::new(format!("{}.in", call.path), message, label));
        }
        self.row.clear();
        let mut left = value as u64;
        while left > 0 {
            self.row.push(f64::from(left.trailing_zeros()));
            left &= left - 1;
        }
        Ok(())
    }

    /// Adds the tasks of a row for the values in `self.row`.
    fn block(&mut self, call: &Call, parent: Option<&Kind>, depth: f64, mode: Mode) -> Result<(), Fault> {
        if let Some(when) = &call.when {
            self.conditions.clear();
            self.conditions.extend_from_slice(when.over(&self.values, &self.row, &mut self.room));
        }
        for at in 0..self.row.len() {
            let condition = call.when.as_ref().map(|_| self.conditions[at]);
            self.values.push(self.row[at]);
            let result = self.one(call, condition, parent, depth, mode);
            self.values.pop();
            result?;
        }
        Ok(())
    }

    /// Adds one task of an entry, unless the entry's condition has the value 0.
    fn one(
        &mut self,
        call: &Call,
        condition: Option<f64>,
        parent: Option<&Kind>,
        depth: f64,
        mode: Mode,
    ) -> Result<(), Fault> {
        self.steps += 1;
        if self.steps > self.limits.steps {
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
        let start = self.keys.len();
        for (at, argument) in call.arguments.iter().enumerate() {
            let value = self.number(argument, parent, || format!("{}.arguments[{at}]", call.path))?;
            // Adding 0.0 turns -0.0 into 0.0, which has other bits.
            self.keys.push(value + 0.0);
        }
        self.keys.resize(start + self.width - 1, 0.0);
        self.keys.push(if self.deep[mode as usize][call.kind] { depth } else { 0.0 });
        self.waiting.push(call.kind as u32);
        Ok(())
    }

    /// Value of a formula, which must be finite.
    fn number(
        &mut self,
        formula: &Formula,
        parent: Option<&Kind>,
        path: impl Fn() -> String,
    ) -> Result<f64, Fault> {
        let value = formula.at(&self.values, &mut self.stack);
        self.finite(value, parent, path)
    }

    /// Checks that a formula's value is finite.
    fn finite(&self, value: f64, parent: Option<&Kind>, path: impl Fn() -> String) -> Result<f64, Fault> {
        if value.is_finite() {
            return Ok(value);
        }
        let message = format!("{}: this is {}", self.who(parent), show(value));
        Err(Fault::new(path(), message, "expected a finite number"))
    }

    fn who(&self, parent: Option<&Kind>) -> String {
        parent.map_or("the first tasks".to_owned(), |kind| kind.describe(&self.values))
    }
}

/// Least number that has a bit without a place in a number of an expression.
const MOST_BITS: f64 = 9_007_199_254_740_992.0;
