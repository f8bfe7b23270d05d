//! Comparison of measurements of a user's own machine with simulated values.

mod fits;

use fits::misfit;
use numalab_calibrate::experiments::{self, Role};
use numalab_calibrate::fit::{Errors, Inputs, InputsError, Observation, Subject, as_asked};
use numalab_calibrate::loops::{self, LoopCost};
use numalab_files::Loaded;
use numalab_imports::Evidence;
use numalab_imports::measurements::{Measurements, Row};
use numalab_machine::Machine;
use numalab_results::{HostRow, HostValidation, Intervals, SCHEMA_VERSION};
use numalab_runtime::Profile;
use numalab_study::{Progress, StudyError};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Selection of measurements.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// True to include rows on which parameters were fitted.
    pub all: bool,
    /// Name of the experiment to select, in any role; `None` for all experiments.
    pub experiment: Option<&'a str>,
}

impl Asked<'_> {
    fn admit(&self, row: &Row) -> bool {
        match self.experiment {
            Some(name) => row.experiment == name,
            None => self.all || experiments::role(row) == Some(Role::Predict),
        }
    }
}

/// Number of standard deviations from the median of a normal distribution to its 90th percentile.
const TO_90TH: f64 = 1.2816;

/// Simulates the selected measurements; `file` is the measurements' name in messages. If the errors of a fit are
/// given, predictions have intervals. Rows that have not begun when `progress` stops the validation are left out.
pub fn validate(
    (file, measured): (&str, &Measurements),
    machine: &Loaded<Machine>,
    runtime: &Loaded<Profile>,
    errors: Option<&Errors>,
    asked: Asked<'_>,
    progress: &dyn Progress,
) -> Result<HostValidation, InputsError> {
    let mut rows = observations(measured, runtime)?;
    let place =
        |row: &Observation| experiments::ALL.iter().position(|known| known.name == row.row.experiment);
    rows.sort_by_key(place);
    let subject = Subject::new(machine.value.clone(), runtime.value.clone());
    // The costs of loops are fitted to all rows of the kernels, whatever rows are selected.
    loops::apply(&loops::costs(&rows, &subject), &mut rows);
    let sure = errors.map(|errors| Sure::new(errors, &subject, &rows));
    rows.retain(|row| asked.admit(&row.row));
    let (done, total) = (AtomicU64::new(0), rows.len() as u64);
    let judged = rows.par_iter().with_max_len(1).filter_map(|observation| {
        if progress.stops() {
            return None;
        }
        let mut row = judged(observation, &subject);
        if let (Some(sure), Some(simulated)) = (&sure, row.simulated) {
            row.doubt(sure.deviation(observation, simulated));
        }
        progress.report(done.fetch_add(1, Ordering::Relaxed) + 1, total);
        Some(row)
    });
    let judged: Vec<HostRow> = judged.collect();
    let mut warnings = measured.warnings.clone();
    warnings.extend(unknown(&measured.rows));
    let strangers = errors.map(|errors| errors.strangers(&subject)).unwrap_or_default();
    warnings
        .extend(strangers.into_iter().map(|path| format!("there is an error of {path}, and no such value")));
    Ok(HostValidation {
        schema_version: SCHEMA_VERSION,
        machine: machine.value.name.clone(),
        machine_hash: machine.hash.clone(),
        runtime: runtime.value.name.clone(),
        runtime_hash: runtime.hash.clone(),
        measurements: file.to_owned(),
        measurements_hash: measured.hash.clone(),
        intervals: Intervals::of(&judged),
        rows: judged,
        warnings,
    })
}

/// Measurements in the machine file's numbers of processors and nodes. If the file of measurements states no
/// topology, its own numbers stay.
fn observations(measured: &Measurements, runtime: &Loaded<Profile>) -> Result<Vec<Observation>, InputsError> {
    if measured.topology.is_some() {
        let evidence = [Evidence::Measurements(Box::new(measured.clone()))];
        return Ok(Inputs::new("host", &evidence, runtime.value.clone())?.rows);
    }
    let limits = measured.limits();
    let known = measured.rows.iter().filter(|row| experiments::find(&row.experiment).is_some());
    let mut rows: Vec<Observation> = known.map(|row| Observation::of(row, &limits)).collect();
    as_asked(&mut rows);
    Ok(rows)
}

