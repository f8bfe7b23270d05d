//! Reasons for the time of the threads, and the resources that delay them.

use crate::numbers::{TimeScale, percent, share};
use crate::page::Sheet;
use numalab_results::{Blame, Explanation, HotSpot};

/// Largest number of rows of the table.
const MOST: usize = 12;

/// Largest number of hot spots shown.
const MOST_SPOTS: usize = 6;

/// Rows for people: rows that differ only in their resource are summed if the resources are of one kind.
fn summed(explanation: &Explanation) -> Vec<Blame> {
    let mut rows: Vec<Blame> = Vec::new();
    for row in &explanation.blame {
        let alike = |sum: &&mut Blame| {
            (&sum.phase, &sum.kind, &sum.region, &sum.level, &sum.waits_for)
                == (&row.phase, &row.kind, &row.region, &row.level, &row.waits_for)
        };
        match rows.iter_mut().find(alike) {
            Some(sum) => {
                sum.own_ps = sum.own_ps.saturating_add(row.own_ps);
                sum.waited_ps = sum.waited_ps.saturating_add(row.waited_ps);
                sum.path_ps = sum.path_ps.saturating_add(row.path_ps);
            }
            None => rows.push(row.clone()),
        }
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.time_ps()));
    rows
}

pub(super) fn whole(explanation: &Explanation) -> f64 {
    f64::from(explanation.threads) * explanation.makespan_ps as f64
}

/// Cause of the row's wait as in the table of runs; the activity of the row if that says more, or if it is computing.
pub fn waits_for(row: &Blame) -> &str {
    let finer = row.kind.ends_with(" cache") || row.kind.starts_with("shared pages");
    if finer || row.waits_for.is_empty() { &row.kind } else { &row.waits_for }
}

/// Table of the rows with the most time.
pub(super) fn table(explanation: &Explanation) -> Sheet<Blame> {
    let (whole, path) = (whole(explanation), explanation.makespan_ps as f64);
    let rows = summed(explanation);
    let waited = rows.iter().any(|row| row.waited_ps > 0);
    Sheet::of(rows.into_iter().take(MOST))
        .text("phase", |row| row.phase.clone())
        .text("what", |row| waits_for(row).to_owned())
        .text("region", |row| row.region.clone().unwrap_or("-".to_owned()))
        .text("home in same", |row| row.level.clone().unwrap_or("-".to_owned()))
        .number("share", |row| percent(share(row.time_ps() as f64, whole)))
        .when(waited, |sheet| {
            sheet.number("of it waiting", |row| percent(share(row.waited_ps as f64, row.time_ps() as f64)))
        })
        .number("critical path", |row| percent(share(row.path_ps as f64, path)))
}

/// Sentence with number and share of the rows beyond `MOST`; `None` if there are none.
pub(super) fn remainder(explanation: &Explanation) -> Option<String> {
    let rows = summed(explanation);
    let left: f64 = rows.iter().skip(MOST).map(|row| row.time_ps() as f64).sum();
    let number = rows.len().checked_sub(MOST).filter(|number| *number > 0)?;
    Some(format!("and {number} more with {} together", percent(share(left, whole(explanation)))))
}

/// Table of the resources that delay threads most.
pub(super) fn hot_spots(explanation: &Explanation) -> Sheet<HotSpot> {
    let whole = whole(explanation);
    let scale = TimeScale::of([explanation.makespan_ps]);
    Sheet::of(explanation.hot_spots.iter().take(MOST_SPOTS).cloned())
        .text("phase", |spot| spot.phase.clone())
        .text("resource", |spot| spot.resource.clone())
        .number("share", |spot| percent(share(spot.lost_ps as f64, whole)))
        .number("from", |spot| scale.show(spot.from_ps as f64))
        .number("to", |spot| scale.show(spot.to_ps as f64))
}

/// Table of all rows, for files.
pub(super) fn rows(explanation: &Explanation) -> Sheet<&Blame> {
    let Explanation { machine, workload, policy, threads, makespan_ps, .. } = explanation;
    Sheet::of(&explanation.blame)
        .inputs(machine, workload)
        .file("policy", |_| policy.clone())
        .file("threads", |_| *threads)
        .file("makespan_ps", |_| *makespan_ps)
        .file("phase", |row| row.phase.clone())
        .file("kind", |row| row.kind.clone())
        .file("region", |row| row.region.clone())
        .file("level", |row| row.level.clone())
        .file("resource", |row| row.resource.clone())
        .file("class", |row| row.class.clone())
        .file("waits_for", |row| row.waits_for.clone())
        .file("own_ps", |row| row.own_ps)
        .file("waited_ps", |row| row.waited_ps)
        .file("path_ps", |row| row.path_ps)
}
