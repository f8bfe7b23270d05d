//! Times summed over a team, which may exceed 64 bits of picoseconds: thousands of threads can wait for hours.

use crate::Cell;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Sum of picoseconds over a team. Serialised as an integer if it fits 64 bits, otherwise as a decimal number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TeamTime(pub u128);

impl TeamTime {
    /// Rounded value, for ratios and fractions.
    pub fn as_f64(self) -> f64 {
        self.0 as f64
    }
}

impl From<u64> for TeamTime {
    fn from(ps: u64) -> TeamTime {
        TeamTime(ps.into())
    }
}

impl std::iter::Sum<u64> for TeamTime {
    fn sum<I: Iterator<Item = u64>>(times: I) -> TeamTime {
        TeamTime(times.map(u128::from).sum())
    }
}

impl From<TeamTime> for Cell {
    /// Cell of a table; empty if the sum exceeds 64 bits, which a column cannot hold.
    fn from(TeamTime(ps): TeamTime) -> Cell {
        u64::try_from(ps).map_or(Cell::Empty, Cell::Count)
    }
}

impl Serialize for TeamTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(ps) => serializer.serialize_u64(ps),
            Err(_) => serializer.serialize_f64(self.0 as f64),
        }
    }
}

impl<'de> Deserialize<'de> for TeamTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TeamTime, D::Error> {
        struct Number;
        impl Visitor<'_> for Number {
            type Value = TeamTime;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a time in picoseconds")
            }

            fn visit_u64<E: Error>(self, ps: u64) -> Result<TeamTime, E> {
                Ok(ps.into())
            }

            fn visit_f64<E: Error>(self, ps: f64) -> Result<TeamTime, E> {
                match ps.is_finite() && ps >= 0.0 {
                    true => Ok(TeamTime(ps as u128)),
                    false => Err(E::custom("a time is a number that is not negative")),
                }
            }
        }
        deserializer.deserialize_any(Number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_beyond_64_bits_are_exact() {
        // Two threads for 213 days (2^64 ps) each.
        let sum: TeamTime = [u64::MAX, u64::MAX].into_iter().sum();
        assert_eq!(sum.0, 2 * u128::from(u64::MAX));
        assert_eq!(Cell::from(sum), Cell::Empty);
        assert_eq!(Cell::from(TeamTime::from(u64::MAX)), Cell::Count(u64::MAX));
        let back = |time: TeamTime| {
            serde_json::from_str::<TeamTime>(&serde_json::to_string(&time).unwrap()).unwrap()
        };
        assert_eq!(back(TeamTime(12)), TeamTime(12));
        assert_eq!(back(TeamTime::from(u64::MAX)), TeamTime::from(u64::MAX));
        // 2^65, the sum as the nearest double.
        assert_eq!(back(sum), TeamTime(1 << 65));
        assert!(
            serde_json::from_str::<TeamTime>("-1").is_err()
                && serde_json::from_str::<TeamTime>("\"1\"").is_err()
        );
    }
}
