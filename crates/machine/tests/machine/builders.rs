//! Small machines for tests, and routes as link names.

use numalab_base::{Bandwidth, Span};
use numalab_machine::{
    Controller, Crowding, Duplex, Edge, Fabric, Interconnect, Level, LevelKind, Link, LinkId, LoadedLatency,
    Machine, NodeId, ReaderId, Route, Shape, synthetic,
};

pub fn machine(spec: &str) -> Machine {
    synthetic(spec).unwrap()
}

pub fn fabric(machine: &Machine) -> Fabric {
    Fabric::new(machine).unwrap()
}

/// A full-duplex link of one lane and 10 GB/s.
pub fn link(name: &str, nanoseconds: u64) -> Link {
    Link {
        name: name.to_owned(),
        bandwidth: Bandwidth(10e9),
        latency: Span(nanoseconds * 1000),
        lanes: 1,
        duplex: Duplex::Full,
        crowding: Crowding::default(),
        loaded_latency: LoadedLatency::default(),
    }
}

pub fn joined(shape: Shape, link: usize) -> Option<Interconnect> {
    Some(Interconnect { shape, link: LinkId(link) })
}

pub fn level(kind: LevelKind, count: u32, interconnect: Option<Interconnect>) -> Level {
    Level { kind, count, interconnect, controller: None, port: None, core_to_core: None }
}

pub fn controlled(level: Level, link: usize, requests: Option<f64>) -> Level {
    Level {
        controller: Some(Controller {
            link: LinkId(link),
            requests,
            bandwidth: None,
            crowding: Crowding::default(),
        }),
        ..level
    }
}

pub fn edge(from: u32, to: u32, link: usize) -> Edge {
    Edge { from, to, link: LinkId(link) }
}

/// Sockets of one core, connected in this shape by links of 10 ns named `wire`.
pub fn sockets(count: u32, shape: Shape) -> Machine {
    Machine {
        levels: vec![level(LevelKind::Socket, count, joined(shape, 0)), level(LevelKind::Core, 1, None)],
        links: vec![link("wire", 10)],
        ..machine("core:1")
    }
}

/// Names of the links that lines cross from memory to the reader.
pub fn way(fabric: &Fabric, home: u32, reader: u32) -> Vec<String> {
    let mut route = Route::default();
    fabric.route(NodeId(home), ReaderId(reader), &mut route);
    route.toward_reader.iter().map(|hop| fabric.name(hop.resource)).collect()
}
