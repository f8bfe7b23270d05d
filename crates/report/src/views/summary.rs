//! Main figures of a run, and the distances that a comparison can show.

use crate::numbers::{TimeScale, percent, share};
use numalab_results::{Bottleneck, Busiest, Comparison, Input, Layout, Run};

/// Figures of a run for a row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary<'a> {
    /// Makespan divided by the makespan of the best run.
    pub ratio: f64,
    /// Shares of the bytes by distance, without bytes from the cores' own caches.
    pub distance: Distance,
    /// Share of all bytes served by the cores' own caches.
    pub cached: f64,
    /// Share of threads × makespan spent waiting for other threads.
    pub idle: f64,
    /// Resource with the highest mean utilisation; `None` without resources.
    pub busiest: Option<Busiest<'a>>,
}

/// Shares of the bytes by distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Fraction of bytes from the thread's own node.
    pub local: f64,
    /// Fraction from other nodes of the same board (or socket, on machines without boards).
    pub near: f64,
    /// Fraction from other boards (or sockets).
    pub remote: f64,
    /// Fraction from memory-only nodes.
    pub memory_only: f64,
}

/// Distances that can occur on the machine. `near` is the name of the middle distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distances {
    pub near: Option<&'static str>,
    pub remote: bool,
    /// True if a run used memory-only nodes.
    pub memory_only: bool,
}

impl Distances {
    /// Distances of the machine's layout; if the layout is unknown, distances that occur in the runs.
    pub fn of(comparison: &Comparison) -> Distances {
        let Layout { boards, sockets, nodes } = comparison.layout;
        let any = |pick: fn(&Run) -> bool| comparison.runs.iter().any(pick);
        let memory_only = any(|run| run.bytes_by_level.memory_only > 0);
        if nodes == 0 {
            let near =
                any(|run| run.bytes_by_level.socket + run.bytes_by_level.board > 0).then_some("same board");
            return Distances { near, remote: any(|run| run.bytes_by_level.machine > 0), memory_only };
        }
        let containers = if boards > 0 { boards } else { sockets };
        let name = if boards > 0 { "same board" } else { "same socket" };
        Distances { near: (nodes > containers).then_some(name), remote: containers > 1, memory_only }
    }
}

