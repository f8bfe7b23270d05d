//! A loop in steps that threads go through one after the other: each thread's iterations of a step, and the flags
//! between neighbours.

use crate::engine::script::Program;
use numalab_base::ThreadId;
use numalab_openmp::share;
use numalab_workload::{Construct, Phase};
use std::ops::Range;

/// Iterations of the thread with rank `rank` in a step; empty if the phase is no pipeline.
pub(crate) fn share_of(phase: &Phase, step: u32, rank: u32, threads: u32) -> Range<u64> {
    let Construct::Pipeline { steps, .. } = phase.construct else { return 0..0 };
    let each = phase.iterations / u64::from(steps.max(1));
    let own = share(each, threads, ThreadId::new(rank));
    let first = each * u64::from(step);
    first + own.start..first + own.end
}

/// Wait of a pipeline's thread for a flag, with ranks in the team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flag {
    /// Rank of the flag's owner.
    pub of: u32,
    /// True if the thread waits until the flag is raised, false if until it is lowered. The thread then inverts the
    /// flag.
    pub raised: bool,
    /// Rank of the neighbour that inverts the flag back.
    pub other: u32,
}

/// Wait of a pipeline's thread. Outer `None`: the construct is no pipeline. Inner `None`: there is no neighbour on
/// that side, or `program` is no wait of a pipeline.
pub(crate) fn flag(construct: Construct, program: Program, rank: u32, threads: u32) -> Option<Option<Flag>> {
    let Construct::Pipeline { descending, .. } = construct else { return None };
    let first = if descending { threads - 1 } else { 0 };
    let last = threads - 1 - first;
    let (up, down) = (rank.wrapping_add(1), rank.wrapping_sub(1));
    let (before, after) = if descending { (up, down) } else { (down, up) };
    Some(match program {
        Program::Await => (rank != first).then_some(Flag { of: before, raised: true, other: before }),
        Program::Pass => (rank != last).then_some(Flag { of: rank, raised: false, other: after }),
        Program::Claim | Program::Acquire | Program::Release | Program::Atomic | Program::Update => None,
    })
}
