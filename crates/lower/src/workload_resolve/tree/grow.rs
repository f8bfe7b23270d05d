//! Grows the tasks of a grammar, depth first. When a task is left, all that it creates is known: the task becomes a node
//! of the graph or, below a cut-off, is added to its parent and forgotten.

use super::grammar::{Grammar, Kind};
use super::memo::{Entry, Known, Memo};
use super::nodes::{Candidate, Nodes};
use super::own::{ByteSpan, Column, Evaluate, MOST_INSTRUCTIONS, Own, columns};
use super::rows::{Place, Siblings};
use numalab_syntax::expression::Room;
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
    /// Largest number of first tasks, and children of all different tasks.
    pub children: usize,
    /// Largest number of arguments and depths of the tasks that wait to be grown.
    pub numbers: usize,
}

impl Limits {
    /// Default of `executed`: about a minute of simulation on one processor.
    const EXECUTED: u64 = 12_000_000;
    /// Largest number of different tasks that memory has room for.
    const IN_MEMORY: u64 = 20_000_000;
    const APART: usize = 1 << 20;
    /// Largest number of children of all different tasks: lists of 400 MB while they are put in order.
    const CHILDREN: usize = 50_000_000;
    /// Largest number of evaluations of `spawn` entries: some minutes.
    const MOST_STEPS: u64 = 1_000_000_000;
    const NUMBERS: usize = 1 << 24;

