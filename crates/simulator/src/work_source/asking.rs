//! Requests of threads for work, and the answers of a work source.

use numalab_base::{Span, Time};
use numalab_runtime::Exec;
use std::ops::Range;

/// Reason of a request for work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WakeReason {
    /// The thread is idle: at the start, or after [`NextAction::Work`], [`NextAction::Compute`] or
    /// [`NextAction::Pause`].
    Ready,
    /// The program that the source started has ended with this result.
    ProgramEnded(u64),
    /// The thread was parked and has been woken.
    Woken,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NextAction {
    /// Executes a range of iterations of the phase.
    Work(Range<u64>),
    /// Executes the instructions of a task (its number) after the wait for its children, which touch no memory.
    Compute(u64, f64),
    /// Runs a program, which the source has started at the time of the request.
    Program,
    /// Spends time in the runtime without moving lines.
    Pause(Span),
    /// Parks the thread: it waits until it is woken.
    Park,
    /// No work is left: the thread goes on to the next act of its script.
    Done,
}

/// State of the engine that a source uses.
pub(crate) struct SourceContext<'w, 'a> {
    pub exec: &'w mut Exec<'a>,
    /// Agent of the team's first thread; the agents of the team's further threads follow.
    pub first: u32,
    /// Present instant on the clock of the whole run.
    pub now: Time,
    /// Parked threads to wake, and when.
    pub woken: &'w mut Vec<(Time, u32)>,
}

// Glossary: work source: Loop or the tasks that hand out work to a team.
pub(crate) trait WorkSource<'a> {
    /// Called when a thread asks for work, or goes on after the previous action; `reason` tells which.
    fn next_action(
        &mut self,
        thread: u32,
        reason: WakeReason,
        context: &mut SourceContext<'_, 'a>,
    ) -> NextAction;

    /// Number of iterations that the thread has stolen from other threads' shares, or executed in tasks that other
    /// threads created.
    fn stolen(&self, thread: u32) -> u64;

    /// Tasks: creator of the thread's current task, which may be the thread itself. Loops: thread from whose share
    /// the last granted iterations were stolen. Else `None`.
    fn owner(&self, thread: u32) -> Option<u32>;
}
