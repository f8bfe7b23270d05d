//! A whole file: facts about the program, and its work.

use crate::work::{Allocation, Class, Order, Refusal, Walk, Work};
use numalab_nlt::EventBlock;
use numalab_nlt::program::{self, Pieces};
use numalab_nlt::{Kind, NltError, Reader, Step, Writer};
use numalab_nlt::{Meta, Site};
use numalab_workload::Workload;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Seek, Write};

// Glossary: recording: A program's work as it was measured on another computer, in a file `.nlt`.
/// A recorded program without its events.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    pub meta: Meta,
    /// Functions and source lines of recorded addresses, by address.
    pub sites: Vec<Site>,
    /// Large allocations, by address; footprints refer to them by index.
    pub allocations: Vec<Allocation>,
    pub work: Work,
    /// The exact work of a simulated run, which a replay repeats; `None` for the recording of a real program.
    pub program: Option<Workload>,
    /// Lost parts of the file.
    pub gaps: Vec<Gap>,
}

/// A lost part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// The end is missing, since the writer died.
    Torn {
        /// Byte of the file at which the incomplete block begins.
        at: u64,
    },
    /// A block with a wrong checksum.
    Damaged {
        /// Byte of the file at which the damaged block begins.
        at: u64,
    },
}

impl Recording {
    /// Reads a file in one pass that skips events. If the classes of work are lost, a second pass
    /// derives them from the events.
    pub fn read(mut from: impl Read + Seek) -> Result<Recording, NltError> {
        let (mut recording, end) = Recording::without_events(&mut from)?;
        recording.work = match end {
            Some(End { order, refusals }) => Work { order, refusals, ..recording.work },
            None => {
                from.rewind()?;
                work_of_events(from, &recording)?
            }
        };
        Ok(recording)
    }

    fn without_events(from: impl Read) -> Result<(Recording, Option<End>), NltError> {
        let mut reader = Reader::new(from)?;
        let (mut recording, mut end, mut pieces) = (Recording::default(), None, Pieces::default());
        while let Some(step) = reader.step_past(Kind::Events)? {
            let block = match step {
                Step::Block(block) => block,
                Step::Skipped(_) => continue,
                Step::Damaged { at } => {
                    recording.gaps.push(Gap::Damaged { at });
                    continue;
                }
                Step::Torn { at, .. } => {
                    recording.gaps.push(Gap::Torn { at });
                    continue;
                }
            };
            let json = |error: serde_json::Error| block.wrong(format!("{}: {error}", block.kind.name()));
            match block.kind {
                Kind::Meta => recording.meta = serde_json::from_slice(&block.plain).map_err(json)?,
                Kind::Sites => recording.sites = serde_json::from_slice(&block.plain).map_err(json)?,
                Kind::Events => {}
                Kind::Allocations => {
                    recording.allocations = serde_json::from_slice(&block.plain).map_err(json)?;
                    if !recording.allocations.is_sorted_by_key(|allocation| allocation.start) {
                        return Err(block.wrong("allocations are not in order"));
                    }
                }
                Kind::Program => pieces.take(&block.plain).map_err(|problem| block.wrong(problem))?,
                Kind::Class => {
                    let class = Class::read(&block.plain);
                    recording
                        .work
                        .classes
                        .push(class.ok_or_else(|| block.wrong("it holds no class of work"))?);
                }
                Kind::Order => {
                    let found: End = serde_json::from_slice(&block.plain).map_err(json)?;
                    let classes = recording.work.classes.len();
                    let known = found.order.steps().all(|(step, _)| (step.class as usize) < classes);
                    match (known, recording.gaps.is_empty()) {
                        (true, _) => end = Some(found),
                        // The order names a lost class: order and classes are derived from the events again.
                        (false, false) => {}
                        (false, true) => return Err(block.wrong("it names a class that there is not")),
                    }
                }
            }
        }
        recording.program = pieces.finish().transpose().map_err(NltError::Program)?;
        // If a class is lost, the numbers of later classes are wrong.
        let whole = !recording.gaps.iter().any(|gap| matches!(gap, Gap::Damaged { .. }));
        Ok((recording, end.filter(|_| whole)))
    }

    /// Writes a file without events.
    pub fn write(&self, to: impl Write) -> io::Result<()> {
        let mut writer = Writer::new(to)?;
        writer.block(Kind::Meta, &serde_json::to_vec(&self.meta)?)?;
        if !self.allocations.is_empty() {
            writer.block(Kind::Allocations, &serde_json::to_vec(&self.allocations)?)?;
        }
        self.write_end(&mut writer)?;
        writer.finish().map(drop)
    }

    /// Writes the blocks that follow the events and allocations.
    pub fn write_end<W: Write>(&self, to: &mut Writer<W>) -> io::Result<()> {
        to.block(Kind::Sites, &serde_json::to_vec(&self.sites)?)?;
        for class in &self.work.classes {
            to.block(Kind::Class, &class.bytes())?;
        }
        if let Some(program) = &self.program {
            program::write(program, to)?;
        }
        let end = End { order: self.work.order.clone(), refusals: self.work.refusals.clone() };
        to.block(Kind::Order, &serde_json::to_vec(&end)?)
    }

    /// Name of the site at an address, for output.
    pub fn name(&self, address: u64) -> String {
        match self.sites.iter().find(|site| site.address == address) {
            Some(site) => site.name(),
            None => Site { address, ..Site::default() }.name(),
        }
    }
}

/// Contents of the order block.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct End {
    order: Order,
    refusals: Vec<Refusal>,
}

fn work_of_events(from: impl Read, recording: &Recording) -> Result<Work, NltError> {
    let (mut reader, mut walk) = (Reader::new(from)?, Walk::default());
    walk.take_out(recording.meta.recorder.unwrap_or_default());
    while let Some(step) = reader.step()? {
        if let Step::Block(block) = step
            && block.kind == Kind::Events
        {
            let events = EventBlock::read(&block.plain);
            walk.take(&events.ok_or_else(|| block.wrong("it holds no events"))?);
        }
    }
    Ok(walk.finish(&|address| Site::first_alike(&recording.sites, address), &recording.allocations))
}
