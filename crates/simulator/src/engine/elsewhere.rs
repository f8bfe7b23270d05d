//! Phases with teams of their own: other threads than the run's, or the same threads on other processors. Each team
//! has its own lines for meetings, locks and queues. They keep their state while another team works.

use crate::engine::team::Team;
use crate::engine::world::World;
use crate::sync_state::SyncState;
use numalab_base::Snapshot;
use numalab_runtime::Decisions;
use std::collections::BTreeMap;

/// Number of the run's own team.
pub(crate) const HOME: usize = 0;

/// Number of the working team, and state of the teams that rest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elsewhere<'a> {
    /// Teams other than the run's, in the order of their first phase. Their numbers begin at 1.
    teams: Vec<Team>,
    /// Number of the working team; [`HOME`] is the run's.
    pub present: usize,
    /// Synchronisation state of the resting teams, by number.
    pub resting: BTreeMap<usize, SyncState<'a>>,
}

impl Elsewhere<'_> {
    /// Adds the number of the working team and the state of the resting teams to a snapshot.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Elsewhere { teams, present, resting } = self;
        if teams.is_empty() {
            return;
        }
        into.add(&(teams.len(), present));
        resting.values().for_each(|sync| sync.snapshot(into));
    }

    /// Number of a team other than the run's. A new team gets the next number.
    pub fn number(&mut self, team: &Team) -> usize {
        let known = self.teams.iter().position(|known| known == team).unwrap_or_else(|| {
            self.teams.push(team.clone());
            self.teams.len() - 1
        });
        known + 1
    }
}

impl<'a> World<'a> {
    /// Synchronisation state of all teams.
    pub fn syncs(&self) -> impl Iterator<Item = &SyncState<'a>> {
        self.elsewhere.resting.values().chain([&self.sync])
    }

    /// Starts to record the decisions of all teams' programs.
    pub fn note_decisions(&mut self) -> BTreeMap<usize, Decisions> {
        let (present, resting) = (self.elsewhere.present, &mut self.elsewhere.resting);
        let others = resting.iter_mut().map(|(number, sync)| (*number, sync.exec.note_decisions()));
        let mut all: BTreeMap<usize, Decisions> = others.collect();
        all.insert(present, self.sync.exec.note_decisions());
        all
    }

    /// Ends the record that [`World::note_decisions`] began: restores the former record `before` and appends the
    /// decisions since then. Returns a hash of the new decisions.
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
