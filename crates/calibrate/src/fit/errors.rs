//! Errors of a fit, for predictions with it.
//!
//! A prediction has three sources of error. Parameters have errors: machines are drawn from these, and the deviation
//! of their predictions counts. The model has an error with exact parameters: it comes from predictions of published
//! measurements, and is at least that of the fit's own rows. Processors that slow each other for a reason outside of
//! the machine file add to it. A new measurement differs: the spread of a row over all of its rounds counts.

use super::load::{Otherwise, PATH};
use super::observation::Observation;
use super::subject::Subject;
use super::target::{FittedTable, Target};
use super::{Fitted, stages};
use crate::{experiments, together};
use numalab_imports::measurements::Row;
use numalab_machine::{Core, LoadedLatency, MemoryOnly};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

/// Number of drawn machines: enough to know the deviation to a seventh.
const DRAWS: usize = 24;
/// Draws are limited to this number of standard deviations, since rows reject values beyond.
const FARTHEST: f64 = 2.0;
/// Median absolute deviation of a normal distribution, in standard deviations.
const MEDIAN: f64 = 0.6745;
/// Maximum standard error that a file may state, as a logarithm: a factor of 22 000.
const MOST: f64 = 10.0;

/// Mechanism that dominates a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mechanism {
    /// Bytes that are computed on, streamed or placed: caches, memory, links, pages.
    Data,
    /// Lines that several threads write: locks, barriers, constructs, task queues.
    Lines,
}

impl Mechanism {
    pub const ALL: [Mechanism; 2] = [Mechanism::Data, Mechanism::Lines];

    /// Scaled MAD of the logarithms of errors of published predictions. The MAD is 8 % for the 112 about data, and 34
    /// % for the 17 about constructs and tasks.
    fn published(self) -> f64 {
        match self {
            Mechanism::Data => 0.08 / MEDIAN,
            Mechanism::Lines => 0.34 / MEDIAN,
        }
    }

    /// Mechanism that dominates a row; `Data` for an unknown experiment.
    fn of(row: &Row) -> Mechanism {
        experiments::find(&row.experiment).map_or(Mechanism::Data, |experiment| experiment.mechanism)
    }
}

/// Errors of a fitted machine and its runtime.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Errors {
    /// Standard errors of the fitted values of machine and runtime.
    pub parameters: Vec<ParameterError>,
    /// Standard errors of the model at exact parameters, by mechanism.
    pub model: Vec<(Mechanism, f64)>,
    /// Equally likely curves of latency under load, with the values fitted under each; empty if the file has none.
    #[serde(default)]
    pub otherwise: Vec<Otherwise>,
}

/// Standard errors of a value, as logarithms; of a fraction (an overlap), absolute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterError {
    /// Path of the value in the machine or runtime file.
    pub path: String,
    /// Standard error towards smaller values.
    pub down: f64,
    /// Standard error towards larger values.
    pub up: f64,
}

impl Errors {
    pub fn of(fitted: &Fitted) -> Errors {
        // Three digits: the file is for people.
        let rounded = |error: f64| (error.min(MOST) * 1e3).round() / 1e3;
        let parameter = |finding: &super::Finding| ParameterError {
            path: finding.path.clone(),
            down: rounded(finding.estimate.sides.down),
            up: rounded(finding.estimate.sides.up),
        };
        // A limit that was removed has no error, so it is left out here.
        let there = fitted.estimates.iter().filter(|finding| finding.verdict != super::Verdict::Unlimited);
        // A curve is no number: equally likely curves express its uncertainty.
        let there = there.filter(|finding| finding.path != PATH);
        let otherwise = fitted.otherwise.iter().map(|other| {
            let values = other.values.iter().map(|(path, by)| (path.clone(), (by * 1e3).round() / 1e3));
            Otherwise { values: values.collect(), ..other.clone() }
        });
        let rows: Vec<Observation> = fitted.rows.iter().map(|(row, _)| row.clone()).collect();
        let together = together::doubt(&rows, &fitted.subject.machine);
        let model = Mechanism::ALL.map(|mechanism| {
            let missed = fitted.rows.iter().filter(|(row, _)| Mechanism::of(&row.row) == mechanism);
            let own = deviation(missed.filter_map(|(_, checked)| Some((1.0 + checked.missed?).ln())));
            (mechanism, rounded(mechanism.published().max(own).hypot(together)))
        });
        Errors {
            parameters: there.map(parameter).collect(),
            model: model.to_vec(),
            otherwise: otherwise.collect(),
        }
    }

    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Parses a file, or describes its fault.
    pub fn from_text(text: &str) -> Result<Errors, String> {
        let errors: Errors = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let sides = errors.parameters.iter().flat_map(|one| {
            [("down", one.down), ("up", one.up)]
                .map(|(side, error)| (format!("{} of {}", side, one.path), error))
        });
        let models = errors.model.iter().map(|(mechanism, error)| (format!("{mechanism:?}"), *error));
        if let Some((what, error)) = sides.chain(models).find(|(_, error)| !(0.0..=MOST).contains(error)) {
            return Err(format!("{what} is {error}; expected a number from 0 to {MOST}"));
        }
        match errors.otherwise.iter().find_map(Otherwise::wrong) {
            Some(wrong) => Err(wrong),
            None => Ok(errors),
        }
    }

