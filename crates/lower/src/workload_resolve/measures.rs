//! Resolves measures. Their names are checked before any run.

use super::Resolver;
use super::phases::Placed;
use super::series::{THREADS, change};
use crate::questions::{Change, DisplayUnit, Measure, Questions};
use numalab_files::quantity::{Expression, Text};
use numalab_files::workload_file::{MeasureFile, ParameterFile, WorkloadFile};
use numalab_results::Run;
use numalab_syntax::expression::{self, ExpressionError, Parsed};
use numalab_syntax::nearest::hint;
use numalab_syntax::tree::shorten;

impl Resolver<'_, '_> {
    pub(super) fn questions(&mut self, file: &WorkloadFile, phases: &[Placed]) -> Questions {
        let outcomes = outcomes(file);
        let mut measures: Vec<Measure> = Vec::new();
        for name in self.report.root.keys_of("measures") {
            let Some(measure) = file.measures.get(&name) else { continue };
            let path = format!("measures.{name}");
            self.measure_name(&path, &name, &outcomes);
            let known = Known { outcomes: &outcomes, above: &measures };
            let value = self.formula(&format!("{path}.value"), measure, &known);
            let of_series = measure.of_series.as_ref().and_then(|text| self.statistic(&path, text));
            let unit = self.unit(&format!("{path}.unit"), &measure.unit);
            let against = self.against(&format!("{path}.against"), measure, file);
            let Some(value) = value else { continue };
            measures.push(Measure { name, unit, against, value, of_series });
        }
        let mut constants = self.scope.entries();
        constants.extend(left_out(file, phases).map(|name| (name, 0.0)));
        Questions { series: self.series(file), measures, constants }
    }

    fn measure_name(&mut self, path: &str, name: &str, outcomes: &[String]) {
        if !expression::is_name(name) {
            let label = "expected letters, digits and _, not beginning with a digit";
            self.report.at(path, format!("`{}` cannot name a measure", shorten(name)), label);
        } else if expression::reserved().any(|reserved| reserved == name)
            || self.scope.get(name).is_some()
            || outcomes.iter().any(|outcome| outcome == name)
            || name.starts_with("base_")
        {
            self.report.at(path, format!("`{name}` has a meaning in expressions"), "expected another name");
        }
    }

    /// Expression of a measure, after all its names were checked.
    fn formula(&mut self, path: &str, measure: &MeasureFile, known: &Known<'_>) -> Option<Parsed> {
        let text = &measure.value.0;
        let checked = expression::parse(text).and_then(|parsed| {
            for (name, range) in parsed.names() {
                known.check(name, range, &self.scope, !measure.against.is_empty())?;
            }
            parsed.without_rows("a measure has no rows: expected numbers of the whole run")
        });
        checked.map_err(|error| self.report.within(path, text, error)).ok()
    }

    fn statistic(&mut self, path: &str, text: &Expression) -> Option<Parsed> {
        let checked = expression::parse(&text.0).and_then(|parsed| {
            let unknown = parsed.names().find(|(name, _)| !Measure::STATISTICS.contains(name));
            let wrong = unknown.map(|(name, range)| ExpressionError {
                range,
                message: format!("unknown name `{name}`"),
                label: hint(name, Measure::STATISTICS),
            });
            wrong.map_or(Ok(parsed), Err)
        });
        checked.map_err(|error| self.report.within(&format!("{path}.of_series"), &text.0, error)).ok()
    }

    fn unit(&mut self, path: &str, text: &Text) -> DisplayUnit {
        text.0.parse().unwrap_or_else(|_| {
            let label = hint(&text.0, DisplayUnit::EXAMPLES);
            self.report.at(path, format!("unknown unit \"{}\"", shorten(&text.0)), label);
            DisplayUnit { label: "1".to_owned(), factor: 1.0 }
        })
    }

    fn against(&mut self, path: &str, measure: &MeasureFile, file: &WorkloadFile) -> Option<Change> {
        let mut all = Change::default();
        for (name, text) in &measure.against {
            let path = format!("{path}.{name}");
            if !self.can_change(&path, name, file) {
                continue;
            }
            if name == THREADS {
                let threads = self.whole(&path, &Expression(text.0.clone()), 1.0, 1e6);
                all.threads = threads.map(|threads| threads as u32);
                continue;
            }
            let choices = file.parameters.get(name).map_or(&[][..], ParameterFile::choices);
            if choices.contains(text) {
                all.overrides.extend(change(name, &text.0).overrides);
            } else if choices.is_empty() {
                // The value is computed in this run, since names may have other values in the other run.
                let value = self.constant(&path, &Expression(text.0.clone()));
                all.overrides
                    .extend(value.into_iter().flat_map(|value| change(name, &value.to_string()).overrides));
            } else {
                let label = hint(&text.0, choices.iter().map(|word| word.0.as_str()));
                self.report.at(&path, format!("{name} cannot be \"{}\"", shorten(&text.0)), label);
            }
        }
        (!measure.against.is_empty()).then_some(all)
    }
}

/// Names that a measure's expression can use besides those of the scope: outcomes of runs, and the measures above it
/// in the file.
struct Known<'a> {
    outcomes: &'a [String],
    above: &'a [Measure],
}

impl Known<'_> {
    fn check(
        &self,
        name: &str,
        range: std::ops::Range<usize>,
        scope: &expression::Scope,
        compares: bool,
    ) -> Result<(), ExpressionError> {
        let wrong = |message: String, label: String| Err(ExpressionError { range, message, label });
        let (plain, base) = match name.strip_prefix("base_") {
            Some(plain) => (plain, true),
            None => (name, false),
        };
        if base && !compares {
            let label = "expected `against` beside it";
            return wrong(format!("`{name}` needs another run to compare with"), label.to_owned());
        }
        if let Some(measure) = self.above.iter().find(|measure| measure.name == plain) {
            return match (measure.is_of_series(), base && measure.against.is_some()) {
                (false, false) => Ok(()),
                (true, _) => wrong(
                    format!("`{plain}` is about a whole series"),
                    "expected a measure of one run".to_owned(),
                ),
                (_, true) => {
                    let label = "expected a measure of one run";
                    wrong(format!("`{plain}` compares runs itself"), label.to_owned())
                }
            };
        }
        if scope.get(plain).is_some() || self.outcomes.iter().any(|outcome| outcome == plain) {
            return Ok(());
        }
        let above = self.above.iter().map(|measure| measure.name.as_str());
        let known = self.outcomes.iter().map(String::as_str).chain(above).chain(scope.names());
        wrong(format!("unknown name `{name}`"), hint(plain, known))
    }
}

/// Names of all outcomes of a run, including those of its phases.
fn outcomes(file: &WorkloadFile) -> Vec<String> {
    let constructs = file.constructs();
    let phases = constructs.iter().flat_map(|(_, phase)| Run::value_names_of(&phase.name));
    Run::value_names().map(str::to_owned).chain(phases).collect()
}

/// Names of the outcomes of phases that `when` leaves out, unless a phase of the same name runs.
fn left_out(file: &WorkloadFile, phases: &[Placed]) -> impl Iterator<Item = String> {
    let runs =
        |name: &str| phases.iter().filter_map(|(_, phase)| phase.as_ref()).any(|phase| phase.name == name);
    let names = file.constructs().into_iter().map(|(_, phase)| phase.name).filter(move |name| !runs(name));
    names.flat_map(|name| Run::value_names_of(&name).collect::<Vec<_>>())
}
