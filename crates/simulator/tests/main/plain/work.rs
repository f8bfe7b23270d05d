//! Iterations as steps: faults, then instructions, then the data of one home node after the other.

use super::flows::{Flow, Mix};
use super::pages::{Full, Pages, Parts};
use super::words::Party;
use numalab_base::Span;
use numalab_simulator::Member;
use numalab_workload::{Demand, Mode, Phase};
use std::collections::VecDeque;
use std::ops::Range;

pub enum Step {
    Start(Span),
    Fault(Span),
    Compute(Span),
    Stream(Flow),
}

/// Takes the next piece of work off `granted`: everything if slices join and no iteration has instructions of its
/// own, else one iteration.
pub fn next_piece(
    party: &Party,
    phase: &Phase,
    (thread, member): (usize, &Member),
    granted: &mut Range<u64>,
    pages: &mut Pages,
) -> Result<VecDeque<Step>, Full> {
    let machine = &party.case.machine;
    let joins = phase.instructions.is_empty()
        && phase.accesses.iter().all(|access| access.slice.piece(granted.start, granted.end).is_some());
    let first = granted.start;
    let last = if joins { granted.end - 1 } else { first };
    granted.start = last + 1;

    let Span(fault) = machine.os.page_fault;
    let mut origins: Vec<((Parts, Demand, bool), [u64; 6])> = Vec::new();
    let core = &machine.core;
    let limits = [core.random_outstanding, core.window, core.random_overlap, core.random_beside_streams];
    let told_apart = limits.iter().any(Option::is_some);
    for access in &phase.accesses {
        let piece = access.slice.piece(first, last + 1).expect("one iteration always is a piece");
        let faults = fault * pages.touch(access.region, piece.start, piece.end, member.node)?;
        let (mut met, mut total) = (0, 0);
        let total_touched = piece.touched + piece.again;
        let scaled = |at: u64| {
            (u128::from(at) * u128::from(total_touched) / u128::from(piece.end - piece.start)) as u64
        };
        for (parts, bytes) in pages.origins(access.region, piece.start, piece.end, piece.scattered) {
            let faulting = u128::from(faults) * u128::from(bytes) / u128::from(piece.end - piece.start);
            met += bytes;
            let bytes = scaled(met) - total;
            total += bytes;
            if bytes == 0 {
                continue;
            }
            let key = (parts, access.demand, told_apart && piece.scattered);
            if origins.iter().all(|entry| entry.0 != key) {
                origins.push((key.clone(), [0; 6]));
            }
            let sums = &mut origins.iter_mut().find(|entry| entry.0 == key).expect("just added").1;
            let fills = if access.mode == Mode::StreamingWrite { 0 } else { bytes };
            let write_backs = if access.mode == Mode::Read { 0 } else { bytes };
            let stored = if matches!(access.mode, Mode::Write | Mode::StreamingWrite) { bytes } else { 0 };
            let random = if piece.scattered { fills + write_backs } else { 0 };
            let amounts = [bytes, fills, write_backs, stored, random, faulting as u64];
            sums.iter_mut().zip(amounts).for_each(|(sum, amount)| *sum += amount);
        }
    }
    let mut steps = VecDeque::new();
    if let Some(instructions) = phase.instructions.get(first as usize) {
        let speed = core.clock.0 * core.instructions_per_cycle / f64::from(member.core_mates);
        let part = party.noise(phase, [thread as u64, 0, first]).unwrap_or(0.5);
        let factor = 1.0 + machine.os.noise.work * (2.0 * part - 1.0);
        steps.push_back(Step::Compute(Span::from_secs_ceil(factor * instructions / speed)));
    }
    // A page's fault is spread over its bytes, in 64ths: this rounding is part of the model.
    let nominal = fault as f64 / machine.memory.page.0 as f64;
    for ((parts, demand, scattered), [bytes, fills, write_backs, stored, random, faulting]) in origins {
        let mix = Mix::rounded([bytes, fills, write_backs, stored, random]);
        let in_steps = (faulting as f64 / bytes as f64 / nominal * 64.0 + 1e-6).floor() / 64.0 * nominal;
        let left = faulting as f64 - (in_steps * bytes as f64).ceil();
        if faulting > 0 && left > 0.0 {
            steps.push_back(Step::Fault(Span(left as u64 * u64::from(member.core_mates))));
        }
        let faulting = if faulting == 0 { 0.0 } else { in_steps * 1e-12 };
        let loads = (phase, demand, scattered);
        steps.push_back(Step::Stream(Flow::new(party, loads, member, parts, mix, bytes, faulting)));
    }
    Ok(steps)
}
