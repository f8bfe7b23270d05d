//! Where a thread's work comes from: loops hand out iterations, task pools tasks.

use numalab_runtime::Exec;
use numalab_units::{Span, Time};
use std::ops::Range;

/// Why a thread asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cue {
    /// It has nothing to do: at the start, or after [`Turn::Work`], [`Turn::Compute`] or [`Turn::Pause`].
    Free,
    /// The program that it started ended, with this result.
    Synced(u64),
    /// It was parked, and something woke it.
    Woken,
}

/// What it does next.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Turn {
    /// Executes these iterations of the phase.
    Work(Range<u64>),
    /// Executes so many instructions that touch no memory.
    Compute(f64),
    /// Runs a program, which the supplier has started at the time of the turn.
    Sync,
    /// Spends time in the runtime without moving lines.
    Pause(Span),
    /// Waits until woken.
    Parked,
    /// Goes to the barrier.
    Done,
}

/// What a supplier works with.
pub(crate) struct Desk<'w, 'a> {
    /// Runs programs; agents are numbered as threads.
    pub exec: &'w mut Exec<'a>,
    /// The simulated clock of the whole run, as `exec` counts it.
    pub now: Time,
    /// Parked threads to wake, and when.
    pub woken: &'w mut Vec<(Time, u32)>,
}

/// Hands out work.
pub(crate) trait Supply<'a> {
    /// What a thread does next.
    fn turn(&mut self, thread: u32, cue: Cue, desk: &mut Desk<'_, 'a>) -> Turn;

    /// Iterations that the thread took from another one's share so far.
    fn stolen(&self, thread: u32) -> u64;
}
