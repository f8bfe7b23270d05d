//! Encoding of classes: a head as JSON, then costs in columns.

use super::{Chunk, Class, Footprint, Run, TaskNode};
use numalab_nlt::columns::{ColumnReader, ColumnWriter};

/// Limit of the chunks or tasks of a class.
const MOST_CHUNKS: usize = 4 << 20;

impl Class {
    /// The plain bytes of a block.
    pub fn bytes(&self) -> Vec<u8> {
        let mut columns = ColumnWriter::default();
        columns.text(&serde_json::to_vec(self).unwrap_or_default());
        columns.number(self.chunks.len() as u64);
        columns.column(self.chunks.iter().map(|chunk| chunk.count));
        columns.column(self.chunks.iter().map(|chunk| chunk.cost_ns));
        columns.column(self.chunks.iter().map(|chunk| chunk.spread_ns));
        columns.column(self.chunks.iter().map(|chunk| chunk.samples.into()));
        columns.number(self.tasks.len() as u64);
        columns.column(self.tasks.iter().map(|task| task.parent.map_or(0, |parent| u64::from(parent) + 1)));
        columns.column(self.tasks.iter().map(|task| u64::from(task.waits)));
        columns.column(self.tasks.iter().map(|task| task.after_ns));
        columns.column(self.tasks.iter().map(|task| task.predecessors.len() as u64));
        columns.column(self.tasks.iter().flat_map(|task| &task.predecessors).map(|task| u64::from(*task)));
        if !self.footprint.is_empty() {
            self.write_footprint(&mut columns);
        }
        columns.finish()
    }

    fn write_footprint(&self, columns: &mut ColumnWriter) {
        columns.number(self.footprint.len() as u64);
        columns.column(self.footprint.iter().map(|part| part.count));
        columns.column(self.footprint.iter().map(|part| part.runs.len() as u64));
        let runs = || self.footprint.iter().flat_map(|part| &part.runs);
        columns.column(runs().map(|run| u64::from(run.allocation) << 1 | u64::from(run.written)));
        columns.column(runs().map(|run| run.first));
        columns.column(runs().map(|run| run.bytes));
    }

    /// Reads a footprint; recordings without footprints end before it.
    fn read_footprint(columns: &mut ColumnReader<'_>) -> Option<Vec<Footprint>> {
        if columns.left() == 0 {
            return Some(Vec::new());
        }
        let count = usize::try_from(columns.number()?).ok().filter(|count| *count <= MOST_CHUNKS)?;
        let (counts, lengths) = (columns.column(count)?, columns.column(count)?);
        let total =
            lengths.iter().try_fold(0usize, |sum, length| sum.checked_add(usize::try_from(*length).ok()?))?;
        let (marks, firsts, bytes) = (columns.column(total)?, columns.column(total)?, columns.column(total)?);
        let run = |at: usize| {
            firsts[at].checked_add(bytes[at])?;
            let allocation = u32::try_from(marks[at] >> 1).ok()?;
            Some(Run { allocation, written: marks[at] & 1 == 1, first: firsts[at], bytes: bytes[at] })
        };
        let mut all = (0..total).map(run).collect::<Option<Vec<Run>>>()?.into_iter();
        let part = |(count, length): (&u64, &u64)| Footprint {
            count: *count,
            runs: all.by_ref().take(*length as usize).collect(),
        };
        Some(counts.iter().zip(&lengths).map(part).collect())
    }

    /// Reads the plain bytes of a block; `None` if they are invalid. Tasks must follow their creators
    /// and predecessors.
    pub fn read(bytes: &[u8]) -> Option<Class> {
        let mut columns = ColumnReader::new(bytes);
        let mut class: Class = serde_json::from_slice(columns.text()?).ok()?;
        let length = |columns: &mut ColumnReader<'_>| {
            usize::try_from(columns.number()?).ok().filter(|count| *count <= MOST_CHUNKS)
        };
        let count = length(&mut columns)?;
        let (counts, costs) = (columns.column(count)?, columns.column(count)?);
        let (spreads, samples) = (columns.column(count)?, columns.column(count)?);
        for at in 0..count {
            class.chunks.push(Chunk {
                count: counts[at],
                cost_ns: costs[at],
                spread_ns: spreads[at],
                samples: samples[at].try_into().ok()?,
            });
        }
        let count = length(&mut columns)?;
        let (parents, waits) = (columns.column(count)?, columns.column(count)?);
        let (after, lengths) = (columns.column(count)?, columns.column(count)?);
        for at in 0..count {
            class.tasks.push(TaskNode {
                parent: earlier(parents[at], at)?,
                waits: waits[at] != 0,
                after_ns: after[at],
                predecessors: Vec::new(),
            });
        }
        let total =
            lengths.iter().try_fold(0usize, |sum, length| sum.checked_add(usize::try_from(*length).ok()?))?;
        let mut all = columns.column(total)?.into_iter();
        for (at, length) in lengths.iter().enumerate() {
            for number in all.by_ref().take(*length as usize) {
                let number = u32::try_from(number).ok().filter(|number| (*number as usize) < at)?;
                class.tasks[at].predecessors.push(number);
            }
        }
        class.footprint = Class::read_footprint(&mut columns)?;
        let covered = class.footprint.iter().map(|part| part.count).fold(0, u64::saturating_add);
        let of_footprint = class.footprint.is_empty() || covered == class.iterations;
        let of_tasks = class.tasks.is_empty() || class.tasks.len() == class.chunks.len();
        let sum = class.chunks.iter().map(|chunk| chunk.count).fold(0, u64::saturating_add);
        (columns.left() == 0 && of_tasks && of_footprint && sum == class.iterations).then_some(class)
    }
}

/// A task's parent, encoded as 0 for none and otherwise as its number plus one. `None` if the parent does not precede
/// task `at`.
fn earlier(coded: u64, at: usize) -> Option<Option<u32>> {
    match coded.checked_sub(1) {
        None => Some(None),
        Some(parent) => Some(Some(u32::try_from(parent).ok().filter(|parent| (*parent as usize) < at)?)),
    }
}
