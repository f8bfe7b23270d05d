//! Teams that take longer than one of their threads would.

use super::account::{percent, time};
use super::finding;
use numalab_results::{Finding, Run};

/// A team that has more work than this many times that of one thread executes something else: every thread does all of
/// it, say.
const SAME_WORK: f64 = 1.5;

pub(super) fn find(run: &Run) -> Option<Finding> {
    let alone = run.sequential_ps.filter(|alone| *alone > 0)?;
    let same = run.ideal_work_ps as f64 <= SAME_WORK * alone as f64;
    if run.threads < 2 || !same || run.makespan_ps <= alone {
        return None;
    }
    let whole = run.makespan_ps as f64 * f64::from(run.threads);
    let evidence = format!(
        "{} threads take {}, {:.1} times as long as one of them alone, which works {}: of the team's time {} is overhead, \
         {} idle, {} work that became longer",
        run.threads,
        time(run.makespan_ps as f64),
        run.makespan_ps as f64 / alone as f64,
        time(alone as f64),
        percent(run.overhead_ps.0 as f64 / whole),
        percent(run.idle_ps.0 as f64 / whole),
        percent(run.inflation_ps.unwrap_or(0).max(0) as f64 / whole),
    );
    finding("slower-than-one-thread", evidence)
}
