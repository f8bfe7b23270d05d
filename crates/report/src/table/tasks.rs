//! What became of tasks.

use super::Grid;
use super::efficiency::{of_team, team_ps, time};
use crate::numbers::{TimeScale, grouped, percent, share};
use crate::style::Style;
use numalab_results::{Comparison, Executed, Run, TaskSum};
use numalab_units::Span;

/// A header, whether the machine has such a place, and who executed there.
type Place = (&'static str, bool, fn(&TaskSum) -> Executed);

/// A row per policy with tasks: who executed them, and what they cost. One table where the terminal is
/// wide enough, two where not.
pub(super) fn section(comparison: &Comparison, style: &Style) -> Option<String> {
    let rows: Vec<(&Run, &TaskSum)> =
        comparison.runs.iter().filter_map(|run| Some((run, run.tasks.as_ref()?))).collect();
    if rows.is_empty() {
        return None;
    }
    let policies = || Grid::new().text("policy", rows.iter().map(|(run, _)| run.policy.clone()));
    let both = costs(executed(policies(), &rows, comparison), &rows);
    if both.natural_width() <= style.columns() {
        return Some(both.draw(style));
    }
    let tables = [executed(policies(), &rows, comparison), costs(policies(), &rows)];
    Some(tables.map(|table| table.draw(style)).join("\n"))
}

/// How many, and by whom: counts, and shares of the tasks' time.
fn executed(grid: Grid, rows: &[(&Run, &TaskSum)], comparison: &Comparison) -> Grid {
    let layout = comparison.layout;
    let places: [Place; 4] = [
        ("by the\ncreator", true, |tasks| tasks.by_creator),
        ("same\nsocket", true, |tasks| tasks.same_socket),
        ("same\nboard", layout.nodes == 0 || layout.boards > 0, |tasks| tasks.same_board),
        ("remote", layout.nodes == 0 || layout.sockets.max(layout.boards) > 1, |tasks| tasks.remote),
    ];
    let sums = || rows.iter().map(|(_, tasks)| *tasks);
    let grid = grid
        .number("tasks\ncreated", sums().map(|tasks| grouped(tasks.created)))
        .number("executed\nat once", sums().map(|tasks| grouped(tasks.at_once)));
    places.iter().fold(grid, |grid, (name, possible, place)| {
        let seen = sums().any(|tasks| place(tasks).tasks > 0);
        let all = |tasks: &TaskSum| places.iter().map(|(_, _, place)| place(tasks).time_ps as f64).sum();
        let cell = |tasks: &TaskSum| {
            let Executed { tasks: count, time_ps } = place(tasks);
            format!("{} {:>4}", grouped(count), percent(share(time_ps as f64, all(tasks))))
        };
        if *possible || seen { grid.number(name, sums().map(cell)) } else { grid }
    })
}

/// What a task takes, what handling all of them takes of the team's time, and what happened in the queues.
fn costs(grid: Grid, rows: &[(&Run, &TaskSum)]) -> Grid {
    let longest = rows.iter().map(|(run, _)| team_ps(run) as u64).max().unwrap_or(0);
    let scale = TimeScale::of([longest, longest / 10]);
    let sums = || rows.iter().map(|(_, tasks)| *tasks);
    let cost = |pick: fn(&TaskSum) -> u64| {
        let cell = move |(run, tasks): &(&Run, &TaskSum)| {
            let ps = pick(tasks) as f64;
            format!("{} {:>4}", time(ps, scale), of_team(run, ps))
        };
        rows.iter().map(cell)
    };
    let mean = |tasks: &TaskSum| match tasks.created {
        0 => "-".to_owned(),
        created => Span(tasks.working_ps / created).to_string(),
    };
    grid.number("mean\ntask", sums().map(mean))
        .number("longest\ntask", sums().map(|tasks| Span(tasks.longest_task_ps).to_string()))
        .number("creating", cost(|tasks| tasks.creating_ps))
        .number("fetching", cost(|tasks| tasks.fetching_ps))
        .number("steals", sums().map(|tasks| grouped(tasks.steals)))
        .number("failed\nsteals", sums().map(|tasks| grouped(tasks.failed_steals)))
        .number("longest\nqueue", sums().map(|tasks| grouped(tasks.longest_queue)))
}
