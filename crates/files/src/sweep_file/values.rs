//! Values of an axis: one, a list, or a range.

use crate::quantity::inline_schema;
use numalab_syntax::tree::show;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;

/// A word, a number, true or false, as text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Word(pub String);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Json::deserialize(deserializer)? {
            Json::String(text) => Ok(Word(text)),
            Json::Bool(value) => Ok(Word(value.to_string())),
            // Shown as 8, not as 8.0.
            Json::Number(number) if number.is_f64() => Ok(Word(show(number.as_f64().unwrap_or(f64::NAN)))),
            Json::Number(number) => Ok(Word(number.to_string())),
            _ => Err(serde::de::Error::custom("expected a word or a number")),
        }
    }
}

inline_schema!(Word, "word", {"type": ["number", "string", "boolean"]});

/// One word, or a list.
// The structure has been checked against the schema before this is read, so the vague errors of an
// untagged enum never show.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum WordsFile {
    /// One.
    One(Word),
    /// Several.
    List(Vec<Word>),
}

impl WordsFile {
    /// Each word with its path; `path` is that of the whole value.
    pub fn at<'f>(&'f self, path: &str) -> Vec<(String, &'f str)> {
        match self {
            WordsFile::One(Word(word)) => vec![(path.to_owned(), word)],
            WordsFile::List(words) => {
                let each = |(at, Word(word)): (usize, &'f Word)| (format!("{path}[{at}]"), word.as_str());
                words.iter().enumerate().map(each).collect()
            }
        }
    }
}

/// One value, a list, or a range.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ValuesFile {
    /// One value; numbers with commas between them; or a range: FROM..TO in steps of 1, FROM..TO:STEP,
    /// FROM..TO*FACTOR.
    Text(Word),
    /// A list of values.
    List(Vec<Word>),
    /// From one value to another.
    Range(StepsFile),
}

/// From one value to another, which always is the last: by `step`, by `factor`, or `count` values in all.
/// Quantities all have the same unit, as in from 12 GB/s to 24 GB/s by 4 GB/s.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepsFile {
    /// The first value.
    pub from: Word,
    /// The last value.
    pub to: Word,
    /// Difference from value to value.
    pub step: Option<Word>,
    /// Factor from value to value.
    pub factor: Option<Word>,
    /// Number of values, with even distances.
    #[schemars(range(min = 2, max = 100_000))]
    pub count: Option<u32>,
    /// With `count`: even ratios instead.
    #[serde(default)]
    pub log: bool,
}
