//! Time at the borders of a sample that is not booked yet. An activity is booked when it ends. In a sample that starts
//! and ends in different states, threads are booked for more or for less than the sample took.

use crate::account::cause::{Activity, Cause};
use crate::account::observer::Listener;
use crate::engine::segment::Segment;
use crate::engine::worker::{Doing, Worker};
use numalab_base::{Span, Time};

/// Time of a thread's present activity up to an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pending {
    activity: Activity,
    cause: Cause,
    span: Span,
}

impl Pending {
    /// Pending times of all threads.
    pub fn of_all(workers: &[Worker], now: Time) -> Vec<Pending> {
        workers.iter().map(|worker| Pending::of(worker, now)).collect()
    }

    fn of(worker: &Worker, now: Time) -> Pending {
        let (activity, cause) = match (worker.arrived, &worker.doing) {
            (Some(_), _) => (Activity::Idle, Cause::Barrier),
            (None, _) if worker.over => (Activity::Idle, Cause::NoWork),
            (None, Doing::Compute) => (Activity::Compute, Cause::Instructions),
            (None, _) => (Activity::Overhead, Cause::Runtime),
        };
        let since = worker.arrived.map_or(worker.since, |arrival| arrival.at);
        Pending { activity, cause, span: now - since }
    }
}

impl<O: Listener> Segment<'_, '_, O> {
    /// Corrects the books of `times` counted samples: each is booked from its own start to its end.
    pub(super) fn correct_borders(&mut self, before: &[Pending], after: &[Pending], times: u64) {
        let members = self.team.members.iter().map(|member| u64::from(member.core_mates));
        let pending = before.iter().zip(after).zip(members);
        for (ledger, ((before, after), mates)) in self.books.ledgers.iter_mut().zip(pending) {
            let alone = |pending: &Pending| match pending.activity {
                Activity::Compute => times * pending.span / mates,
                Activity::Stall | Activity::Overhead | Activity::Idle => Span::ZERO,
            };
            *ledger.account(after.activity) += times * after.span;
            let account = ledger.account(before.activity);
            *account = account.saturating_sub(times * before.span);
            ledger.sequential = (ledger.sequential + alone(after)).saturating_sub(alone(before));
            self.books.losses.booked(after.cause, times * after.span);
            self.books.losses.spare(before.cause, times * before.span);
        }
    }
}
