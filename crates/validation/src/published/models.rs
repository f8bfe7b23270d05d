//! Rows about analytic models: errors of the models against the simulation, and the peak that the models assume.

use super::reference::Published;
use super::{RowContext, workloads};
use numalab_lower::DisplayUnit;
use numalab_results::ModelPoint;
use numalab_study::{Files, Silent, StudyError, model};
use serde::Deserialize;

/// Figure of an analytic model that a row states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Figure {
    /// Largest error of the model over the row's teams.
    LargestModelError,
    /// Smallest error of the model over the row's teams.
    LeastModelError,
    /// Peak floating-point rate of as many cores as the row has threads.
    PeakFlops,
}

/// Value of the figure in the row's unit; `None` if no model yields it.
pub fn simulate(
    row: &Published,
    figure: Figure,
    context: &RowContext<'_>,
) -> Result<Option<f64>, StudyError> {
    match figure {
        Figure::LargestModelError => error(row, f64::max, context),
        Figure::LeastModelError => error(row, f64::min, context),
        Figure::PeakFlops => peak_flops(row),
    }
}

/// Peak floating-point rate of as many cores as the row has threads.
fn peak_flops(row: &Published) -> Result<Option<f64>, StudyError> {
    let unit: DisplayUnit = row.unit.parse().map_err(|error| row.wrong(error))?;
    let Some((threads, _)) = team(row)? else { return Ok(None) };
    let machine = numalab_lower::machine(&row.machine, &[])?.value;
    let peak = f64::from(threads) * machine.core.clock.0 * machine.core.flops_per_cycle;
    Ok(Some(unit.show(peak)))
}

/// Size of the row's team, and true if larger teams count, too: `threads=32+`. `None` without `threads`.
fn team(row: &Published) -> Result<Option<(u32, bool)>, StudyError> {
    let Some(threads) = row.param("threads") else { return Ok(None) };
    let (least, more) = match threads.strip_suffix('+') {
        Some(least) => (least, true),
        None => (threads, false),
    };
    Ok(Some((least.parse().map_err(|error| row.wrong(error))?, more)))
}

/// Largest or smallest error of the row's model over the sizes of the row's team; `end` selects which.
fn error(
    row: &Published,
    end: fn(f64, f64) -> f64,
    context: &RowContext<'_>,
) -> Result<Option<f64>, StudyError> {
    let unit: DisplayUnit = row.unit.parse().map_err(|error| row.wrong(error))?;
    let Some((least, more)) = team(row)? else { return Ok(None) };
    let plain = Published { params: without(row, &["threads", "model"]), ..row.clone() };
    let Some(run) = workloads::resolve(&plain, &context.files)? else { return Ok(None) };
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
    let model = model(&run.spec, &sizes, &Files::default(), &Silent(context.progress))?;
    let errors = model.points.iter().filter_map(error).map(f64::abs);
    Ok(errors.reduce(end).map(|error| unit.show(error)))
}

/// The row's parameters except those in `names`.
fn without(row: &Published, names: &[&str]) -> String {
    let kept = row.params().filter(|(key, _)| !names.contains(key));
    kept.map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(";")
}
