//! Parameters: numbers, and choices between words.

use crate::quantity::{Expression, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A number, size or expression; or a choice between words.
// The structure has been checked against the schema before this is read, so the vague errors of an
// untagged enum never show.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum ParameterFile {
    /// A number, size or expression.
    Number(Expression),
    /// A choice between words, or a number with names for some values.
    Table(ParameterTable),
}

/// `choices` for one of these words, or `words` for a number with names for some values.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ParameterTable {
    /// The value where `--set` says none.
    #[schemars(example = &"serial")]
    pub default: Text,
    /// The words to choose from. In expressions a word stands for itself: `if(init == serial, 1, threads)`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Text>,
    /// Names for some values of a number.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub words: BTreeMap<String, Expression>,
}