    /// Paths of errors for which the machine and runtime of `subject` have no value.
    pub fn strangers(&self, subject: &Subject) -> Vec<&str> {
        let known = |one: &&ParameterError| target(subject, &one.path).is_none();
        self.parameters.iter().filter(known).map(|one| one.path.as_str()).collect()
    }

    /// Subjects with values drawn around those of `subject` by the errors, each under one of the equally likely
    /// curves in turn. Every call returns the same `DRAWS` subjects.
    pub fn draws(&self, subject: &Subject) -> Vec<Subject> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
        let targets: Vec<(Target, &ParameterError)> =
            self.parameters.iter().filter_map(|one| Some((target(subject, &one.path)?, one))).collect();
        let drawn = |number: usize| {
            let mut other = subject.clone();
            let under = self.otherwise.get(number % self.otherwise.len().max(1));
            if let Some(under) = under {
                other.machine.memory.loaded_latency = LoadedLatency(under.loaded_latency.clone());
            }
            for (target, error) in &targets {
                let by = normal(&mut random).clamp(-FARTHEST, FARTHEST);
                let by = by * if by < 0.0 { error.down } else { error.up };
                let with_it =
                    under.and_then(|under| under.values.iter().find(|(path, _)| *path == error.path));
                let value = subject.get(*target) * with_it.map_or(1.0, |(_, by)| by.exp());
                let value =
                    if target.parameter.rule.part { (value + by).clamp(0.0, 1.0) } else { value * by.exp() };
                other.set(*target, value.min(target.most()));
            }
            other.settle();
            other
        };
        (0..DRAWS).map(drawn).collect()
    }

    /// Standard error of the model for the mechanism that dominates a row, as a logarithm.
    pub fn of_model(&self, row: &Row) -> f64 {
        let mechanism = Mechanism::of(row);
        let known = self.model.iter().find(|(known, _)| *known == mechanism);
        known.map_or(mechanism.published(), |(_, error)| *error)
    }
}

fn target(subject: &Subject, path: &str) -> Option<Target> {
    let fitted = stages::all().flat_map(|stage| stage.candidates(subject));
    // Values that are read off belong to no stage.
    let levels = (0..subject.machine.levels.len())
        .map(|at| FittedTable::Level(at).number(numalab_machine::Level::core_to_core));
    let alone = (0..subject.machine.memory_only.len()).flat_map(|at| {
        let of_kind =
            [MemoryOnly::latency, MemoryOnly::far_latency, MemoryOnly::bandwidth, MemoryOnly::far_bandwidth];
        of_kind.map(|parameter| FittedTable::MemoryOnly(at).number(parameter))
    });
    let threads = [FittedTable::Core.number(Core::between_threads)];
    fitted.chain(levels).chain(alone).chain(threads).find(|target| target.path(&subject.machine) == path)
}

/// Scaled median of the absolute values, an estimate of the standard deviation around 0; 0 without values.
fn deviation(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.map(f64::abs).filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).map_or(0.0, |median| median / MEDIAN)
}

