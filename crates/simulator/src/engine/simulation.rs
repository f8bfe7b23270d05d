//! State that lives from the first phase to the last: the world and the event sources.

use crate::engine::Sources;
use crate::engine::setup::Setup;
use crate::engine::world::World;
use numalab_base::{Snapshot, Span};
use std::ops::{Deref, DerefMut};

#[derive(Clone, Debug)]
pub(crate) struct Simulation<'a> {
    pub world: World<'a>,
    pub sources: Sources,
}

impl<'a> Simulation<'a> {
    /// World and event sources before the first phase.
    pub fn new(setup: &Setup<'a>) -> Simulation<'a> {
        Simulation { world: World::new(setup), sources: Sources::new(setup) }
    }

    /// World and event sources as a snapshot, to find repeated states. In states that it cannot describe, for example
    /// while a flow is under way, the snapshot is marked as not whole and equals no other (`Snapshot::refuse`).
    pub fn snapshot(&self) -> Snapshot {
        let mut into = self.world.snapshot();
        self.sources.snapshot(&mut into);
        into
    }

    /// Number of clocked events so far (`Source::clocked`), and of periodic searches that the balancer has scheduled.
    pub fn clocked(&self) -> u64 {
        self.world.clocked() + self.sources.clocked()
    }

    /// Number of further periods, each `period` long, that end before the next clocked event; at most `most`.
    pub fn undisturbed(&self, period: Span, most: u64) -> u64 {
        self.sources.undisturbed(self.world.now, period, most)
    }

    /// Advances the balancer, the clock of the page map and the sources by `span`, the time of repetitions that were
    /// counted instead of simulated. `World::now` stays.
    pub fn pass(&mut self, span: Span) {
        self.world.pass(span);
        self.sources.pass(span);
    }
}

impl<'a> Deref for Simulation<'a> {
    type Target = World<'a>;

    fn deref(&self) -> &World<'a> {
        &self.world
    }
}

impl<'a> DerefMut for Simulation<'a> {
    fn deref_mut(&mut self) -> &mut World<'a> {
        &mut self.world
    }
}
