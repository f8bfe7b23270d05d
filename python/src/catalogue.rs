//! Names that calls may use.

use numalab_files::{self as files, Kind, lookup};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Kind of a name in Python.
pub fn kind(name: &str) -> PyResult<Kind> {
    let all = [Kind::Machine, Kind::Workload, Kind::Runtime, Kind::Sweep, Kind::Policy];
    let found = all.into_iter().find(|kind| kind.name() == name);
    found.ok_or_else(|| PyValueError::new_err("expected machine, workload, runtime, sweep or policy"))
}

/// All files that can be named without a path: kind, name and description.
#[pyfunction]
pub fn catalogue() -> Vec<(String, String, String)> {
    let items = files::catalogue().into_iter();
    items.map(|item| (item.kind.name().to_owned(), item.name, item.description)).collect()
}

/// True if a name stands for a text that cannot change: a held one, a built-in one that no file of the current folder
/// replaces, or the short form of a machine.
#[pyfunction]
pub fn is_fixed(kind: &str, name: &str) -> PyResult<bool> {
    let of_kind = self::kind(kind)?;
    if files::is_held(of_kind, name) || of_kind == Kind::Machine && files::synthetic::is_synthetic(name) {
        return Ok(true);
    }
    let local = || lookup::local(of_kind).iter().any(|(file, _)| file == name);
    Ok(files::is_built_in(of_kind, name) && !std::path::Path::new(name).exists() && !local())
}

/// Long flags of a command of the command line, with underscores.
#[pyfunction]
pub fn words(command: &str) -> Vec<String> {
    let mut all = numalab_cli::command();
    all.build();
    let Some(found) = all.find_subcommand(command) else { return Vec::new() };
    let flags = found.get_arguments().filter_map(|flag| flag.get_long());
    flags.map(|flag| flag.replace('-', "_")).collect()
}
