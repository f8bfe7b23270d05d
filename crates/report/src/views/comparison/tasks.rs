//! Table of tasks: where they ran, and their costs.

use super::efficiency::{team_ps, with_share};
use crate::numbers::{TimeScale, grouped, percent, share};
use crate::page::Sheet;
use numalab_base::Span;
use numalab_results::{Comparison, Executed, Run, TaskCounts};

type RunTasks<'a> = (&'a Run, &'a TaskCounts);

/// A distance between creator and executor of tasks: header of its column, true if the machine has this distance, and
/// access to the tasks executed at this distance.
type Place = (&'static str, bool, fn(&TaskCounts) -> Executed);

/// One row per policy with tasks: tasks by distance from their creator, as counts and shares of the task time; then
/// the mean task, the share of the team's time for handling tasks, and events of the queues. On narrow terminals, the
/// columns from the mean task on are in a second table.
pub(super) fn sheet(comparison: &Comparison) -> Option<Sheet<RunTasks<'_>>> {
    let rows: Vec<RunTasks<'_>> =
        comparison.runs.iter().filter_map(|run| Some((run, run.tasks.as_ref()?))).collect();
    let longest = rows.iter().map(|(run, _)| team_ps(run) as u64).max()?;
    let scale = TimeScale::of([longest, longest / 10]);
    let layout = comparison.layout;
    let places: [Place; 4] = [
        ("by the\ncreator", true, |tasks| tasks.by_creator),
        ("same\nsocket", true, |tasks| tasks.same_socket),
        ("same\nboard", layout.nodes == 0 || layout.boards > 0, |tasks| tasks.same_board),
        ("remote", layout.nodes == 0 || layout.sockets.max(layout.boards) > 1, |tasks| tasks.remote),
    ];
    let seen = |place: &Place| place.1 || rows.iter().any(|(_, tasks)| place.2(tasks).tasks > 0);
    let all = |tasks: &TaskCounts| places.iter().map(|(.., place)| place(tasks).time_ps as f64).sum();
    let sheet = Sheet::of(rows.clone())
        .text("policy", |(run, _)| run.policy.clone())
        .number("tasks\ncreated", |(_, tasks)| grouped(tasks.created))
        .number("executed\nimmediately", |(_, tasks)| grouped(tasks.at_once))
        .each(places.iter().filter(|place| seen(place)), |sheet, (name, _, place)| {
            sheet.number(*name, |(_, tasks)| {
                let Executed { tasks: count, time_ps } = place(tasks);
                format!("{} {:>4}", grouped(count), percent(share(time_ps as f64, all(tasks))))
            })
        })
        .fold(1)
        .number("mean\ntask", |(_, tasks)| {
            tasks.working_ps.checked_div(tasks.created).map(|mean| Span(mean).to_string())
        })
        .number("longest\ntask", |(_, tasks)| Span(tasks.longest_task_ps).to_string())
        .number("creating", |(run, tasks)| with_share(run, tasks.creating_ps as f64, scale))
        .number("fetching", |(run, tasks)| with_share(run, tasks.fetching_ps as f64, scale))
        .number("steals", |(_, tasks)| grouped(tasks.steals))
        .number("failed\nsteals", |(_, tasks)| grouped(tasks.failed_steals))
        .number("longest\nqueue", |(_, tasks)| grouped(tasks.longest_queue));
    Some(sheet)
}
