//! Filters: selections of a sweep's points.

use super::{Condition, DEFAULT};
use numalab_files::Facts;

/// A named selection of points: those for which all conditions of the filter hold.
#[derive(Clone, Debug)]
pub struct Filter {
    pub name: String,
    pub(crate) words: Vec<Words>,
    pub(crate) condition: Option<Condition>,
}

/// Values of a coordinate that the filter accepts or (if not `wanted`) rejects. `*` in a value stands for any
/// characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    pub coordinate: String,
    pub patterns: Vec<String>,
    pub wanted: bool,
}

impl Filter {
    /// Names that the condition `where` of a filter may use.
    pub(crate) fn variables() -> Vec<&'static str> {
        Facts::NAMES.into_iter().chain(["seed"]).collect()
    }

    /// True if a point passes the filter. `word` returns the point's value of a coordinate other than the seed; `None`
    /// is `default`. A point without `facts` cannot run. Conditions on unknown values (team size,
    /// policy, `where`) then let it pass, so that its failure is reported.
    pub fn holds(&self, facts: Option<&Facts>, seed: u64, word: &dyn Fn(&str) -> Option<String>) -> bool {
        let one_of = |words: &Words| {
            let value = match words.coordinate.as_str() {
                "seed" => Some(seed.to_string()),
                other => word(other),
            };
            if value.is_none() && facts.is_none() && ["threads", "policy"].contains(&&*words.coordinate) {
                return true;
            }
            let value = value.as_deref().unwrap_or(DEFAULT);
            words.patterns.iter().any(|pattern| matches(pattern, value)) == words.wanted
        };
        let values = |facts: &Facts| facts.values().into_iter().chain([seed as f64]).collect::<Vec<f64>>();
        let holds = |condition: &Condition| facts.is_none_or(|facts| condition.holds(&values(facts)));
        self.words.iter().all(one_of) && self.condition.as_ref().is_none_or(holds)
    }
}

/// True if a text matches a pattern, in which `*` stands for any characters.
pub fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(start) else { return false };
    let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    // Matching each part at its first occurrence leaves the longest rest for the next parts.
    for part in middle.split('*') {
        match text.find(part) {
            Some(at) => text = &text[at + part.len()..],
            None => return false,
        }
    }
    text.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_characters() {
        for (pattern, text) in [
            ("numa-steal:*", "numa-steal:random"),
            ("*", ""),
            ("*", "x"),
            ("a*b*c", "a-b-b-c"),
            ("*b", "bb"),
            ("**", "x"),
            ("a*", "a"),
            ("*é*", "caféx"),
            ("static", "static"),
        ] {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [
            ("numa-steal:*", "dynamic"),
            ("a*a", "a"),
            ("a*b*c", "a-c-b"),
            ("*b", "bc"),
            ("static", "static,4"),
            ("", "x"),
        ] {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }
}
