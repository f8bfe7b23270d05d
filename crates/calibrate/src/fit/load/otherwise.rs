//! Curves of latency under load that are as likely as the one of a fit, and the values fitted under them.
//!
//! Without a measurement, latency rises as on one of the machines with a published curve; which one is unknown. Under
//! each of their curves other lines in flight and other bandwidths meet the same rows.

use super::{UnderLoad, at};
use crate::fit::missed::Solved;
use crate::fit::solve::{Estimate, Sides};
use crate::fit::staged::Fit;
use crate::fit::stages::Stage;
use crate::fit::subject::Subject;
use crate::fit::target::{FittedTable, Target};
use crate::fit::{Finding, Verdict};
use numalab_base::parameter::Value;
use numalab_machine::LoadedLatency;
use numalab_study::StudyError;
use serde::{Deserialize, Serialize};

/// Machines with a published curve of reads under load. The curve that a fit assumes without measurements is the
/// middle one.
const PUBLISHED: [&str; 3] = ["grace", "xeon-5218", "xeon-8280-2p"];
/// Path of the curve of latency under load in a machine file.
pub const PATH: &str = "memory.loaded_latency";

/// Limits of values in a file of errors: largest factor of a curve on the idle latency, and largest difference of a
/// logarithm.
const MOST_LONGER: f64 = 1000.0;
const FARTHEST: f64 = 10.0;

/// Curve of latency under load that is as likely as the fitted machine's, and the values that meet the rows under
/// this curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Otherwise {
    /// Points of the curve: used fraction of the bandwidth, factor on the latency.
    pub loaded_latency: Vec<(f64, f64)>,
    /// Paths of the values fitted under this curve, each with the logarithm of its quotient by the fitted machine's
    /// value.
    pub values: Vec<(String, f64)>,
}

impl Otherwise {
    /// Message about an invalid number of the curve or the values, which are read from a file; `None` if all are
    /// valid.
    pub(in crate::fit) fn wrong(&self) -> Option<String> {
        let pairs = self.loaded_latency.windows(2);
        let rises = pairs.clone().all(|pair| pair[0].0 < pair[1].0);
        let falls = pairs.clone().any(|pair| pair[0].1 > pair[1].1);
        let inside =
            |(part, factor): &(f64, f64)| (0.0..=1.0).contains(part) && (1.0..=MOST_LONGER).contains(factor);
        let far = |(_, by): &&(String, f64)| !(-FARTHEST..=FARTHEST).contains(by);
        let curve = format!("a curve of `otherwise` is {:?}", self.loaded_latency);
        match self.values.iter().find(far) {
            Some((path, by)) => {
                Some(format!("{path} is {by}; expected a number from -{FARTHEST} to {FARTHEST}"))
            }
            None if !rises => Some(format!("{curve}: the part in use must increase")),
            None if falls => Some(format!("{curve}: the factor must not fall")),
            None if !self.loaded_latency.iter().all(inside) => {
                Some(format!("{curve}; expected parts from 0 to 1 and factors from 1 to {MOST_LONGER}"))
            }
            None => None,
        }
    }
}

/// Published curves, flattest first.
fn published() -> Vec<LoadedLatency> {
    let curve = |name: &&str| Some(numalab_lower::machine(name, &[]).ok()?.value.memory.loaded_latency);
    PUBLISHED.iter().filter_map(curve).collect()
}

/// Copies of the subject, one under each published curve. Without measured points the whole curve is replaced.
/// Otherwise the points are lowered by one standard error under the flattest curve and raised by one under the
/// steepest, and the published curves continue beyond the points.
fn others(subject: &Subject) -> Vec<Subject> {
    let published = published();
    let middle = (published.len() as f64 - 1.0) / 2.0;
    let under = |(at, curve): (usize, LoadedLatency)| {
        let mut other = subject.clone();
        match &subject.under_load {
            None => other.machine.memory.loaded_latency = curve,
            Some(measured) => other.under_load = Some(measured.otherwise(at as f64 - middle, curve)),
        }
        other.settle();
        other
    };
    published.into_iter().enumerate().map(under).collect()
}

impl Fit<'_> {
    /// Fits a stage on the rows with indices `met` under each of the equally likely curves, too, starting from the
    /// present values. The deviation of the results is added to the values' errors.
    pub(in crate::fit) fn under_other_curves(
        &mut self,
        stage: &Stage,
        solved: &mut Solved,
        targets: &[Target],
        met: &[usize],
    ) -> Result<(), StudyError> {
        self.otherwise.clear();
        for other in others(&solved.subject) {
            let found = self.searched(stage, &other, targets, met)?;
            let by = |target: &Target| (found.get(*target) / solved.subject.get(*target)).ln();
            let path = |target: &Target| target.path(&found.machine);
            let values = targets.iter().map(|target| (path(target), by(target))).collect();
            self.otherwise.push(Otherwise { loaded_latency: found.machine.memory.loaded_latency.0, values });
        }
        for estimate in &mut solved.estimates {
            let path = estimate.target.path(&solved.subject.machine);
            let by =
                |other: &Otherwise| other.values.iter().find(|(known, _)| *known == path).map(|(_, by)| *by);
            let all: Vec<f64> = self.otherwise.iter().filter_map(by).collect();
            estimate.error = estimate.error.hypot(deviation(&all));
        }
        Ok(())
    }

    /// Finding about the curve of latency under load; `None` if no rows determine the curve.
    pub(in crate::fit) fn of_load(&self) -> Option<Finding> {
        let measured = self.subject.under_load.as_ref()?;
        let curve = &self.subject.machine.memory.loaded_latency;
        let full = at(curve, 1.0);
        let by = |other: &Otherwise| (at(&LoadedLatency(other.loaded_latency.clone()), 1.0) / full).ln();
        let error = measured.error.max(deviation(&self.otherwise.iter().map(by).collect::<Vec<_>>()));
        let target = FittedTable::Memory.number(numalab_machine::Memory::loaded_latency);
        let rests_on = Vec::new();
        let rows = (0..self.rows.len()).filter(|row| UnderLoad::has(&self.rows[*row])).collect();
        Some(Finding {
            estimate: Estimate { target, value: full, error, sides: Sides::even(error), rests_on },
            path: PATH.to_owned(),
            value: Value::Curve(curve.0.clone()),
            stage: "latency under load",
            rows,
            verdict: Verdict::of(error),
        })
    }
}

fn deviation(all: &[f64]) -> f64 {
    (all.iter().map(|by| by * by).sum::<f64>() / all.len().max(1) as f64).sqrt()
}
