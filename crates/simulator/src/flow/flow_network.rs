//! Routes as classes of flows: every kind of stream of a phase (origin, demand, reader, mix, faults, number of
//! threads on the core) becomes one class of the fluid solver. The network lives as long as the run.

use crate::account::cause::Cause;
use crate::account::observer::Observer;
use crate::account::outcome::Reach;
use crate::engine::team::Member;
use crate::flow::ideal::Ideal;
use crate::flow::origin::{Blends, Origin};
use crate::flow::pace::Pace;
use crate::flow::rates::{
    access_bandwidth, beside_computing, ceiling, copy_bandwidth, lines_in_flight, littles_law, waits, written,
};
use crate::os::system::LOCK_CAPACITY;
use crate::plan::{DataStream, DemandId, Demanded, Faults, Mix, Planner};
use numalab_base::{PS_PER_S, Span, Time};
use numalab_des::fluid::{
    ClassId, Curve, Degradation, Delay, Delayed, Fluid, Load, Loads, Pull, ResourceNo, Waits,
};
use numalab_machine::{
    Cache, Closeness, Fabric, LatencyUnderLoad, Machine, NodeId, ReaderId, ResourceId, Route, Turning,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

type Key = (Origin, DemandId, ReaderId, Mix, Faults, u32);

/// Number of classes of flows up to which classes without flows are kept: a stream is often followed by a stream of
/// the same class.
const FEW: usize = 1 << 13;

/// Fluid system of a run. Resources and classes are added at their first use.
#[derive(Clone, Debug)]
pub(crate) struct FlowNetwork<'a> {
    pub fabric: &'a Fabric,
    ideal: Ideal<'a>,
    pub fluid: Fluid,
    /// Resources in use, by the solver's number; `None` for the lock of a node's free pages, which is no hardware.
    pub used: Vec<Option<ResourceId>>,
    /// The solver's number of each machine resource; `None` if unused.
    number: Vec<Option<ResourceNo>>,
    class: FxHashMap<Key, (ClassId, Pace)>,
    /// Number of classes beyond which classes without flows are dropped.
    most: usize,
    /// Copies of pages: class and seconds per byte, by source, target, reader, and number of threads on the reader's
    /// core.
    copying: FxHashMap<(NodeId, NodeId, ReaderId, u32), (ClassId, f64)>,
    /// Lock of each node's free pages: the solver's number, and the number of the last phase that queued at the lock.
    lock: FxHashMap<NodeId, (ResourceNo, u64)>,
    /// Utilisation curves of the locks of free pages, by time of using a page, lines in flight (as bits) and threads;
    /// nodes with equal values share a curve.
    lock_curves: Vec<((Span, u64, u32), Arc<Curve>)>,
    /// Number of phases begun.
    phases: u64,
    /// Classes of streams with the closeness of reader and data. `spared`: picoseconds that were charged to full
    /// resources, but in which ended flows would have waited for lines without contention, too; by closeness.
    levels: Vec<(ClassId, Closeness)>,
    spared: [f64; 4],
    route: Route,
    hops: Vec<(ResourceNo, f64)>,
    /// Index in `hops` of each resource, by the solver's number; stale if `hops` has another resource there.
    place: Vec<u32>,
    /// Kinds of routes that data has taken so far. A kind that is ideal is not recorded.
    pub reach: Reach,
    /// Nodes of a stream, each with its part of the stream's bytes, 0 to 1. Scratch space.
    parts: Vec<(NodeId, f64)>,
    /// Bytes over the machine's resources, for an observer. `told`: instant up to which they are reported.
    /// `next_look`: instant of the next report.
    loads: Loads,
    told: Time,
    next_look: Time,
}

