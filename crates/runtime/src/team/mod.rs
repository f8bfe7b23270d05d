//! Regions of one team: fork, dock, join, barriers and reductions as programs, one for each thread.
//!
//! The master starts [`TeamSync::start_fork`], every other member [`TeamSync::start_dock`] (the dock is where a
//! member waits for a region). A thread begins its part of the region when its program ends. Inside the region the
//! threads meet at [`TeamSync::start_barrier`]. At the end of the region each thread starts [`TeamSync::start_join`]
//! (or [`TeamSync::start_reduction`]); the region is over when the master's program ends. A member goes to its dock
//! when its own program ends, possibly after the master's.
//!
//! Everything that a team shares lies on the master's node.

mod inner;
mod member;
mod polled;
mod programs;
mod reduction;
mod timeslices;

pub use inner::Pool;
pub use member::TeamMember;
pub use polled::Polled;

use crate::code::CodeId;
use crate::exec::Exec;
use crate::profile::Profile;
use numalab_base::{Snapshot, ThreadId, Time};
use numalab_coherence::AgentId;
use numalab_machine::Os;
use programs::Programs;
use std::sync::Arc;

/// Programs by which the threads of a team synchronise.
#[derive(Clone, Debug)]
pub struct TeamSync {
    free: bool,
    programs: Arc<Programs>,
    threads: Vec<MemberPrograms>,
}

/// Programs of one thread, each written on first use, and numbers of its entries (`entered`), ends (`left`) and
/// barriers (`met`) so far.
#[derive(Clone, Debug)]
struct MemberPrograms {
    agent: AgentId,
    /// Fork for thread 0, dock for the others.
    enter: Option<CodeId>,
    join: Option<CodeId>,
    reduction: Option<CodeId>,
    barrier: Option<CodeId>,
    entered: u64,
    left: u64,
    met: u64,
}

impl TeamSync {
    /// Programs of a team of at least one member, the first of which is the master.
    pub fn new(profile: &Profile, exec: &mut Exec<'_>, members: &[TeamMember]) -> TeamSync {
        TeamSync::inner(profile, &Os::default(), exec, members, None)
    }

    /// As `new`, for an inner team whose threads leave the team between its regions.
    pub fn inner(
        profile: &Profile,
        os: &Os,
        exec: &mut Exec<'_>,
        members: &[TeamMember],
        pool: Option<&Pool>,
    ) -> TeamSync {
        let programs = Arc::new(Programs::new(profile, os, exec, members, pool));
        let thread = |member: &TeamMember| MemberPrograms {
            agent: member.agent,
            enter: None,
            join: None,
            reduction: None,
            barrier: None,
            entered: 0,
            left: 0,
            met: 0,
        };
        TeamSync { free: profile.is_free(), programs, threads: members.iter().map(thread).collect() }
    }

    /// Adds the numbers of regions and barriers of each member to a snapshot.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let TeamSync { free: _, programs: _, threads } = self;
        for thread in threads {
            let MemberPrograms { agent: _, enter: _, join: _, reduction: _, barrier: _, entered, left, met } =
                thread;
            [*entered, *left, *met].into_iter().for_each(|count| into.counter(count));
        }
    }

    /// True if the runtime costs nothing: all programs end immediately, and the caller has to synchronise the
    /// threads.
    pub fn is_free(&self) -> bool {
        self.free
    }

    /// Starts the program by which the master opens a region.
    pub fn start_fork(&mut self, exec: &mut Exec<'_>, now: Time) {
        self.enter(exec, now, ThreadId::new(0));
    }

    /// Starts the program by which another member waits for a region to open.
    pub fn start_dock(&mut self, exec: &mut Exec<'_>, now: Time, thread: ThreadId) {
        debug_assert!(thread.number() > 0, "the master forks");
        self.enter(exec, now, thread);
    }

    fn enter(&mut self, exec: &mut Exec<'_>, now: Time, thread: ThreadId) {
        let (programs, member) = self.member(thread);
        let waited = thread.number() > 0 && member.entered > 0;
        member.entered += 1;
        let code = *member.enter.get_or_insert_with(|| exec.add_code(programs.enter(thread.number())));
        if waited {
            exec.waits_already(member.agent);
        }
        exec.start(now, member.agent, code, &[member.entered, 0]);
    }

    /// Starts the program by which a thread arrives at the end of the region.
    pub fn start_join(&mut self, exec: &mut Exec<'_>, now: Time, thread: ThreadId) {
        let (programs, member) = self.member(thread);
        member.left += 1;
        let code = *member.join.get_or_insert_with(|| exec.add_code(programs.join(thread.number())));
        exec.start(now, member.agent, code, &[member.left, 0]);
    }

    /// As `start_join` with a value, by all threads of a region or by none. The result of the master's program is the
    /// sum of all values.
    pub fn start_reduction(&mut self, exec: &mut Exec<'_>, now: Time, thread: ThreadId, value: u64) {
        Programs::add_values(&mut self.programs, exec);
        let (programs, member) = self.member(thread);
        member.left += 1;
        let code =
            *member.reduction.get_or_insert_with(|| exec.add_code(programs.reduction(thread.number())));
        exec.start(now, member.agent, code, &[member.left, value]);
    }

    /// Starts the program by which a thread meets the other threads inside the region.
    pub fn start_barrier(&mut self, exec: &mut Exec<'_>, now: Time, thread: ThreadId) {
        Programs::add_barrier(&mut self.programs, exec);
        let (programs, member) = self.member(thread);
        member.met += 1;
        let code = *member.barrier.get_or_insert_with(|| exec.add_code(programs.barrier(thread.number())));
        exec.start(now, member.agent, code, &[member.met, 0]);
    }

    fn member(&mut self, thread: ThreadId) -> (&Programs, &mut MemberPrograms) {
        (&self.programs, &mut self.threads[thread.index()])
    }
}
