//! Values of another machine, for a processor that the table of generations does not know.

use super::{Assumption, Source};
use crate::topology::generations::OUTSIDE;
use crate::topology::{MachineSketch, Topology};
use numalab_base::{Bandwidth, Span};
use numalab_machine::{Cache, Core, Level, LevelKind, LinkId, Machine, Memory, totals};

impl MachineSketch {
    /// Replaces defaults by values of `like`, and lists all values that are not measured. The shape stays: bandwidths
    /// of nodes are shared by the nodes of a socket.
    pub fn assume_as(&mut self, topology: &Topology, like: &Machine) -> Vec<Assumption> {
        let mut said = Vec::new();
        let source = format!("as of {}", like.name);
        self.machine.protocol = like.protocol;
        let protocol = like.protocol.name();
        said.push(Assumption::new("protocol", protocol, &*source));
        self.core_of(like, &source, &mut said);
        self.caches_of(like, &source, &mut said);
        self.memory_of(topology, like, &source, &mut said);
        self.links_of(topology, like, &source, &mut said);
        self.machine.os = like.os.clone();
        said.push(Assumption::new("os", "", &*source));
        self.memory_only_of_its_kind(None, Some(like), &mut said);
        self.the_rest(Source::synthetic(&format!("{} has no such value", like.name)), &mut said);
        self.warnings.extend(super::contradictions::with_distances(self, topology));
        said
    }

    fn core_of(&mut self, like: &Machine, source: &str, said: &mut Vec<Assumption>) {
        let open = self.is_open("core.clock");
        let core = &mut self.machine.core;
        let clock = if open { like.core.clock } else { core.clock };
        *core = Core { threads: core.threads, clock, ..like.core.clone() };
        if open {
            said.push(Assumption::new("core.clock", core.clock, source));
        }
        for (field, value) in [
            ("flops_per_cycle", core.flops_per_cycle),
            ("instructions_per_cycle", core.instructions_per_cycle),
            ("outstanding", core.outstanding),
        ] {
            said.push(Assumption::new(format!("core.{field}"), value, source));
        }
    }

    fn caches_of(&mut self, like: &Machine, source: &str, said: &mut Vec<Assumption>) {
        for at in 0..self.machine.caches.len() {
            let path = |field: &str| format!("cache[{at}].{field}");
            let open = self.is_open(&path("size"));
            let cache = &mut self.machine.caches[at];
            let Some(other) = like.caches.iter().find(|other| other.level == cache.level) else { continue };
            let size = if open { other.size } else { cache.size };
            *cache = Cache { size, shared_by: cache.shared_by, ..other.clone() };
            if open {
                said.push(Assumption::new(path("size"), cache.size, source));
            }
            said.push(Assumption::new(path("latency"), cache.latency, source));
            said.push(Assumption::new(path("bandwidth"), cache.bandwidth, source));
        }
    }

    fn memory_of(&mut self, topology: &Topology, like: &Machine, source: &str, said: &mut Vec<Assumption>) {
        let all = totals(like);
        let of_like = f64::from(all.nodes.max(1)) / f64::from(all.sockets.unwrap_or(1).max(1));
        let part = of_like / self.nodes_of_a_socket(topology);
        let open = |path: &str| self.is_open(path);
        let [capacity, latency, bandwidth] =
            ["memory.capacity", "memory.latency", "memory.bandwidth"].map(open);
        let [line, page] = ["memory.line", "memory.page"].map(open);
        let own = &self.machine.memory;
        let other = like.memory.clone();
        let scaled = |value: Bandwidth| Bandwidth(value.0 * part);
        let memory = Memory {
            capacity: if capacity { other.capacity } else { own.capacity },
            latency: if latency { other.latency } else { own.latency },
            bandwidth: if bandwidth { scaled(other.bandwidth) } else { own.bandwidth },
            read_bandwidth: other.read_bandwidth.filter(|_| bandwidth).map(scaled),
            write_bandwidth: other.write_bandwidth.filter(|_| bandwidth).map(scaled),
            random_bandwidth: other.random_bandwidth.filter(|_| bandwidth).map(scaled),
            line: if line { other.line } else { own.line },
            page: if page { other.page } else { own.page },
            stops: own.stops,
            ..other
        };
        self.machine.memory = memory;
        let memory = &self.machine.memory;
        let shared = match part {
            1.0 => source.to_owned(),
            part => format!("{source}, {part} times the bandwidth of its node"),
        };
        let values = [
            ("capacity", capacity, memory.capacity.to_string(), source),
            ("latency", latency, memory.latency.to_string(), source),
            ("bandwidth", bandwidth, memory.bandwidth.to_string(), &shared),
            ("line", line, memory.line.to_string(), source),
            ("page", page, memory.page.to_string(), source),
        ];
        for (field, _, value, source) in values.into_iter().filter(|(_, open, ..)| *open) {
            said.push(Assumption::new(format!("memory.{field}"), value, source));
        }
        for (field, value) in [("read", memory.read_bandwidth), ("write", memory.write_bandwidth)] {
            let value = value.map_or("as all together".to_owned(), |value| value.to_string());
            said.push(Assumption::new(format!("memory.{field}_bandwidth"), value, source));
        }
    }

