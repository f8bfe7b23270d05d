//! Team sizes and seeds.

use super::Resolver;
use super::values::{GrowthPart, Part, RangeParts, Spelling};
use crate::file::{Axis, DEFAULT, Threads};
use numalab_files::Facts;
use numalab_files::sweep_file::ValuesFile;
use numalab_syntax::expression::{self, ExpressionError, Formula, Scope};
use numalab_syntax::nearest::hint;
use numalab_syntax::steps::Growth;
use numalab_syntax::tree::{shorten, show};

/// Largest size of a team.
const MOST_THREADS: f64 = 1e6;
/// The smallest number above which not every whole number is a double.
const MOST_WHOLE: f64 = 9_007_199_254_740_992.0;

impl Resolver<'_, '_> {
    pub(super) fn threads(&mut self, file: &ValuesFile) -> Option<Axis> {
        const PATH: &str = "points.threads";
        let mut found = Vec::new();
        match self.spelling(PATH, file, |_| true)? {
            Spelling::Items(items) => {
                for part in items {
                    if part.text == DEFAULT {
                        found.push((None, part.path));
                    } else {
                        match size(&part) {
                            Ok(threads) => found.push((Some(threads), part.path)),
                            Err(error) => self.wrong(&part, error),
                        }
                    }
                }
            }
            Spelling::Range(range) => {
                for value in self.whole_range(PATH, &range, 1.0, MOST_THREADS)? {
                    found.push((Some(fixed(value)), PATH.to_owned()));
                }
            }
        }
        let text =
            |threads: &Option<Threads>| threads.as_ref().map_or(DEFAULT.to_owned(), |t| t.text.clone());
        self.once(found.iter().map(|(threads, path)| (text(threads), path.clone(), text(threads))));
        Some(Axis::Threads(found.into_iter().map(|(threads, _)| threads).collect()))
    }

    pub(super) fn seed(&mut self, file: &ValuesFile) -> Option<Axis> {
        const PATH: &str = "points.seed";
        let mut found = Vec::new();
        match self.spelling(PATH, file, |_| true)? {
            Spelling::Items(items) => {
                for part in items {
                    match part.text.parse::<u64>() {
                        Ok(seed) => found.push((seed, part.path)),
                        Err(_) => {
                            let message = format!("\"{}\" is no seed", shorten(part.text));
                            let label = format!("expected a whole number from 0 to {}", u64::MAX);
                            self.wrong(&part, part.wrong(message, label));
                        }
                    }
                }
            }
            Spelling::Range(range) => {
                let values = self.whole_range(PATH, &range, 0.0, MOST_WHOLE)?;
                found.extend(values.into_iter().map(|value| (value as u64, PATH.to_owned())));
            }
        }
        self.once(found.iter().map(|(seed, path)| (*seed, path.clone(), seed.to_string())));
        Some(Axis::Seed(found.into_iter().map(|(seed, _)| seed).collect()))
    }

    /// Values of a range whose ends are whole numbers from `least` to `most`; values between the ends are rounded.
    fn whole_range(&mut self, path: &str, range: &RangeParts<'_>, least: f64, most: f64) -> Option<Vec<f64>> {
        let from = self.constant(&range.from);
        let to = self.constant(&range.to);
        for (part, value) in [(&range.from, from), (&range.to, to)] {
            if !((least..=most).contains(&value?) && value?.fract() == 0.0) {
                let label = format!("expected a whole number from {least} to {most}");
                self.wrong(part, part.wrong(format!("a range cannot reach to {}", show(value?)), label));
                return None;
            }
        }
        let growth = match &range.growth {
            GrowthPart::One => Growth::Step(1.0),
            GrowthPart::Step(part) => Growth::Step(self.constant(part)?),
            GrowthPart::Factor(part) => Growth::Factor(self.constant(part)?),
            GrowthPart::Count { values, log } => Growth::Count { values: *values, log: *log },
        };
        let mut values = self.steps(path, from?, to?, growth)?;
        values.iter_mut().for_each(|value| *value = value.round());
        values.dedup();
        Some(values)
    }

    /// Value of an expression that uses no facts of the machine.
    fn constant(&mut self, part: &Part<'_>) -> Option<f64> {
        let read = expression::parse(part.text).and_then(|parsed| match parsed.names().next() {
            None => parsed.bind(&Scope::default(), false),
            Some((name, range)) => {
                let message = format!("`{}` is not the same on every machine", shorten(name));
                let label = "expected a number; a list may have facts of the machine".to_owned();
                Err(ExpressionError { range, message, label })
            }
        });
        read.map(|program| program.at(0)).map_err(|error| self.wrong(part, error)).ok()
    }
}

/// Team size that is a number.
fn fixed(value: f64) -> Threads {
    Threads { text: value.to_string(), formula: Formula::number(value) }
}

/// Parses a team size: a number, or an expression of facts of the machine.
fn size(part: &Part<'_>) -> Result<Threads, ExpressionError> {
    let parsed = expression::parse(part.text)?.without_rows("expected facts of the machine")?;
    let mut names = parsed.names().peekable();
    if names.peek().is_none() {
        let value = parsed.bind(&Scope::default(), false)?.at(0);
        if value.fract() == 0.0 && (1.0..=MOST_THREADS).contains(&value) {
            return Ok(fixed(value));
        }
        let label = "expected a whole number from 1 to 1000000";
        return Err(part.wrong(format!("a team cannot have {} threads", show(value)), label));
    }
    let known = || Facts::NAMES.into_iter().filter(|name| *name != "threads");
    for (name, range) in names {
        if name == "threads" {
            let message = "`threads` cannot be used here: this value sets it".to_owned();
            return Err(ExpressionError {
                range,
                message,
                label: "expected facts of the machine".to_owned(),
            });
        }
        if !known().any(|fact| fact == name) {
            let (message, label) = (format!("unknown name `{}`", shorten(name)), hint(name, known()));
            return Err(ExpressionError { range, message, label });
        }
    }
    let formula = parsed.formula(&Scope::default(), &Facts::NAMES)?;
    Ok(Threads { text: part.text.to_owned(), formula })
}
