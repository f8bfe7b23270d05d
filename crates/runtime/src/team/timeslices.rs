//! Waiting of threads that share processors.
//!
//! A waiting thread spins, and the other threads of its processor do not run meanwhile. It gives the processor up at
//! the end of its time slice, or when it goes to sleep after the runtime's spin time. So the last of `n` threads of a
//! processor arrives at a barrier later by `n - 1` such times. Sleeping threads have to be woken.

use super::TeamMember;
use crate::profile::BarrierProfile;
use numalab_machine::Os;

/// Times that a team loses at a barrier, in picoseconds. All are 0 if no threads share a processor.
#[derive(Clone, Debug, Default)]
pub(super) struct Timeslices {
    /// Delay of each member's arrival at a barrier in picoseconds, by member; empty if no threads share a processor.
    before: Vec<u64>,
    /// Picoseconds from the release of a sleeping thread to its return to the processor; 0 if no thread sleeps.
    pub back: u64,
}

impl Timeslices {
    pub fn new(barrier: &BarrierProfile, os: &Os, members: &[TeamMember]) -> Timeslices {
        if members.len() < 2 || members.iter().all(|member| member.sharing.1 <= 1) {
            return Timeslices::default();
        }
        let spin = barrier.crowded_spin;
        let before = |member: &TeamMember| {
            let (before, all) = member.sharing;
            let span = spin.min(os.time_slice(all)) + os.context_switch;
            span.0.saturating_mul(before.into())
        };
        let sleeps = members.iter().any(|member| spin < os.time_slice(member.sharing.1));
        let back = if sleeps { (os.context_switch + os.wake_thread).0 } else { 0 };
        Timeslices { before: members.iter().map(before).collect(), back }
    }

    /// Picoseconds by which a member arrives later at a barrier, because other threads use its processor first.
    pub fn before(&self, member: u32) -> u64 {
        self.before.get(member as usize).copied().unwrap_or(0)
    }
}
