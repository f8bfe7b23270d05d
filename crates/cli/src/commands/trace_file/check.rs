//! `numalab trace check`: checks that a recording is complete.

use super::{open, unreadable};
use crate::failure::Failure;
use crate::flags::TraceCheck;
use crate::message::shown;
use crate::output::Destination;
use numalab_nlt::{Block, EventBlock, Kind, NltError, Step};
use numalab_replay::replayable;
use numalab_replay::work::Class;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Reads every block and lists damage. A whole file must also be one that a run accepts.
pub fn run(flags: &TraceCheck) -> Result<(), Failure> {
    let path = &flags.file;
    let fail = |error| unreadable(path, error);
    let mut reader = open(path)?;
    let mut blocks: BTreeMap<Kind, (u64, u64)> = BTreeMap::new();
    let (mut events, mut skipped, mut lost) = (0, 0, Vec::new());
    while let Some(step) = reader.step().map_err(fail)? {
        match step {
            Step::Block(block) => {
                let (count, bytes) = blocks.entry(block.kind).or_default();
                *count += 1;
                *bytes += block.length;
                events += content(&block).map_err(fail)?;
            }
            Step::Skipped(_) => skipped += 1,
            Step::Damaged { at } => lost.push(format!("the block at byte {at} is damaged")),
            Step::Torn { at, bytes } => {
                lost.push(format!("the file ends {bytes} bytes into the block at byte {at}"));
            }
        }
    }
    if lost.is_empty() {
        replayable(&path.to_string_lossy())?;
    }
    let mut text = String::new();
    for (kind, (count, bytes)) in &blocks {
        let _ = writeln!(text, "{:<8}{count:>8} blocks{bytes:>14} bytes", kind.name());
    }
    let _ = writeln!(text, "{events} events");
    if skipped > 0 {
        let _ = writeln!(text, "{skipped} blocks of later versions");
    }
    let name = shown(path);
    lost.iter().for_each(|line| text.push_str(&format!("{name}: {line}\n")));
    Destination::Stdout.write(text.as_bytes())?;
    if lost.is_empty() { Ok(()) } else { Err(Failure::NegativeAnswer) }
}

/// Number of events in a block; an error if the block's content is damaged.
fn content(block: &Block) -> Result<usize, NltError> {
    match block.kind {
        Kind::Events => {
            let events = EventBlock::read(&block.plain).ok_or_else(|| block.wrong("it has no events"))?;
            Ok(events.events.len())
        }
        Kind::Class => match Class::read(&block.plain) {
            Some(_) => Ok(0),
            None => Err(block.wrong("it has no class of work")),
        },
        // Blocks of a program can be checked only together, by the reader of the whole file.
        Kind::Program => Ok(0),
        Kind::Meta | Kind::Sites | Kind::Allocations | Kind::Order => {
            match serde_json::from_slice::<serde_json::Value>(&block.plain) {
                Ok(_) => Ok(0),
                Err(error) => Err(block.wrong(error.to_string())),
            }
        }
    }
}
