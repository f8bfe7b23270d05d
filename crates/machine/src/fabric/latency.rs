//! Latencies, in time proportional to the number of levels.

use super::Fabric;
use crate::{CoreId, NodeId, ReaderId};
use numalab_base::Span;

impl Fabric {
    /// Load-to-use latency of a cache miss: the latency of the memory plus the latency of every link of the route
    /// twice, since the request goes out and the line comes back. If the memory has several stops, the mean over its
    /// stops.
    pub fn latency(&self, home: NodeId, reader: ReaderId) -> Span {
        let node = self.node_of_reader(reader);
        match &self.inside {
            None => self.line_latency(home, node),
            Some(inside) => {
                let position = (reader.0 - self.first_core(node)) as usize;
                if home == node {
                    return inside.local[position];
                }
                let entry = inside.entry[position];
                self.line_latency(home, node) + entry + entry
            }
        }
    }

    /// Latency of a line from the caches of node `from` to the entry point of node `to`. The model uses the latency
    /// of a line from the memory of `from`.
    pub fn line_latency(&self, from: NodeId, to: NodeId) -> Span {
        self.far_latency(from, to).unwrap_or_else(|| {
            let way = self.between(self.first_core(from), self.first_core(to));
            self.memory_latency(from) + way + way
        })
    }

    /// Distance as in a firmware table (SLIT), from the processors of `from`, or of its host: 10 for the node itself,
    /// others in proportion to latency, at least 10.
    pub fn firmware_distance(&self, from: NodeId, to: NodeId) -> u64 {
        let local = self.line_latency(from, self.host(from)).0.max(1);
        let distance = (self.line_latency(to, self.host(from)).0 as f64 * 10.0 / local as f64).round() as u64;
        // A SLIT has no distance below that of a node to itself.
        if from == to { distance } else { distance.max(10) }
    }

    /// Latency of a line that was last written by a core of another node: `core_to_core` of the outermost level at
    /// which the two nodes are in different units, and twice the one-way latency by which they are farther apart than
    /// neighbours. Without `core_to_core`, the latency of the owner's memory.
    pub fn peer_latency(&self, owner: NodeId, reader: ReaderId) -> Span {
        let (from, to) = (self.first_core(owner), self.first_core(self.node_of_reader(reader)));
        let parting = self.parting(from, to).map(|parting| &self.tiers[parting]);
        let Some((tier, measured)) = parting.and_then(|tier| Some((tier, tier.core_to_core?))) else {
            return self.latency(owner, reader);
        };
        let nearest = tier.wiring.nearest(0) + tier.below + tier.below;
        let farther = Span(self.between(from, to).0.saturating_sub(nearest.0));
        measured + farther + farther
    }

    /// One-way latency of a message between two cores; zero if no interconnect separates them.
    pub fn way(&self, from: CoreId, to: CoreId) -> Span {
        self.between(from.0, to.0)
    }

    /// As [`Fabric::way`], for core numbers.
    pub(super) fn between(&self, from: u32, to: u32) -> Span {
        let Some(parting) = self.parting(from, to) else { return Span::ZERO };
        let tier = &self.tiers[parting];
        tier.wiring.latency(tier.position(from), tier.position(to)) + tier.below + tier.below
    }

    /// Latency of the nearest memory outside a container, seen from a node inside the container. The container is the
    /// child of tier `outside` that holds `core`. `None` if the container holds the whole machine.
    pub(super) fn nearest_outside(&self, outside: usize, core: u32) -> Option<Span> {
        let tiers = (0..=outside).filter(|tier| self.tiers[*tier].count > 1);
        let way = tiers.map(|tier| self.way_to_nearest(tier, core)).min()?;
        Some(self.memory.latency + way + way)
    }

    /// One-way latency from a core to the nearest other child of its container at tier `at`.
    pub(super) fn way_to_nearest(&self, at: usize, core: u32) -> Span {
        let tier = &self.tiers[at];
        tier.wiring.nearest(tier.position(core)) + tier.below + tier.below
    }
}
