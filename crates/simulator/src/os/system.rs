//! Costs of page operations: faults, moves, TLB shootdowns.

use crate::engine::team::{Member, Team};
use numalab_base::{PS_PER_S, Span};
use numalab_des::fluid::Curve;
use numalab_machine::{CoreId, Fabric, Groups, Machine, NodeId, Os};
use numalab_memory::{Fresh, Moved};
use std::collections::{BTreeMap, BTreeSet};

/// Operating system of the machine, and the team that calls it.
pub(crate) struct System<'a> {
    pub os: &'a Os,
    page: u64,
    fabric: &'a Fabric,
    /// Number of processors that the team uses. `groups`: number of its cores in each group of cores that share a
    /// last-level cache.
    processors: u64,
    groups: BTreeMap<(NodeId, u32), u64>,
    /// Number of cores in a group. `in_group`: latency of a line that another core of the group has written; `None`
    /// without caches.
    group: u32,
    in_group: Option<Span>,
    /// Time to interrupt all other processors of the team, by the caller's group; memoised.
    shootdown: BTreeMap<(NodeId, u32), Span>,
}

impl<'a> System<'a> {
    pub fn new(machine: &'a Machine, fabric: &'a Fabric, team: &Team) -> System<'a> {
        let processors: BTreeSet<u32> = team.members.iter().map(|member| member.processor).collect();
        let cores: BTreeSet<(NodeId, CoreId)> =
            team.members.iter().map(|member| (member.node, member.core)).collect();
        let group = Groups::of(machine).cache.max(1);
        let mut groups = BTreeMap::new();
        for (node, core) in cores {
            *groups.entry((node, core.0 / group)).or_insert(0) += 1;
        }
        let last = machine.caches.iter().max_by_key(|cache| cache.level);
        let os = &machine.os;
        System {
            os,
            page: machine.memory.page.0,
            fabric,
            processors: processors.len() as u64,
            groups,
            group,
            in_group: last.map(|cache| cache.between_cores()),
            shootdown: BTreeMap::new(),
        }
    }

    /// Time of faults on fresh pages, without contention. A fault includes the zeroing of one base page; zeroing the
    /// rest of larger pages is added.
    pub fn faults(&self, fresh: Fresh) -> Span {
        let pages = fresh.pages + fresh.huge;
        let more = fresh.zeroed.0.saturating_sub(pages.saturating_mul(self.page));
        Span(self.os.page_fault.0.saturating_mul(pages))
            + Span::from_secs_ceil(more as f64 / self.os.zeroing.0)
    }

    /// Picoseconds of faulting per byte of a fresh page.
    pub fn fault_per_byte(&self) -> f64 {
        self.os.page_fault.0 as f64 / self.page as f64
    }

    /// Part of a fault, 0 to 1, that holds the lock of the node's free pages.
    pub fn locked_part(&self) -> f64 {
        let Os { page_lock, page_fault, .. } = *self.os;
        if page_fault == Span::ZERO { 0.0 } else { (page_lock.as_secs() / page_fault.as_secs()).min(1.0) }
    }

    /// Utilisation of the lock of a node's free pages by the lines in flight of all faulting threads, for up to
    /// `most` threads. Each thread has `lines` in flight and uses a page for `using` besides the fault.
    pub fn lock(&self, using: Span, lines: f64, most: u32) -> Curve {
        let hold = self.os.page_fault.0 as f64 * self.locked_part();
        let crowd = lines * hold / self.page as f64;
        lock_curve(hold, (self.os.page_fault + using).0 as f64, crowd, most)
    }

    /// Cost of moving pages, without the copy. Every page is first unmapped by a TLB shootdown.
    pub fn moves(&mut self, caller: &Member, pages: u64) -> Span {
        if pages == 0 {
            return Span::ZERO;
        }
        let each = self.os.page_migration + self.shootdown(caller);
        Span(each.0.saturating_mul(pages))
    }

    /// Cost of faults on pages that were marked for next touch, and of moving these pages, without the copy.
    pub fn next_touch(&mut self, caller: &Member, moved: &Moved) -> Span {
        let faults = self.os.next_touch.0.saturating_mul(moved.pages + moved.checked + moved.refused);
        Span(faults) + self.moves(caller, moved.pages)
    }

    /// Cost of a TLB shootdown on all other processors of the team. The caller sends interrupts one after the other;
    /// their transit overlaps. Every core acknowledges by writing one line that the caller polls, so the line visits
    /// one core after the other. A second thread of a core finds the line on its core, which costs nothing.
    pub fn shootdown(&mut self, caller: &Member) -> Span {
        let own = (caller.node, caller.core.0 / self.group);
        let Self { os, fabric, processors, groups, in_group, shootdown, .. } = self;
        *shootdown.entry(own).or_insert_with(|| {
            let line = |group: &(NodeId, u32)| match *in_group {
                Some(span) if *group == own => span,
                _ => fabric.line_latency(own.0, group.0),
            };
            let lines = |(group, cores): (&(NodeId, u32), &u64)| {
                // The caller's own core does not acknowledge.
                line(group).0.saturating_mul(cores - u64::from(*group == own))
            };
            let sent = os.interrupt.0.saturating_mul(processors.saturating_sub(1));
            Span(groups.iter().map(lines).fold(sent, u64::saturating_add))
        })
    }
}

/// Utilisation of a lock that 1 to `most` threads take again and again, by the lines in flight: each thread adds
/// `crowd`. A thread holds the lock for `hold` in every `round`. Exact mean value analysis of this closed queueing
/// network with exponential times (Reiser and Lavenberg, 1980): if a thread finds `q` others at the lock on average,
/// it passes in `hold · (1 + q)`.
fn lock_curve(hold: f64, round: f64, crowd: f64, most: u32) -> Curve {
    let mut points = Vec::new();
    let mut queue = 0.0;
    for n in 1..=most {
        let passing = hold * (1.0 + queue);
        let rate = f64::from(n) / (passing + (round - hold));
        queue = rate * passing;
        // Beyond this number of threads the lock is saturated, so powers of two suffice.
        const EXACT: u32 = 64;
        if n <= EXACT || n.is_power_of_two() || n == most {
            points.push((crowd * f64::from(n), rate * hold));
        }
    }
    Curve(points)
}

/// Capacity of a lock in the solver: picoseconds of holding in a second.
pub(crate) const LOCK_CAPACITY: f64 = PS_PER_S;

#[cfg(test)]
mod tests {
    use super::lock_curve;

    /// A thread holds the lock for 1 of 4 us. Two threads: the second finds the lock taken a quarter of the time, so
    /// a round takes 1.25 + 3 and the lock is busy for 2 of 4.25. Three: the queue of two is 2 / 4.25 · 1.25 = 0.588,
    /// so 1.588 + 3 and 3 of 4.588.
    #[test]
    fn threads_wait_for_each_other_more_and_more() {
        let curve = lock_curve(1.0, 4.0, 10.0, 3);
        let expected = [(10.0, 0.25), (20.0, 2.0 / 4.25), (30.0, 3.0 / (4.0 + 2.5 / 4.25))];
        for (point, expected) in curve.0.iter().zip(expected) {
            assert!(point.0 == expected.0 && (point.1 - expected.1).abs() < 1e-12, "{point:?}");
        }
    }
}
