//! Entries of the catalogue with values replaced.

use crate::load::{machine, machine_of, runtime_of};
use numalab_files::synthetic::is_synthetic;
use numalab_files::{Entry, Kind, Loaded, Override, Overrides, machine_text, runtime_text};
use numalab_machine::Machine;
use numalab_syntax::diagnostics::Diagnostics;

/// Entry of the catalogue with values of machine or runtime replaced. The text of a changed machine or runtime is
/// written anew, without comments.
pub fn entry_with(entry: Entry, name: &str, overrides: &Overrides) -> Result<Entry, Diagnostics> {
    let text = match entry.kind {
        Kind::Machine if !overrides.machine.is_empty() => {
            machine_text(&entry_machine(&entry, name, &overrides.machine)?.value, &|_| None)
        }
        Kind::Runtime if !overrides.runtime.is_empty() => {
            runtime_text(&runtime_of(&entry.read_runtime(), &overrides.runtime)?.value, &|_| None)
        }
        Kind::Machine | Kind::Workload | Kind::Runtime | Kind::Sweep => entry.text,
    };
    Ok(Entry { text, ..entry })
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
