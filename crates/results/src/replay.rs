//! Worth of the replay of a recorded program: how well the computer that recorded it is met, and what nobody knows.

use serde::{Deserialize, Serialize};

/// Statements that stand above every answer about a recorded program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Replay {
    /// The recording replayed on the computer that recorded it, where a machine file of that was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_against: Option<HeldAgainst>,
    /// Facts that the replay does not know, in sentences; what makes it doubtful begins with `unproven`.
    pub notes: Vec<String>,
}

/// A replay on the computer that recorded, beside what was recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldAgainst {
    /// Name of the machine.
    pub machine: String,
    /// One thread.
    pub alone: Met,
    /// The team that ran freely in its regions, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<MetTeam>,
}

/// A team that ran freely.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MetTeam {
    /// Its size.
    pub threads: u32,
    /// Its time.
    pub met: Met,
    /// Times that other work took a processor away from it, in the run that counts; absent where nobody counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_away: Option<u64>,
}

/// A recorded time beside what a simulation says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Met {
    /// The lesser simulated time of the two ends of what the replay does not know.
    pub least_ps: u64,
    /// The greater one.
    pub most_ps: u64,
    /// The recorded time.
    pub recorded_ps: u64,
    /// Part by which the nearer end misses the recorded time; 0 between them.
    pub missed_by: f64,
    /// Part by which it may be missed.
    pub allowed: f64,
    /// Whether it is met.
    pub holds: bool,
}

impl Met {
    /// Compares two simulated times, the lesser first, with a recorded one.
    pub fn new((least_ps, most_ps): (u64, u64), recorded_ps: u64, allowed: f64) -> Met {
        let nearer = recorded_ps.clamp(least_ps, most_ps);
        let missed_by = (nearer as f64 - recorded_ps as f64) / recorded_ps.max(1) as f64;
        Met { least_ps, most_ps, recorded_ps, missed_by, allowed, holds: missed_by.abs() <= allowed }
    }
}

impl HeldAgainst {
    /// Whether everything is met that was recorded.
    pub fn holds(&self) -> bool {
        self.alone.holds && self.team.as_ref().is_none_or(|team| team.met.holds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Between 90 and 120 nothing is missed; 80 and 150 are, by 10 of 80 and 30 of 150.
    #[test]
    fn distance_is_from_nearer_extreme() {
        let met = |recorded_ps| Met::new((90, 120), recorded_ps, 0.15);
        assert_eq!(met(100).missed_by, 0.0);
        assert_eq!(met(80).missed_by, 0.125);
        assert_eq!(met(150).missed_by, -0.2);
        assert!(met(80).holds && !met(150).holds);
    }
}
