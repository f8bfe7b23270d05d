//! Rows about scaling: the largest team with nearly linear scaling, the team beyond which more threads gain little, the
//! fastest team, and the team from which one version is faster than another.

use super::reference::Published;
use super::{RowContext, cases, ratios, workloads};
use numalab_study::StudyError;
use serde::Deserialize;

/// Minimum value per thread, as a fraction of one thread's value, that counts as nearly linear.
const NEARLY: f64 = 0.9;

/// Minimum speed-up from the threads of one more node; below it, more threads gain little.
const FLAT: f64 = 1.1;

/// Kind of team whose size a row states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum StatedTeam {
    /// Largest team in which the value per thread is nearly that of one thread alone.
    #[serde(rename = "flat-team")]
    Flat,
    /// First team of whole nodes to which the threads of one more node add little.
    #[serde(rename = "saturating-team")]
    Saturating,
    /// Team with the shortest makespan; one thread on each node.
    #[serde(rename = "fastest-team")]
    Fastest,
    /// Smallest team of several nodes in which the first of two versions is faster; one thread on each node.
    #[serde(rename = "overtaking-team")]
    Overtaking,
}

/// Number of threads of the team; `None` if no workload yields the measure.
pub fn simulate(
    row: &Published,
    team: StatedTeam,
    context: &RowContext<'_>,
) -> Result<Option<f64>, StudyError> {
    match team {
        StatedTeam::Flat => flat_up_to(row, context),
        StatedTeam::Saturating => flattens_at(row, context),
        StatedTeam::Fastest => fastest(row, context),
        StatedTeam::Overtaking => overtakes(row, context),
    }
}

/// Number of threads with the shortest makespan, one thread on each node.
fn fastest(row: &Published, context: &RowContext<'_>) -> Result<Option<f64>, StudyError> {
    let Some((nodes, _)) = workloads::size(row, &context.files)? else { return Ok(None) };
    let mut best: Option<(f64, u32)> = None;
    for threads in 1..=nodes {
        let Some(time) = makespan(row, threads, context)? else { return Ok(None) };
        if best.is_none_or(|(least, _)| time < least) {
            best = Some((time, threads));
        }
    }
    Ok(best.map(|(_, threads)| f64::from(threads)))
}

/// Smallest number of threads, one on each of several nodes, with which the first of the row's two versions is faster;
/// `None` if it never is.
fn overtakes(row: &Published, context: &RowContext<'_>) -> Result<Option<f64>, StudyError> {
    let Some((nodes, _)) = workloads::size(row, &context.files)? else { return Ok(None) };
    let Some((first, second)) = ratios::both(row) else { return Ok(None) };
    let variants = cases::variants()?;
    let [first, second] =
        [first, second].map(|params| row.with(cases::translate(&variants, &row.experiment, &params)));
    for threads in 2..=nodes {
        let times = (makespan(&first, threads, context)?, makespan(&second, threads, context)?);
        let (Some(first), Some(second)) = times else { return Ok(None) };
        if first < second {
            return Ok(Some(f64::from(threads)));
        }
    }
    Ok(None)
}

/// Makespan of the row's run with a team of `threads`, in seconds; `None` if no workload covers the row.
fn makespan(row: &Published, threads: u32, context: &RowContext<'_>) -> Result<Option<f64>, StudyError> {
    let (quantity, unit) = ("makespan".to_owned(), "s".to_owned());
    workloads::simulate(&Published { quantity, unit, ..of(row, threads) }, context)
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
    let mut before: Option<f64> = None;
    for threads in (1..=nodes).map(|node| node * each) {
        let Some(now) = makespan(row, threads, context)? else { return Ok(None) };
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