impl<'a> Summary<'a> {
    /// Main figures of `run`; `best_ps` is the makespan of the best run.
    pub fn of(run: &'a Run, best_ps: u64) -> Summary<'a> {
        let bytes = run.bytes_by_level;
        let total = bytes.total() as f64;
        let idle: u128 = run.team.iter().map(|member| u128::from(member.idle_ps)).sum();
        Summary {
            ratio: if best_ps > 0 { run.makespan_ps as f64 / best_ps as f64 } else { 1.0 },
            distance: Distance {
                local: share(bytes.node as f64, total),
                near: share((bytes.socket + bytes.board) as f64, total),
                remote: share(bytes.machine as f64, total),
                memory_only: share(bytes.memory_only as f64, total),
            },
            cached: share(run.cached_bytes as f64, total + run.cached_bytes as f64),
            idle: share(idle as f64, run.team.len() as f64 * run.makespan_ps as f64),
            busiest: run.busiest(),
        }
    }
}

/// Smallest share of the threads' time at which a bottleneck is named.
pub(crate) const MATTERS: f64 = 0.01;

/// The bottleneck of a run; `None` if its share is below `MATTERS`.
pub fn that_matters(bottleneck: Option<&Bottleneck>) -> Option<&Bottleneck> {
    bottleneck.filter(|lost| lost.share >= MATTERS)
}

/// Name of the bottleneck; `nothing` if the bottleneck's share is below `MATTERS`.
pub(crate) fn lost_to(bottleneck: Option<&Bottleneck>) -> String {
    that_matters(bottleneck).map_or_else(|| "nothing".to_owned(), |lost| lost.name.clone())
}

/// Resource with most of the bottleneck's lost time, and its share as text. `None` if no resource is known.
pub fn worst_place(lost: &Bottleneck) -> Option<String> {
    let resource = lost.resource.as_ref()?;
    Some(match lost.resource_share {
        Some(share) => format!("{resource}: {}", percent(share)),
        None => resource.clone(),
    })
}

/// True if the time is lost over at least 95 % of the run.
pub(crate) fn is_throughout(lost: &Bottleneck, makespan_ps: u64) -> bool {
    const NEARLY_ALL: f64 = 0.95;
    lost.to_ps.saturating_sub(lost.from_ps) as f64 >= NEARLY_ALL * makespan_ps as f64
}

/// Period of the run in which the time is lost, as text with one unit; `throughout` if it is nearly the whole run.
pub fn when(lost: &Bottleneck, makespan_ps: u64) -> String {
    if is_throughout(lost, makespan_ps) {
        return "throughout".to_owned();
    }
    let scale = TimeScale::of([makespan_ps]);
    let (from, to) = (scale.show(lost.from_ps as f64), scale.show(lost.to_ps as f64));
    // The unit is shown once if both times have it.
    let from = from.split_once(' ').map_or(&from[..], |(number, _)| number);
    format!("{from}-{to}")
}

/// Shortest makespan in picoseconds; 0 without runs.
pub fn best_ps(comparison: &Comparison) -> u64 {
    comparison.runs.iter().map(|run| run.makespan_ps).min().unwrap_or(0)
}

/// Team size as text, such as `32 threads`; a range if the runs differ.
pub fn team_size(comparison: &Comparison) -> String {
    let sizes = || comparison.runs.iter().map(|run| run.threads);
    match (sizes().min(), sizes().max()) {
        (Some(1), Some(1)) => "1 thread".to_owned(),
        (Some(least), Some(most)) if least == most => format!("{most} threads"),
        (Some(least), Some(most)) => format!("{least} to {most} threads"),
        _ => "no runs".to_owned(),
    }
}

/// Runtime for the title; `None` for the unchanged runtime `plain`.
pub(crate) fn unusual_runtime(runtime: Option<&Input>) -> Option<String> {
    let runtime = runtime.filter(|runtime| runtime.name != "plain" || !runtime.overrides.is_empty())?;
    let changed = if runtime.overrides.is_empty() { "" } else { " changed" };
    Some(format!("runtime {}{changed}", runtime.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;

    #[test]
    fn shares_and_the_busiest_resource() {
        let comparison = fixtures::small();
        // dynamic: 4 threads × 2 s = 8 s, idle 0 + 0 + 0.5 + 0.5 = 1 s, so 12.5 %.
        let summary = Summary::of(&comparison.runs[1], best_ps(&comparison));
        assert_eq!(summary.idle, 0.125);
        // 2 s against 1 s.
        assert_eq!(summary.ratio, 2.0);
        // Of 6.75 GB: local 1 + 0.5 + 0.25 + 0.25, near 4 × 0.5, remote 0.5 + 1 + 0.75 + 0.5.
        let expected =
            Distance { local: 2.0 / 6.75, near: 2.0 / 6.75, remote: 2.75 / 6.75, memory_only: 0.0 };
        assert_eq!(summary.distance, expected);
        // The link moves 4 GB in 2 s, capacity 2.5 GB/s: 80 %. The memory moves 8 GB of 2 s × 10 GB/s: 40 %.
        let busiest = summary.busiest.unwrap();
        assert_eq!(busiest.resource.name, "board 0 to board 1 link");
        assert!((busiest.mean - 0.8).abs() < 1e-12);
    }

    #[test]
    fn columns_that_cannot_exist() {
        let mut comparison = fixtures::small();
        let mut of = |boards, sockets, nodes| {
            comparison.layout = Layout { boards, sockets, nodes };
            Distances::of(&comparison)
        };
        assert_eq!(of(2, 4, 4), Distances { near: Some("same board"), remote: true, memory_only: false });
        assert_eq!(of(1, 4, 4), Distances { near: Some("same board"), remote: false, memory_only: false });
        assert_eq!(of(0, 4, 4), Distances { near: None, remote: true, memory_only: false });
        assert_eq!(of(0, 2, 8), Distances { near: Some("same socket"), remote: true, memory_only: false });
        assert_eq!(of(0, 1, 1), Distances { near: None, remote: false, memory_only: false });
        assert_eq!(of(0, 0, 0), Distances { near: Some("same board"), remote: true, memory_only: false });
    }

    #[test]
    fn nothing_divides_by_zero() {
        let mut run = fixtures::small().runs.remove(0);
        run.makespan_ps = 0;
        run.team.clear();
        let summary = Summary::of(&run, 0);
        assert_eq!((summary.ratio, summary.idle), (1.0, 0.0));
        assert_eq!(summary.busiest.unwrap().mean, 0.0);
    }
}
