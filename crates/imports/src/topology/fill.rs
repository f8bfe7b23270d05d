//! Joins two sources about one machine.

use super::Topology;
use std::fmt;

/// Error: two topologies are of different machines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit(String);

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misfit {}

impl Topology {
    /// Adds the facts of `other` that are missing in this topology. An error if the two list different processors.
    pub fn fill_from(&mut self, other: &Topology) -> Result<(), Misfit> {
        let numbers = |topology: &Topology| -> Vec<u32> {
            topology.processors.iter().map(|processor| processor.number).collect()
        };
        let (ours, theirs) = (numbers(self), numbers(other));
        if !ours.is_empty() && !theirs.is_empty() && ours != theirs {
            let message =
                format!("{} processors here and {} there: not the same machine", ours.len(), theirs.len());
            return Err(Misfit(message));
        }
        self.model = self.model.take().or_else(|| other.model.clone());
        self.vendor = self.vendor.take().or_else(|| other.vendor.clone());
        if self.features.is_empty() {
            self.features = other.features.clone();
        }
        if self.core_kinds.is_empty() {
            self.core_kinds = other.core_kinds.clone();
        }
        if self.speeds.is_empty() {
            self.speeds = other.speeds.clone();
        }
        self.clock = self.clock.or(other.clock);
        self.page = self.page.or(other.page);
        self.fill_processors(other);
        if self.nodes.is_empty() {
            self.nodes = other.nodes.clone();
            self.distances = None;
        }
        if self.caches.is_empty() {
            self.caches = other.caches.clone();
        }
        self.fill_nodes(other);
        Ok(())
    }

    fn fill_processors(&mut self, other: &Topology) {
        if self.processors.is_empty() {
            self.processors = other.processors.clone();
            self.offline = other.offline.clone();
        }
        // Package and core numbers differ between sources, so all come from one.
        if self.processors.iter().all(|processor| processor.package.is_none()) {
            self.processors
                .iter_mut()
                .zip(&other.processors)
                .for_each(|(to, from)| to.package = from.package);
        }
        if self.processors.iter().all(|processor| processor.core.is_none()) {
            self.processors.iter_mut().zip(&other.processors).for_each(|(to, from)| to.core = from.core);
        }
    }

    fn fill_nodes(&mut self, other: &Topology) {
        for node in &mut self.nodes {
            let same = other.nodes.iter().find(|same| same.number == node.number);
            node.capacity = node.capacity.or(same.and_then(|same| same.capacity));
        }
        let same_nodes =
            self.nodes.iter().map(|node| node.number).eq(other.nodes.iter().map(|node| node.number));
        if self.distances.is_none() && same_nodes {
            self.distances = other.distances.clone();
        }
    }
}
