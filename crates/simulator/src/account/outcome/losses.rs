//! Losses of time, kept by every run. An observer also gets the region, the waiter and the releaser.

use crate::account::cause::Cause;
use numalab_base::Span;
use numalab_machine::{Closeness, ResourceClass};

/// Cause of lost time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// Full resources of one kind, such as memory or links.
    Full(ResourceClass),
    /// Latency of data at this distance, without contention.
    Latency(Closeness),
    /// Latency of the cores' own caches.
    Cache,
    /// Stops at pages that nodes share in software, and service of the daemons of such pages.
    Pages,
    /// Faults of fresh pages.
    Fault,
    /// Hint faults, page moves, and other work of the operating system.
    Kernel,
    /// The lock of the address space.
    AddressSpace,
    /// The scanner of automatic balancing.
    Scanner,
    /// Programs of the OpenMP runtime.
    Runtime,
    /// Locks and turns: the wait for them, their acquisition and their release. A release moves a line that all
    /// waiters read.
    Turn,
    /// Transfers of cache lines that the program's threads write.
    Line,
    /// Wait for the last thread at a barrier, or at the end of a region.
    Barrier,
    /// No work is left, or none is found.
    NoWork,
}

/// Time that the threads lost to one cause in one phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostTime {
    pub to: Loss,
    /// Sum over the team.
    pub time_ps: u128,
    /// Beginning of the loss, in the time of the measured phases.
    pub from_ps: u64,
    /// End of the loss, in the time of the measured phases.
    pub to_ps: u64,
}

/// Losses that are booked span by span. Losses to full resources are summed by the solver instead.
const BOOKED: [Loss; 15] = [
    Loss::Latency(Closeness::Node),
    Loss::Latency(Closeness::Socket),
    Loss::Latency(Closeness::Board),
    Loss::Latency(Closeness::Machine),
    Loss::Cache,
    Loss::Pages,
    Loss::Fault,
    Loss::Kernel,
    Loss::AddressSpace,
    Loss::Scanner,
    Loss::Runtime,
    Loss::Barrier,
    Loss::NoWork,
    Loss::Turn,
    Loss::Line,
];

/// Lost picoseconds of the team, indexed by position in [`BOOKED`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Losses([u128; BOOKED.len()]);

impl Losses {
    /// Position of a cause's loss in [`BOOKED`]; `None` if the cause is no loss.
    #[inline]
    fn at(cause: Cause) -> Option<usize> {
        let at = match cause {
            Cause::Instructions | Cause::Memory { .. } => return None,
            Cause::Cache(_) => 4,
            Cause::Page(_) => 5,
            Cause::Fault => 6,
            Cause::Kernel => 7,
            Cause::AddressSpace => 8,
            Cause::Scanner => 9,
            Cause::Runtime => 10,
            Cause::Barrier => 11,
            Cause::NoWork => 12,
            Cause::Turn => 13,
            Cause::Line => 14,
        };
        Some(at)
    }

    /// Adds time of a cause. Computing is no loss. Losses of a stall for memory are added by [`Losses::latency`] and
    /// by the solver.
    #[inline]
    pub fn booked(&mut self, cause: Cause, span: Span) {
        if let Some(at) = Losses::at(cause) {
            self.0[at] += u128::from(span.0);
        }
    }

    /// Subtracts booked time of a cause, since the time is counted under another loss.
    pub fn spare(&mut self, cause: Cause, span: Span) {
        if let Some(at) = Losses::at(cause) {
            self.0[at] = self.0[at].saturating_sub(u128::from(span.0));
        }
    }

    /// Adds the part of a stall for memory that remains without contention.
    #[inline]
    pub fn latency(&mut self, level: Closeness, span: Span) {
        self.0[level as usize] += u128::from(span.0);
    }

    /// Subtracts latency that counts as a loss to full resources.
    pub fn spare_latency(&mut self, level: Closeness, span: Span) {
        let sum = &mut self.0[level as usize];
        *sum = sum.saturating_sub(u128::from(span.0));
    }

    /// Adds the losses `since`, multiplied by `times`.
    pub fn add(&mut self, since: &Losses, times: u64) {
        self.0.iter_mut().zip(since.0).for_each(|(sum, since)| *sum += since * u128::from(times));
    }

    /// Losses that are not zero.
    pub fn iter(&self) -> impl Iterator<Item = (Loss, u128)> {
        BOOKED.into_iter().zip(self.0).filter(|(_, time)| *time > 0)
    }
}

/// Adds lost time to the entry of the same cause, or appends an entry.
pub(crate) fn lose(lost: &mut Vec<LostTime>, more: LostTime) {
    match lost.iter_mut().find(|known| known.to == more.to) {
        Some(known) => {
            known.time_ps += more.time_ps;
            known.from_ps = known.from_ps.min(more.from_ps);
            known.to_ps = known.to_ps.max(more.to_ps);
        }
        None => lost.push(more),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_has_its_sum() {
        let causes = [
            (Cause::Cache(2), Loss::Cache),
            (Cause::Page(numalab_dsm::Part::PageBusy), Loss::Pages),
            (Cause::Fault, Loss::Fault),
            (Cause::Kernel, Loss::Kernel),
            (Cause::AddressSpace, Loss::AddressSpace),
            (Cause::Scanner, Loss::Scanner),
            (Cause::Runtime, Loss::Runtime),
            (Cause::Turn, Loss::Turn),
            (Cause::Line, Loss::Line),
            (Cause::Barrier, Loss::Barrier),
            (Cause::NoWork, Loss::NoWork),
        ];
        for (cause, loss) in causes {
            let mut losses = Losses::default();
            losses.booked(cause, Span(7));
            assert_eq!(losses.iter().collect::<Vec<_>>(), [(loss, 7)]);
        }
        let levels = [Closeness::Node, Closeness::Socket, Closeness::Board, Closeness::Machine];
        for level in levels {
            let mut losses = Losses::default();
            losses.latency(level, Span(7));
            losses.add(&losses.clone(), 3);
            assert_eq!(losses.iter().collect::<Vec<_>>(), [(Loss::Latency(level), 28)]);
        }
    }
}
