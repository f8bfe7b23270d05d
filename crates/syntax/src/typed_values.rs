//! Values typed on the command line: `1,2,4`, `5..9`, `1..(8*2):3`, `1KiB..1GiB*2`.

use crate::expression::ExpressionError;
use std::ops::Range;

/// Parts of a range `FROM..TO` with an optional step or factor, as positions in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedRange {
    pub from: Range<usize>,
    pub to: Range<usize>,
    /// Word `step` or `factor`, and the position of its value; `None` for steps of 1.
    pub growth: Option<(&'static str, Range<usize>)>,
}

/// Comma-separated items with their start; commas inside parentheses or brackets do not separate.
pub fn items(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    outside(text, 0..text.len(), ",").into_iter().chain([text.len()]).map(move |end| {
        let item = (start, &text[start..end]);
        start = end + 1;
        item
    })
}

/// Parses a part of `text` as a range; `None` if it has no `..`. `example` is the expected text.
pub fn range(text: &str, part: Range<usize>, example: &str) -> Result<Option<TypedRange>, ExpressionError> {
    let wrong = |range: Range<usize>, message: &str, label: &str| ExpressionError {
        range,
        message: message.to_owned(),
        label: label.to_owned(),
    };
    let Some(&dots) = outside(text, part.clone(), "..").first() else { return Ok(None) };
    if let Some(&comma) = outside(text, part.clone(), ",").first() {
        let label = "expected values with commas between them, or one range";
        return Err(wrong(comma..comma + 1, "a range cannot be mixed with other values", label));
    }
    let (from, rest) = (trim(text, part.start..dots), dots + 2..part.end);
    if let Some(&more) = outside(text, rest.clone(), "..").first() {
        return Err(wrong(more..more + 2, "a range has two ends", example));
    }
    // The factor is the last one, so a product at the end of a range needs parentheses.
    let step = outside(text, rest.clone(), ":").first().map(|at| (*at, "step"));
    let growth = step.or_else(|| outside(text, rest.clone(), "*").last().map(|at| (*at, "factor")));
    let to = trim(text, rest.start..growth.map_or(rest.end, |(at, _)| at));
    let growth = growth.map(|(at, key)| (key, trim(text, at + 1..rest.end)));
    let parts = [("beginning", Some(&from)), ("end", Some(&to))];
    let by = growth.as_ref().map(|(key, by)| (*key, Some(by)));
    for (what, part) in parts.into_iter().chain(by) {
        if let Some(part) = part.filter(|part| part.is_empty()) {
            return Err(wrong(part.clone(), &format!("the range has no {what}"), example));
        }
    }
    Ok(Some(TypedRange { from, to, growth }))
}

/// Positions of `sign` outside parentheses and brackets.
fn outside(text: &str, part: Range<usize>, sign: &str) -> Vec<usize> {
    let mut open = 0_i64;
    let mut places = Vec::new();
    for (at, c) in text[part.clone()].char_indices() {
        open += match c {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        };
        if open == 0 && text[part.start + at..part.end].starts_with(sign) {
            places.push(part.start + at);
        }
    }
    places
}

/// The part of a text without surrounding spaces.
pub fn trim(text: &str, part: Range<usize>) -> Range<usize> {
    let inner = &text[part.clone()];
    let start = part.start + inner.len() - inner.trim_start().len();
    start..start + inner.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_parentheses_do_not_separate() {
        let all: Vec<_> = items("min(1, 2), [a,b] ,,x").collect();
        assert_eq!(all, [(0, "min(1, 2)"), (10, " [a,b] "), (18, ""), (19, "x")]);
        assert_eq!(items("").collect::<Vec<_>>(), [(0, "")]);
    }

    #[test]
    fn the_parts_of_a_range() {
        let parts = |text: &'static str| {
            let found = range(text, 0..text.len(), "").unwrap()?;
            let growth = found.growth.map(|(key, by)| (key, &text[by]));
            Some((&text[found.from], &text[found.to], growth))
        };
        assert_eq!(parts("1,2"), None);
        assert_eq!(parts("1 .. 9"), Some(("1", "9", None)));
        assert_eq!(parts("1..9: 2"), Some(("1", "9", Some(("step", "2")))));
        assert_eq!(parts("8..(4*2)*2"), Some(("8", "(4*2)", Some(("factor", "2")))));
        assert_eq!(parts("8..4*2:4"), Some(("8", "4*2", Some(("step", "4")))));
    }
}
