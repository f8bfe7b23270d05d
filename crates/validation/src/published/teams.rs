//! Rows about scaling: the largest team with nearly linear scaling, and the team beyond which more threads gain
//! little.

use super::reference::Published;
use super::{RowContext, workloads};
use numalab_study::StudyError;
use serde::Deserialize;

/// Minimum value per thread, as a fraction of one thread's value, that counts as nearly linear.
const NEARLY: f64 = 0.9;

/// Minimum speed-up from the threads of one more node; below it, more threads gain little.
const FLAT: f64 = 1.1;

/// Kind of team whose size a row states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatedTeam {
    /// Largest team in which the value per thread is nearly that of one thread alone.
    FlatTeam,
    /// First team of whole nodes to which the threads of one more node add little.
    SaturatingTeam,
}

/// Number of threads of the team; `None` if no workload yields the measure.
pub fn simulate(
    row: &Published,
    team: StatedTeam,
    context: &RowContext<'_>,
) -> Result<Option<f64>, StudyError> {
    match team {
        StatedTeam::FlatTeam => flat_up_to(row, context),
        StatedTeam::SaturatingTeam => flattens_at(row, context),
    }
}

/// Largest team up to which the value per thread is nearly that of one thread alone. The experiment names the measure
/// to compare: `of=MEASURE`.
fn flat_up_to(row: &Published, context: &RowContext<'_>) -> Result<Option<f64>, StudyError> {
    let Some((_, cores)) = workloads::size(row, &context.files)? else { return Ok(None) };
    let Some(measure) = workloads::fixed(row, "of")? else { return Ok(None) };
    let each = |threads: u32| {
        let (quantity, unit) = (measure.clone(), "B/s".to_owned());
        let value = workloads::simulate(&Published { quantity, unit, ..of(row, threads) }, context)?;
        Ok::<_, StudyError>(value.map(|value| value / f64::from(threads)))
    };
    let Some(alone) = each(1)? else { return Ok(None) };
    for threads in 2..=cores {
        if each(threads)?.is_none_or(|value| value < NEARLY * alone) {
            return Ok(Some(f64::from(threads - 1)));
        }
    }
    Ok(Some(f64::from(cores)))
}

/// First team of whole nodes whose makespan the threads of one more node reduce little.
fn flattens_at(row: &Published, context: &RowContext<'_>) -> Result<Option<f64>, StudyError> {
    let Some((nodes, cores)) = workloads::size(row, &context.files)? else { return Ok(None) };
    let each = cores / nodes.max(1);
    let time = |threads: u32| {
        let (quantity, unit) = ("makespan".to_owned(), "s".to_owned());
        workloads::simulate(&Published { quantity, unit, ..of(row, threads) }, context)
    };
    let mut before: Option<f64> = None;
    for threads in (1..=nodes).map(|node| node * each) {
        let Some(now) = time(threads)? else { return Ok(None) };
        if before.is_some_and(|before| before < FLAT * now) {
            return Ok(Some(f64::from(threads - each)));
        }
        before = Some(now);
    }
    Ok(Some(f64::from(cores)))
}

/// Copy of the row with `threads` as the value of its parameter `threads`.
fn of(row: &Published, threads: u32) -> Published {
    row.with(format!("{};threads={threads}", row.params))
}
