//! Ranks of policies, or of values of another coordinate, over all points.

use crate::group::{Group, REPLICAS, groups, number};
use crate::values::{ColumnValues, Ranged};
use crate::view::{ViewError, coordinate, distinct, measure, named};
use numalab_results::{Better, Frame, RankRow, RankTable, SCHEMA_VERSION};

/// Coordinate to rank, and the column to rank it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking<'a> {
    /// Coordinate whose values are ranked.
    pub by: &'a str,
    /// Column whose values decide the ranks.
    pub measure: &'a str,
    /// Direction in which values improve.
    pub better: Better,
}

/// A group of rows that differ only in the ranked coordinate (and the replica).
struct Contest {
    label: String,
    machine: Option<usize>,
    /// Contestants (values of the ranked coordinate, by index), with their replicas, the best median first.
    order: Vec<(usize, Ranged)>,
    /// Rank of each contestant in `order`, from 1.
    ranks: Vec<f64>,
}

/// Ranks within each group of points that agree in all other coordinates, and their means.
pub fn rank(frame: &Frame, ranking: &Ranking<'_>) -> Result<RankTable, ViewError> {
    let (by, of) = (coordinate(frame, ranking.by)?, measure(frame, ranking.measure)?);
    let name = &*frame.columns[by].name;
    let names = distinct(frame, by);
    let machines = match frame.position("machine") {
        Some(at) if at != by => (at, distinct(frame, at)),
        _ => (by, Vec::new()),
    };
    let values = ColumnValues::of(frame, of);
    let contest = |group: Group| {
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); names.len()];
        for &row in &group.rows {
            if let Some(at) = names.iter().position(|other| *other == named(frame, row, by)) {
                rows[at].push(row);
            }
        }
        let mut order: Vec<(usize, Ranged)> =
            rows.iter().enumerate().filter_map(|(at, rows)| Some((at, values.over(frame, rows)?))).collect();
        order.sort_by(|a, b| ranking.better.order(a.1.median, b.1.median));
        let machine = group
            .rows
            .first()
            .and_then(|row| machines.1.iter().position(|other| *other == named(frame, *row, machines.0)));
        Contest { label: group.label, machine, ranks: ranks(&order, ranking.better), order }
    };
    let without: Vec<&str> = REPLICAS.into_iter().chain([name]).collect();
    let all: Vec<Contest> = groups(frame, &without).into_iter().map(contest).collect();
    let contests: Vec<&Contest> = all.iter().filter(|contest| contest.order.len() > 1).collect();
    if contests.is_empty() {
        return Err(no_competition(name, &names));
    }
    let several = if machines.1.len() > 1 { machines.1 } else { Vec::new() };
    let mut rows: Vec<(usize, RankRow)> = names
        .iter()
        .enumerate()
        .filter_map(|(at, name)| Some((at, row(at, name, &contests, several.len(), ranking.better)?)))
        .collect();
    rows.sort_by(|a, b| a.1.mean_rank.total_cmp(&b.1.mean_rank));
    let wins = rows.iter().map(|a| rows.iter().map(|b| beats(a.0, b.0, &contests)).collect()).collect();
    Ok(RankTable {
        schema_version: SCHEMA_VERSION,
        by: name.to_owned(),
        measure: frame.columns[of].name.clone(),
        better: ranking.better,
        groups: contests.len() as u64,
        alone: all.iter().filter(|contest| contest.order.len() == 1).count() as u64,
        without_value: (0..frame.rows.len()).filter(|row| number(frame, *row, of).is_none()).count() as u64,
        machines: several,
        rows: rows.into_iter().map(|(_, row)| row).collect(),
        wins,
    })
}

fn no_competition(name: &str, names: &[String]) -> ViewError {
    let coordinate = name.to_owned();
    match names {
        [only] => ViewError::Alone { coordinate, value: only.clone() },
        _ => ViewError::NoContest { coordinate },
    }
}

