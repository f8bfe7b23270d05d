//! Work of every task of a graph. A task that is cut off has the work of its descendants, too.

use super::super::sections::MOST_SECTIONS;
use super::grammar::{Grammar, Kind, KindSection, Touch};
use super::graph::Graph;
use super::grow::{Fault, Grown, Limits, below};
use numalab_syntax::expression::Formula;
use numalab_syntax::tree::show;
use numalab_workload::{Access, Demand, Mode, Pieces, RegionId, Slice, Sparse, parents_first};
use std::ops::Range;

/// Largest number of instructions of one task.
const MOST_INSTRUCTIONS: f64 = 1e18;
/// Largest number of bytes that all tasks touch together, each task counted once.
const MOST_BYTES: u64 = 1 << 60;

/// Work of all tasks of a graph, indexed by task.
pub(super) struct Work {
    pub instructions: Vec<f64>,
    pub after: Vec<f64>,
    /// Number of sections of each task, and instructions in all of them.
    pub sections: Vec<(f64, f64)>,
    pub accesses: Vec<Column>,
}

/// Bytes of one region that each task touches, in one mode and under one demand.
#[derive(Clone)]
pub(super) struct Column {
    pub region: usize,
    pub mode: Mode,
    pub demand: Demand,
    pub spans: Vec<ByteSpan>,
}

/// Range of bytes of a region that one task touches, and the number of bytes touched in this range. The number
/// exceeds the length of the range if bytes are touched repeatedly.
#[derive(Clone, Copy, Default)]
pub(super) struct ByteSpan {
    start: u64,
    end: u64,
    bytes: u64,
}

impl ByteSpan {
    fn add(&mut self, other: ByteSpan) {
        if self.bytes == 0 {
            *self = other;
        } else if other.bytes > 0 {
            let bytes = self.bytes.saturating_add(other.bytes);
            *self = ByteSpan { start: self.start.min(other.start), end: self.end.max(other.end), bytes };
        }
    }

    /// True if the task touches every byte of the range once.
    fn is_plain(&self) -> bool {
        self.end - self.start == self.bytes
    }
}

/// Work of each task that a phase creates. A task that is cut off includes the work of its descendants.
pub(super) fn work(grammar: &Grammar, grown: &Grown, limits: Limits) -> Result<Work, Fault> {
    let mut work = own(grammar, &grown.graph)?;
    if grown.cut.is_empty() {
        return Ok(work);
    }
    let (graph, starts) = below(grammar, grown, limits)?;
    let order = parents_first(graph.len(), |task| graph.children(task))
        .map_err(|task| endless(grammar, &graph, task as usize))?;
    let mut sums = own(grammar, &graph)?;
    for task in order.iter().rev().map(|task| *task as usize) {
        sums.instructions[task] += sums.after[task];
        for child in graph.children(task as u32) {
            let child = *child as usize;
            sums.instructions[task] += sums.instructions[child];
            let (times, inside) = sums.sections[child];
            sums.sections[task].0 += times;
            sums.sections[task].1 += inside;
            for column in &mut sums.accesses {
                let span = column.spans[child];
                column.spans[task].add(span);
            }
        }
    }
    for (task, start) in grown.cut.iter().zip(starts) {
        let (task, start) = (*task as usize, start as usize);
        if sums.instructions[start] > MOST_INSTRUCTIONS {
            let path = format!("{}.cutoff", grammar.kinds[graph.kind(start)].path);
            let shown = graph.describe(grammar, start);
            let message = format!("{shown} and all its descendants have more than 1e18 instructions");
            return Err(Fault::new(path, message, "expected a smaller problem"));
        }
        work.instructions[task] = sums.instructions[start];
        work.after[task] = 0.0;
        work.sections[task] = sums.sections[start];
        for (column, sum) in work.accesses.iter_mut().zip(&sums.accesses) {
            column.spans[task] = sum.spans[start];
        }
    }
    Ok(work)
}

