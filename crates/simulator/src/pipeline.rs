//! A loop in steps that threads go through one after the other: who has which iterations of a step, and the flags that
//! neighbours raise and lower.

use crate::script::Program;
use numalab_openmp::share;
use numalab_units::ThreadId;
use numalab_workload::{Construct, Phase};
use std::ops::Range;

/// The iterations of a thread in a step.
pub(crate) fn share_of(phase: &Phase, step: u32, rank: u32, threads: u32) -> Range<u64> {
    let Construct::Pipeline { steps, .. } = phase.construct else { return 0..0 };
    let each = phase.iterations / u64::from(steps.max(1));
    let own = share(each, threads, ThreadId::new(rank));
    let first = each * u64::from(step);
    first + own.start..first + own.end
}

/// The thread that a thread shares a flag with: its owner, or who comes after that.
pub(crate) fn other(construct: Construct, of: u32, rank: u32) -> u32 {
    match (of == rank, matches!(construct, Construct::Pipeline { descending: true, .. })) {
        (false, _) => of,
        (true, false) => rank + 1,
        (true, true) => rank - 1,
    }
}

/// Owner of the flag that a pipeline's thread waits for, and whether that has to be raised; it turns it then. `None`
/// inside: there is no neighbour on that side.
pub(crate) fn flag(
    construct: Construct,
    program: Program,
    rank: u32,
    threads: u32,
) -> Option<Option<(u32, bool)>> {
    let Construct::Pipeline { descending, .. } = construct else { return None };
    let first = if descending { threads - 1 } else { 0 };
    let last = threads - 1 - first;
    let before = if descending { rank + 1 } else { rank.wrapping_sub(1) };
    Some(match program {
        Program::Await => (rank != first).then_some((before, true)),
        Program::Pass => (rank != last).then_some((rank, false)),
        Program::Claim | Program::Acquire | Program::Release | Program::Atomic | Program::Update => None,
    })
}
