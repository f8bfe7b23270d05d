//! Accuracy of the replay of a recorded program: how well times on the recording computer are
//! reproduced, and what is unknown.

use serde::{Deserialize, Serialize};

/// Statements about a replay, printed above its results.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Replay {
    /// Replay on the computer that recorded the program; `None` unless its machine file was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_against: Option<HeldAgainst>,
    /// Facts that the replay does not know, as sentences. Those that make it doubtful begin with
    /// `unproven`.
    pub notes: Vec<String>,
}

/// A replay on the recording computer, compared with the recorded times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldAgainst {
    /// Name of the machine.
    pub machine: String,
    /// Comparison for one thread.
    pub alone: Met,
    /// Comparison for the team that ran without the token, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<MetTeam>,
}

/// A team that ran without the token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MetTeam {
    /// Number of threads.
    pub threads: u32,
    /// Comparison of its time.
    pub met: Met,
    /// Involuntary context switches of the team in the run that counts; `None` if not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_away: Option<u64>,
}

/// A recorded time compared with simulated ones.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Met {
    /// Smaller simulated time of the two extremes of what the replay does not know.
    pub least_ps: u64,
    /// Larger simulated time.
    pub most_ps: u64,
    /// Recorded time.
    pub recorded_ps: u64,
    /// Relative distance of the recorded time from the nearer extreme; 0 between them.
    pub missed_by: f64,
    /// Allowed relative distance.
    pub allowed: f64,
    /// True if the distance is allowed.
    pub holds: bool,
}

impl Met {
    /// Compares two simulated times, the smaller first, with a recorded one.
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