/// Error about a task that is its own descendant.
pub(super) fn endless(grammar: &Grammar, graph: &Graph, task: usize) -> Fault {
    let message = format!("{} is its own descendant", graph.describe(grammar, task));
    let label = "expected arguments that change, and a `when` that ends it";
    Fault::new(&grammar.kinds[graph.kind(task)].path, message, label)
}

/// Work of tasks without their descendants.
fn own(grammar: &Grammar, graph: &Graph) -> Result<Work, Fault> {
    let mut columns: Vec<Column> = Vec::new();
    // For each kind, the indices of the columns of its touches.
    let places: Vec<Vec<usize>> = grammar.kinds.iter().map(|kind| places(kind, &mut columns)).collect();
    for column in &mut columns {
        column.spans = vec![ByteSpan::default(); graph.len()];
    }
    let mut evaluate = Evaluate { grammar, graph, values: TaskValues::default() };
    let mut work =
        Work { instructions: Vec::new(), after: Vec::new(), sections: Vec::new(), accesses: columns };
    work.instructions.reserve(graph.len());
    work.after.reserve(graph.len());
    let most = 0.0..=MOST_INSTRUCTIONS;
    for task in 0..graph.len() {
        let at = graph.kind(task);
        let kind = &grammar.kinds[at];
        evaluate.enter(task, kind);
        let instructions =
            evaluate.optional(task, kind, "instructions", kind.instructions.as_ref(), &most)?;
        work.instructions.push(instructions);
        work.after.push(evaluate.optional(task, kind, "after", kind.after.as_ref(), &most)?);
        work.sections.push(match &kind.section {
            None => (0.0, 0.0),
            Some(KindSection { times, instructions, .. }) => {
                let number = 0.0..=MOST_SECTIONS;
                let times = match times {
                    Some(_) => {
                        evaluate.optional(task, kind, "critical.times", times.as_ref(), &number)?.floor()
                    }
                    None => 1.0,
                };
                let inside = "critical.instructions";
                (times, times * evaluate.optional(task, kind, inside, instructions.as_ref(), &most)?)
            }
        });
        for (touch, place) in kind.touches.iter().zip(&places[at]) {
            work.accesses[*place].spans[task] = evaluate.touch(task, touch)?;
        }
    }
    Ok(work)
}

/// Indices in `columns` for the touches of one kind; adds missing columns. Kinds share columns; two touches of one
/// kind have different columns.
fn places(kind: &Kind, columns: &mut Vec<Column>) -> Vec<usize> {
    let mut taken: Vec<usize> = Vec::new();
    for touch in &kind.touches {
        let wanted = (touch.region, touch.mode, touch.demand);
        let fits = |column: &Column| (column.region, column.mode, column.demand) == wanted;
        let free = (0..columns.len()).find(|at| fits(&columns[*at]) && !taken.contains(at));
        taken.push(free.unwrap_or_else(|| {
            let (region, mode, demand) = wanted;
            columns.push(Column { region, mode, demand, spans: Vec::new() });
            columns.len() - 1
        }));
    }
    taken
}

/// For each task, the offset in a region of `size` bytes near which the task runs.
pub(super) fn affinity(grammar: &Grammar, graph: &Graph, size: u64) -> Result<Vec<u64>, Fault> {
    let mut evaluate = Evaluate { grammar, graph, values: TaskValues::default() };
    let most = 0.0..=(size.saturating_sub(1)) as f64;
    let mut offsets = Vec::with_capacity(graph.len());
    for task in 0..graph.len() {
        let kind = &grammar.kinds[graph.kind(task)];
        evaluate.enter(task, kind);
        let at = evaluate.optional(task, kind, "affinity.at", kind.affinity.as_ref(), &most)?;
        offsets.push(at as u64);
    }
    Ok(offsets)
}

struct Evaluate<'g> {
    grammar: &'g Grammar,
    graph: &'g Graph,
    values: TaskValues,
}

/// Values of the variables of one task, for its kind's formulas.
#[derive(Default)]
pub(super) struct TaskValues {
    values: Vec<f64>,
    stack: Vec<f64>,
}

