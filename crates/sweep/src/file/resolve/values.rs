//! Values of axes: one, a list, a text with several, or a range as text or table.

use super::{MOST_RUNS, MOST_VALUES, Resolver};
use numalab_files::sweep_file::{StepsFile, ValuesFile, Word};
use numalab_syntax::expression::ExpressionError;
use numalab_syntax::steps::{Growth, Steps, WrongSteps};
use numalab_syntax::typed_values;
use std::ops::Range;

/// Label of errors in a text that may hold several values.
const EXAMPLE: &str = "expected for example 8,16,32 or 8..128:8 or 8..128*2";

/// A piece of a text in the sweep file, with its position for errors.
#[derive(Clone, Debug)]
pub(super) struct Part<'f> {
    pub path: String,
    whole: &'f str,
    start: usize,
    pub text: &'f str,
}

/// Values of an axis as written: a list or a range.
pub(super) enum Spelling<'f> {
    Items(Vec<Part<'f>>),
    Range(RangeParts<'f>),
}

/// Ends and growth of a range, written as a text or a table.
pub(super) struct RangeParts<'f> {
    pub from: Part<'f>,
    pub to: Part<'f>,
    pub growth: GrowthPart<'f>,
}

/// Growth from one value of a range to the next.
pub(super) enum GrowthPart<'f> {
    /// Values ascend in steps of 1.
    One,
    Step(Part<'f>),
    Factor(Part<'f>),
    Count {
        values: u32,
        log: bool,
    },
}

impl<'f> Part<'f> {
    fn all(path: String, whole: &'f str) -> Part<'f> {
        Part::of(path, whole, 0..whole.len())
    }

    /// Cuts a part out of a text, without surrounding spaces.
    fn of(path: String, whole: &'f str, range: Range<usize>) -> Part<'f> {
        let range = typed_values::trim(whole, range);
        Part { path, whole, start: range.start, text: &whole[range] }
    }

    /// Error whose position is the whole part.
    pub fn wrong(&self, message: impl Into<String>, label: impl Into<String>) -> ExpressionError {
        ExpressionError { range: 0..self.text.len(), message: message.into(), label: label.into() }
    }
}

impl Resolver<'_, '_> {
    /// Reads the values of an axis. A text for which `splits` is false is one value; any other text is a range, or
    /// values separated by commas.
    pub(super) fn spelling<'f>(
        &mut self,
        path: &str,
        file: &'f ValuesFile,
        splits: impl Fn(&str) -> bool,
    ) -> Option<Spelling<'f>> {
        let items = match file {
            ValuesFile::List(words) => {
                let each = |(at, Word(word)): (usize, &'f Word)| Part::all(format!("{path}[{at}]"), word);
                words.iter().enumerate().map(each).collect()
            }
            ValuesFile::Text(Word(text)) if !splits(text) => vec![Part::all(path.to_owned(), text)],
            ValuesFile::Text(Word(text)) => match typed_values::range(text, 0..text.len(), EXAMPLE) {
                Ok(Some(range)) => {
                    let part = |range| Part::of(path.to_owned(), text, range);
                    let growth = match range.growth {
                        None => GrowthPart::One,
                        Some(("step", by)) => GrowthPart::Step(part(by)),
                        Some((_, by)) => GrowthPart::Factor(part(by)),
                    };
                    let (from, to) = (part(range.from), part(range.to));
                    return Some(Spelling::Range(RangeParts { from, to, growth }));
                }
                Ok(None) => {
                    let items = typed_values::items(text).take(MOST_VALUES as usize + 1);
                    items.map(|(at, item)| Part::of(path.to_owned(), text, at..at + item.len())).collect()
                }
                Err(error) => {
                    self.report.within(path, text, error);
                    return None;
                }
            },
            ValuesFile::Range(file) => return self.range_parts(path, file).map(Spelling::Range),
        };
        self.number_of(path, items.len() as u64).then_some(Spelling::Items(items))
    }

    fn range_parts<'f>(&mut self, path: &str, file: &'f StepsFile) -> Option<RangeParts<'f>> {
        let part = |key: &str, word: &'f Word| Part::all(format!("{path}.{key}"), &word.0);
        let growth = match (&file.step, &file.factor, file.count) {
            (Some(step), None, None) => GrowthPart::Step(part("step", step)),
            (None, Some(factor), None) => GrowthPart::Factor(part("factor", factor)),
            (None, None, Some(values)) => GrowthPart::Count { values, log: file.log },
            _ => {
                let label = "expected `from`, `to` and one of `step`, `factor` and `count`";
                self.report.at(path, format!("{path} is not a range"), label);
                return None;
            }
        };
        if file.log && file.count.is_none() {
            let message = format!("{path}.log goes with `count`");
            self.report.at(&format!("{path}.log"), message, "a factor has even ratios already");
            return None;
        }
        Some(RangeParts { from: part("from", &file.from), to: part("to", &file.to), growth })
    }

    /// Numbers of a range; `None` if the range is invalid or has too many values.
    pub(super) fn steps(&mut self, path: &str, from: f64, to: f64, growth: Growth) -> Option<Vec<f64>> {
        match Steps::new(from, to, growth, (MOST_VALUES - 1) as f64) {
            Ok(steps) if self.runs.saturating_mul(steps.count()) > MOST_RUNS => {
                self.runs = self.runs.saturating_mul(steps.count());
                None
            }
            Ok(steps) => {
                let scale = from.abs().max(to.abs());
                Some(steps.values().map(|value| without_dust(value, scale)).collect())
            }
            Err(WrongSteps { key, message, label }) => {
                let inner = key.map_or(path.to_owned(), |key| format!("{path}.{key}"));
                self.report.at(&inner, format!("{inner} {message}"), label);
                None
            }
        }
    }

    /// Reports an error about a part of a text.
    pub(super) fn wrong(&mut self, part: &Part<'_>, error: ExpressionError) {
        let range = part.start + error.range.start..part.start + error.range.end;
        self.report.within(&part.path, part.whole, ExpressionError { range, ..error });
    }
}

/// Rounds to twelve significant digits, so that 0.30000000000000004 becomes 0.3. Values far below `scale` become 0.
fn without_dust(value: f64, scale: f64) -> f64 {
    let whole = value.round();
    if (value - whole).abs() <= 1e-12 * value.abs().max(if whole == 0.0 { scale } else { 0.0 }) {
        return whole + 0.0;
    }
    format!("{value:.11e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::without_dust;

    #[test]
    fn twelve_digits_and_whole_numbers() {
        assert_eq!(without_dust(0.1 * 3.0, 1.0), 0.3);
        assert_eq!(without_dust(1_099_511_627_775.999_8, 1e13), 1_099_511_627_776.0);
        assert_eq!(without_dust(1_099_511_627_776.0, 1e13), 1_099_511_627_776.0);
        assert_eq!(without_dust(-0.3 + 3.0 * 0.1, 0.3), 0.0);
        assert_eq!(without_dust(1e-20, 1e-19), 1e-20);
        assert_eq!(without_dust(2.0 / 3.0, 1.0), 0.666_666_666_667);
    }
}
