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

/// One word, or a list of words.
// The structure has been checked against the schema before this is read, so the vague errors of an
// untagged enum never show.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum WordsFile {
    /// One word.
    One(Word),
    /// A list of words.
    List(Vec<Word>),
}

impl WordsFile {
    /// Each word with its path in the file. `path` is the path of the whole value.
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
    /// A range with a step, a factor or a count.
    Range(StepsFile),
}

/// Range of values that always includes `to`: by `step`, by `factor`, or `count` values in all. All quantities of a
/// range have the same unit, as in from 12 GB/s to 24 GB/s by 4 GB/s.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepsFile {
    /// The first value.
    pub from: Word,
    /// The last value.
    pub to: Word,
    /// Difference between a value and the next.
    pub step: Option<Word>,
    /// Ratio of a value to the previous value.
    pub factor: Option<Word>,
    /// Number of values, at equal distances.
    #[schemars(range(min = 2, max = 100_000))]
    pub count: Option<u32>,
    /// True if the values of `count` have equal ratios instead of equal distances.
    #[serde(default)]
    pub log: bool,
}
