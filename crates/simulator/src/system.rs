//! Charges of the operating system for pages: faults, moves, and interrupting the other processors.

use crate::team::Team;
use numalab_des::fluid::Curve;
use numalab_machine::{Fabric, Machine, NodeId, Os};
use numalab_memory::{Fresh, Moved};
use numalab_units::{PS_PER_S, Span};
use std::collections::BTreeSet;

/// The machine's operating system, and the team that calls it.
pub(crate) struct System<'a> {
    pub os: &'a Os,
    page: u64,
    fabric: &'a Fabric,
    /// Processors of the team on each node.
    processors: Vec<(NodeId, u32)>,
    /// Time to interrupt all other processors of the team, by the caller's node, once somebody asked.
    shootdown: Vec<Option<Span>>,
}

impl<'a> System<'a> {
    pub fn new(machine: &'a Machine, fabric: &'a Fabric, team: &Team) -> System<'a> {
        let distinct: BTreeSet<(NodeId, u32)> =
            team.members.iter().map(|member| (member.node, member.processor)).collect();
        let mut processors: Vec<(NodeId, u32)> = Vec::new();
        for (node, _) in distinct {
            match processors.last_mut() {
                Some(last) if last.0 == node => last.1 += 1,
                _ => processors.push((node, 1)),
            }
        }
        let os = &machine.os;
        System {
            os,
            page: machine.memory.page.0,
            fabric,
            processors,
            shootdown: vec![None; fabric.nodes() as usize],
        }
    }

    /// Faults and zeroing of fresh pages by a thread with nobody else faulting.
    pub fn faults(&self, fresh: Fresh) -> Span {
        let pages = fresh.pages + fresh.huge;
        let more = fresh.zeroed.0.saturating_sub(pages.saturating_mul(self.page));
        Span(self.os.page_fault.0.saturating_mul(pages))
            + Span::from_secs_ceil(more as f64 / self.os.zeroing.0)
    }

    /// Picoseconds of faulting for each byte of a fresh page.
    pub fn fault_per_byte(&self) -> f64 {
        self.os.page_fault.0 as f64 / self.page as f64
    }

    /// Part of a fault that holds the lock of the node's free pages.
    pub fn locked_part(&self) -> f64 {
        let Os { page_lock, page_fault, .. } = *self.os;
        if page_fault == Span::ZERO { 0.0 } else { (page_lock.as_secs() / page_fault.as_secs()).min(1.0) }
    }

    /// Utilisation of that lock by the lines outstanding of those who fault, where each of them has `lines`
    /// and a page takes it `using` to use, besides the fault.
    pub fn lock(&self, using: Span, lines: f64, most: u32) -> Curve {
        let hold = self.os.page_fault.0 as f64 * self.locked_part();
        let crowd = lines * hold / self.page as f64;
        lock_curve(hold, (self.os.page_fault + using).0 as f64, crowd, most)
    }

    /// Moving pages, without the copy. Every page is unmapped everywhere first.
    pub fn moves(&mut self, node: NodeId, pages: u64) -> Span {
        if pages == 0 {
            return Span::ZERO;
        }
        let each = self.os.page_migration + self.shootdown(node);
        Span(each.0.saturating_mul(pages))
    }

    /// Faults of pages that were marked for next touch, without the copy.
    pub fn next_touch(&mut self, node: NodeId, moved: &Moved) -> Span {
        let faults = self.os.next_touch.0.saturating_mul(moved.pages + moved.checked + moved.refused);
        Span(faults) + self.moves(node, moved.pages)
    }

    /// A processor of `node` makes all others of the team forget a translation: it sends each a line and
    /// reads one back, one after the other.
    pub fn shootdown(&mut self, node: NodeId) -> Span {
        let (fabric, processors) = (self.fabric, &self.processors);
        *self.shootdown[node.0 as usize].get_or_insert_with(|| {
            let both =
                |other: NodeId| fabric.line_latency(node, other).0 + fabric.line_latency(other, node).0;
            let all: u64 = processors.iter().map(|&(other, count)| both(other) * u64::from(count)).sum();
            // Not the caller itself.
            Span(all.saturating_sub(both(node)))
        })
    }
}

/// Utilisation of a lock when `n` threads, each of which adds so much to the `crowd`, take it again and again:
/// of every `round` each holds it for `hold` and needs the rest for itself. Exact mean value analysis of
/// that closed queueing network with exponential times (Reiser and Lavenberg, 1980): with `q` others before
/// it, a thread passes the lock in `hold · (1 + q)`.
fn lock_curve(hold: f64, round: f64, crowd: f64, most: u32) -> Curve {
    let mut points = Vec::new();
    let mut queue = 0.0;
    for n in 1..=most {
        let passing = hold * (1.0 + queue);
        let rate = f64::from(n) / (passing + (round - hold));
        queue = rate * passing;
        // Every crowd that a socket has; above, the lock is as good as saturated.
        const EXACT: u32 = 64;
        if n <= EXACT || n.is_power_of_two() || n == most {
            points.push((crowd * f64::from(n), rate * hold));
        }
    }
    Curve(points)
}

/// Picoseconds of holding a lock in a second.
pub(crate) const LOCK_CAPACITY: f64 = PS_PER_S;

#[cfg(test)]
mod tests {
    use super::lock_curve;

    /// A thread holds the lock for 1 of 4 us. Two threads: the second finds the lock taken a quarter of
    /// the time, so a round takes 1.25 + 3 and the lock is busy for 2 of 4.25. Three: the queue of two is
    /// 2 / 4.25 · 1.25 = 0.588, so 1.588 + 3 and 3 of 4.588.
    #[test]
    fn threads_wait_for_each_other_more_and_more() {
        let curve = lock_curve(1.0, 4.0, 10.0, 3);
        let expected = [(10.0, 0.25), (20.0, 2.0 / 4.25), (30.0, 3.0 / (4.0 + 2.5 / 4.25))];
        for (point, expected) in curve.0.iter().zip(expected) {
            assert!(point.0 == expected.0 && (point.1 - expected.1).abs() < 1e-12, "{point:?}");
        }
    }
}
