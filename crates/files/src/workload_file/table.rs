//! Tables of a workload: columns of numbers, in files or in the workload.

use crate::quantity::Expression;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A column of numbers: a list of them, the path of a file with one number in each line, or a table in a file and the
/// name of a column.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum TableFile {
    /// The numbers, which may be expressions of facts of the machine: `[1, 41, 2 ^ 15]`.
    Numbers(Vec<Expression>),
    /// Path of a file with one number in each line, relative to this file.
    Path(String),
    /// A column of a table.
    Column(ColumnFile),
}

/// A column of a table as CSV, whose first line names the columns.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ColumnFile {
    /// Path of the table, relative to this file.
    #[schemars(example = &"costs.csv")]
    pub file: String,
    /// Name of the column.
    #[schemars(example = &"us")]
    pub column: String,
}