impl<'a> FlowNetwork<'a> {
    pub fn new(fabric: &'a Fabric, ideal: Ideal<'a>) -> FlowNetwork<'a> {
        FlowNetwork {
            fabric,
            ideal,
            fluid: Fluid::new(),
            used: Vec::new(),
            number: vec![None; fabric.resources() as usize],
            class: FxHashMap::default(),
            most: FEW,
            copying: FxHashMap::default(),
            lock: FxHashMap::default(),
            lock_curves: Vec::new(),
            phases: 1,
            levels: Vec::new(),
            spared: [0.0; 4],
            route: Route::default(),
            hops: Vec::new(),
            place: Vec::new(),
            parts: Vec::new(),
            reach: Reach::default(),
            loads: Loads::default(),
            told: Time::ZERO,
            next_look: Time::ZERO,
        }
    }

    /// Ends a phase. Called after the phase's usage of resources was read. Streams of the next phase belong to other
    /// classes, since ceilings depend on the computing of the phase. Classes of copies stay if a flow is under way.
    pub fn end_phase(&mut self, now: Time) {
        self.phases += 1;
        self.class.clear();
        self.levels.clear();
        if self.fluid.restart(now) {
            self.copying.clear();
        }
        self.loads.restart(&self.fluid);
    }

    /// Drops the classes without flows if there are more than `most` classes. With thousands of nodes most streams
    /// have a class of their own.
    pub fn tidy(&mut self, now: Time) {
        if self.class.len() + self.copying.len() > self.most {
            self.spare();
            let FlowNetwork { fluid, class, copying, most, loads, levels, .. } = self;
            levels.retain(|class| fluid.flows(class.0));
            class.retain(|_, class| fluid.flows(class.0));
            copying.retain(|_, class| fluid.flows(class.0));
            loads.settle(fluid, now);
            fluid.forget_idle();
            *most = FEW.max(2 * (class.len() + copying.len()));
        }
    }

    /// Adds to `spared`, for each class that has no flows now, the part of the time charged to full resources in
    /// which its ended flows would have waited for lines without contention, too.
    fn spare(&mut self) {
        let FlowNetwork { fluid, levels, spared, .. } = self;
        for &(class, level) in levels.iter() {
            if !fluid.flows(class) {
                spared[level as usize] += fluid.take_rest(class);
            }
        }
    }

    /// Time since the last call that was charged to full resources, but in which streams would have waited for lines
    /// without contention, too; by the closeness of reader and data.
    pub fn take_spared(&mut self) -> [(Closeness, Span); 4] {
        self.spare();
        let spared = std::mem::take(&mut self.spared);
        [Closeness::Node, Closeness::Socket, Closeness::Board, Closeness::Machine]
            .map(|level| (level, Span(spared[level as usize] as u64)))
    }

    /// Begins a flow of a class. `watched`: an observer needs the rates of the flow.
    pub fn begin(&mut self, (class, bytes, token): (ClassId, u64, u32), now: Time, watched: bool) {
        if watched {
            self.loads.begin(&self.fluid, class);
        }
        self.fluid.start(now, class, bytes, token);
    }

    /// Starts to record delays of flows, for an observer.
    pub fn watch(&mut self) {
        self.fluid.keep_delays();
    }

    /// Reports the bytes over each resource up to `now`, in intervals whose ends `observer` chooses. If several ends
    /// have passed, all intervals after the first are joined. `all`: also reports the last, incomplete interval.
    /// Called before anything changes at `now`.
    pub fn show_loads(&mut self, now: Time, all: bool, observer: &mut impl Observer) {
        let FlowNetwork { fluid, used, loads, told, next_look, .. } = self;
        let mut tell = |until: Time| {
            let from = std::mem::replace(told, until);
            loads.tell(fluid, until, |number, bytes| {
                // Locks are no hardware.
                if let Some(resource) = used[number.index()] {
                    observer.carried(resource, bytes, from, until);
                }
            });
            observer.next_look(until)
        };
        // Rates are constant up to `now`, so all further intervals are reported in one piece.
        if *next_look <= now {
            *next_look = tell(*next_look);
        }
        if all || *next_look <= now {
            *next_look = tell(now);
        }
    }

    /// Causes of a stream's waits for full resources, each with the waiting time. `level`: closeness of thread and
    /// data. `waiting`: part of the stream's latency-bound time, 0 to 1, in which the thread waited; in the rest the
    /// thread computed.
    pub fn reasons(
        &self,
        level: Closeness,
        delayed: &Delayed,
        waiting: f64,
    ) -> impl Iterator<Item = (Cause, Span)> {
        let reason = move |delay: &Delay| {
            let cause = match self.used[delay.by.index()] {
                Some(resource) => Cause::Memory { level, limit: Some(resource) },
                // The lock of a node's free pages.
                None => Cause::Fault,
            };
            (cause, Span((delay.late + waiting * delay.rest) as u64))
        };
        delayed.iter().map(reason)
    }

    /// Class and pace of a thread's stream. Adds the class to the solver at the first stream of its kind in a phase.
    pub fn class(
        &mut self,
        stream: &DataStream,
        member: &Member,
        planner: &Planner,
        blends: &Blends,
    ) -> (ClassId, Pace) {
        let demand = planner.demanded(stream.demand);
        let key = (stream.origin, stream.demand, member.reader, stream.mix, stream.faults, member.core_mates);
        if let Some(&class) = self.class.get(&key) {
            return class;
        }
        let mut parts = std::mem::take(&mut self.parts);
        parts.clear();
        blends.divide(stream.origin, 1 << 32, |node, part| {
            parts.push((node, part as f64 / (1u64 << 32) as f64));
        });
        self.hops.clear();
        for &(node, part) in &parts {
            let memory = !matches!(stream.origin, Origin::Peer(_));
            self.collect_hops(node, member.reader, stream.mix, part, memory);
        }
        let faulting = stream.faults.of(planner.system.fault_per_byte());
        if faulting > 0.0 {
            self.collect_locks(&parts, faulting, demand, member, planner);
        }
        let own = |part: &(NodeId, f64)| part.0 == member.node;
        let peer = matches!(stream.origin, Origin::Peer(_));
        self.reach.far |= !self.ideal.near && (peer || !parts.iter().all(own));
        let latency = match stream.origin {
            Origin::Peer(owner) if !self.ideal.near => {
                self.fabric.peer_latency(owner, member.reader).as_secs()
            }
            Origin::Peer(_) | Origin::Node(_) | Origin::Blend(_) => {
                parts.iter().map(|&(node, part)| part * self.latency(node, member).as_secs()).sum()
            }
        };
        let faulting = faulting * f64::from(member.core_mates) / PS_PER_S;
        let most = access_bandwidth(stream.mix, member, planner);
        let (ceiling, weight) = ceiling(latency, most, faulting, (demand, stream.mix), member, planner);
        let waits = Some(waits(latency, faulting, (demand, stream.mix), member, planner));
        let written = written(stream.mix, planner.machine);
        let class = self.fluid.class(&self.hops, Pull { ceiling, weight, waits, written });
        let alone = 1.0 / self.alone(stream.mix, demand, member, planner);
        let pace = Pace { compute: demand.computing(member.core_mates), faulting, alone };
        self.fluid.set_waiting(class, pace.waiting(ceiling));
        let nodes = parts.iter().map(|part| self.fabric.closest(member.node, part.0));
        self.levels.push((class, nodes.max().unwrap_or(Closeness::Node)));
        self.class.insert(key, (class, pace));
        self.parts = parts;
        (class, pace)
    }

    /// Class of page copies that a thread makes for the operating system as fast as its share of the core allows, and
    /// seconds per byte without contention.
    pub fn copying(
        &mut self,
        from: NodeId,
        to: NodeId,
        member: &Member,
        machine: &Machine,
    ) -> (ClassId, f64) {
        let key = (from, to, member.reader, member.core_mates);
        if let Some(&class) = self.copying.get(&key) {
            return class;
        }
        self.hops.clear();
        self.collect_hops(from, member.reader, Mix::LOAD, 1.0, true);
        self.collect_hops(to, member.reader, Mix::STORE, 1.0, true);
        self.reach.far |= !self.ideal.near && from != member.node;
        let lines = machine.core.outstanding / f64::from(member.core_mates);
        let latency = self.latency(from, member).as_secs();
        // Each byte is fetched and written.
        let most = littles_law(latency, lines, machine).min(copy_bandwidth(machine, member) / 2.0);
        let idle = 1.0 / littles_law(latency, lines, machine);
        let waits = Some(Waits { idle, per_second: idle / latency });
        // The source's memory only reads and the target's only writes; for both, half of the bytes count as written.
        let written = written(Mix::COPY, machine);
        let class = self.fluid.class(&self.hops, Pull { ceiling: most, weight: lines, waits, written });
        self.copying.insert(key, (class, 1.0 / most));
        (class, 1.0 / most)
    }

    /// Latency of a line from memory of node `home`; from the reader's own node under the ideal `near`.
    fn latency(&self, home: NodeId, member: &Member) -> Span {
        self.fabric.latency(if self.ideal.near { member.node } else { home }, member.reader)
    }

    /// Adds to `hops` the locks of the free pages of all nodes that fresh pages come from. `faulting`: picoseconds of
    /// faulting per byte.
    fn collect_locks(
        &mut self,
        parts: &[(NodeId, f64)],
        faulting: f64,
        demand: &Demanded,
        member: &Member,
        planner: &Planner,
    ) {
        let held = faulting * planner.system.locked_part();
        if held == 0.0 {
            return;
        }
        let latency = self.fabric.latency(member.node, member.reader).as_secs();
        let (rate, lines) = ceiling(
            latency,
            copy_bandwidth(planner.machine, member),
            0.0,
            (demand, Mix::LOAD),
            member,
            planner,
        );
        let FlowNetwork { fluid, used, lock, lock_curves, hops, phases, .. } = self;
        for &(node, part) in parts {
            let (lock, phase) = lock.entry(node).or_insert_with(|| {
                used.push(None);
                (fluid.resource(LOCK_CAPACITY, Degradation::default()), 0)
            });
            if std::mem::replace(phase, *phases) != *phases {
                let using = Span::from_secs_ceil(planner.machine.memory.page.0 as f64 / rate);
                let key = (using, lines.to_bits(), planner.threads);
                let curve = match lock_curves.iter().find(|known| known.0 == key) {
                    Some((_, curve)) => curve.clone(),
                    None => {
                        let curve = Arc::new(planner.system.lock(using, lines, planner.threads));
                        lock_curves.push((key, curve.clone()));
                        curve
                    }
                };
                fluid.degrade(*lock, Degradation { crowding: Some(curve), load: None });
            }
            hops.push((*lock, held * part));
        }
    }

    /// Seconds per byte, and pace, of data from a cache. The cache's latency counts for lines in random order, and if
    /// the workload states the lines in flight; else prefetchers hide it. If the machine states how much computing
    /// overlaps with lines in random order, only the latency beyond this computing counts for these lines.
    pub fn cached(cache: &Cache, demand: DemandId, member: &Member, planner: &Planner) -> (f64, Pace) {
        let demand = planner.demanded(demand);
        let seconds = |core_mates: u32| {
            let mates = f64::from(core_mates);
            let lines = demand.lines_of_cache(planner.machine.core.outstanding, cache, core_mates);
            let waited = lines
                .map_or(f64::INFINITY, |lines| littles_law(cache.latency.as_secs(), lines, planner.machine));
            let most = cache.bandwidth.0 / mates;
            if let Some(beside) = demand.beside_caches(core_mates) {
                let exposed = (1.0 / waited - beside).max(0.0);
                return (demand.computing(core_mates) + exposed).max(1.0 / most);
            }
            let member = Member { core_mates, ..*member };
            1.0 / beside_computing(waited.min(most), 0.0, demand, &member, planner.phase.overlap)
        };
        let compute = demand.computing(member.core_mates);
        (seconds(member.core_mates), Pace { compute, faulting: 0.0, alone: seconds(1) })
    }

    /// Bytes per second that a thread can read from its own node without contention.
    pub fn local(member: &Member, demand: &Demanded, planner: &Planner) -> f64 {
        let latency = planner.fabric.latency(member.node, member.reader).as_secs();
        littles_law(latency, lines_in_flight(demand, member, planner.machine), planner.machine)
            .min(copy_bandwidth(planner.machine, member))
    }

    /// Bytes per second of a thread without page faults that has its core, its memory and the machine to itself, with
    /// local data.
    fn alone(&self, mix: Mix, demand: &Demanded, member: &Member, planner: &Planner) -> f64 {
        let ports = self.fabric.memory(member.node);
        let carries = |port: Option<ResourceId>, share: f64| match port {
            Some(port) if share > 0.0 => self.fabric.capacity(port).0 / share,
            _ => f64::INFINITY,
        };
        let (fills, write_backs) = (mix.fills(), mix.write_backs());
        let of_ports = |inward: bool, share: f64| {
            let ports = self.fabric.node_ports(member.reader, inward);
            ports.map(|port| carries(Some(port), share)).fold(f64::INFINITY, f64::min)
        };
        let latency = self.fabric.latency(member.node, member.reader).as_secs();
        let alone = Member { core_mates: 1, ..*member };
        ceiling(latency, access_bandwidth(mix, &alone, planner), 0.0, (demand, mix), &alone, planner)
            .0
            .min(carries(Some(ports.total), fills + write_backs))
            .min(carries(ports.read, fills))
            .min(carries(ports.write, write_backs))
            .min(carries(ports.random, mix.random()))
            .min(of_ports(true, fills))
            .min(of_ports(false, write_backs))
            .min(match ports.turning {
                Some(Turning { resource, write_cost }) => {
                    carries(Some(resource), fills + write_cost * write_backs)
                }
                None => f64::INFINITY,
            })
    }

    /// Adds to `hops` the resources that the fraction `part` of a flow crosses. Memory: one resource for all bytes,
    /// and further ones for reads, writes, random accesses and changes of direction if the machine has them. Links to
    /// the reader carry fetched bytes, links back written bytes; request trackers carry fetches only. Ideals leave
    /// resources out. `memory`: false if another socket's cache delivers the bytes.
    fn collect_hops(&mut self, home: NodeId, reader: ReaderId, mix: Mix, part: f64, memory: bool) {
        let (fills, write_backs) = (mix.fills() * part, mix.write_backs() * part);
        if memory && !self.ideal.memory {
            let ports = self.fabric.memory(home);
            self.hop(ports.total, fills + write_backs);
            if let Some(read) = ports.read {
                self.hop(read, fills);
            }
            if let Some(write) = ports.write {
                self.hop(write, write_backs);
            }
            if let Some(random) = ports.random {
                self.hop(random, mix.random() * part);
            }
            if let Some(Turning { resource, write_cost }) = ports.turning {
                self.hop(resource, fills + write_cost * write_backs);
            }
        }
        if self.ideal.links {
            return;
        }
        let mut route = std::mem::take(&mut self.route);
        self.fabric.route(home, reader, &mut route);
        let ways = [&route.toward_reader, &route.requests, &route.toward_home];
        self.reach.links |= ways.into_iter().any(|way| !way.is_empty());
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
        let number = self.number(resource);
        // Both directions of a half-duplex link are one resource.
        let place = &mut self.place[number.index()];
        match self.hops.get_mut(*place as usize).filter(|hop| hop.0 == number) {
            Some(hop) => hop.1 += share,
            None => {
                *place = self.hops.len() as u32;
                self.hops.push((number, share));
            }
        }
    }

    /// The solver's number of a machine resource, which is added to the solver at its first use. The two directions
    /// of a controller crowd each other, so both directions are added together.
    fn number(&mut self, resource: ResourceId) -> ResourceNo {
        if let Some(known) = self.number[resource.0 as usize] {
            return known;
        }
        let number = self.add(resource);
        if let Some(opposite) = self.fabric.opposite(resource) {
            let opposite = self.add(opposite);
            self.fluid.oppose(number, opposite);
        }
        number
    }

    fn add(&mut self, resource: ResourceId) -> ResourceNo {
        // Most resources lose no capacity and need no curve.
        let curve = |points: &[(f64, f64)]| (!points.is_empty()).then(|| Arc::new(Curve(points.to_vec())));
        let crowding = curve(&self.fabric.crowding(resource).0);
        let load = self.fabric.loaded_latency(resource).map(|LatencyUnderLoad { idle, reads, mixed }| {
            let mixed = mixed.and_then(|(factors, part)| Some((curve(&factors.0)?, part)));
            Load { seconds: idle.as_secs(), reads: curve(&reads.0).unwrap_or_default(), mixed }
        });
        let capacity = self.fabric.capacity(resource).0;
        let number = self.fluid.resource(capacity, Degradation { crowding, load });
        self.used.push(Some(resource));
        self.place.resize(self.used.len(), 0);
        self.number[resource.0 as usize] = Some(number);
        number
    }
}
