//! Phases with teams of their own: other threads than the run's, or the same at other places. What a team's meetings, locks and
//! queues move are lines of its own, which rest while another team works.

use crate::account::books::{Activity, Cause, Interval};
use crate::account::observer::Listener;
use crate::engine::segment::Segment;
use crate::engine::team::Team;
use crate::engine::world::World;
use crate::sync_state::SyncState;
use numalab_base::{Snapshot, Span};
use numalab_runtime::Decisions;
use std::collections::BTreeMap;

/// The run's own team.
const HOME: usize = 0;

/// Teams that rest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elsewhere<'a> {
    /// Teams other than the run's, in the order in which they were first met. Their numbers begin at 1.
    teams: Vec<Team>,
    /// Number of the team at work.
    present: usize,
    /// Synchronisation of the others, by number.
    resting: BTreeMap<usize, SyncState<'a>>,
}

impl Elsewhere<'_> {
    /// Writes down who works, and what the others left behind.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Elsewhere { teams, present, resting } = self;
        if teams.is_empty() {
            return;
        }
        into.add(&(teams.len(), present));
        resting.values().for_each(|sync| sync.snapshot(into));
    }

    /// The number of a team other than the run's.
    fn number(&mut self, team: &Team) -> usize {
        let known = self.teams.iter().position(|known| known == team).unwrap_or_else(|| {
            self.teams.push(team.clone());
            self.teams.len() - 1
        });
        known + 1
    }
}

impl<'a> World<'a> {
    /// Synchronisation of all teams.
    pub fn syncs(&self) -> impl Iterator<Item = &SyncState<'a>> {
        self.elsewhere.resting.values().chain([&self.sync])
    }

    /// Begins to note what decides the course of all teams' programs.
    pub fn note_decisions(&mut self) -> BTreeMap<usize, Decisions> {
        let (present, resting) = (self.elsewhere.present, &mut self.elsewhere.resting);
        let others = resting.iter_mut().map(|(number, sync)| (*number, sync.exec.note_decisions()));
        let mut all: BTreeMap<usize, Decisions> = others.collect();
        all.insert(present, self.sync.exec.note_decisions());
        all
    }

    /// Goes on where [`World::note_decisions`] left off. What decided the course since then, in one number.
    pub fn take_decisions(&mut self, before: BTreeMap<usize, Decisions>) -> u128 {
        let present = self.elsewhere.present;
        before.into_iter().fold(0, |sum: u128, (number, noted)| {
            let sync = match self.elsewhere.resting.get_mut(&number) {
                Some(sync) if number != present => sync,
                Some(_) | None => &mut self.sync,
            };
            sum.rotate_left(1) ^ sync.exec.take_decisions(noted)
        })
    }
}

impl<O: Listener> Segment<'_, '_, O> {
    /// Lets the phase's threads take their places: those of the team before come to the end of its last region first.
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

    /// Books the time of the run's threads that are not in the phase's team. Some of it was counted, not simulated.
    pub fn leave_out(&mut self, threads: u32, during: Interval, counted: Span) {
        let during = Interval { from: during.from, to: during.to + counted };
        for thread in threads..self.books.ledgers.len() as u32 {
            self.books.book(thread, Activity::Idle, during, Cause::NoWork);
        }
    }
}
