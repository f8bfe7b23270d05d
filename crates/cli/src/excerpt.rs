//! Excerpts of typed texts, with marks below the wrong part.

use crate::failure::Failure;
use numalab_openmp::places::TextError;
use numalab_report::printable;
use numalab_syntax::nearest::nearest;

/// Number of characters shown before and after the first wrong character.
const AROUND: usize = 50;

/// Failure for an error in the value of the flag or variable `name`.
pub fn failure(name: &str, text: &str, error: &TextError) -> Failure {
    let wrong = text.get(error.span.clone()).unwrap_or_default();
    let advice = nearest(wrong, error.names.iter().copied()).map(|name| format!("did you mean \"{name}\"?"));
    let width = wrong.chars().count().max(1);
    let problem = format!("{name}, {error}\n{}", excerpt(text, error.column - 1, width));
    Failure::Request { problem, advice }
}

/// The text around `column` (counted from 0) and a line with `width` marks below it.
fn excerpt(text: &str, column: usize, width: usize) -> String {
    let length = text.chars().count();
    let (from, to) = (column.saturating_sub(AROUND), (column + AROUND).min(length));
    let shown: String = text.chars().skip(from).take(to - from).collect();
    let (left, right) = (if from > 0 { "…" } else { "" }, if to < length { "…" } else { "" });
    let indent = " ".repeat(column - from + left.chars().count());
    let marks = "^".repeat(width.min((to - column).max(1)));
    format!("    {left}{}{right}\n    {indent}{marks}", printable(&shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_below_the_wrong_part() {
        assert_eq!(excerpt("{0},{x}", 5, 1), "    {0},{x}\n         ^");
        assert_eq!(excerpt("core(4)", 0, 4), "    core(4)\n    ^^^^");
        // The wrong part is empty: something is missing at the end.
        assert_eq!(excerpt("{0", 2, 1), "    {0\n      ^");
        assert_eq!(excerpt("", 0, 1), "    \n    ^");
    }

    #[test]
    fn long_texts_are_cut_and_escapes_are_not_obeyed() {
        let text = format!("{}x{}", "0,".repeat(500), ",1".repeat(500));
        let shown = excerpt(&text, 1000, 1);
        let (first, second) = shown.split_once('\n').unwrap();
        assert_eq!(first.chars().count(), 4 + 1 + 2 * AROUND + 1);
        assert_eq!(first.chars().position(|c| c == 'x'), second.chars().position(|c| c == '^'));
        assert!(!excerpt("\u{1b}[31m", 0, 1).contains('\u{1b}'));
    }
}
