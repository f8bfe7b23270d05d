//! Summary of a sweep: the fastest policy of each point, and by how much.

use crate::group::{differs, groups, text};
use crate::values::{ColumnValues, Ranged};
use numalab_results::{Cell, Contest, Entrant, Frame, SweepSummary};

/// Summarises the rows of a sweep by makespan and error. `failed`: label and error of each failed point. `ran`:
/// number of points that this command simulated. `known`: number of points whose results the store had before.
pub fn summary(
    sweep: &str,
    frame: &Frame,
    failed: Vec<(String, String)>,
    (ran, known): (u64, u64),
) -> SweepSummary {
    let column = |name| frame.position(name);
    let (makespan, error, policy) = (column("makespan_ps"), column("error"), column("policy"));
    let values = makespan.map(|column| ColumnValues::of(frame, column));
    let has = |row: usize, at: Option<usize>| {
        at.is_some_and(|at| !matches!(frame.rows[row].get(at), None | Some(Cell::Empty)))
    };
    let is_missing = |row: &usize| !has(*row, makespan) && !has(*row, error);
    let entrant = |rows: &[usize]| {
        let makespan = values?.over(frame, rows)?;
        let entrant = Entrant {
            policy: policy.map(|policy| text(frame, rows[0], policy)).unwrap_or_default(),
            replicas: makespan.runs,
            makespan_ps: makespan.median,
            least_ps: makespan.low,
            most_ps: makespan.high,
            tied: false,
        };
        Some((entrant, makespan))
    };
    let contest = |group: crate::group::Group| {
        let mut policies: Vec<(String, Vec<usize>)> = Vec::new();
        for &row in &group.rows {
            let name = policy.map(|policy| text(frame, row, policy)).unwrap_or_default();
            match policies.iter_mut().find(|(other, _)| *other == name) {
                Some((_, rows)) => rows.push(row),
                None => policies.push((name, vec![row])),
            }
        }
        let mut entrants: Vec<(Entrant, Ranged)> =
            policies.iter().filter_map(|(_, rows)| entrant(rows)).collect();
        entrants.sort_by(|a, b| a.0.makespan_ps.total_cmp(&b.0.makespan_ps));
        let fastest = entrants.first().map(|(_, makespan)| *makespan);
        for (entrant, makespan) in entrants.iter_mut().skip(1) {
            entrant.tied = fastest.is_some_and(|fastest| !makespan.is_apart(&fastest));
        }
        Contest { point: group.label, entrants: entrants.into_iter().map(|(entrant, _)| entrant).collect() }
    };
    let workload = column("workload").filter(|at| !differs(frame, *at) && !frame.rows.is_empty());
    let without = ["policy", "seed", "replica", "workload"];
    let without = if workload.is_some() { &without[..] } else { &without[..3] };
    let contests = groups(frame, without).into_iter().map(contest);
    SweepSummary {
        sweep: sweep.to_owned(),
        workload: workload.map(|at| text(frame, 0, at)),
        points: frame.rows.len() as u64,
        ran,
        known,
        missing: (0..frame.rows.len()).filter(is_missing).count() as u64,
        failed,
        contests: contests.filter(|contest| !contest.entrants.is_empty()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_results::{CellKind, Column};

    #[test]
    fn the_fastest_policy_of_each_point_by_the_median_of_its_replicas() {
        let column = |name: &str| Column::new(name, CellKind::Text);
        let columns =
            ["machine", "policy", "threads", "seed", "replica", "makespan_ps", "error"].map(column).to_vec();
        let row = |threads: u64, policy: &str, replica: u64, makespan: Option<u64>, error: Option<&str>| {
            let name = |text: &str| Cell::Text(text.to_owned());
            vec![
                name("m"),
                name(policy),
                Cell::Count(threads),
                Cell::Count(replica),
                Cell::Count(replica),
                makespan.into(),
                error.map(str::to_owned).into(),
            ]
        };
        let rows = vec![
            row(8, "static", 0, Some(30), None),
            row(8, "static", 1, Some(30), None),
            row(8, "dynamic", 0, Some(10), None),
            // The median of 10, 22 and 40 is 22; their spread is (40 - 10) / 22.
            row(8, "dynamic", 1, Some(40), None),
            row(8, "dynamic", 2, Some(22), None),
            row(16, "static", 0, None, Some("no room")),
            row(16, "dynamic", 0, None, None),
        ];
        let summary = summary("s", &Frame { columns, rows }, vec![("x".into(), "no room".into())], (3, 2));
        assert_eq!((summary.points, summary.ran, summary.missing), (7, 3, 1));
        assert_eq!(summary.contests.len(), 1);
        let best = &summary.contests[0].entrants;
        assert_eq!((&*best[0].policy, best[0].makespan_ps, best[0].replicas), ("dynamic", 22.0, 3));
        assert!((best[0].spread() - 30.0 / 22.0).abs() < 1e-12);
        assert_eq!((&*best[1].policy, best[1].spread()), ("static", 0.0));
    }
}
