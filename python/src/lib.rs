//! The Python module `numalab._numalab`: commands, texts of machines and workloads, and records of results.
//! `numalab/` wraps it for people.

mod arrow;
mod call;
mod catalogue;
mod record;
mod text;

use pyo3::prelude::*;

#[pymodule]
mod _numalab {
    #[pymodule_export]
    use super::arrow::stream;
    #[pymodule_export]
    use super::call::{Answer, run};
    #[pymodule_export]
    use super::catalogue::{catalogue, is_fixed, words};
    #[pymodule_export]
    use super::record::Record;
    #[pymodule_export]
    use super::text::{Text, check, entry, toml_of};
}
