//! Ranking: the values of one coordinate compared over all groups of points that are equal in
//! everything else.

use serde::Serialize;

/// Direction in which values are better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// Smaller values are better, as for times.
    #[default]
    Less,
    /// Larger values are better, as for bandwidths.
    More,
}

impl Better {
    /// Compares two values; the better one sorts first.
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

/// A rank table and a win matrix of the values of one coordinate.
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
    /// Number of groups with at least two contestants. A group is the points that differ only in `by`; its
    /// contestants are the values of `by`.
    pub groups: u64,
    /// Number of groups with a single contestant, which are not ranked.
    pub alone: u64,
    /// Number of rows without a value in the column.
    pub without_value: u64,
    /// Machines with separate ranks in [`RankRow::machine_ranks`]; empty for a single machine.
    pub machines: Vec<String>,
    /// One row for each contestant, lowest mean rank first.
    pub rows: Vec<RankRow>,
    /// Fraction of common groups in which the contestant of the row beats that of the column; both in the order of
    /// `rows`. A tie counts half. `None` without a common group, and on the diagonal.
    pub wins: Vec<Vec<Option<f64>>>,
}

/// One contestant (a value of the ranked coordinate) over all its groups.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankRow {
    /// The contestant: a value of the ranked coordinate.
    pub name: String,
    /// Number of groups with this contestant.
    pub groups: u64,
    /// Mean rank over the groups, from 1 for the best. Tied contestants share the mean rank.
    pub mean_rank: f64,
    /// Number of groups in which no contestant is better.
    pub wins: u64,
    /// Geometric mean of the factors by which its values are worse than the best of their groups; `None` if a value
    /// is not above zero.
    pub mean_ratio: Option<f64>,
    /// Largest factor by which a value is worse than the best of its group; `None` if a value is not above zero.
    pub worst_ratio: Option<f64>,
    /// Coordinates of the group in which the value is worst relative to the best.
    pub worst_where: String,
    /// Mean rank on each of the ranked machines; `None` on a machine without the contestant.
    pub machine_ranks: Vec<Option<f64>>,
}
