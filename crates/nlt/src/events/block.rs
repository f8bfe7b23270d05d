//! Blocks of events of one thread, stored in columns.

use super::{Event, Slots, What};
use crate::columns::{ColumnReader, ColumnWriter};

/// Largest number of events in a block.
pub const MOST_EVENTS: usize = 1 << 16;
/// Number of possible event kinds.
const KINDS: usize = 256;

/// Consecutive events of one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventBlock {
    /// Number of the program's run, from 0.
    pub round: u32,
    /// Number of the thread in the process.
    pub thread: u32,
    pub events: Vec<Event>,
}

impl EventBlock {
    /// The plain bytes of a block. Values are stored as differences from the last event of the same
    /// kind.
    pub fn bytes(&self) -> Vec<u8> {
        let mut columns = ColumnWriter::default();
        columns.number(self.round.into());
        columns.number(self.thread.into());
        columns.number(self.events.len() as u64);
        columns.column(self.events.iter().map(|event| event.time));
        columns
            .column(self.events.iter().map(|event| u64::from(event.switches) << 1 | u64::from(event.asked)));
        let slots: Vec<(u8, Slots)> = self.events.iter().map(|event| event.what.slots()).collect();
        slots.iter().for_each(|(kind, _)| columns.byte(*kind));
        slots.iter().for_each(|(_, slots)| columns.byte(slots.detail));
        for value in [|slots: &Slots| slots.a, |slots: &Slots| slots.b, |slots: &Slots| slots.c] {
            let mut before = [0; KINDS];
            for (kind, slots) in &slots {
                let before = &mut before[usize::from(*kind)];
                columns.difference(value(slots), *before);
                *before = value(slots);
            }
        }
        columns.finish()
    }

    /// Reads the plain bytes of a block; `None` if they are not events.
    pub fn read(bytes: &[u8]) -> Option<EventBlock> {
        let mut columns = ColumnReader::new(bytes);
        let round = columns.number()?.try_into().ok()?;
        let thread = columns.number()?.try_into().ok()?;
        let count = usize::try_from(columns.number()?).ok().filter(|count| *count <= MOST_EVENTS)?;
        let times = columns.column(count)?;
        let switches = columns.column(count)?;
        let bytes = |columns: &mut ColumnReader<'_>| -> Option<Vec<u8>> {
            (0..count).map(|_| columns.byte()).collect()
        };
        let (kinds, details) = (bytes(&mut columns)?, bytes(&mut columns)?);
        let mut value = || -> Option<Vec<u64>> {
            let mut before = [0; KINDS];
            kinds
                .iter()
                .map(|kind| {
                    let before = &mut before[usize::from(*kind)];
                    *before = columns.difference(*before)?;
                    Some(*before)
                })
                .collect()
        };
        let (a, b, c) = (value()?, value()?, value()?);
        let event = |at: usize| -> Option<Event> {
            let slots = Slots { detail: details[at], a: a[at], b: b[at], c: c[at] };
            Some(Event {
                time: times[at],
                switches: (switches[at] >> 1).try_into().ok()?,
                asked: switches[at] & 1 == 1,
                what: What::of(kinds[at], slots)?,
            })
        };
        let events = (0..count).map(event).collect::<Option<Vec<Event>>>()?;
        (columns.left() == 0).then_some(EventBlock { round, thread, events })
    }
}