    /// Limits of a workload that states `most_tasks`, or does not.
    pub fn new(most_tasks: Option<u64>) -> Limits {
        let executed = most_tasks.unwrap_or(Limits::EXECUTED);
        Limits {
            tasks: Limits::IN_MEMORY as usize,
            levels: 100_000,
            steps: executed.clamp(Limits::EXECUTED, Limits::MOST_STEPS),
            executed: executed as f64,
            apart: Limits::APART,
            children: Limits::CHILDREN,
            numbers: Limits::NUMBERS,
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

/// Error about lists of children for which memory has no room.
fn too_many_kept(creators: &str, path: &str, label: &str, limits: Limits) -> Fault {
    let message = format!("{creators} create more than {} others, each of which is kept", limits.children);
    Fault::new(path, message, label)
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
    let first = Siblings { parent: None, depth: 0.0, mode: Mode::Created };
    let mut place = Place::default();
    while place.entry < grammar.roots.len() {
        grower.waiting.clear();
        grower.keys.clear();
        place = grower.fill(&grammar.roots, first, place)?;
        for root in 0..grower.waiting.len() {
            grower.enter(root, Mode::Created)?;
            grower.grow_entered()?;
        }
        if grower.kept() > limits.children {
            let label = "expected fewer first tasks, or a `cutoff`: it makes fewer below them";
            return Err(too_many_kept("the phase and its tasks", &grammar.roots[0].path, label, limits));
        }
        grower.values.clear();
    }
    let mut roots = std::mem::take(&mut grower.found);
    let nodes = grower.nodes.in_levels(&mut roots);
    Ok(Grown { nodes, roots })
}

/// Purpose of growing a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
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
    /// Indices in `waiting` of the children that wait and are not grown yet. `first`: index of the first one of this
    /// block of children.
    first: usize,
    next: usize,
    end: usize,
    /// Place of the children that do not wait yet; `None` if there are none.
    place: Option<Place>,
    /// Index in `waiting` of the task itself.
    at: usize,
    /// Index in `found` of the first child's node, and in `items` of the task's first item.
    found: usize,
    items: usize,
    /// Absent if tasks of the kind are not remembered.
    entry: Option<Entry>,
    own: Own,
}

pub(super) struct Grower<'g> {
    grammar: &'g Grammar,
    near: Option<u64>,
    pub(super) limits: Limits,
    /// For each kind, true if tasks of the kind are told apart by depth: those that are created, and those below a
    /// cut-off.
    pub(super) deep: [Vec<bool>; 2],
    /// For each kind, the column of each touch.
    places: Vec<Vec<usize>>,
    pub(super) width: usize,
    nodes: Nodes,
    memo: Memo,
    /// Work of the tasks below cut-offs that `memo` knows, and bytes by column.
    sums: Vec<Own>,
    sum_spans: Vec<ByteSpan>,
    pub(super) steps: u64,
    frames: Vec<Frame>,
    /// Bytes by column of each frame.
    spans: Vec<ByteSpan>,
    /// Tasks that wait to be grown, and those that are being grown: kinds and keys. A key has the arguments, padded with
    /// zeros, and the depth of tasks that are told apart by it.
    pub(super) waiting: Vec<u32>,
    pub(super) keys: Vec<f64>,
    /// Nodes of the children of each frame.
    found: Vec<u32>,
    items: Vec<(u64, bool)>,
    /// Values of the variables of the task being entered.
    pub(super) values: Vec<f64>,
    /// True if `values` lacks those of the kind's late names.
    pub(super) is_late: bool,
    pub(super) stack: Vec<f64>,
    /// For a row of tasks: values of the row's variable here, and values of the row's condition in `conditions`.
    pub(super) row: Vec<f64>,
    pub(super) conditions: Vec<f64>,
    pub(super) room: Room,
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
            memo: Memo::new(2 * grammar.kinds.len(), width, 6 + 3 * columns.len()),
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
            is_late: false,
            stack: Vec::new(),
            row: Vec::new(),
            conditions: Vec::new(),
            room: Room::new(),
        }
    }

    /// Number of children in the lists of the nodes and of the tasks that are being grown, with the first tasks.
    fn kept(&self) -> usize {
        self.found.len() + self.nodes.children.len()
    }

    fn columns(&self) -> usize {
        self.nodes.own.columns.len()
    }

    /// Grows the task on top, and all below it.
    fn grow_entered(&mut self) -> Result<(), Fault> {
        while let Some(top) = self.frames.last_mut() {
            if top.next < top.end {
                let (child, mode) = (top.next, if top.cut { Mode::Below } else { top.mode });
                top.next += 1;
                self.enter(child, mode)?;
            } else if let Some(place) = top.place {
                let (kind, at) = (&self.grammar.kinds[top.kind], top.at);
                let first = top.first;
                self.waiting.truncate(first);
                self.keys.truncate(first * self.width);
                self.load(kind, at);
                self.refill(kind, place)?;
            } else {
                self.leave()?;
            }
        }
        Ok(())
    }

    /// Sets `values` to those of the variables of a task: its arguments, its depth and its kind's names, apart from late
    /// ones.
    fn load(&mut self, kind: &Kind, at: usize) {
        let key = &self.keys[at * self.width..][..self.width];
        self.values.clear();
        self.values.extend_from_slice(&key[..kind.arguments.len()]);
        self.values.push(key[self.width - 1]);
        self.is_late = false;
        for (name, is_late) in kind.names.iter().zip(&kind.is_late) {
            let value = if *is_late { f64::NAN } else { name.at(&self.values, &mut self.stack) };
            self.is_late |= is_late;
            self.values.push(value);
        }
    }

    /// Sets the values of a kind's late names.
    pub(super) fn load_late(&mut self, kind: &Kind) {
        let first = kind.depth() + 1;
        for (at, name) in kind.names.iter().enumerate().filter(|(at, _)| kind.is_late[*at]) {
            self.values[first + at] = name.at(&self.values, &mut self.stack);
        }
        self.is_late = false;
    }

    /// Adds the next children of the task on top, whose values are `values`, to the tasks that wait. The next step of the
    /// task is grown behind its children.
    fn refill(&mut self, kind: &'g Kind, place: Place) -> Result<(), Fault> {
        let Some(top) = self.frames.last() else { return Ok(()) };
        let (at, mode, level) = (top.at, top.mode, top.level);
        let depth = self.values[kind.arguments.len()];
        let siblings = Siblings { parent: Some(kind), depth: depth + 1.0, mode };
        let place = self.fill(&kind.spawn, siblings, place)?;
        let place = (place.entry < kind.spawn.len()).then_some(place);
        if let (None, Some(next)) = (place, kind.next) {
            self.keys.extend_from_within(at * self.width..(at + 1) * self.width);
            let deep = self.deep[mode as usize][next];
            self.keys.last_mut().into_iter().for_each(|last| *last = if deep { depth } else { 0.0 });
            self.waiting.push(next as u32);
        }
        if self.keys.len() > self.limits.numbers {
            let message = format!("{} tasks wait to be created, {level} tasks deep", self.waiting.len());
            return Err(Fault::new(&kind.path, message, "expected fewer levels of rows of tasks"));
        }
        if self.kept() > self.limits.children {
            let label = "expected fewer; `cutoff` makes fewer of the same work";
            return Err(too_many_kept("tasks", &kind.path, label, self.limits));
        }
        if let Some(top) = self.frames.last_mut() {
            (top.next, top.end, top.place) = (top.first, self.waiting.len(), place);
        }
        Ok(())
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
        let class = 2 * kind + mode as usize;
        let known = match self.memo.is_useless(class) {
            true => Known::New(None),
            false => self.memo.look(class, key),
        };
        let entry = match known {
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
        self.load(it, at);
        let cut = match (&it.cutoff, mode) {
            (Some(cutoff), Mode::Created) => {
                self.number(cutoff, Some(it), || format!("{}.cutoff", it.path))? != 0.0
            }
            _ => false,
        };
        let above = self.frames.last().map_or(0, |frame| frame.level + 1);
        // Below a cut-off, the task itself is grown again, with its descendants. The next step of a task is one of it, too.
        let repeated = self.frames.last().is_some_and(|frame| {
            let last = at + 1 == frame.end && frame.place.is_none();
            frame.cut || last && self.grammar.kinds[frame.kind].next.is_some()
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
        if mode == Mode::Below {
            own.instructions += std::mem::take(&mut own.after);
        }
        let (first, found) = (self.waiting.len(), self.found.len());
        self.frames.push(Frame {
            kind,
            mode,
            level,
            cut,
            first,
            next: first,
            end: first,
            place: None,
            at,
            found,
            items,
            entry,
            own,
        });
        if !cut {
            return self.refill(it, Place::default());
        }
        self.keys.extend_from_within(at * self.width..(at + 1) * self.width);
        if !self.deep[Mode::Below as usize][kind] {
            self.keys.last_mut().into_iter().for_each(|depth| *depth = 0.0);
        }
        self.waiting.push(kind as u32);
        self.frames.last_mut().into_iter().for_each(|top| top.end += 1);
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
                if frame.entry.is_some_and(|entry| self.memo.holds(entry)) {
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
                let is_empty = kind.may_be_left_out
                    && next == LAST_STEP
                    && children.is_empty()
                    && frame.own == Own::default()
                    && self.spans[spans..].iter().all(|span| *span == ByteSpan::default());
                let node = match is_empty {
                    true => LAST_STEP,
                    false => self.nodes.add(Candidate {
                        kind: frame.kind,
                        own: frame.own,
                        spans: &self.spans[spans..],
                        children,
                        next,
                        items: &self.items[frame.items..],
                    }),
                };
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
}
