//! Rows about analytic models: how far they are from the simulation, and the peak that they assume.

use super::reference::Published;
use super::workloads;
use numalab_lower::DisplayUnit;
use numalab_results::ModelPoint;
use numalab_study::{Files, StudyError, model};

/// True for rows of a performance model, such as the roofline, instead of a simulation.
pub fn covers(row: &Published) -> bool {
    row.experiment == "roofline" || row.param("model").is_some()
}

/// The largest error over the row's sizes of the team, the least one of a quantity that ends in `_min`, or the machine's
/// peak.
pub fn simulate(row: &Published) -> Result<Option<f64>, StudyError> {
    let unit: DisplayUnit = row.unit.parse().map_err(|error| row.wrong(error))?;
    let Some(threads) = row.param("threads") else { return Ok(None) };
    // `32+`: from 32 threads on.
    let (least, more) = match threads.strip_suffix('+') {
        Some(least) => (least, true),
        None => (threads, false),
    };
    let least: u32 = least.parse().map_err(|error| row.wrong(error))?;
    if row.experiment == "roofline" {
        if row.quantity != "peak_flops" {
            return Ok(None);
        }
        let machine = numalab_lower::machine(&row.machine, &[])?.value;
        let peak = f64::from(least) * machine.core.clock.0 * machine.core.flops_per_cycle;
        return Ok(Some(unit.show(peak)));
    }
    let plain = Published { params: without(row, &["threads", "model"]), ..row.clone() };
    let Some(run) = workloads::resolve(&plain, &Files::default())? else { return Ok(None) };
    let error = |point: &ModelPoint| match row.param("model") {
        Some("roofline") => point.roofline_error,
        _ => point.extended_error,
    };
    let over_threads =
        run.series().into_iter().filter(|series| series.over == "threads").flat_map(|series| &series.points);
    let mut sizes: Vec<u32> = match more {
        true => over_threads.map(|point| point.value as u32).filter(|size| *size >= least).collect(),
        false => Vec::new(),
    };
    if sizes.is_empty() {
        sizes.push(least);
    }
    let model = model(&run.spec, &sizes, &())?;
    let errors = model.points.iter().filter_map(error).map(f64::abs);
    let end = if row.quantity.ends_with("_min") { f64::min } else { f64::max };
    Ok(errors.reduce(end).map(|error| unit.show(error)))
}

/// The row's parameters but for some.
fn without(row: &Published, names: &[&str]) -> String {
    let kept = row.params().filter(|(key, _)| !names.contains(key));
    kept.map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(";")
}
