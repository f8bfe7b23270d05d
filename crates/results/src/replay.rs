//! Accuracy of the replay of a recorded program: how well times on the recording computer are
//! reproduced, and what is unknown.

use serde::{Deserialize, Serialize};

/// Statements about a replay, printed above its results.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Replay {
    /// Replay on the computer that recorded the program; `None` unless its machine file was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_against: Option<HeldAgainst>,
    /// Sentences about facts that the recording leaves open. Those that put the results in doubt begin with
    /// `unproven`.
    pub notes: Vec<String>,
}

/// A replay on the recording computer, compared with the recorded times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldAgainst {
    /// Name of the machine file of the recording computer.
    pub machine: String,
    /// Comparison for one thread.
    pub alone: Met,
    /// Comparison for the team that ran concurrently, not one thread at a time; `None` without such a recording.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<MetTeam>,
}

/// Comparison for a recorded team whose threads ran concurrently.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MetTeam {
    /// Size of the OpenMP team.
    pub threads: u32,
    /// Comparison of the team's time.
    pub met: Met,
    /// Involuntary context switches of the team in the run whose time counts; `None` if not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_away: Option<u64>,
}

/// A recorded time compared with simulated ones.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Met {
    /// Smaller of the two times simulated under opposite assumptions about what the recording leaves open.
    pub least_ps: u64,
    /// Larger of the two simulated times.
    pub most_ps: u64,
    /// Time measured when the program was recorded.
    pub recorded_ps: u64,
    /// Relative distance of the recorded time from the nearer simulated time; 0 if it is between the two.
    pub missed_by: f64,
    /// Largest relative distance that passes.
    pub allowed: f64,
    /// True if `missed_by` is at most `allowed`.
    pub holds: bool,
}

impl Met {
    /// Compares two simulated times, the smaller first, with a recorded time.
    pub fn new((least_ps, most_ps): (u64, u64), recorded_ps: u64, allowed: f64) -> Met {
        let nearer = recorded_ps.clamp(least_ps, most_ps);
        let missed_by = (nearer as f64 - recorded_ps as f64) / recorded_ps.max(1) as f64;
        Met { least_ps, most_ps, recorded_ps, missed_by, allowed, holds: missed_by.abs() <= allowed }
    }
}

impl HeldAgainst {
    /// True if all recorded times are reproduced.
    pub fn holds(&self) -> bool {
        self.alone.holds && self.team.as_ref().is_none_or(|team| team.met.holds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Between 90 and 120 the distance is 0; for 80 and 150 it is 10 of 80 and 30 of 150.
    #[test]
    fn distance_is_from_nearer_extreme() {
        let met = |recorded_ps| Met::new((90, 120), recorded_ps, 0.15);
        assert_eq!(met(100).missed_by, 0.0);
        assert_eq!(met(80).missed_by, 0.125);
        assert_eq!(met(150).missed_by, -0.2);
        assert!(met(80).holds && !met(150).holds);
    }
}
