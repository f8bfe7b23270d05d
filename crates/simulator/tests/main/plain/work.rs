//! Iterations as steps: faults, then instructions, then the data of one home node after the other.

use super::asking::Asking;
use super::flows::{Flow, Mix};
use super::pages::{Full, Pages};
use numalab_machine::NodeId;
use numalab_program::{Mode, Phase, Slice};
use numalab_simulator::Member;
use numalab_units::Span;
use std::collections::VecDeque;
use std::ops::Range;

pub enum Step {
    Fault(Span),
    Compute(Span),
    Stream(Flow),
}

/// Takes the next piece of work off `granted`: everything where slices join and nothing but data counts,
/// else one iteration.
pub fn next_piece(
    world: &Asking,
    phase: &Phase,
    member: &Member,
    granted: &mut Range<u64>,
    pages: &mut Pages,
) -> Result<VecDeque<Step>, Full> {
    let machine = &world.case.machine;
    let joins = phase.instructions.is_empty()
        && phase.accesses.iter().all(|access| matches!(access.slice, Slice::Partition(_)));
    let first = granted.start;
    let last = if joins { granted.end - 1 } else { first };
    granted.start = last + 1;

    let mut faults = 0;
    let mut homes: Vec<(NodeId, [u64; 3])> = Vec::new();
    for access in &phase.accesses {
        let (start, end) = (access.slice.range(first).0, access.slice.range(last).1);
        faults += pages.touch(access.region, start, end, member.node)?;
        for (home, bytes) in pages.homes(access.region, start, end) {
            if homes.iter().all(|entry| entry.0 != home) {
                homes.push((home, [0; 3]));
            }
            let sums = &mut homes.iter_mut().find(|entry| entry.0 == home).expect("just added").1;
            sums[0] += bytes;
            sums[1] += if access.mode == Mode::StreamingWrite { 0 } else { bytes };
            sums[2] += if access.mode == Mode::Read { 0 } else { bytes };
        }
    }
    let mut steps = VecDeque::new();
    let Span(fault) = machine.os.page_fault;
    steps.push_back(Step::Fault(Span(faults * fault)));
    if let Some(instructions) = phase.instructions.get(first as usize) {
        let core = &machine.core;
        let speed = core.clock.0 * core.instructions_per_cycle / f64::from(member.core_mates);
        steps.push_back(Step::Compute(Span::from_secs_ceil(instructions / speed)));
    }
    for (home, [bytes, fills, write_backs]) in homes {
        let mix = Mix::rounded(bytes, fills, write_backs);
        steps.push_back(Step::Stream(Flow::new(world, phase, member, home, mix, bytes)));
    }
    Ok(steps)
}
