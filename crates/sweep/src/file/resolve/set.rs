//! Resolves axes of `set`: overrides in the syntax of `--set`.

use super::Resolver;
use super::amount::{Amount, is_numeric};
use super::values::{GrowthPart, Part, RangeParts, Spelling};
use crate::file::Axis;
use numalab_files::sweep_file::ValuesFile;
use numalab_files::{Kind, schema};
use numalab_syntax::nearest::hint;
use numalab_syntax::steps::Growth;
use numalab_syntax::tree::shorten;

impl Resolver<'_, '_> {
    pub(super) fn set(&mut self, name: &str, file: &ValuesFile) -> Option<Axis> {
        let path = format!("points.set.{name}");
        self.target(&path, name);
        // A text that does not begin like a number is one value: a policy with a chunk has a comma, a path may have
        // dots.
        let mut found = Vec::new();
        match self.spelling(&path, file, is_numeric)? {
            Spelling::Items(items) => {
                for part in items {
                    match part.text.is_empty() {
                        true => self
                            .wrong(&part, part.wrong(format!("{} is empty", part.path), "expected a value")),
                        false => found.push((part.text.to_owned(), part.path)),
                    }
                }
            }
            Spelling::Range(range) => {
                found.extend(self.amounts(&path, &range)?.into_iter().map(|value| (value, path.clone())));
            }
        }
        self.once(found.iter().map(|(value, path)| (value.clone(), path.clone(), value.clone())));
        let values = found.into_iter().map(|(value, _)| value).collect();
        Some(Axis::Set { path: name.to_owned(), values })
    }

    /// Values of a range as texts. The ends and the step of the range must have one unit.
    fn amounts(&mut self, path: &str, range: &RangeParts<'_>) -> Option<Vec<String>> {
        let from = self.amount(&range.from);
        let to = self.amount(&range.to);
        let (from, to) = (from?, to?);
        self.same_unit(&range.to, to, from)?;
        let growth = match &range.growth {
            GrowthPart::One => Growth::Step(1.0),
            GrowthPart::Step(part) => {
                let step = self.amount(part)?;
                self.same_unit(part, step, from)?;
                Growth::Step(step.number)
            }
            GrowthPart::Factor(part) => {
                let factor = self.amount(part)?;
                self.same_unit(part, factor, Amount { unit: "", ..from })?;
                Growth::Factor(factor.number)
            }
            GrowthPart::Count { values, log } => Growth::Count { values: *values, log: *log },
        };
        let values = self.steps(path, from.number, to.number, growth)?;
        Some(values.into_iter().map(|value| from.with(value)).collect())
    }

    fn amount<'f>(&mut self, part: &Part<'f>) -> Option<Amount<'f>> {
        Amount::of(part).map_err(|error| self.wrong(part, error)).ok()
    }

    fn same_unit(&mut self, part: &Part<'_>, found: Amount<'_>, wanted: Amount<'_>) -> Option<()> {
        if found.unit == wanted.unit {
            return Some(());
        }
        let called =
            |unit: &str| if unit.is_empty() { "no unit".to_owned() } else { format!("`{}`", shorten(unit)) };
        let message = format!("\"{}\" has {}", shorten(part.text), called(found.unit));
        let label = format!("expected {}, as all of a range are alike", called(wanted.unit));
        self.wrong(part, part.wrong(message, label));
        None
    }

    /// Checks the path of `set` against the schema of machines or runtimes. Parameters of workloads are looked up
    /// later, when the files are read.
    fn target(&mut self, path: &str, name: &str) {
        let (whose, rest) = name.split_once('.').unwrap_or((name, ""));
        let schema = match whose {
            "machine" => Some(schema::of(Kind::Machine)),
            "runtime" => Some(schema::of(Kind::Runtime)),
            // Workload parameters may be named without their table, so there is no schema to check.
            "workload" => None,
            _ => {
                let message = format!("nothing is called `{}` here", shorten(whose));
                self.report.at_key(path, message, hint(whose, ["machine", "workload", "runtime"]));
                return;
            }
        };
        if rest.is_empty() || rest.split('.').any(str::is_empty) {
            let message = format!("`{}` names no value of the {whose}", shorten(name));
            self.report.at_key(path, message, format!("expected for example {whose}.name"));
            return;
        }
        let Some(mut at) = schema else { return };
        for step in rest.split('.') {
            let Some(inner) = at.property(step).or(at.others).or(at.items) else {
                if at.properties.is_some() {
                    let message = format!("nothing in a {whose} is called `{}` here", shorten(step));
                    self.report.at_key(path, message, hint(step, at.keys()));
                }
                return;
            };
            at = inner;
        }
    }
}
