//! Rates of all flows at one moment, and the waiting times of lines behind them.

use super::pages::Parts;
use super::words::Party;
use crate::random::Case;
use numalab_base::Span;
use numalab_des::fluid::plain::{PlainFlow, load, rates, waiting};
use numalab_des::fluid::{Curve, Load, Pull, Waits};
use numalab_machine::{Fabric, LatencyUnderLoad, LoadedLatency, Memory, NodeId, ReaderId, ResourceId, Route};
use numalab_simulator::Member;
use numalab_workload::{Demand, Phase};
use std::sync::Arc;

/// Transfers between memory and core per accessed byte.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    fills: f64,
    write_backs: f64,
    /// Part of `write_backs` whose lines no load has fetched.
    stored: f64,
    /// Part of `fills` and `write_backs` that is in random order, per accessed byte.
    random: f64,
}

impl Mix {
    /// Transfers per byte, rounded to the nearest 256th as the model does. In order: bytes, fills, write-backs, those of
    /// lines that no load has fetched, and those in random order.
    pub fn rounded([bytes, fills, write_backs, stored, random]: [u64; 5]) -> Mix {
        let part = |amount: u64| (amount as f64 / bytes as f64 * 256.0).round() / 256.0;
        Mix { fills: part(fills), write_backs: part(write_backs), stored: part(stored), random: part(random) }
    }

    /// Fraction of a memory's time that goes to writes.
    fn written(&self, memory: &Memory) -> f64 {
        let writes = memory.write_cost.unwrap_or(1.0) * self.write_backs;
        if writes > 0.0 { writes / (self.fills + writes) } else { 0.0 }
    }
}

/// Stream of one thread.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Nodes that the bytes come from, each with its fraction of the bytes.
    pub parts: Vec<(NodeId, f64)>,
    /// `parts` as whole numbers, which divide the bytes exactly: fractions could miss a border between bytes.
    pub wholes: Vec<u64>,
    pub bytes: u64,
    pub left: f64,
    reader: ReaderId,
    mix: Mix,
    /// Seconds of page faults per byte.
    pub faulting: f64,
    ceiling: f64,
    lines: f64,
    /// Time per byte as a function of the time that lines wait.
    waits: Waits,
}

impl Flow {
    pub fn new(
        party: &Party,
        (phase, demand, scattered): (&Phase, Demand, bool),
        member: &Member,
        parts: Parts,
        mix: Mix,
        bytes: u64,
        faulting: f64,
    ) -> Flow {
        let Party { case, fabric } = party;
        let (core, mates) = (&case.machine.core, f64::from(member.core_mates));
        let of_core = if scattered { random_lines(case, phase) } else { f64::INFINITY };
        let most = demand
            .outstanding
            .or(phase.outstanding)
            .unwrap_or(f64::INFINITY)
            .min(core.outstanding.min(of_core) / mates);
        let lines = match (core.stream_outstanding, phase.sequences(demand)) {
            (Some(each), Some(sequences)) if !scattered => most.min(each * sequences),
            _ => most,
        };
        let lines = match core.store_outstanding {
            // Loads and stores keep different numbers of lines in flight; each byte waits accordingly. The order of
            // operations matters, since thousandths of lines are rounded.
            Some(stores) => {
                let stores = lines.min(stores / mates);
                1.0 / ((1.0 - mix.stored) / lines + mix.stored / stores)
            }
            None => lines,
        };
        let all: u64 = parts.iter().map(|part| part.1).sum();
        let wholes = parts.iter().map(|part| part.1).collect();
        let parts: Vec<_> = parts.into_iter().map(|(node, part)| (node, part as f64 / all as f64)).collect();
        let latency: f64 =
            parts.iter().map(|(node, part)| part * fabric.latency(*node, member.reader).as_secs()).sum();
        let mut ceiling = lines * case.machine.memory.line.0 as f64 / latency;
        let (reader, faulting) = (member.reader, faulting * mates);
        let alone = 1.0 / ceiling;
        let waits = Waits { idle: alone, per_second: alone / latency };
        let flow = Flow {
            parts,
            wholes,
            bytes,
            left: bytes as f64,
            reader,
            mix,
            faulting,
            ceiling: 0.0,
            lines,
            waits,
        };
        if let Some(copy) = core.copy_bandwidth {
            ceiling = ceiling.min(copy.0 / mates / (mix.fills + mix.write_backs));
        }
        let instructions = demand.instructions_per_byte.unwrap_or(phase.instructions_per_byte);
        let compute = instructions * mates / (core.clock.0 * core.instructions_per_cycle);
        let in_turn = 1.0 / (compute + (1.0 - phase.overlap) / ceiling);
        let mut waits = flow.waits;
        let exposed = 1.0 - phase.overlap;
        if exposed > 0.0 && compute + exposed * waits.idle > waits.idle {
            waits = Waits { idle: compute + exposed * waits.idle, per_second: exposed * waits.per_second };
        }
        waits.idle += faulting;
        Flow { ceiling: 1.0 / (1.0 / ceiling.min(in_turn) + faulting), waits, ..flow }
    }

