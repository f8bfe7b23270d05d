//! Points that a store lacks, and their shards.

use super::Elements;
use crate::Shard;
use std::fmt::Write as _;

/// Missing points of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Indices in the plan, ascending.
    pub places: Vec<usize>,
    /// Number of all points of the plan, missing or not.
    pub points: usize,
}

/// Largest number of points that are listed; further points are only counted.
const NAMED: usize = 20;

impl Missing {
    /// Elements of an array of `of` elements whose shards contain the missing points.
    pub fn owners(&self, of: u32) -> Elements {
        self.places.iter().map(|&place| Shard::owner(place, of)).collect()
    }

    /// Number of missing points, then the names of the first ones, one per line. `of` is the number of shards, which
    /// adds the shard of each point; `None` for an undivided plan.
    pub fn text(&self, of: Option<u32>, name: impl Fn(usize) -> String) -> String {
        let mut text = format!("{} of {} points missing", self.places.len(), self.points);
        if let Some(of) = of {
            let owners = self.owners(of);
            let shards = if owners.len() == 1 { "shard" } else { "shards" };
            let _ = write!(text, "; {shards} {owners} of {of}");
        }
        text.push('\n');
        for &place in self.places.iter().take(NAMED) {
            match of {
                Some(of) => writeln!(text, "  shard {}/{of}: {}", Shard::owner(place, of), name(place)),
                None => writeln!(text, "  {}", name(place)),
            }
            .unwrap_or_default();
        }
        if let Some(more @ 1..) = self.places.len().checked_sub(NAMED) {
            let _ = writeln!(text, "  and {more} more");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_are_named_and_the_others_counted() {
        let missing = Missing { places: vec![2, 10, 7], points: 12 };
        // Points 2 and 10 of four shards belong to shard 3, point 7 to shard 4.
        assert_eq!(missing.owners(4).to_string(), "3-4");
        let text = missing.text(Some(4), |place| format!("point {place}"));
        assert_eq!(
            text,
            "3 of 12 points missing; shards 3-4 of 4\n  shard 3/4: point 2\n  shard 3/4: point 10\n  \
             shard 4/4: point 7\n"
        );
        let many = |count| Missing { places: (0..count).collect(), points: 30 }.text(None, |_| "p".into());
        assert_eq!(many(20).lines().count(), 21);
        assert_eq!(many(21).lines().last(), Some("  and 1 more"));
        assert_eq!(many(1), "1 of 30 points missing\n  p\n");
    }
}
