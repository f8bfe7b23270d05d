//! Machines, workloads, runtimes and sweeps as texts.

use crate::call::forget_files;
use crate::catalogue::kind;
use numalab_files::{HeldText, Kind};
use numalab_syntax::diagnostics::Diagnostics;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A text that commands find by its name as long as it exists.
#[pyclass(frozen)]
pub struct Text(Option<HeldText>);

#[pymethods]
impl Text {
    #[new]
    fn new(of_kind: &str, name: &str, text: &str) -> PyResult<Text> {
        Ok(Text(Some(HeldText::new(kind(of_kind)?, name, text))))
    }

    /// Name under which commands find it.
    #[getter]
    fn name(&self) -> &str {
        self.0.as_ref().map_or("", HeldText::name)
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        drop(self.0.take());
        forget_files();
    }
}

/// Checks a held text as far as that needs no other file: all of a machine or a runtime, the structure of a workload.
#[pyfunction]
pub fn check(of_kind: &str, name: &str) -> PyResult<()> {
    let wrong = |found: Diagnostics| PyValueError::new_err(found.render(false));
    match kind(of_kind)? {
        Kind::Machine => numalab_lower::machine(name, &[]).map(drop).map_err(wrong),
        Kind::Runtime => numalab_lower::runtime(name, &[]).map(drop).map_err(wrong),
        // Its expressions need a machine and a team.
        Kind::Workload => numalab_lower::read_workload(name).map(drop).map_err(wrong),
        Kind::Sweep => Ok(()),
        Kind::Policy => numalab_files::policy(name).map(drop).map_err(wrong),
    }
}

/// TOML of a table that is given as JSON.
#[pyfunction]
pub fn toml_of(json: &str) -> PyResult<String> {
    let wrong = |error: String| PyValueError::new_err(error);
    let value: toml::Value = serde_json::from_str(json).map_err(|error| wrong(error.to_string()))?;
    toml::to_string(&value).map_err(|error| wrong(error.to_string()))
}

/// Place and text of a file or of a built-in file.
#[pyfunction]
pub fn entry(of_kind: &str, name: &str) -> PyResult<(String, String)> {
    let found = numalab_files::entry(name, Some(kind(of_kind)?));
    found.map(|entry| (entry.place, entry.text)).map_err(|wrong| PyValueError::new_err(wrong.render(false)))
}
