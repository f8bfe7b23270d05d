//! Segment of a run: one execution of a phase, until thread 0 leaves its final barrier. The world outlives it; only
//! state of the phase itself begins and ends here.

// Glossary: event: A change of the simulated state at an instant.

use crate::account::books::Books;
use crate::account::parts::{PartOutcome, Parts};
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
use std::ops::{Index, IndexMut};

/// Result of a segment. The bytes that crossed resources stay in the world's network until the next segment begins.
pub(crate) struct SegmentOutcome {
    pub took: Span,
    pub events: u64,
    /// Coherence transactions on the runtime's lines during the segment.
    pub transactions: u64,
    /// Number of passes that were counted without being simulated or proved.
    pub estimated: u64,
    /// Counts of the phase's tasks; `None` if its schedule hands out no tasks.
    pub tasks: Option<TaskCounts>,
    /// Share of each phase in the segment; empty if there is only one phase.
    pub parts: Vec<PartOutcome>,
}

// Glossary: segment: Part of a run that is one execution of a phase, on the clock of the whole run.
/// One execution of a phase: its inputs, the world and the books.
pub(crate) struct Segment<'a, 'w, O> {
    pub setup: &'a Setup<'a>,
    /// Threads of the phase. The load balancer can move unbound threads during the segment.
    pub team: Cow<'w, Team>,
    /// True if the phase has another team than the run's.
    pub has_own_team: bool,
    /// Phases of the segment: those that share a parallel region, or one phase.
    pub phases: &'a [Phase],
    /// First of `phases`. Its team, times and repetitions are those of all.
    pub phase: &'a Phase,
    /// Schedule of the phases that state none.
    pub compared: Schedule,
    pub world: &'w mut World<'a>,
    pub books: Books<'w, O>,
    pub progress: &'w dyn Progress,
}

/// Planners of a segment's phases, by position. Nearly all segments have one, which takes no allocation.
pub(crate) struct Planners<'a> {
    pub first: Planner<'a>,
    pub others: Vec<Planner<'a>>,
}

impl<'a> Planners<'a> {
    pub fn iter(&self) -> impl Iterator<Item = &Planner<'a>> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

impl<'a> Index<usize> for Planners<'a> {
    type Output = Planner<'a>;

    #[inline]
    fn index(&self, phase: usize) -> &Planner<'a> {
        if phase == 0 { &self.first } else { &self.others[phase - 1] }
    }
}

impl<'a> IndexMut<usize> for Planners<'a> {
    #[inline]
    fn index_mut(&mut self, phase: usize) -> &mut Planner<'a> {
        if phase == 0 { &mut self.first } else { &mut self.others[phase - 1] }
    }
}

/// State that begins and ends with a segment.
pub(crate) struct SegmentState<'a, 'b> {
    /// Planner of each phase.
    pub planners: Planners<'a>,
    /// Inner teams that execute the construct; one if the phase does not nest teams.
    pub teams: Vec<TeamState>,
    /// Outer team: the first threads of all inner teams. Each of these threads opens its inner team.
    pub outer: TeamState,
    /// Work source of each inner team, phase by phase.
    pub sources: Vec<AnyWorkSource<'a, 'b>>,
    /// Script of the first thread of an inner team, and script of its other threads.
    pub scripts: [Script; 2],
    pub workers: Vec<Worker>,
    /// Locks of the kernel, indexed by [`KernelLock`]. A customer is a thread with the time for which it holds the
    /// lock.
    pub kernel_locks: [Station<(u32, Span)>; KernelLock::ALL.len()],
    /// Parked threads to wake, with the instants; not yet in the calendar.
    pub woken: Vec<(Time, u32)>,
    /// Threads that continue at the present instant, because their meeting ends or their activity was cut.
    pub released: Vec<u32>,
    /// State of each thread's pipeline flag, true if raised; used only if nodes share memory by pages.
    pub flags: Vec<bool>,
    /// Shares of the phases in the segment, if there are several.
    pub parts: Option<Parts>,
    /// Number of iterations since the last report of progress, of all threads.
    pub unreported: u64,
    /// Thread of each team that last released a lock or passed a turn on, and when. Empty without an observer.
    pub last_release: Vec<Option<(u32, Time)>>,
    /// Facts about the stream that is being booked, for an observer. Scratch space.
    pub told: Told,
}

impl<'a, O> Segment<'a, '_, O> {
    /// Phase that a thread executes.
    pub fn phase_of(&self, state: &SegmentState<'_, '_>, thread: u32) -> &'a Phase {
        &self.phases[state.workers[thread as usize].phase as usize]
    }
}

/// Threads that continue at the present instant, with the reason.
pub(crate) type Ready = Vec<(u32, WakeReason)>;

/// Result of beginning an act or a step.
pub(crate) enum Next {
    /// The act or step takes no time; the thread goes on at once.
    Again,
    /// An activity that ends by itself after a span.
    For(Doing, Span),
    /// An activity that another thread or event ends.
    Until(Doing),
}

/// Index of a thread's inner team.
pub(crate) fn team_of(state: &SegmentState<'_, '_>, thread: u32) -> usize {
    (thread / state.teams[0].size) as usize
}

/// Index of the work source of a thread's team in the thread's present phase.
pub(crate) fn source_of(state: &SegmentState<'_, '_>, thread: u32) -> usize {
    state.workers[thread as usize].phase as usize * state.teams.len() + team_of(state, thread)
}

/// True for the first thread of an inner team.
pub(crate) fn leads(state: &SegmentState<'_, '_>, thread: u32) -> bool {
    thread.is_multiple_of(state.teams[0].size)
}