/// Draw from the normal distribution, as the sum of twelve uniform draws, which limits it to six standard deviations.
pub(crate) fn normal(draw: &mut impl Rng) -> f64 {
    (0..12).map(|_| draw.next_u64() as f64 / u64::MAX as f64).sum::<f64>() - 6.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_machine::synthetic;
    use numalab_runtime::Profile;

    fn errors(path: &str, down: f64, up: f64) -> Errors {
        Errors {
            parameters: vec![ParameterError { path: path.into(), down, up }],
            model: Vec::new(),
            otherwise: Vec::new(),
        }
    }

    fn subject() -> Subject {
        Subject::new(synthetic("socket:2 core:2").unwrap(), Profile::default())
    }

    fn latencies(errors: &Errors) -> Vec<f64> {
        let nominal = subject().machine.memory.latency.0 as f64;
        let drawn = errors.draws(&subject());
        drawn.iter().map(|drawn| (drawn.machine.memory.latency.0 as f64 / nominal).ln()).collect()
    }

    /// Draws with a standard error of a tenth to either side: 24 of them show their deviation to 1 / sqrt(48) = 14 %.
    #[test]
    fn draws_scatter_as_the_errors_say() {
        let drawn = latencies(&errors("memory.latency", 0.1, 0.1));
        let deviation = (drawn.iter().map(|log| log * log).sum::<f64>() / drawn.len() as f64).sqrt();
        assert!((deviation / 0.1 - 1.0).abs() < 0.35, "{deviation}");
        assert_eq!(drawn, latencies(&errors("memory.latency", 0.1, 0.1)), "the same at every time");
    }

    #[test]
    fn a_value_that_may_only_be_more_is_never_drawn_lower() {
        let drawn = latencies(&errors("memory.latency", 0.0, 0.5));
        assert!(drawn.iter().all(|log| *log >= 0.0) && drawn.iter().any(|log| *log > 0.2), "{drawn:?}");
    }

    #[test]
    fn every_fitted_path_is_found_again() {
        let subject = subject();
        for stage in stages::all() {
            for wanted in stage.candidates(&subject) {
                assert_eq!(target(&subject, &wanted.path(&subject.machine)), Some(wanted));
            }
        }
        assert_eq!(errors("memory.colour", 0.1, 0.1).strangers(&subject), ["memory.colour"]);
    }

    // 1, 2 and 30 %: the middle one is 2 %, whatever the last.
    #[test]
    fn a_far_row_does_not_widen_the_model() {
        assert_eq!(deviation([0.01, -0.02, 0.30].into_iter()), 0.02 / MEDIAN);
    }

    #[test]
    fn what_is_no_error_is_refused() {
        let text = errors("memory.latency", 0.1, 0.2).text();
        assert_eq!(Errors::from_text(&text), Ok(errors("memory.latency", 0.1, 0.2)));
        for (from, to, part) in
            [("0.2", "-0.2", "up of memory.latency is -0.2"), ("\"up\"", "\"upp\"", "unknown field `upp`")]
        {
            let wrong = Errors::from_text(&text.replace(from, to)).unwrap_err();
            assert!(wrong.contains(part), "{wrong}");
        }
        for (curve, by, part) in [
            (vec![(0.5, 1.0), (0.4, 1.2)], 0.0, "must increase"),
            (vec![(0.5, 1.0), (0.6, 0.9)], 0.0, "not fall"),
            (vec![(0.5, 1.0)], 11.0, "core.outstanding is 11; expected a number from -10 to 10"),
        ] {
            let values = vec![("core.outstanding".to_owned(), by)];
            let otherwise = vec![Otherwise { loaded_latency: curve, values }];
            let wrong = Errors { otherwise, ..errors("memory.latency", 0.1, 0.2) };
            let wrong = Errors::from_text(&wrong.text()).unwrap_err();
            assert!(wrong.contains(part), "{wrong}");
        }
    }

    // Each curve, with its values, is that of every third machine. Under the second, latency is a fifth longer.
    #[test]
    fn draws_have_each_curve_with_its_values() {
        let under = |last: f64, by: f64| Otherwise {
            loaded_latency: vec![(0.5, 1.0), (1.0, last)],
            values: vec![("memory.latency".to_owned(), by)],
        };
        let otherwise = vec![under(1.5, 0.0), under(2.0, 1.2_f64.ln()), under(3.0, 0.0)];
        let drawn = Errors { otherwise, ..errors("memory.latency", 0.0, 0.0) }.draws(&subject());
        let nominal = subject().machine.memory.latency.0 as f64;
        let of = |subject: &Subject| {
            let memory = &subject.machine.memory;
            (memory.loaded_latency.0[1].1, (memory.latency.0 as f64 / nominal * 1e3).round())
        };
        let cycle = [(1.5, 1000.0), (2.0, 1200.0), (3.0, 1000.0)];
        assert_eq!(drawn.iter().map(of).collect::<Vec<_>>(), cycle.repeat(DRAWS / 3));
    }
}
