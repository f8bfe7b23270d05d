//! Routes as classes of flows: every (home, reader, mix) that occurs becomes a class of the fluid
//! solver once.

use crate::plan::{Mix, Planner, Segment};
use crate::team::Member;
use numalab_kernel::ResourceId;
use numalab_kernel::fluid::{ClassId, Curve, Fluid};
use numalab_machine::{Fabric, NodeId, ReaderId, Route};
use rustc_hash::FxHashMap;
use std::sync::Arc;

type Key = (NodeId, ReaderId, Mix, u32);

/// Seconds for each byte of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pace {
    /// Of computing.
    pub compute: f64,
    /// Of computing and waiting, for a thread alone on the machine with its data local.
    pub alone: f64,
}

/// The fluid system of one phase, built as it is used.
pub(crate) struct Lanes<'a> {
    fabric: &'a Fabric,
    pub fluid: Fluid,
    /// The machine's resources that occur, by the solver's number.
    pub used: Vec<ResourceId>,
    /// The solver's number of each of the machine's resources, plus one; 0 while unused.
    number: Vec<u32>,
    class: FxHashMap<Key, (ClassId, Pace)>,
    route: Route,
    hops: Vec<(u32, f64)>,
}

impl<'a> Lanes<'a> {
    pub fn new(fabric: &'a Fabric) -> Lanes<'a> {
        Lanes {
            fabric,
            fluid: Fluid::new(),
            used: Vec::new(),
            number: vec![0; fabric.resources() as usize],
            class: FxHashMap::default(),
            route: Route::default(),
            hops: Vec::new(),
        }
    }

    /// The class of a segment read by a thread, and its pace.
    pub fn class(&mut self, segment: &Segment, member: &Member, planner: &Planner) -> (ClassId, Pace) {
        let key = (segment.home, member.reader, segment.mix, member.core_mates);
        if let Some(&class) = self.class.get(&key) {
            return class;
        }
        self.collect_hops(segment.home, member.reader, segment.mix);
        let (ceiling, weight) = ceiling(self.fabric, segment.home, member, planner);
        let class = self.fluid.class(&self.hops, ceiling, weight);
        let compute = planner.seconds_per_byte(member.core_mates);
        let pace = Pace { compute, alone: 1.0 / self.alone(segment.mix, member, planner) };
        self.class.insert(key, (class, pace));
        (class, pace)
    }

    /// Bytes per second of a thread that has its core, its memory and the machine to itself.
    fn alone(&self, mix: Mix, member: &Member, planner: &Planner) -> f64 {
        let ports = self.fabric.memory(member.node);
        let carries = |port: Option<ResourceId>, share: f64| match port {
            Some(port) if share > 0.0 => self.fabric.capacity(port).0 / share,
            _ => f64::INFINITY,
        };
        let (fills, write_backs) = (mix.fills(), mix.write_backs());
        ceiling(self.fabric, member.node, &Member { core_mates: 1, ..*member }, planner)
            .0
            .min(carries(Some(ports.total), fills + write_backs))
            .min(carries(ports.read, fills))
            .min(carries(ports.write, write_backs))
    }

    /// What a flow crosses: the memory controller (reads and writes on lanes of their own where the
    /// machine has them), links toward the reader with what is fetched, links back with what is written,
    /// and the request trackers, where only a fetch is a request.
    fn collect_hops(&mut self, home: NodeId, reader: ReaderId, mix: Mix) {
        self.hops.clear();
        let (fills, write_backs) = (mix.fills(), mix.write_backs());
        let ports = self.fabric.memory(home);
        self.hop(ports.total, fills + write_backs);
        if let Some(read) = ports.read {
            self.hop(read, fills);
        }
        if let Some(write) = ports.write {
            self.hop(write, write_backs);
        }
        let mut route = std::mem::take(&mut self.route);
        self.fabric.route(home, reader, &mut route);
        for hop in route.toward_reader.iter().chain(&route.requests) {
            self.hop(hop.resource, hop.share * fills);
        }
        for hop in &route.toward_home {
            self.hop(hop.resource, hop.share * write_backs);
        }
        self.route = route;
    }

    fn hop(&mut self, resource: ResourceId, share: f64) {
        if share == 0.0 {
            return;
        }
        let known = &mut self.number[resource.0 as usize];
        if *known == 0 {
            let curve = Some(&self.fabric.crowding(resource).0)
                .filter(|points| !points.is_empty())
                .map(|points| Arc::new(Curve(points.clone())));
            *known = self.fluid.resource(self.fabric.capacity(resource).0, curve) + 1;
            self.used.push(resource);
        }
        let number = *known - 1;
        // Both directions of a half-duplex link are one resource.
        match self.hops.iter_mut().find(|hop| hop.0 == number) {
            Some(hop) => hop.1 += share,
            None => self.hops.push((number, share)),
        }
    }
}

/// The most that one thread moves, and what it weighs where it competes.
///
/// Little's law gives what memory allows: lines in flight × line / latency, at most the core's copy
/// bandwidth. Computing for `s` seconds per byte leaves `1 / (s + (1 - overlap) / memory)` of it.
/// A flow weighs as many lines as it keeps outstanding.
fn ceiling(fabric: &Fabric, home: NodeId, member: &Member, planner: &Planner) -> (f64, f64) {
    let (machine, phase) = (planner.machine, planner.phase);
    let core = &machine.core;
    let lines = phase.outstanding.map_or(core.outstanding, |wanted| wanted.min(core.outstanding))
        / f64::from(member.core_mates);
    let latency = fabric.latency(home, member.reader).as_secs();
    let little = lines * machine.memory.line.0 as f64 / latency;
    let copy = core.copy_bandwidth.map_or(f64::INFINITY, |rate| rate.0 / f64::from(member.core_mates));
    let memory = little.min(copy);
    let seconds = planner.seconds_per_byte(member.core_mates) + (1.0 - phase.overlap) / memory;
    (memory.min(1.0 / seconds), lines)
}
