//! Stores of neighbouring iterations to one line, by different threads (false sharing).
//!
//! Where a schedule hands out so few iterations at a time that their stores fill less than a line, threads that proceed
//! together write the same lines. A thread's stores gather in its store buffer until it has the line, and leave together;
//! the next line is requested behind it, since stores become visible in order. So of `m` threads that share each line, each
//! waits for every line once, for as long as the line takes from the thread before it, and computes meanwhile.
//! `coherence` has the same as line transactions: `lines_shared_by_chunks_take_one_hand_over_each` compares both.

use crate::engine::team::{Member, Team};
use numalab_base::Span;
use numalab_machine::{Fabric, Machine};
use numalab_workload::{Mode, Phase};
use std::ops::Range;

/// Accesses of a phase whose lines several threads may write at a time.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedLines {
    /// Numbers of the accesses that store; empty if iterations share no lines.
    stores: Vec<usize>,
    /// Time that a line takes from the thread before, by thread.
    passed: Vec<Span>,
    line: u64,
}

impl SharedLines {
    pub fn new(machine: &Machine, fabric: &Fabric, phase: &Phase, team: &Team) -> SharedLines {
        let line = machine.memory.line.0;
        let few = |mode: Mode| matches!(mode, Mode::Write | Mode::Update);
        // A recorded unit stands for many iterations, and neighbours in a tree of tasks need not run side by side.
        let many = phase.unit.is_some() || phase.tasking.tree.is_some();
        if team.members.len() < 2 || many || machine.caches.is_empty() || phase.iterations < 2 {
            return SharedLines::default();
        }
        let stores: Vec<usize> =
            (0..phase.accesses.len()).filter(|at| few(phase.accesses[*at].mode)).collect();
        if stores.is_empty() {
            return SharedLines::default();
        }
        let before = team.members.iter().cycle().skip(team.members.len() - 1);
        let passed =
            before.zip(&team.members).map(|(from, to)| passed_on(machine, fabric, from, to)).collect();
        SharedLines { stores, passed, line }
    }

    /// Time for which a thread waits for lines of its stores in the iterations `take` of a chunk of `size`, without what
    /// it does meanwhile.
    pub fn waits(&self, phase: &Phase, thread: u32, take: &Range<u64>, size: u64) -> Span {
        let threads = self.passed.len() as u64;
        // The last chunks, and threads with one chunk each, do not go through lines together.
        if self.stores.is_empty()
            || take.end >= phase.iterations
            || size.saturating_mul(2 * threads) > phase.iterations
        {
            return Span::ZERO;
        }
        let part = (take.end - take.start) as f64 / size.max(1) as f64;
        let of_access = |at: usize| {
            let store = |iteration: u64| phase.accesses[at].slice.piece(iteration, iteration + 1);
            let (Some(first), Some(next)) = (store(take.start), store(take.end)) else { return 0.0 };
            // Bytes from the chunk's first store to the first of the next chunk.
            let stride = first.start.abs_diff(next.start) as f64 / part;
            let some = (1..self.line).contains(&(first.end - first.start));
            if !some || stride == 0.0 || stride >= self.line as f64 {
                return 0.0;
            }
            let sharing = (self.line as f64 / stride).min(threads as f64);
            part * stride * sharing / self.line as f64
        };
        // A line holds the stores of so many chunks of one thread, which leave together.
        let lines: f64 = self.stores.iter().map(|at| of_access(*at)).sum();
        Span((self.passed[thread as usize].0 as f64 * lines) as u64)
    }
}

/// Time that a line takes from one thread that wrote it to another.
fn passed_on(machine: &Machine, fabric: &Fabric, from: &Member, to: &Member) -> Span {
    let shared = machine.caches.iter().rev().find(|cache| cache.shared_by > 1);
    match shared {
        _ if from.core == to.core => machine.hit(),
        Some(cache) if from.core.0 / cache.shared_by == to.core.0 / cache.shared_by => cache.between_cores(),
        Some(_) | None => fabric.peer_latency(from.node, to.reader),
    }
}
