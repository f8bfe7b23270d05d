//! Finding: a team takes longer than one thread alone.

use super::account::{percent, time};
use super::finding;
use numalab_results::{Finding, Run};

/// Largest ratio of the team's ideal work to the work of one thread, for the finding. Above it the program is not the
/// same: for example, each thread does all of the work.
const SAME_WORK: f64 = 1.5;

pub(super) fn find(run: &Run) -> Option<Finding> {
    let one_thread = run.sequential_ps.filter(|one_thread| *one_thread > 0)?;
    let same = run.ideal_work_ps as f64 <= SAME_WORK * one_thread as f64;
    if run.threads < 2 || !same || run.makespan_ps <= one_thread {
        return None;
    }
    let whole = run.makespan_ps as f64 * f64::from(run.threads);
    let evidence = format!(
        "{} threads take {}, {:.1} times the {} of one thread alone: of the team's time {} is overhead, \
         {} idle, {} work-time inflation",
        run.threads,
        time(run.makespan_ps as f64),
        run.makespan_ps as f64 / one_thread as f64,
        time(one_thread as f64),
        percent(run.overhead_ps.0 as f64 / whole),
        percent(run.idle_ps.0 as f64 / whole),
        percent(run.inflation_ps.unwrap_or(0).max(0) as f64 / whole),
    );
    finding("slower-than-one-thread", evidence)
}
