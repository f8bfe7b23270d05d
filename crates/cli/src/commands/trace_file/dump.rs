//! `numalab trace dump`: prints events as JSON Lines.

use super::{open, unreadable};
use crate::failure::Failure;
use crate::flags::TraceDump;
use crate::output::{Destination, check_apart};
use numalab_nlt::{EventBlock, Kind, NltError, Step};
use numalab_replay::recording;
use numalab_syntax::streams;

/// Writes one line per event, block by block, of a file that the reader of recordings accepts.
pub fn run(flags: &TraceDump) -> Result<(), Failure> {
    let output = Destination::from(flags.output.clone());
    check_apart(&[("the events", &output)])?;
    let recording = recording(&flags.file.to_string_lossy())?;
    output.spare_inputs()?;
    if recording.program.is_some() {
        return Err(Failure::request(
            format!(
                "{} is the recording of a simulated run, which has no events",
                streams::name(&flags.file)
            ),
            "numalab trace show lists its phases",
        ));
    }
    let mut reader = open(&flags.file)?;
    let mut broken = None;
    output.fill(|to| {
        loop {
            let step = match reader.step() {
                Ok(Some(step)) => step,
                Ok(None) => return Ok(()),
                Err(error) => {
                    broken = Some(error);
                    return Ok(());
                }
            };
            let block = match step {
                Step::Block(block) => block,
                Step::Skipped(_) => continue,
                Step::Damaged { at } | Step::Torn { at, .. } => {
                    broken = Some(NltError::Content { at, problem: "it is damaged or cut off".to_owned() });
                    continue;
                }
            };
            if block.kind != Kind::Events {
                continue;
            }
            match EventBlock::read(&block.plain) {
                Some(events) => lines(&events).iter().try_for_each(|line| to.write_all(line.as_bytes()))?,
                None => broken = Some(block.wrong("it has no events")),
            }
        }
    })?;
    broken.map_or(Ok(()), |error| Err(unreadable(&flags.file, error)))
}

fn lines(block: &EventBlock) -> Vec<String> {
    let EventBlock { round, thread, events } = block;
    let line = |event: &numalab_nlt::Event| {
        let fields: String =
            event.what.fields().iter().map(|(name, value)| format!(",\"{name}\":{value}")).collect();
        let (time, name) = (event.time, event.what.name());
        format!("{{\"round\":{round},\"thread\":{thread},\"time_ns\":{time},\"event\":\"{name}\"{fields}}}\n")
    };
    events.iter().map(line).collect()
}
