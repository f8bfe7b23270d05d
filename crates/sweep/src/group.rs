//! Groups of rows that differ only in some coordinates: policies on one point, replicas of one run.

use numalab_results::{Cell, Frame, Role};
use std::collections::BTreeMap;

/// Coordinates that differ between replicas of a point.
pub const REPLICAS: [&str; 2] = ["seed", "replica"];

/// Coordinates that are part of every label, even if all rows have the same value.
const ALWAYS: [&str; 4] = ["machine", "workload", "policy", "threads"];

/// Rows that agree in all coordinates except given ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Label of the coordinates that the rows share, such as `bcs16 · loadbal · 128 threads`.
    pub label: String,
    /// Row indices, in the order of the frame.
    pub rows: Vec<usize>,
}

/// Groups of rows that agree in all coordinates but `without`, in order of first occurrence.
pub fn groups(frame: &Frame, without: &[&str]) -> Vec<Group> {
    groups_of(frame, without, &(0..frame.rows.len()).collect::<Vec<_>>())
}

/// Groups like [`groups`], but only of `rows`. Labels distinguish rows of the whole frame.
pub fn groups_of(frame: &Frame, without: &[&str], rows: &[usize]) -> Vec<Group> {
    let labels = Labels::of(frame, without);
    let key = Key::all(frame, without);
    let mut numbers = BTreeMap::new();
    let mut groups: Vec<Group> = Vec::new();
    for &row in rows {
        let at = *numbers.entry(key.of(frame, row)).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.rows.push(row),
            None => groups.push(Group { label: labels.of_row(frame, row), rows: vec![row] }),
        }
    }
    groups
}

/// Coordinates by which rows are matched, also between frames.
#[derive(Clone, Debug)]
pub(crate) struct Key(Vec<usize>);

impl Key {
    /// Key of all coordinates except `without`.
    pub fn all(frame: &Frame, without: &[&str]) -> Key {
        Key(coordinates(frame, without).collect())
    }

    pub fn named(frame: &Frame, names: &[&str]) -> Key {
        Key(names.iter().filter_map(|name| frame.position(name)).collect())
    }

    /// Texts of a row's cells at the coordinates of the key. A number has the same text in columns of any type.
    pub fn of(&self, frame: &Frame, row: usize) -> Vec<String> {
        self.0.iter().map(|&column| text(frame, row, column)).collect()
    }
}

/// Columns whose values make up the label of a row.
#[derive(Clone, Debug)]
pub(crate) struct Labels(Vec<usize>);

impl Labels {
    /// Machine, workload, policy, threads, and every other coordinate that differs between rows; none of `without`.
    pub fn of(frame: &Frame, without: &[&str]) -> Labels {
        let is_shown =
            |&column: &usize| ALWAYS.contains(&&*frame.columns[column].name) || differs(frame, column);
        Labels(coordinates(frame, without).filter(is_shown).collect())
    }

    pub fn of_row(&self, frame: &Frame, row: usize) -> String {
        let part = |&column: &usize| {
            let value = text(frame, row, column);
            match &*frame.columns[column].name {
                _ if value.is_empty() => None,
                "machine" | "workload" | "policy" => Some(value),
                "threads" if value == "1" => Some("1 thread".to_owned()),
                "threads" => Some(format!("{value} threads")),
                name => Some(format!("{name}={value}")),
            }
        };
        self.0.iter().filter_map(part).collect::<Vec<_>>().join(" · ")
    }
}

/// True if the column has more than one value.
pub(crate) fn differs(frame: &Frame, column: usize) -> bool {
    let mut values = frame.rows.iter().map(|row| row.get(column));
    values.next().is_some_and(|first| values.any(|other| other != first))
}

/// True if the column has no values.
pub(crate) fn is_empty(frame: &Frame, column: usize) -> bool {
    frame.rows.iter().all(|row| matches!(row.get(column), None | Some(Cell::Empty)))
}

