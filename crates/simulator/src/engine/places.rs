//! Change of teams between phases, if a phase's team differs from the last phase's.

use crate::account::cause::{Activity, Cause, Interval};
use crate::account::observer::Listener;
use crate::engine::elsewhere::HOME;
use crate::engine::segment::Segment;
use crate::engine::world::World;
use crate::sync_state::SyncState;
use numalab_base::Span;

impl<O: Listener> Segment<'_, '_, O> {
    /// Replaces the last phase's team by the team of this phase, after the last phase's team has ended all of its
    /// programs. The wait for these programs is booked as overhead.
    pub fn take_places(&mut self) {
        let World { elsewhere, sync, now, .. } = &mut *self.world;
        let number = if self.has_own_team { elsewhere.number(&self.team) } else { HOME };
        if number == elsewhere.present {
            return;
        }
        let began = *now;
        *now = sync.come_through(began);
        let next = elsewhere.resting.remove(&number);
        let next = next.unwrap_or_else(|| SyncState::new(self.setup, &self.team));
        elsewhere.resting.insert(elsewhere.present, std::mem::replace(sync, next));
        elsewhere.present = number;
        let during = Interval { from: began, to: *now };
        self.books.observer.team(&self.team.members);
        for thread in 0..self.team.members.len() as u32 {
            self.books.book(thread, Activity::Overhead, during, Cause::Runtime);
        }
    }

    /// Books idle time of the run's threads with numbers from `threads` on, which are not in the phase's team.
    /// `counted`: time after `during` that was not simulated.
    pub fn leave_out(&mut self, threads: u32, during: Interval, counted: Span) {
        let during = Interval { from: during.from, to: during.to + counted };
        for thread in threads..self.books.ledgers.len() as u32 {
            self.books.book(thread, Activity::Idle, during, Cause::NoWork);
        }
    }
}
