//! Phases with teams of their own: other threads than the run's, or the same at other places. What a team's meetings, locks and
//! queues move are lines of its own, which rest while another team works.

use crate::engine::team::Team;
use crate::engine::world::World;
use crate::sync_state::SyncState;
use numalab_base::Snapshot;
use numalab_runtime::Decisions;
use std::collections::BTreeMap;

/// The run's own team.
pub(crate) const HOME: usize = 0;

/// Teams that rest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elsewhere<'a> {
    /// Teams other than the run's, in the order in which they were first met. Their numbers begin at 1.
    teams: Vec<Team>,
    /// Number of the team at work.
    pub present: usize,
    /// Synchronisation of the others, by number.
    pub resting: BTreeMap<usize, SyncState<'a>>,
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
    pub fn number(&mut self, team: &Team) -> usize {
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
