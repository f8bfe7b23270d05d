//! Work of a task, from the formulas of its kind.

use super::super::dependences::{ITEM_LABEL, item_number};
use super::super::sections::MOST_SECTIONS;
use super::grammar::{Grammar, Kind, KindSection, Touch};
use super::grow::Fault;
use numalab_syntax::expression::Formula;
use numalab_syntax::tree::show;
use numalab_workload::{Access, Demand, Mode, Pieces, RegionId, Slice, Sparse};
use std::ops::{Range, RangeInclusive};

/// Largest number of instructions of one task.
pub(super) const MOST_INSTRUCTIONS: f64 = 1e18;
/// Largest number of bytes that are copied for one task.
const MOST_COPIED: u32 = 1 << 30;
/// Largest number of bytes that all tasks touch together, each task counted once.
const MOST_BYTES: u64 = 1 << 60;

/// Work of a task, apart from the bytes that it touches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Own {
    pub instructions: f64,
    pub after: f64,
    /// Number of sections, and instructions in all of them.
    pub sections: (f64, f64),
    /// Offset near which the task runs.
    pub offset: u64,
    /// Bytes that the creator of the task copies for it.
    pub copied: u32,
}

impl Own {
    /// Adds what a descendant does.
    pub fn add(&mut self, other: Own) {
        self.instructions += other.instructions;
        self.sections.0 += other.sections.0;
        self.sections.1 += other.sections.1;
    }
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ByteSpan {
    start: u64,
    end: u64,
    bytes: u64,
}

impl ByteSpan {
    pub fn add(&mut self, other: ByteSpan) {
        if self.bytes == 0 {
            *self = other;
        } else if other.bytes > 0 {
            let bytes = self.bytes.saturating_add(other.bytes);
            *self = ByteSpan { start: self.start.min(other.start), end: self.end.max(other.end), bytes };
        }
    }

    pub fn numbers(&self) -> [u64; 3] {
        [self.start, self.end, self.bytes]
    }

    /// True if the task touches every byte of the range once.
    fn is_plain(&self) -> bool {
        self.end - self.start == self.bytes
    }
}

impl Column {
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

/// Columns of all touches of a grammar, still without tasks, and the index of each touch's column by kind. Kinds
/// share columns; two touches of one kind have different columns.
pub(super) fn columns(grammar: &Grammar) -> (Vec<Column>, Vec<Vec<usize>>) {
    let mut columns: Vec<Column> = Vec::new();
    let places = grammar.kinds.iter().map(|kind| places(kind, &mut columns)).collect();
    (columns, places)
}

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

/// A task whose formulas are evaluated: its kind, and its arguments with its depth.
pub(super) struct Evaluate<'e> {
    pub kind: &'e Kind,
    pub values: &'e [f64],
    pub stack: &'e mut Vec<f64>,
}

impl Evaluate<'_> {
    /// Work of the task, apart from its descendants. `size`: bytes of the region near which tasks run, if any.
    pub fn own(&mut self, size: Option<u64>) -> Result<Own, Fault> {
        let kind = self.kind;
        let most = 0.0..=MOST_INSTRUCTIONS;
        let instructions = self.optional("instructions", kind.instructions.as_ref(), &most)?;
        let after = self.optional("after", kind.after.as_ref(), &most)?;
        let sections = match &kind.section {
            None => (0.0, 0.0),
            Some(KindSection { times, instructions, .. }) => {
                let number = 0.0..=MOST_SECTIONS;
                let times = match times {
                    Some(_) => self.optional("critical.times", times.as_ref(), &number)?.floor(),
                    None => 1.0,
                };
                let inside = "critical.instructions";
                (times, times * self.optional(inside, instructions.as_ref(), &most)?)
            }
        };
        let (offset, copied) = (self.offset(size)?, self.copied()?);
        Ok(Own { instructions, after, sections, offset, copied })
    }

    /// Offset near which the task runs, in a region of `size` bytes.
    pub fn offset(&mut self, size: Option<u64>) -> Result<u64, Fault> {
        let Some(size) = size else { return Ok(0) };
        let most = 0.0..=(size.saturating_sub(1)) as f64;
        Ok(self.optional("affinity.at", self.kind.affinity.as_ref(), &most)? as u64)
    }

    /// Bytes that the creator of the task copies for it.
    pub fn copied(&mut self) -> Result<u32, Fault> {
        let most = 0.0..=f64::from(MOST_COPIED);
        Ok(self.optional("firstprivate", self.kind.copied.as_ref(), &most)? as u32)
    }

    /// Value of a formula, which must be within limits; 0 without a formula.
    fn optional(
        &mut self,
        key: &str,
        formula: Option<&Formula>,
        most: &RangeInclusive<f64>,
    ) -> Result<f64, Fault> {
        let Some(formula) = formula else { return Ok(0.0) };
        let value = formula.at(self.values, self.stack);
        if most.contains(&value) {
            return Ok(value);
        }
        let message = format!("{}: this is {}", self.kind.describe(self.values), show(value));
        let label = format!("expected a number from 0 to {}", show(*most.end()));
        Err(Fault::new(format!("{}.{key}", self.kind.path), message, label))
    }

    /// Bytes of one touch.
    pub fn touch(&mut self, touch: &Touch) -> Result<ByteSpan, Fault> {
        if let Some(when) = &touch.when
            && when.at(self.values, self.stack) == 0.0
        {
            return Ok(ByteSpan::default());
        }
        let Some((start, length)) = &touch.piece else {
            return Ok(ByteSpan { start: 0, end: touch.size, bytes: touch.size });
        };
        let (start, length) = (start.at(self.values, self.stack), length.at(self.values, self.stack));
        let inside = |value: f64| (0.0..=touch.size as f64).contains(&value);
        if inside(start) && inside(length) {
            let Range { start, end } = start as u64..start as u64 + length as u64;
            if end <= touch.size {
                return Ok(ByteSpan { start, end, bytes: end - start });
            }
        }
        let shown = self.kind.describe(self.values);
        let (start, length, size) = (show(start), show(length), touch.size);
        let message = format!("{shown} touches {length} bytes from byte {start} of a region of {size} bytes");
        Err(Fault::new(format!("{}.slice", touch.path), message, "expected slices inside the region"))
    }

    /// Adds the items that the task names to `items`.
    pub fn items(&mut self, items: &mut Vec<(u64, bool)>) -> Result<(), Fault> {
        for depend in &self.kind.depends {
            match item_number(depend.item.at(self.values, self.stack)) {
                Ok(Some(number)) => items.push((number, depend.writes)),
                Ok(None) => {}
                Err(wrong) => {
                    let message = format!("{} names the item {wrong}", self.kind.describe(self.values));
                    return Err(Fault::new(&depend.path, message, ITEM_LABEL));
                }
            }
        }
        Ok(())
    }
}
