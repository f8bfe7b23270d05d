//! A recording to a workload on another machine.
//!
//! `recording` reads and writes the whole file, `work` finds classes of work in the events of its threads: the loops and
//! tasks of the program and their order. `recorded` makes a workload of them, for a machine and a team.

mod recorded;
mod recording;
pub mod work;

pub use recorded::{
    CORE_RATIOS, Footprints, FreeTeam, Recorded, Replayed, has_costs, is_recording, recorded_workload,
    recording, recording_with_hash, refused, replayable, simulated_recording, simulated_team, watched,
};
pub use recording::{Gap, Recording};
