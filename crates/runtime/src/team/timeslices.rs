//! Waiting where threads share processors.
//!
//! A thread that waits spins, and those that share its processor do not run meanwhile: it gives way when its time
//! slice is over, or when it goes to sleep after the time that the runtime lets it spin. So the last of `n` threads
//! comes to a meeting `n - 1` such times later than it could. Who sleeps has to be woken.

use super::TeamMember;
use crate::profile::BarrierProfile;
use numalab_machine::Os;

/// Times that a team loses at a meeting, in picoseconds. All are 0 where nobody shares a processor.
#[derive(Clone, Debug, Default)]
pub(super) struct Timeslices {
    /// Before each member comes; empty where nobody shares.
    before: Vec<u64>,
    /// For who slept, until it goes on.
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

    /// Time by which a member comes later, because others have its processor first.
    pub fn before(&self, member: u32) -> u64 {
        self.before.get(member as usize).copied().unwrap_or(0)
    }
}
