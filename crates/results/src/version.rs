//! The version of results, and detection of files of another version.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fmt;

/// Version of all result files: records, rows, stores. It is raised if a field changes its meaning or is removed; new
/// fields do not raise it.
pub const SCHEMA_VERSION: u32 = 3;

/// A column that was renamed: old and new name, and the last version with the old one.
struct Renamed {
    old: &'static str,
    new: &'static str,
    last: u32,
}

/// Renamed columns, from which the version of a row follows: rows have no version number, but a column that changes
/// its meaning changes its name.
const RENAMED: [Renamed; 3] = [
    Renamed { old: "packages", new: "iterations", last: 1 },
    Renamed { old: "sequential_equivalent_ps", new: "ideal_work_ps", last: 2 },
    Renamed { old: "work_time_inflation_ps", new: "memory_penalty_ps", last: 2 },
];

/// Results of another version than [`SCHEMA_VERSION`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherVersion {
    /// Version that the results have, other than [`SCHEMA_VERSION`].
    pub found: u32,
}

impl OtherVersion {
    /// True if a later program wrote the results.
    pub fn is_later(self) -> bool {
        self.found > SCHEMA_VERSION
    }
}

impl fmt::Display for OtherVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "holds results of version {}, and this program reads version {SCHEMA_VERSION}", self.found)
    }
}

impl std::error::Error for OtherVersion {}

/// Reason why a record cannot be read.
#[derive(Debug)]
pub enum RecordError {
    /// The record has another version.
    Version(OtherVersion),
    /// The text is not JSON, or not this kind of record.
    Json(serde_json::Error),
}

#[derive(Deserialize)]
struct Stamp {
    schema_version: u32,
}

/// Reads a record from JSON. The version is checked first, since the fields of another version
/// would be missing or wrong.
pub fn read_record<T: DeserializeOwned>(text: &str) -> Result<T, RecordError> {
    match serde_json::from_str::<Stamp>(text) {
        Ok(Stamp { schema_version }) if schema_version != SCHEMA_VERSION => {
            Err(RecordError::Version(OtherVersion { found: schema_version }))
        }
        // A text without a version is no record. Parsing it as a record gives an error with its position.
        Ok(_) | Err(_) => serde_json::from_str(text).map_err(RecordError::Json),
    }
}

/// The first column with an old name, as old name, present name, and the version of results that had it.
pub fn renamed_column<'a>(
    mut names: impl Iterator<Item = &'a str>,
) -> Option<(&'static str, &'static str, OtherVersion)> {
    let known = |name: &str| RENAMED.iter().find(|column| column.old == name);
    names.find_map(known).map(|column| (column.old, column.new, OtherVersion { found: column.last }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Figures, Validation};

    #[test]
    fn a_record_of_this_version_is_read_and_no_other() {
        let text = |version: u32| format!("{{\"schema_version\":{version},\"rows\":[]}}");
        assert!(read_record::<Validation>(&text(SCHEMA_VERSION)).is_ok());
        for found in [0, 1, 2, SCHEMA_VERSION + 1] {
            let Err(RecordError::Version(other)) = read_record::<Validation>(&text(found)) else {
                panic!("version {found} was read");
            };
            assert_eq!((other.found, other.is_later()), (found, found > SCHEMA_VERSION));
        }
        for text in ["{\"rows\":[]}", "{\"schema_version\":\"2\"}", "[]", ""] {
            assert!(matches!(read_record::<Validation>(text), Err(RecordError::Json(_))), "{text}");
        }
    }

    #[test]
    fn renamed_columns_are_named_and_gone() {
        let found = renamed_column(["policy", "workload.packages", "packages"].into_iter());
        assert_eq!(found, Some(("packages", "iterations", OtherVersion { found: 1 })));
        assert_eq!(renamed_column(["policy", "workload.packages"].into_iter()), None);
        let names = Figures::COLUMNS.iter().map(|column| column.0);
        assert_eq!(renamed_column(names.clone()), None);
        assert!(RENAMED.iter().all(|column| names.clone().any(|name| name == column.new)));
    }
}
