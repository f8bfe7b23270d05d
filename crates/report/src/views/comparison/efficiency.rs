//! Parts of the team's time (`threads × makespan`) as a table.

use crate::numbers::{TimeScale, percent, share};
use crate::page::Sheet;
use numalab_base::Span;
use numalab_results::{Comparison, Run};

/// Reads one part of `threads × makespan` from a run, in picoseconds; inflation may be negative.
type Part = fn(&Run) -> f64;

/// Parts of the team's time if the program was also simulated on one thread: column header, and value in a run. They
/// sum to `threads × makespan`.
const PARTS: [(&str, Part); 4] = [
    ("one thread's\nwork", |run| run.sequential_ps.unwrap_or_default() as f64),
    ("work-time\ninflation", |run| run.inflation_ps.unwrap_or_default() as f64),
    ("runtime\noverhead", |run| run.overhead_ps.as_f64()),
    ("idle", |run| run.idle_ps.as_f64()),
];

/// Parts of the team's time if the program was not simulated on one thread. They sum to `threads × makespan`.
const PARTS_ALONE: [(&str, Part); 4] = [
    ("ideal\nwork", |run| run.ideal_work_ps as f64),
    ("memory\npenalty", |run| run.memory_penalty_ps as f64),
    PARTS[2],
    PARTS[3],
];

/// One row per policy: the whole, and its parts with their shares. Narrow terminals omit the whole, then the times.
pub(super) fn sheet(comparison: &Comparison) -> Option<Sheet<&Run>> {
    let runs = || comparison.runs.iter();
    let longest = runs().map(|run| team_ps(run) as u64).max().filter(|&ps| ps > 0)?;
    // Four digits of the longest time resolve a hundredth of it.
    let scale = TimeScale::of([longest, longest / 10]);
    let sheet = Sheet::of(runs())
        .text("policy", |run| run.policy.clone())
        .number("threads ×\nmakespan", |run| scale.show(team_ps(run)))
        .until(1);
    let beside = runs().all(|run| run.sequential_ps.is_some() && run.inflation_ps.is_some());
    let parts = if beside { PARTS } else { PARTS_ALONE };
    let sheet = sheet.each(parts, |sheet, (name, part)| {
        sheet.number(name, |run| with_share(run, part(run), scale)).until(2)
    });
    Some(sheet.each(parts, |sheet, (name, part)| sheet.number(name, |run| of_team(run, part(run))).from(2)))
}

/// `threads × makespan`, in picoseconds.
pub(super) fn team_ps(run: &Run) -> f64 {
    f64::from(run.threads) * run.makespan_ps as f64
}

/// A time, with its share of the team's time.
pub(super) fn with_share(run: &Run, ps: f64, scale: TimeScale) -> String {
    format!("{} {:>4}", time(ps, scale), of_team(run, ps))
}

/// A time as a share of the team's time.
fn of_team(run: &Run, ps: f64) -> String {
    let part = share(ps, team_ps(run));
    // Shares above -0.5 % are shown without a sign.
    if part <= -0.005 { format!("-{}", percent(-part)) } else { percent(part.abs()) }
}

/// Text of a time in the unit of the column, or in the unit that fits the time if it would round to zero.
fn time(ps: f64, scale: TimeScale) -> String {
    let text = scale.number(ps);
    let nothing = text.chars().all(|c| matches!(c, '0' | '.' | '-'));
    match (nothing && ps != 0.0, ps < 0.0) {
        (false, _) => scale.show(ps),
        (true, false) => Span(ps as u64).to_string(),
        (true, true) => format!("-{}", Span(-ps as u64)),
    }
}
