//! Records of results, in the forms in which the command line writes them.

use numalab_cli::embedded;
use pyo3::prelude::*;

/// Record of an answer.
#[pyclass(frozen)]
pub struct Record(pub embedded::Record);

#[pymethods]
impl Record {
    /// What it is, such as comparison or series.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind()
    }

    /// The text of `--format json`.
    fn json(&self) -> String {
        self.0.json()
    }

    /// The text of `--format csv`.
    fn csv(&self) -> String {
        self.0.csv()
    }

    /// The table that the command line prints, in plain characters.
    fn table(&self, width: usize) -> String {
        self.0.table(width)
    }

    /// A picture as SVG; None if there is none.
    fn picture(&self) -> Option<String> {
        self.0.picture()
    }
}
