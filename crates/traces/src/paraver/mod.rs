//! Traces of Paraver: `text` reads records, `legend` reads names, and `replay` follows threads through the regions
//! that events name.

mod legend;
mod replay;
mod text;

use numalab_replay::Recording;
use numalab_syntax::diagnostics::{Diagnostics, Source};
use numalab_syntax::nearest::one_of;
use numalab_syntax::text_file;
use std::path::Path;

/// Largest legend in bytes.
const MOST_LEGEND: u64 = 64 << 20;

/// Types of events that name regions, unless the user gives one: phases of a simulated run, and Extrae's functions.
const REGIONS: [u64; 2] = [PHASE, 60_000_018];
/// Type of the events whose values are phases of a simulated run, written by one thread for all.
const PHASE: u64 = 90_000_002;
/// Type of the events whose values are reasons for the spans of a simulated run. Threads of such a run also work
/// while they wait for memory.
const REASON: u64 = 90_000_001;
/// Type of Extrae's events whose values are the functions that tasks execute.
const TASK: u64 = 60_000_023;

/// States of a thread in a trace: `RUNNING` is working. `BLOCKED` is waiting for memory in the trace of a simulated
/// run.
const RUNNING: u64 = 1;
const BLOCKED: u64 = 9;

/// Reads a trace, with the legend next to it, if there is one. `event`: type of the events that name regions, if the
/// user gives one.
pub fn paraver(path: &Path, source: Source, event: Option<u64>) -> Result<Recording, Diagnostics> {
    let trace = match text::read(&source.text) {
        Ok(trace) => trace,
        Err(errors) => return Err(Diagnostics::new(vec![source], errors)),
    };
    let beside = path.with_extension("pcf");
    let legend = match beside.is_file() {
        true => legend::read(&text_file::read(&beside, MOST_LEGEND, "a legend of Paraver")?.text),
        false => legend::Legend::default(),
    };
    let known = |kind: &u64| trace.events.iter().any(|event| event.kind == *kind);
    let chosen = match event {
        Some(kind) => Some(kind).filter(known),
        None => REGIONS.into_iter().find(known),
    };
    let Some(regions) = chosen else {
        let mut kinds: Vec<u64> = trace.events.iter().map(|event| event.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let named = |kind: &u64| match legend.types.get(kind) {
            Some(name) => format!("{kind} ({name})"),
            None => kind.to_string(),
        };
        let names: Vec<String> = kinds.iter().take(20).map(named).collect();
        let message = match event {
            Some(kind) => format!("no event has the type {kind}"),
            None => "no event of a known type says which region a thread is in".to_owned(),
        };
        let label = match names.is_empty() {
            true => "expected events of threads, in lines that begin with 2".to_owned(),
            false => format!("expected {}", one_of(names.iter().map(|name| &**name))),
        };
        return Err(Diagnostics::of_file(source, message, label));
    };
    let tasks = if event.is_none() { Some(TASK).filter(known) } else { None };
    let simulated = known(&REASON);
    replay::recording(&trace, &legend, &source, replay::Kinds { regions, tasks, simulated })
}
