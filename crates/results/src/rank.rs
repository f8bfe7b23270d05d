//! Ranking: one coordinate's values against each other over all groups of points that are equal in
//! everything else.

use serde::Serialize;

/// Preference among two values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// The smaller one, as of times.
    #[default]
    Less,
    /// The larger one, as of bandwidths.
    More,
}

impl Better {
    /// Order of a value against another: the better one is less.
    pub fn order(self, a: f64, b: f64) -> std::cmp::Ordering {
        match self {
            Better::Less => a.total_cmp(&b),
            Better::More => b.total_cmp(&a),
        }
    }

    /// As it is typed.
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
    /// The column that they are ranked by.
    pub measure: String,
    /// Preferred direction of it.
    pub better: Better,
    /// Groups with two contestants or more.
    pub groups: u64,
    /// Groups with one, which say nothing.
    pub alone: u64,
    /// Rows without a value.
    pub without_value: u64,
    /// Those with ranks of their own in [`RankRow::machine_ranks`]; none where there is one.
    pub machines: Vec<String>,
    /// One for each contestant, the lowest mean rank first.
    pub rows: Vec<RankRow>,
    /// For each contestant, in the same order, and each other: in which part of the groups that have both it is
    /// better. A tie is half of one. Nothing where no group has both, and of itself.
    pub wins: Vec<Vec<Option<f64>>>,
}

/// A contestant over all its groups.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankRow {
    /// Its name.
    pub name: String,
    /// Number of groups that it is in.
    pub groups: u64,
    /// Mean of its ranks, from 1; those who tie share the mean of theirs.
    pub mean_rank: f64,
    /// Groups in which nobody is better.
    pub wins: u64,
    /// Geometric mean of how many times worse than the best of its group it is. Nothing where a value is not above
    /// zero.
    pub mean_ratio: Option<f64>,
    /// The largest of these.
    pub worst_ratio: Option<f64>,
    /// The coordinates of the group with the largest.
    pub worst_where: String,
    /// Its mean rank on each machine.
    pub machine_ranks: Vec<Option<f64>>,
}