impl TaskValues {
    /// Sets the values to the arguments and depth of `task`, which is of this kind.
    pub fn enter(&mut self, graph: &Graph, task: usize, kind: &Kind) {
        let key = graph.key(task);
        self.values.clear();
        self.values.extend_from_slice(&key[..kind.arguments.len()]);
        self.values.extend(key.last());
    }

    pub fn of(&mut self, formula: &Formula) -> f64 {
        formula.at(&self.values, &mut self.stack)
    }
}

impl Evaluate<'_> {
    fn enter(&mut self, task: usize, kind: &Kind) {
        self.values.enter(self.graph, task, kind);
    }

    /// Value of a formula, which must be within limits; 0 without a formula.
    fn optional(
        &mut self,
        task: usize,
        kind: &Kind,
        key: &str,
        formula: Option<&Formula>,
        most: &std::ops::RangeInclusive<f64>,
    ) -> Result<f64, Fault> {
        let Some(formula) = formula else { return Ok(0.0) };
        let value = self.values.of(formula);
        if most.contains(&value) {
            return Ok(value);
        }
        let message = format!("{}: this is {}", self.graph.describe(self.grammar, task), show(value));
        let label = format!("expected a number from 0 to {}", show(*most.end()));
        Err(Fault::new(format!("{}.{key}", kind.path), message, label))
    }

    fn touch(&mut self, task: usize, touch: &Touch) -> Result<ByteSpan, Fault> {
        if let Some(when) = &touch.when
            && self.values.of(when) == 0.0
        {
            return Ok(ByteSpan::default());
        }
        let Some((start, length)) = &touch.piece else {
            return Ok(ByteSpan { start: 0, end: touch.size, bytes: touch.size });
        };
        let (start, length) = (self.values.of(start), self.values.of(length));
        let inside = |value: f64| (0.0..=touch.size as f64).contains(&value);
        if inside(start) && inside(length) {
            let Range { start, end } = start as u64..start as u64 + length as u64;
            if end <= touch.size {
                return Ok(ByteSpan { start, end, bytes: end - start });
            }
        }
        let shown = self.graph.describe(self.grammar, task);
        let (start, length, size) = (show(start), show(length), touch.size);
        let message = format!("{shown} touches {length} bytes from byte {start} of a region of {size} bytes");
        Err(Fault::new(format!("{}.slice", touch.path), message, "expected slices inside the region"))
    }
}

impl Column {
    /// Column of unfolded tasks, computed from the column of graph nodes. `of`: graph node of each unfolded task.
    pub fn unfolded(self, of: &[u32]) -> Column {
        Column { spans: of.iter().map(|task| self.spans[*task as usize]).collect(), ..self }
    }

    #[cfg(test)]
    pub fn bytes(&self, task: usize) -> u64 {
        self.spans[task].bytes
    }

    /// Converts the column to an access of a phase; an error if all tasks together touch too many bytes.
    pub fn into_access(self, path: &str) -> Result<Access, Fault> {
        let total: u128 = self.spans.iter().map(|span| u128::from(span.bytes)).sum();
        if total > u128::from(MOST_BYTES) {
            let message = format!("the tasks touch {total} bytes");
            return Err(Fault::new(path, message, format!("expected at most {MOST_BYTES} (1 EiB)")));
        }
        let slice = if self.spans.iter().all(ByteSpan::is_plain) {
            let pieces = self.spans.iter().map(|span| (span.start, span.bytes)).collect();
            Slice::Explicit(Pieces::new(pieces))
        } else {
            // Descendants of a cut task may touch the same bytes again, or leave some out.
            let windows = self.spans.iter().map(|span| (span.start, span.end)).collect();
            let bytes: Vec<u64> = self.spans.iter().map(|span| span.bytes).collect();
            Slice::Sparse(Sparse::new(windows, bytes, false))
        };
        Ok(Access { demand: self.demand, ..Access::new(RegionId(self.region), slice, self.mode) })
    }
}
