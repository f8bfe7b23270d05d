//! One segment of the run: a phase, from the moment when its first thread may begin to the moment when the
//! first thread has all the others behind it. The world goes on; only what the phase itself brings begins and
//! ends with it.

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

/// The result of a segment; what crossed resources is in the world's network until the next one begins.
pub(crate) struct SegmentOutcome {
    pub took: Span,
    pub events: u64,
    /// Lines moved for synchronisation.
    pub transactions: u64,
    /// Counts of its tasks.
    pub tasks: Option<TaskCounts>,
}

// Glossary: segment: Part of a run that is one execution of a phase, on the clock of the whole run. In the
//   engine's plan of a thread it is also the bytes of one origin.
/// Everything that one segment needs; `run` executes it.
pub(crate) struct Segment<'a, 'w, O> {
    pub setup: &'a Setup<'a>,
    /// The threads that execute it. Those that are not bound may be moved meanwhile.
    pub team: Cow<'w, Team>,
    /// Whether they are another team than the run's.
    pub has_own_team: bool,
    pub phase: &'a Phase,
    pub schedule: Schedule,
    pub world: &'w mut World<'a>,
    pub books: Books<'w, O>,
    pub progress: &'w dyn Progress,
}

/// The parts of a segment under way.
pub(crate) struct SegmentState<'a, 'b> {
    pub planner: Planner<'a>,
    /// The teams that execute it.
    pub teams: Vec<TeamState>,
    /// Those who opened them, if there are several.
    pub outer: TeamState,
    /// The source of each team's work.
    pub sources: Vec<AnyWorkSource<'a, 'b>>,
    /// The script of the first thread of a team, and that of the others.
    pub scripts: [Script; 2],
    pub workers: Vec<Worker>,
    /// The locks of the kernel, by [`KernelLock`]: threads, with what they do under each.
    pub kernel_locks: [Station<(u32, Span)>; KernelLock::ALL.len()],
    /// Threads that were told to look for work again, and when; not yet in the calendar.
    pub woken: Vec<(Time, u32)>,
    /// Threads whose meeting is over at the present instant.
    pub released: Vec<u32>,
    /// Flags of a pipeline's threads, where they are in shared pages.
    pub flags: Vec<bool>,
    /// Iterations since the last report of progress.
    pub unreported: u64,
    /// Thread that gave a lock or a turn on last, by team, where an observer asks.
    pub last_release: Vec<Option<(u32, Time)>>,
    /// Facts that an observer is told about one stream; used again for the next.
    pub told: Told,
}

/// Threads that go on at the present instant.
pub(crate) type Ready = Vec<(u32, WakeReason)>;

/// Consequence of an act or a step.
pub(crate) enum Next {
    /// Nothing that takes time.
    Again,
    /// Something that ends by itself after a while.
    For(Doing, Span),
    /// Something that others end.
    Until(Doing),
}

/// Number of the team that a thread is in.
pub(crate) fn team_of(state: &SegmentState<'_, '_>, thread: u32) -> usize {
    (thread / state.teams[0].size) as usize
}

/// Whether a thread is the first of its team.
pub(crate) fn leads(state: &SegmentState<'_, '_>, thread: u32) -> bool {
    thread.is_multiple_of(state.teams[0].size)
}
