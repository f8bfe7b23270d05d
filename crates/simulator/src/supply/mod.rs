//! Where a thread's work comes from: loops hand out iterations, task pools tasks.

mod loops;
mod words;

pub(crate) use words::{LoopWords, Words};

use crate::costs::Scan;
use crate::run::Setup;
use crate::team::{Neighbourhood, Team};
use crate::world::World;
use loops::Loops;
use numalab_kernel::Streams;
use numalab_openmp::Dispatcher;
use numalab_program::{Phase, Policy};
use numalab_results::TaskSum;
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
    /// Runs programs.
    pub exec: &'w mut Exec<'a>,
    /// The agent of the team's first thread; the others follow.
    pub first: u32,
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

/// Any of them.
pub(crate) enum Supplier<'a, 'b> {
    Loop(Box<Loops<'a, 'b>>),
}

impl<'a> Supply<'a> for Supplier<'a, '_> {
    fn turn(&mut self, thread: u32, cue: Cue, desk: &mut Desk<'_, 'a>) -> Turn {
        match self {
            Supplier::Loop(loops) => loops.turn(thread, cue, desk),
        }
    }

    fn stolen(&self, thread: u32) -> u64 {
        match self {
            Supplier::Loop(loops) => loops.stolen(thread),
        }
    }
}

/// The members of each team that executes a phase.
pub(crate) fn staff(setup: &Setup, teams: u32) -> Vec<Team> {
    let size = setup.team.members.len() / teams as usize;
    setup.team.members.chunks(size.max(1)).map(|members| Team { members: members.to_vec() }).collect()
}

/// Of each team, how they see each other.
pub(crate) fn neighbourhoods<'b>(setup: &Setup<'b>, staff: &'b [Team]) -> Vec<Neighbourhood<'b>> {
    staff.iter().map(|team| Neighbourhood { fabric: setup.fabric, team }).collect()
}

/// Where the work of each team comes from.
pub(crate) fn suppliers<'a, 'b>(
    setup: &'a Setup<'a>,
    phase: &Phase,
    policy: Policy,
    world: &mut World<'a>,
    staff: &'b [Team],
    neighbourhoods: &'b [Neighbourhood<'b>],
) -> Vec<Supplier<'a, 'b>> {
    let policy = match policy {
        Policy::Auto => setup.runtime.auto,
        Policy::Runtime => setup.runtime.runtime,
        policy => policy,
    };
    let streams = Streams::new(setup.seed);
    let each = staff.iter().zip(neighbourhoods).enumerate();
    each.map(|(crew, (team, neighbourhood))| {
        let threads = team.members.len() as u32;
        let words = world.sync.loop_words(policy, crew);
        let dispatcher = Dispatcher::new(policy, phase.iterations, threads, &streams, neighbourhood);
        let scan = Scan::new(setup.machine, setup.fabric, team);
        Supplier::Loop(Box::new(Loops::new(dispatcher, words, scan, threads)))
    })
    .collect()
}

/// What became of the tasks of all teams.
pub(crate) fn sum(suppliers: &[Supplier<'_, '_>]) -> Option<TaskSum> {
    let _ = suppliers;
    None
}
