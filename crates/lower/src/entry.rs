//! Entries of the catalogue with values replaced.

use crate::load::{machine, machine_of, runtime_of};
use numalab_files::synthetic::is_synthetic;
use numalab_files::{Entry, Kind, Loaded, Override, Overrides, machine_text, runtime_text};
use numalab_machine::Machine;
use numalab_syntax::diagnostics::Diagnostics;

/// Entry of the catalogue with values of machine or runtime replaced; an error if its reader refuses it. The text of a
/// changed machine or runtime is written anew, without comments. A workload is checked against its schema alone, since
/// its values depend on machine and team.
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
        Kind::Workload | Kind::Sweep => {
            entry.json()?;
            None
        }
    };
    Ok(match text {
        Some(text) => Entry { text, ..entry },
        None => entry,
    })
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
