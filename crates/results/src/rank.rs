//! Ranking: the values of one coordinate compared over all groups of points that are equal in
//! everything else.

use serde::Serialize;

/// Preferred direction of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// Smaller values are better, as of times.
    #[default]
    Less,
    /// Larger values are better, as of bandwidths.
    More,
}

impl Better {
    /// Compares two values; the better one is less.
    pub fn order(self, a: f64, b: f64) -> std::cmp::Ordering {
        match self {
            Better::Less => a.total_cmp(&b),
            Better::More => b.total_cmp(&a),
        }
    }

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Better::Less => "less",
            Better::More => "more",
        }
    }
}

/// A rank table and a win matrix.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankTable {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The coordinate whose values are ranked.
    pub by: String,
    /// The column by which they are ranked.
    pub measure: String,
    /// Preferred direction of that column.
    pub better: Better,
    /// Number of groups with at least two contestants.
    pub groups: u64,
    /// Number of groups with one contestant, which are not ranked.
    pub alone: u64,
    /// Number of rows without a value.
    pub without_value: u64,
    /// Machines with separate ranks in [`RankRow::machine_ranks`]; empty for a single machine.
    pub machines: Vec<String>,
    /// One row for each contestant, lowest mean rank first.
    pub rows: Vec<RankRow>,
    /// For each pair of contestants, in the same order: fraction of their common groups in which the
    /// first is better. A tie counts half. `None` without a common group, and on the diagonal.
    pub wins: Vec<Vec<Option<f64>>>,
}

/// A contestant over all its groups.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankRow {
    /// Name of the contestant.
    pub name: String,
    /// Number of its groups.
    pub groups: u64,
    /// Mean of its ranks, from 1. Tied contestants share the mean rank.
    pub mean_rank: f64,
    /// Number of groups in which no contestant is better.
    pub wins: u64,
    /// Geometric mean of its ratio to the best of its group. `None` if a value is not above zero.
    pub mean_ratio: Option<f64>,
    /// The largest of these ratios.
    pub worst_ratio: Option<f64>,
    /// Coordinates of the group with the largest ratio.
    pub worst_where: String,
    /// Its mean rank on each machine.
    pub machine_ranks: Vec<Option<f64>>,
}
