//! Measurements of a known machine: output that the kernels would print on it, with noise.
//!
//! A fit to these measurements must find the machine again. This tests the plan of measurements, and the certainty of
//! a fit to measurements with such noise.
//!
//! | file | what |
//! |---|---|
//! | `measurement_plan` | which measurements make sense on the machine |
//! | `system` | the machine as its operating system would describe it |

mod measurement_plan;
mod system;

use crate::experiments::{self, Experiment};
use crate::fit::{Subject, UNBOUNDED, normal};
use numalab_machine::Core;
use numalab_study::{Files, StudyError, in_order};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde_json::json;

/// Samples of each measurement.
const SAMPLES: usize = 15;

/// Text of a file of measurements of the subject. `noise`: standard deviation of a sample, as a fraction of the
/// value.
pub fn synthesize(subject: &Subject, noise: f64, seed: u64) -> Result<String, StudyError> {
    let rows = measurement_plan::rows(&subject.machine);
    let simulated = |row: &measurement_plan::Row| {
        let Some(experiment) = experiments::find(row.experiment) else { return Ok(None) };
        match row.experiment {
            "loaded_latency" => under_load(subject, experiment, row),
            _ => with(subject, experiment, row, &row.params),
        }
    };
    let values: Vec<Option<f64>> =
        in_order(&rows, simulated).into_iter().collect::<Result<_, StudyError>>()?;
    let mut draw = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut text = system::records(&subject.machine);
    let clock = subject.machine.core.clock.0 / 1e9;
    let read_off = read_off(&subject.machine.core);
    let read_off = read_off.iter().map(|(row, value)| (row, Some(*value)));
    for (row, value) in rows.iter().zip(values).chain(read_off) {
        let Some(value) = value.filter(|value| *value > 0.0) else { continue };
        let samples: Vec<f64> = (0..SAMPLES).map(|_| value * (noise * normal(&mut draw)).exp()).collect();
        let params: serde_json::Map<_, _> =
            row.params.iter().map(|(key, value)| ((*key).to_owned(), json!(value))).collect();
        let line = json!({
            "record": "measurement", "experiment": row.experiment, "quantity": row.quantity, "params": params,
            "unit": row.unit, "checked": true, "values": samples, "others": vec![0.0; SAMPLES],
            "steal": vec![0.0; SAMPLES], "waited": vec![0.0; SAMPLES], "pace": vec![1.0 / clock; SAMPLES],
        });
        text += &format!("{line}\n");
    }
    Ok(text)
}

/// Simulated value of the row's quantity with `params` in place of the row's parameters.
fn with(
    subject: &Subject,
    experiment: &'static Experiment,
    row: &measurement_plan::Row,
    params: &[(&str, String)],
) -> Result<Option<f64>, StudyError> {
    subject.simulate(
        experiment,
        (row.quantity, row.unit),
        params.iter().map(|(key, value)| (*key, value.as_str())),
        None,
        &Files::default(),
    )
}

/// Simulated value of a row of `loaded_latency`. The streaming threads are throttled to `load` per cent of their full
/// bandwidth, as in the kernel.
fn under_load(
    subject: &Subject,
    experiment: &'static Experiment,
    row: &measurement_plan::Row,
) -> Result<Option<f64>, StudyError> {
    let load = row.params.iter().find(|(key, _)| *key == "load").and_then(|(_, text)| text.parse().ok());
    let load: f64 = load.unwrap_or(100.0);
    let asked = |rate: f64| {
        let kept = row.params.iter().filter(|(key, _)| !["load", "share"].contains(key));
        kept.cloned().chain([("bandwidth", format!("{rate:.0}"))]).collect::<Vec<_>>()
    };
    let unbounded = asked(UNBOUNDED);
    if load >= 100.0 {
        return with(subject, experiment, row, &unbounded);
    }
    let moved = measurement_plan::Row { quantity: "moved", unit: "GB/s", ..row.clone() };
    let Some(most) = with(subject, experiment, &moved, &unbounded)? else { return Ok(None) };
    with(subject, experiment, row, &asked(most * 1e9 * load / 100.0))
}

/// Rows that state a parameter of the core directly, with their values.
fn read_off(core: &Core) -> Vec<(measurement_plan::Row, f64)> {
    let one = || ("threads", "1".to_owned());
    // A machine without pauses takes no time for one; a measurement would take some.
    let pause = (core.pause.0 as f64 / 1e3).max(1e-3);
    let mut rows = vec![
        (measurement_plan::Row::new("compute", "frequency", "GHz", &[one()]), core.clock.0 / 1e9),
        (measurement_plan::Row::new("compute", "pause", "ns", &[one()]), pause),
    ];
    // Only the ratios of these times matter.
    let (none, wait) = (100.0, 100.0);
    let hidden =
        [("none", 1.0), ("chained", 0.0), ("before", core.atomic_past), ("after", core.atomic_ahead)];
    rows.extend(hidden.map(|(order, part)| {
        let params =
            [("order", order.to_owned()), ("delay_ns", "100".to_owned()), ("threads", "2".to_owned())];
        (measurement_plan::Row::new("atomic_order", "turn", "ns", &params), none + wait * (1.0 - part))
    }));
    rows
}
