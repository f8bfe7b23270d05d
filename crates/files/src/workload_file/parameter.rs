//! Parameters: numbers, and choices between words.

use crate::quantity::{Expression, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A number, size or expression; or a choice between words.
// The structure has been checked against the schema before this is read, so the vague errors of an
// untagged enum never show.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ParameterFile {
    /// A number, size or expression.
    Number(Expression),
    /// A choice between words.
    Choice(ChoiceFile),
}

/// A choice between words.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChoiceFile {
    /// The words. In expressions a word stands for itself: `if(init == serial, 1, threads)`.
    #[schemars(length(min = 1))]
    pub choices: Vec<Text>,
    /// Word of the parameter, unless `--set` chooses another.
    #[schemars(example = &"serial")]
    pub default: Text,
}

impl ParameterFile {
    /// Words to choose from; empty for a number.
    pub fn choices(&self) -> &[Text] {
        match self {
            ParameterFile::Number(_) => &[],
            ParameterFile::Choice(choice) => &choice.choices,
        }
    }
}