/// Ranks from 1: each better contestant adds 1, and each that cannot be told apart 1/2.
fn ranks(order: &[(usize, Ranged)], better: Better) -> Vec<f64> {
    let before =
        |own: &Ranged, other: &Ranged| match (other.is_apart(own), better.order(other.median, own.median)) {
            (false, _) => 0.5,
            (true, order) if order.is_lt() => 1.0,
            (true, _) => 0.0,
        };
    let rank = |own: &Ranged| 0.5 + order.iter().map(|(_, other)| before(own, other)).sum::<f64>();
    order.iter().map(|(_, own)| rank(own)).collect()
}

impl Contest {
    /// Rank and value of a contestant; `None` if it has no value in the contest.
    fn of(&self, contestant: usize) -> Option<(f64, Ranged)> {
        let at = self.order.iter().position(|(other, _)| *other == contestant)?;
        Some((self.ranks[at], self.order[at].1))
    }

    /// Factor by which a value is worse than the contest's best value. `None` if the values differ and one of them is
    /// not above zero.
    fn ratio(&self, value: f64, better: Better) -> Option<f64> {
        let best = self.order.first()?.1.median;
        match better {
            _ if value == best => Some(1.0),
            _ if value <= 0.0 || best <= 0.0 => None,
            Better::Less => Some(value / best),
            Better::More => Some(best / value),
        }
    }
}

fn row(at: usize, name: &str, contests: &[&Contest], machines: usize, better: Better) -> Option<RankRow> {
    let mine: Vec<(&Contest, f64, Ranged)> = contests
        .iter()
        .filter_map(|contest| contest.of(at).map(|(rank, value)| (*contest, rank, value)))
        .collect();
    let mean = |ranks: &[f64]| ranks.iter().sum::<f64>() / ranks.len() as f64;
    let ranks: Vec<f64> = mine.iter().map(|(_, rank, _)| *rank).collect();
    if ranks.is_empty() {
        return None;
    }
    let ratios: Option<Vec<f64>> =
        mine.iter().map(|(contest, _, value)| contest.ratio(value.median, better)).collect();
    let mut worst: Option<(f64, &str)> = None;
    for (ratio, (contest, _, _)) in ratios.iter().flatten().zip(&mine) {
        if worst.is_none_or(|(most, _)| *ratio > most) {
            worst = Some((*ratio, &contest.label));
        }
    }
    let on = |machine: usize| {
        let ranks: Vec<f64> = mine
            .iter()
            .filter(|(contest, ..)| contest.machine == Some(machine))
            .map(|(_, rank, _)| *rank)
            .collect();
        (!ranks.is_empty()).then(|| mean(&ranks))
    };
    Some(RankRow {
        name: name.to_owned(),
        groups: mine.len() as u64,
        mean_rank: mean(&ranks),
        wins: mine.iter().filter(|(contest, _, value)| !contest.order[0].1.is_apart(value)).count() as u64,
        mean_ratio: ratios
            .map(|ratios| (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()),
        worst_ratio: worst.map(|(ratio, _)| ratio),
        worst_where: worst.map(|(_, label)| label.to_owned()).unwrap_or_default(),
        machine_ranks: (0..machines).map(on).collect(),
    })
}

/// Fraction of the contests with both contestants in which `a` is better than `b`; those that cannot be told apart count
/// half. `None` without such contests.
fn beats(a: usize, b: usize, contests: &[&Contest]) -> Option<f64> {
    let duels = contests.iter().filter_map(|contest| Some((contest.of(a)?, contest.of(b)?)));
    let points: Vec<f64> = duels
        .filter(|_| a != b)
        .map(|(a, b)| match a.1.is_apart(&b.1) {
            false => 0.5,
            true => f64::from(u8::from(a.0 < b.0)),
        })
        .collect();
    (!points.is_empty()).then(|| points.iter().sum::<f64>() / points.len() as f64)
}

#[cfg(test)]
mod tests;
