//! Segment of a run: one execution of a phase, until thread 0 leaves its final barrier. The world outlives it; only
//! state of the phase itself begins and ends here.

// Glossary: event: A change of the simulated state at an instant.

use crate::account::books::Books;
use crate::engine::script::Script;
use crate::engine::setup::Setup;
use crate::engine::station::Station;
use crate::engine::team::Team;
use crate::engine::team_state::TeamState;
use crate::engine::worker::Told;
use crate::engine::worker::{Doing, Worker};
use crate::engine::world::World;
use crate::error::Progress;
use crate::plan::{KernelLock, Planner};
use crate::work_source::{AnyWorkSource, WakeReason};
use numalab_base::{Span, Time};
use numalab_counts::TaskCounts;
use numalab_workload::{Phase, Schedule};
use std::borrow::Cow;

/// Result of a segment. Bytes over resources stay in the world's network until the next segment begins.
pub(crate) struct SegmentOutcome {
    pub took: Span,
    pub events: u64,
    /// Lines moved for synchronisation.
    pub transactions: u64,
    /// Counts of its tasks.
    pub tasks: Option<TaskCounts>,
}

// Glossary: segment: Part of a run that is one execution of a phase, on the clock of the whole run.
/// One execution of a phase, with everything it needs.
pub(crate) struct Segment<'a, 'w, O> {
    pub setup: &'a Setup<'a>,
    /// Threads of the phase. Unbound ones can be moved meanwhile.
    pub team: Cow<'w, Team>,
    /// True if the team is not the run's.
    pub has_own_team: bool,
    pub phase: &'a Phase,
    pub schedule: Schedule,
    pub world: &'w mut World<'a>,
    pub books: Books<'w, O>,
    pub progress: &'w dyn Progress,
}

/// State of a segment under way.
pub(crate) struct SegmentState<'a, 'b> {
    pub planner: Planner<'a>,
    /// Teams that execute it.
    pub teams: Vec<TeamState>,
    /// Team of the threads that opened these, if there are several.
    pub outer: TeamState,
    /// Source of each team's work.
    pub sources: Vec<AnyWorkSource<'a, 'b>>,
    /// Script of the first thread of a team, and of the others.
    pub scripts: [Script; 2],
    pub workers: Vec<Worker>,
    /// Locks of the kernel, by [`KernelLock`]: threads with their time under the lock.
    pub kernel_locks: [Station<(u32, Span)>; KernelLock::ALL.len()],
    /// Threads to wake, and when; not yet in the calendar.
    pub woken: Vec<(Time, u32)>,
    /// Threads whose meeting ends at the present instant.
    pub released: Vec<u32>,
    /// Flags of a pipeline's threads, if they are in shared pages.
    pub flags: Vec<bool>,
    /// Iterations since the last report of progress.
    pub unreported: u64,
    /// Thread that last released a lock or passed a turn on, by team; only with an observer.
    pub last_release: Vec<Option<(u32, Time)>>,
    /// Facts about one stream for an observer. Scratch space.
    pub told: Told,
}

/// Threads that continue at the present instant.
pub(crate) type Ready = Vec<(u32, WakeReason)>;

/// Consequence of an act or a step.
pub(crate) enum Next {
    /// The next act follows at once.
    Again,
    /// An activity that ends by itself after a span.
    For(Doing, Span),
    /// An activity that another thread or event ends.
    Until(Doing),
}

/// Index of a thread's team.
pub(crate) fn team_of(state: &SegmentState<'_, '_>, thread: u32) -> usize {
    (thread / state.teams[0].size) as usize
}

/// True for the first thread of a team.
pub(crate) fn leads(state: &SegmentState<'_, '_>, thread: u32) -> bool {
    thread.is_multiple_of(state.teams[0].size)
}
