//! Routes of cache lines.
//!
//! From the home node to the reader a line leaves each container through its controller until the line reaches the
//! container that holds both, crosses the interconnect of that container once, and descends. The line uses no other
//! interconnect: siblings communicate directly, and passing traffic stays in the controllers.
//!
//! If an interconnect connects the cores of a node, lines are interleaved over the memory's stops
//! on it. The route is then the union of the routes from each stop, each with its share. Lines from
//! another node leave their home at the controllers and enter the reader's node at its first core,
//! from where they cross the reader's interconnect.

use super::{Fabric, Inside};
use crate::wiring::DirectedWire;
use crate::{NodeId, ReaderId, ResourceId};
use numalab_base::Span;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hop {
    pub resource: ResourceId,
    /// Fraction of the route's bytes that cross the link.
    pub share: f64,
}

// Glossary: route: Resources between a home and a reader, in both directions.
/// The links between a home node and a reader. The buffers are reused between calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// Links that lines cross on their way from memory.
    pub toward_reader: Vec<Hop>,
    /// Links that lines cross when they are written back.
    pub toward_home: Vec<Hop>,
    /// Request trackers on the reader's side, at which fetched lines count as requests in flight.
    pub requests: Vec<Hop>,
}

impl Fabric {
    /// Computes the links between a home node and a reader, in the order of crossing (by resource if lines are
    /// interleaved over several stops); the ports of the reader come last. The resources of the memory are not included: see [`Fabric::memory`].
    pub fn route(&self, home: NodeId, reader: ReaderId, route: &mut Route) {
        self.links(home, reader, route);
        self.pass_ports(reader, route);
    }

    /// As [`Fabric::route`], without the ports of the reader.
    pub fn links(&self, home: NodeId, reader: ReaderId, route: &mut Route) {
        route.toward_reader.clear();
        route.toward_home.clear();
        route.requests.clear();
        let node = self.node_of_reader(reader);
        let (from, entry) = (self.first_core(home), self.first_core(node));
        match &self.inside {
            Some(inside) if home == node => {
                let share = 1.0 / inside.stops.len() as f64;
                for stop in &inside.stops {
                    self.cross(entry + stop, reader.0, share, &mut route.toward_reader);
                    self.cross(reader.0, entry + stop, share, &mut route.toward_home);
                }
                if inside.stops.len() > 1 {
                    merge(&mut route.toward_reader);
                    merge(&mut route.toward_home);
                }
            }
            inside => {
                let to = if inside.is_some() { reader.0 } else { entry };
                self.cross(from, entry, 1.0, &mut route.toward_reader);
                self.cross(entry, to, 1.0, &mut route.toward_reader);
                self.cross(to, entry, 1.0, &mut route.toward_home);
                self.cross(entry, from, 1.0, &mut route.toward_home);
                self.ask(from, entry, &mut route.requests);
                if let Some(resource) = self.far_port(home, node) {
                    let hop = Hop { resource, share: 1.0 };
                    route.toward_reader.insert(0, hop);
                    route.toward_home.push(hop);
                }
            }
        }
    }

    /// Appends the request trackers that a reader passes on its way to a home node.
    fn ask(&self, home: u32, reader: u32, hops: &mut Vec<Hop>) {
        let Some(parting) = self.parting(home, reader) else { return };
        for tier in &self.tiers[parting + 1..] {
            if let Some(uplink) = tier.uplink.as_ref().filter(|uplink| !uplink.trackers.is_empty()) {
                let resource = ResourceId(uplink.trackers.start + reader / tier.cores);
                hops.push(Hop { resource, share: 1.0 });
            }
        }
    }

    /// Appends the links from one core to another.
    fn cross(&self, from: u32, to: u32, share: f64, hops: &mut Vec<Hop>) {
        let Some(parting) = self.parting(from, to) else { return };
        let mut push = |resource| hops.push(Hop { resource: ResourceId(resource), share });
        for tier in self.tiers[parting + 1..].iter().rev() {
            if let Some(uplink) = &tier.uplink {
                push(uplink.resource(from / tier.cores, true));
                uplink.controller(tier.container(from), true).map(&mut push);
            }
        }
        let tier = &self.tiers[parting];
        let first = tier.wires.start + tier.container(from) * tier.wiring.resources();
        tier.wiring.walk(tier.position(from), tier.position(to), &mut |step: DirectedWire| {
            push(first + tier.wiring.resource(step));
        });
        for tier in &self.tiers[parting + 1..] {
            if let Some(uplink) = &tier.uplink {
                uplink.controller(tier.container(to), false).map(&mut push);
                push(uplink.resource(to / tier.cores, false));
            }
        }
    }

    /// Latencies inside a node; `None` if no interconnect connects its cores.
    pub(super) fn look_inside(&self) -> Option<Inside> {
        if self.tiers[self.node_depth..].iter().all(|tier| tier.wiring.is_free()) {
            return None;
        }
        let (cores, count) = (u64::from(self.cores_per_node), u64::from(self.memory.stops));
        let stops: Vec<u32> = (0..count).map(|stop| (stop * cores / count) as u32).collect();
        let local = (0..self.cores_per_node).map(|core| {
            let sum: u64 = stops.iter().map(|stop| self.between(*stop, core).0).sum();
            // The mean latency from a stop, twice for the round trip, rounded to a picosecond.
            self.memory.latency + Span((2 * sum + count / 2) / count)
        });
        let entry = (0..self.cores_per_node).map(|core| self.between(0, core));
        Some(Inside { local: local.collect(), entry: entry.collect(), stops })
    }
}

/// Merges the hops over each resource into one hop by adding their shares.
fn merge(hops: &mut Vec<Hop>) {
    hops.sort_unstable_by_key(|hop| hop.resource);
    hops.dedup_by(|hop, kept| {
        let same = hop.resource == kept.resource;
        if same {
            kept.share += hop.share;
        }
        same
    });
}