    /// Links and core-to-core latencies of the same levels. A level that `like` has not gets what is usual inside of a
    /// socket and between sockets.
    fn links_of(&mut self, topology: &Topology, like: &Machine, source: &str, said: &mut Vec<Assumption>) {
        let of = |levels: &[Level], kind: LevelKind| levels.iter().find(|level| level.kind == kind).cloned();
        for at in 0..self.machine.levels.len() {
            let kind = self.machine.levels[at].kind;
            let Some(other) = of(&like.levels, kind) else { continue };
            let own = &mut self.machine.levels[at];
            own.core_to_core = other.core_to_core;
            own.port = other.port.clone();
            for (name, value) in own
                .port
                .iter()
                .flat_map(|port| [("read", port.read_bandwidth), ("write", port.write_bandwidth)])
            {
                let path = format!("level[{at}].port.{name}_bandwidth");
                said.extend(value.map(|value| Assumption::new(path, value, source)));
            }
            let joined = own.interconnect.as_ref().zip(other.interconnect.as_ref());
            let to_controller = own.controller.as_ref().zip(other.controller.as_ref());
            let pairs = [
                joined.map(|(own, other)| (own.link, other.link)),
                to_controller.map(|(own, other)| (own.link, other.link)),
            ];
            for (own, other) in pairs.into_iter().flatten() {
                self.link_like(own, other, like, source, said);
            }
        }
        let joined =
            |kind: LevelKind| of(&like.levels, kind).is_some_and(|level| level.interconnect.is_some());
        if !joined(LevelKind::Socket)
            && let Some(link) = self.link_of(LevelKind::Socket)
        {
            let memory = &self.machine.memory;
            let bandwidth = Bandwidth(memory.bandwidth.0 * self.nodes_of_a_socket(topology) / 2.0);
            let latency = Span((memory.latency.0 as f64 * OUTSIDE / 2.0) as u64);
            let why = format!("assumed: half of the memory of a socket; {} has one socket", like.name);
            self.set_bandwidth(link, bandwidth, why, said);
            let why = format!("assumed: a miss of another socket takes {OUTSIDE} of a local one longer");
            self.set_latency(link, latency, why, said);
        }
        if !joined(LevelKind::Node)
            && let Some(link) = self.link_of(LevelKind::Node)
        {
            self.take_nodes(None, link, said);
        }
        self.keep_order(said);
    }

    fn link_like(
        &mut self,
        own: LinkId,
        other: LinkId,
        like: &Machine,
        source: &str,
        said: &mut Vec<Assumption>,
    ) {
        let Some(other) = like.links.get(other.0).cloned() else { return };
        let lanes = self.path_of(own, "lanes");
        self.set_bandwidth(own, other.bandwidth, source.to_owned(), said);
        self.set_latency(own, other.latency, source.to_owned(), said);
        if let Some(path) = lanes {
            said.push(Assumption::new(path, other.lanes, source));
            self.machine.links[own.0].lanes = other.lanes;
        }
    }
}
