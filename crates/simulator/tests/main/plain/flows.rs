//! Rates of all flows at one moment.

use super::pages::Parts;
use super::words::Party;
use numalab_kernel::ResourceId;
use numalab_kernel::fluid::Curve;
use numalab_kernel::fluid::plain::{PlainFlow, rates};
use numalab_machine::{Fabric, NodeId, ReaderId, Route};
use numalab_program::Phase;
use numalab_simulator::Member;

/// Transfers of each accessed byte.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    fills: f64,
    write_backs: f64,
}

impl Mix {
    /// In 256ths, to the nearest: that much rounding is part of the model.
    pub fn rounded(bytes: u64, fills: u64, write_backs: u64) -> Mix {
        let part = |amount: u64| (amount as f64 / bytes as f64 * 256.0).round() / 256.0;
        Mix { fills: part(fills), write_backs: part(write_backs) }
    }
}

/// One thread's stream.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Where the bytes come from, and what part of them.
    pub parts: Vec<(NodeId, f64)>,
    pub bytes: u64,
    pub left: f64,
    reader: ReaderId,
    mix: Mix,
    /// Seconds of faulting for each byte.
    pub faulting: f64,
    ceiling: f64,
    lines: f64,
}

impl Flow {
    pub fn new(
        party: &Party,
        phase: &Phase,
        member: &Member,
        parts: Parts,
        mix: Mix,
        bytes: u64,
        faulting: f64,
    ) -> Flow {
        let Party { case, fabric } = party;
        let (core, mates) = (&case.machine.core, f64::from(member.core_mates));
        let lines = phase.outstanding.unwrap_or(f64::INFINITY).min(core.outstanding) / mates;
        let all: u64 = parts.iter().map(|part| part.1).sum();
        let parts: Vec<_> = parts.into_iter().map(|(node, part)| (node, part as f64 / all as f64)).collect();
        let latency: f64 =
            parts.iter().map(|(node, part)| part * fabric.latency(*node, member.reader).as_secs()).sum();
        let mut ceiling = lines * case.machine.memory.line.0 as f64 / latency;
        let (reader, faulting) = (member.reader, faulting * mates);
        let flow = Flow { parts, bytes, left: bytes as f64, reader, mix, faulting, ceiling: 0.0, lines };
        if let Some(copy) = core.copy_bandwidth {
            ceiling = ceiling.min(copy.0 / mates);
        }
        let compute = phase.instructions_per_byte * mates / (core.clock.0 * core.instructions_per_cycle);
        let in_turn = 1.0 / (compute + (1.0 - phase.overlap) / ceiling);
        Flow { ceiling: 1.0 / (1.0 / ceiling.min(in_turn) + faulting), ..flow }
    }

    /// What the flow crosses, and how much of each byte does.
    fn hops(&self, fabric: &Fabric) -> Vec<(ResourceId, f64)> {
        let mut hops = Vec::new();
        for &(home, part) in &self.parts {
            let (fills, write_backs) = (self.mix.fills * part, self.mix.write_backs * part);
            let memory = fabric.memory(home);
            let mut route = Route::default();
            fabric.route(home, self.reader, &mut route);
            hops.push((memory.total, fills + write_backs));
            hops.extend(memory.read.map(|read| (read, fills)));
            hops.extend(memory.write.map(|write| (write, write_backs)));
            hops.extend(route.toward_reader.iter().map(|hop| (hop.resource, hop.share * fills)));
            hops.extend(route.requests.iter().map(|hop| (hop.resource, hop.share * fills)));
            hops.extend(route.toward_home.iter().map(|hop| (hop.resource, hop.share * write_backs)));
        }
        // A resource that is crossed more than once (half-duplex links) is one with the sum.
        hops.sort_by_key(|hop| hop.0);
        hops.dedup_by(|hop, kept| {
            let same = hop.0 == kept.0;
            kept.1 += if same { hop.1 } else { 0.0 };
            same
        });
        hops.retain(|hop| hop.1 > 0.0);
        hops
    }
}

/// Bytes per second of each flow while nothing changes.
pub fn rates_of(fabric: &Fabric, flows: &[&Flow]) -> Vec<f64> {
    let routes: Vec<_> = flows.iter().map(|flow| flow.hops(fabric)).collect();
    let mut crossed: Vec<ResourceId> = routes.iter().flatten().map(|hop| hop.0).collect();
    crossed.sort();
    crossed.dedup();
    let capacities: Vec<f64> = crossed
        .iter()
        .map(|&resource| {
            let hops =
                flows.iter().zip(&routes).flat_map(|(flow, route)| route.iter().map(move |hop| (flow, *hop)));
            let lines = hops.filter(|(_, hop)| hop.0 == resource).map(|(flow, hop)| hop.1 * flow.lines);
            // Each flow's lines count in thousandths: a curve's slope would show the difference.
            let crowd: f64 = lines.map(|lines| (lines * 1e3).round()).sum::<f64>() / 1e3;
            fabric.capacity(resource).0 * Curve(fabric.crowding(resource).0.clone()).at(crowd)
        })
        .collect();
    let number = |resource| crossed.binary_search(&resource).expect("listed above");
    let plain: Vec<PlainFlow> = flows
        .iter()
        .zip(&routes)
        .map(|(flow, route)| PlainFlow {
            route: route.iter().map(|hop| (number(hop.0), hop.1)).collect(),
            ceiling: flow.ceiling,
            weight: flow.lines,
        })
        .collect();
    rates(&capacities, &plain)
}
