//! Entries of the catalogue with values replaced.

use crate::load::{ReadWorkload, counts_of, machine, machine_of, runtime_of, workload_of};
use numalab_files::synthetic::is_synthetic;
use numalab_files::{Entry, Facts, Kind, Loaded, Override, Overrides, ReadFile, machine_text, runtime_text};
use numalab_machine::Machine;
use numalab_syntax::diagnostics::Diagnostics;

/// Entry of the catalogue with values of machine or runtime replaced; an error if its reader refuses it. The text of a
/// changed machine or runtime is written anew, without comments. Values of a workload depend on machine and team: it is
/// refused if it is wrong on a small machine and for all teams that are tried on a large one.
pub fn entry_with(entry: Entry, name: &str, overrides: &Overrides) -> Result<Entry, Diagnostics> {
    let text = match entry.kind {
        Kind::Machine => {
            let machine = entry_machine(&entry, name, &overrides.machine)?.value;
            (!overrides.machine.is_empty()).then(|| machine_text(&machine, &|_| None))
        }
        Kind::Runtime => {
            let runtime = runtime_of(&entry.read_runtime(), &overrides.runtime)?.value;
            (!overrides.runtime.is_empty()).then(|| runtime_text(&runtime, &|_| None))
        }
        Kind::Workload => {
            check_workload(&entry)?;
            None
        }
        Kind::Sweep => {
            entry.json()?;
            None
        }
        Kind::Policy => {
            numalab_files::checked_policy(entry.source())?;
            None
        }
    };
    Ok(match text {
        Some(text) => Entry { text, ..entry },
        None => entry,
    })
}

/// Work of all tries of teams together, in iterations: well below a second.
const MOST_ITERATIONS: u64 = 20_000_000;

/// Iterations whose evaluation takes as long as reading a byte of the file.
const ITERATIONS_PER_BYTE: u64 = 8;

/// Fails if the workload is wrong on one thread of a small machine, as a run reports it, and also for all teams of a large
/// one that are tried.
fn check_workload(entry: &Entry) -> Result<(), Diagnostics> {
    let read = ReadWorkload::new(ReadFile::workload(entry.source()));
    let Err(wrong) = workload_of(&read, &[], &Facts::default()) else { return Ok(()) };
    let on = |threads: u32| Facts {
        threads,
        nodes: 8,
        memory_nodes: 8,
        sockets: 4,
        boards: 2,
        cores: 64,
        processors: 128,
        last_level_cache: 1 << 25,
        node_memory: 1 << 38,
        ..Facts::default()
    };
    let text = &entry.text;
    let mut left = MOST_ITERATIONS;
    let mut is_right = |threads: u32| {
        let facts = on(threads);
        // What is wrong in the counts is found at once.
        let Ok(counts) = counts_of(&read, &[], &facts) else { return false };
        let iterations: u64 = match counts {
            Some(counts) => counts.phases.iter().map(|phase| phase.iterations).sum(),
            None => MOST_ITERATIONS / 8,
        };
        let is_tried = left > 0;
        left = left.saturating_sub(iterations + ITERATIONS_PER_BYTE * text.len() as u64);
        is_tried && workload_of(&read, &[], &facts).is_ok()
    };
    // The usual teams first, then all others.
    let usual = [2, 16, 64, 256, 2048].into_iter();
    let others = (3..=256).chain((272..=2048).step_by(16));
    let depends = ["threads", "teams"].iter().any(|name| text.contains(name));
    let may_be_right = usual.chain(others.filter(|_| depends)).any(&mut is_right);
    if may_be_right { Ok(()) } else { Err(wrong) }
}

/// Machine of an entry, with values replaced. `name` is the text by which the entry was found.
pub fn entry_machine(
    entry: &Entry,
    name: &str,
    overrides: &[Override],
) -> Result<Loaded<Machine>, Diagnostics> {
    match is_synthetic(name) {
        true => machine(name, overrides),
        false => machine_of(&entry.read_machine(), overrides),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_files::{entry, entry_in, lookup};
    use numalab_syntax::diagnostics::Source;

    fn judged(loop_: &str) -> Result<Entry, String> {
        let text = format!(
            "name: w\nregions: {{ a: {{ size: 1 GB }} }}\nphases:\n  - {{ name: p, measured: true, loop: {{ {loop_} }} }}\n"
        );
        let entry = entry_in(Source { name: "w.yaml".to_owned(), text }, Some(Kind::Workload)).unwrap();
        entry_with(entry, "w", &Overrides::default()).map_err(|wrong| wrong.render(false))
    }

    #[test]
    fn workloads_are_judged_without_a_machine() {
        let unknown = judged("iterations: 8, touches: [{ region: b, mode: write }]").unwrap_err();
        assert!(unknown.contains("unknown region `b`") && unknown.contains("w.yaml:4:"), "{unknown}");
        assert!(
            judged("iterations: 8 / (2 - 2), instructions: 1").unwrap_err().contains("iterations is inf")
        );
        // Wrong on one thread, and right on two.
        judged("iterations: 8 / (threads - 1), instructions: 1").unwrap();
        // Right for teams of one size, and for none.
        judged("iterations: 8 / (threads == 240), instructions: 1").unwrap();
        judged("iterations: 8 / (threads == 1008), instructions: 1").unwrap();
        judged("iterations: 8 / (threads == 0), instructions: 1").unwrap_err();
    }

    #[test]
    fn shipped_workloads_are_shown() {
        for name in lookup::names(Kind::Workload) {
            let found = entry(&name, Some(Kind::Workload)).unwrap();
            entry_with(found, &name, &Overrides::default())
                .unwrap_or_else(|wrong| panic!("{}", wrong.render(false)));
        }
    }
}