    /// Resources that the flow crosses, each with the amount that crosses it per accessed byte.
    fn hops(&self, fabric: &Fabric) -> Vec<(ResourceId, f64)> {
        let mut hops: Vec<(ResourceId, f64)> = Vec::new();
        for &(home, part) in &self.parts {
            let (fills, write_backs) = (self.mix.fills * part, self.mix.write_backs * part);
            let memory = fabric.memory(home);
            let mut route = Route::default();
            fabric.route(home, self.reader, &mut route);
            hops.push((memory.total, fills + write_backs));
            hops.extend(memory.read.map(|read| (read, fills)));
            hops.extend(memory.write.map(|write| (write, write_backs)));
            hops.extend(memory.random.map(|random| (random, self.mix.random * part)));
            hops.extend(
                memory.turning.map(|turning| (turning.resource, fills + turning.write_cost * write_backs)),
            );
            hops.extend(route.toward_reader.iter().map(|hop| (hop.resource, hop.share * fills)));
            hops.extend(route.requests.iter().map(|hop| (hop.resource, hop.share * fills)));
            hops.extend(route.toward_home.iter().map(|hop| (hop.resource, hop.share * write_backs)));
        }
        // A resource that is crossed more than once (half-duplex links) is one with the sum.
        hops.retain(|hop| hop.1 > 0.0);
        let mut sums: Vec<(ResourceId, f64)> = Vec::new();
        for hop in hops {
            match sums.iter_mut().find(|sum| sum.0 == hop.0) {
                Some(sum) => sum.1 += hop.1,
                None => sums.push(hop),
            }
        }
        sums
    }
}

/// Number of lines in random order that a core keeps in flight: as many as its buffers hold, at most as many as its
/// window of instructions covers.
fn random_lines(case: &Case, phase: &Phase) -> f64 {
    let core = &case.machine.core;
    let (mut instructions, mut lines) = (phase.instructions.iter().sum::<f64>(), 0.0);
    // The instructions of iterations are added last, as in the fast engine, so that both round the sum in the same
    // way.
    let mut computed = 0.0;
    for access in phase.accesses.iter().filter(|access| access.mode.is_data()) {
        let bytes = access.slice.total(phase.iterations) as f64;
        computed += bytes * access.demand.instructions_per_byte.unwrap_or(phase.instructions_per_byte);
        lines += if access.is_scattered() { bytes } else { 0.0 };
    }
    instructions += computed;
    let seen = core.window.map_or(f64::INFINITY, |window| {
        (window * (lines / case.machine.memory.line.0 as f64) / instructions).max(1.0)
    });
    seen.min(core.random_outstanding.unwrap_or(f64::INFINITY))
}

/// Rates and waits at one moment; they stay constant until the next event.
pub struct Moment {
    /// Bytes per second of each flow.
    pub rates: Vec<f64>,
    /// Time that a line waits at each resource; resources without a wait are absent.
    pub waits: Vec<(ResourceId, Span)>,
}

/// Rates of all flows and waits of lines while `flows` are under way.
pub fn moment(party: &Party, flows: &[&Flow]) -> Moment {
    let fabric = party.fabric;
    let routes: Vec<_> = flows.iter().map(|flow| flow.hops(fabric)).collect();
    let mut crossed: Vec<ResourceId> = routes.iter().flatten().map(|hop| hop.0).collect();
    crossed.sort();
    crossed.dedup();
    let line = party.case.machine.memory.line.0 as f64;
    let crowd = |resource: ResourceId| {
        let hops =
            flows.iter().zip(&routes).flat_map(|(flow, route)| route.iter().map(move |hop| (flow, *hop)));
        let lines = hops.filter(|(_, hop)| hop.0 == resource).map(|(flow, hop)| hop.1 * flow.lines);
        // Each flow's lines count in thousandths: a curve's slope would show the difference.
        lines.map(|lines| (lines * 1e3).round()).sum::<f64>() / 1e3
    };
    let crowded = |resource: &ResourceId| {
        let nominal = fabric.capacity(*resource).0;
        let both = fabric.opposite(*resource).map_or(f64::INFINITY, crowd);
        nominal * Curve(fabric.crowding(*resource).0.clone()).at(crowd(*resource).min(both))
    };
    let number = |resource| crossed.binary_search(&resource).expect("listed above");
    let plain: Vec<PlainFlow> = flows
        .iter()
        .zip(&routes)
        .map(|(flow, route)| PlainFlow {
            route: route.iter().map(|hop| (number(hop.0), hop.1)).collect(),
            pull: Pull {
                waits: Some(flow.waits),
                written: flow.mix.written(&party.case.machine.memory),
                ..Pull::plain(flow.ceiling, flow.lines)
            },
        })
        .collect();
    let loaded = |(at, resource): (usize, &ResourceId)| match fabric.loaded_latency(*resource) {
        Some(LatencyUnderLoad { idle, reads, mixed }) => {
            let curve = |factors: &LoadedLatency| Arc::new(Curve(factors.0.clone()));
            let mixed = mixed.map(|(factors, part)| (curve(factors), part));
            let latency = Load { seconds: idle.as_secs(), reads: curve(reads), mixed };
            load(crowded(resource), at, &latency, &plain)
        }
        None => crowded(resource),
    };
    let capacities: Vec<f64> = crossed.iter().enumerate().map(loaded).collect();
    let rates = rates(&capacities, &plain);
    let waits = waiting(&capacities, &plain, &rates).into_iter().zip(&capacities);
    let waits = waits.map(|(lines, capacity)| Span::from_secs_ceil(lines * line / capacity));
    Moment { waits: crossed.into_iter().zip(waits).collect(), rates }
}