/// Error model of predictions: errors of the fit, and machines drawn from them.
struct Sure<'a> {
    errors: &'a Errors,
    /// Machines drawn from the errors of the fit, each with the loop costs that the kernels' rows yield on it.
    drawn: Vec<(Subject, Vec<LoopCost>)>,
}

impl Sure<'_> {
    fn new<'a>(errors: &'a Errors, subject: &Subject, rows: &[Observation]) -> Sure<'a> {
        let with_loops = |drawn: Subject| {
            let costs = loops::costs(rows, &drawn);
            (drawn, costs)
        };
        Sure { errors, drawn: errors.draws(subject).into_par_iter().map(with_loops).collect() }
    }

    /// Standard deviation of the logarithm of measured over simulated value, from the errors of the parameters, of
    /// the model and of a new measurement.
    fn deviation(&self, observation: &Observation, simulated: f64) -> f64 {
        let off = |(subject, costs): &(Subject, Vec<LoopCost>)| {
            let mut row = [observation.clone()];
            loops::apply(costs, &mut row);
            let value = row[0].simulate(subject).ok()??;
            Some((value / simulated).ln().powi(2)).filter(|off| off.is_finite())
        };
        let offs: Vec<f64> = self.drawn.iter().filter_map(off).collect();
        let parameters = (offs.iter().sum::<f64>() / offs.len().max(1) as f64).sqrt();
        let model = self.errors.of_model(&observation.row);
        parameters.hypot(model).hypot(again(observation.scatter, observation.samples.0))
    }
}

/// Standard deviation of a new measurement, from the scatter of `samples` samples. Few samples look closer together
/// than they are (Student's distribution: three count 1.8 times, fifteen 1.1 times).
fn again(scatter: f64, samples: usize) -> f64 {
    const FEW: f64 = 1.5;
    let more = samples.saturating_sub(1).max(1) as f64;
    scatter / TO_90TH * (1.0 + FEW / more)
}

fn judged(observation: &Observation, subject: &Subject) -> HostRow {
    let row = &observation.row;
    let mut judged = HostRow {
        experiment: row.experiment.clone(),
        quantity: row.quantity.clone(),
        params: row.params.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(";"),
        unit: row.unit.clone(),
        role: experiments::role(row).map_or("", Role::name).to_owned(),
        measured: observation.value,
        spread: observation.spread,
        samples: observation.samples.0,
        dropped: observation.samples.1,
        disturbed: observation.disturbed,
        simulated: None,
        error: None,
        limit: HostRow::limit(observation.spread),
        within: None,
        low: None,
        high: None,
        held: None,
        reason: None,
    };
    match value(observation, subject) {
        Ok(value) => judged.simulate(value),
        Err(reason) => judged.reason = Some(reason),
    }
    judged
}

/// Simulated value, or the reason why there is none.
fn value(observation: &Observation, subject: &Subject) -> Result<f64, String> {
    if let Some(reason) = misfit(observation, &subject.machine) {
        return Err(reason);
    }
    let row = &observation.row;
    match observation.simulate(subject) {
        Ok(Some(value)) if value.is_finite() => Ok(value),
        Ok(Some(_)) => Err("the simulated value is not finite".to_owned()),
        Ok(None) => Err(format!("no workload yields {} of {}", row.quantity, row.experiment)),
        Err(error) => Err(in_a_line(&error)),
    }
}

/// First line of an error's message.
fn in_a_line(error: &StudyError) -> String {
    let text = error.to_string();
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    first.replacen("error: ", "", 1)
}

/// Warning about unknown experiments: the kernels may be newer than this program.
fn unknown(rows: &[Row]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows.iter().filter(|row| experiments::find(&row.experiment).is_none()) {
        *counts.entry(&row.experiment).or_default() += 1;
    }
    let list: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
    (!list.is_empty()).then(|| format!("experiments that are not known are left out: {}", list.join(", ")))
}

#[cfg(test)]
mod tests;