/// Columns that identify points, except those named `without`.
pub(crate) fn coordinates(frame: &Frame, without: &[&str]) -> impl Iterator<Item = usize> {
    let columns = frame.columns.iter().enumerate();
    columns
        .filter(|(_, column)| column.role() == Role::Coordinate && !without.contains(&&*column.name))
        .map(|(at, _)| at)
}

/// A cell as text; an empty text if the cell has no value.
pub(crate) fn text(frame: &Frame, row: usize, column: usize) -> String {
    frame.rows[row].get(column).map(Cell::text).unwrap_or_default()
}

pub(crate) fn number(frame: &Frame, row: usize, column: usize) -> Option<f64> {
    frame.rows[row].get(column).and_then(Cell::number)
}

/// Median: the middle value, or the mean of the two middle values; `None` if `values` is empty.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    match sorted.len().is_multiple_of(2) {
        true => Some(sorted[middle - 1] + (upper - sorted[middle - 1]) / 2.0),
        false => Some(upper),
    }
}

/// Smallest and largest value; `None` if `values` is empty.
pub fn spread(values: &[f64]) -> Option<(f64, f64)> {
    let least = values.iter().copied().min_by(f64::total_cmp)?;
    let most = values.iter().copied().max_by(f64::total_cmp)?;
    Some((least, most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_results::{CellKind, Column};

    fn frame() -> Frame {
        let column = |name| Column::new(name, CellKind::Text);
        let names =
            ["machine", "workload", "policy", "threads", "placement", "seed", "machine.memory.bandwidth"];
        let row = |policy: &str, threads: u64, seed: u64, bandwidth: &str| {
            vec![
                Cell::Text("bcs16".to_owned()),
                Cell::Text("loadbal".to_owned()),
                Cell::Text(policy.to_owned()),
                Cell::Count(threads),
                Cell::Empty,
                Cell::Count(seed),
                Cell::Text(bandwidth.to_owned()),
            ]
        };
        let rows = vec![
            row("static", 1, 1, "18 GB/s"),
            row("dynamic", 1, 1, "18 GB/s"),
            row("static", 8, 1, "24 GB/s"),
            row("static", 1, 2, "18 GB/s"),
        ];
        Frame { columns: names.map(column).to_vec(), rows }
    }

    #[test]
    fn groups_are_in_order_with_differing_coordinates() {
        let found = groups(&frame(), &["policy", "seed"]);
        let label = |text: &str| text.to_owned();
        assert_eq!(
            found,
            [
                Group {
                    label: label("bcs16 · loadbal · 1 thread · machine.memory.bandwidth=18 GB/s"),
                    rows: vec![0, 1, 3]
                },
                Group {
                    label: label("bcs16 · loadbal · 8 threads · machine.memory.bandwidth=24 GB/s"),
                    rows: vec![2]
                },
            ]
        );
        let policies = groups_of(&frame(), &REPLICAS, &[1, 3]);
        assert_eq!(policies.len(), 2);
        assert_eq!(
            policies[1].label,
            "bcs16 · loadbal · static · 1 thread · machine.memory.bandwidth=18 GB/s"
        );
    }

    #[test]
    fn short_rows_and_no_rows_are_accepted() {
        let mut frame = frame();
        frame.rows[0].truncate(2);
        assert_eq!(groups(&frame, &["policy"]).len(), 4);
        frame.rows.clear();
        assert_eq!(groups(&frame, &[]), []);
    }

    #[test]
    fn median_of_values() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[5.0, 1.0, 2.0]), Some(2.0));
        // Halfway between 2 and 5.
        assert_eq!(median(&[9.0, 5.0, 1.0, 2.0]), Some(3.5));
        assert_eq!(spread(&[5.0, 1.0, 2.0]), Some((1.0, 5.0)));
        assert_eq!(spread(&[]), None);
    }
}
