//! Random small machines: levels, shapes, controllers, crowding, latency under load, half-duplex links, hardware
//! threads.

use super::draw::Draw;
use numalab_base::{Bandwidth, Bytes, Frequency, Span};
use numalab_machine::{
    Controller, Crowding, Duplex, Edge, Interconnect, Level, LevelKind, Link, LinkId, LoadedLatency, Machine,
    NodePort, Numbering, Shape, synthetic,
};

const LINKS: u64 = 3;
const KINDS: [LevelKind; 4] = [LevelKind::Board, LevelKind::Socket, LevelKind::Node, LevelKind::Core];

/// Random machine of up to some thirty cores. Memory is ample.
pub fn machine(draw: &mut Draw) -> Machine {
    let mut machine = synthetic("core:1").expect("a sound machine");
    machine.caches.clear();
    machine.links = (0..LINKS).map(|at| link(at, draw)).collect();
    machine.levels.clear();
    for kind in KINDS {
        if kind == LevelKind::Core || draw.maybe() {
            let outermost = machine.levels.is_empty();
            machine.levels.push(level(kind, outermost, draw));
        }
    }
    let cores = machine.levels.last().expect("cores");
    if cores.interconnect.is_some() {
        machine.memory.stops = 1 + draw.below(u64::from(cores.count)) as u32;
    }
    machine.memory.latency = Span(50_000 + draw.below(200_000));
    machine.memory.bandwidth = Bandwidth(draw.real(2e9..20e9));
    let whole = machine.memory.bandwidth.0;
    machine.memory.read_bandwidth = draw.perhaps(|draw| Bandwidth(whole * draw.real(0.3..1.0)));
    machine.memory.write_bandwidth = draw.perhaps(|draw| Bandwidth(whole * draw.real(0.3..1.0)));
    machine.memory.random_bandwidth = draw.perhaps(|draw| Bandwidth(whole * draw.real(0.2..1.0)));
    machine.memory.write_cost = draw.perhaps(|draw| draw.real(1.0..3.0));
    machine.memory.crowding = crowding(draw);
    machine.memory.loaded_latency = loaded_latency(draw);
    machine.memory.mixed_latency = loaded_latency(draw);
    machine.memory.page = Bytes(draw.pick(&[64 << 10, 16 << 10, 2 << 20]));
    machine.memory.capacity = Bytes(1 << 40);
    machine.core.clock = Frequency(draw.real(1e9..3e9));
    machine.core.instructions_per_cycle = draw.real(0.5..2.0);
    // The solver counts what is outstanding in thousandths, so tenths shared by two are exact.
    machine.core.outstanding = 1.0 + draw.below(150) as f64 / 10.0;
    machine.core.stream_outstanding = draw.perhaps(|draw| 1.0 + draw.below(100) as f64 / 10.0);
    machine.core.store_outstanding = draw.perhaps(|draw| 1.0 + draw.below(100) as f64 / 10.0);
    machine.core.random_outstanding = draw.perhaps(|draw| 1.0 + draw.below(100) as f64 / 10.0);
    machine.core.window = draw.perhaps(|draw| 10.0 + draw.below(500) as f64);
    machine.core.copy_bandwidth = draw.perhaps(|draw| Bandwidth(draw.real(1e9..8e9)));
    machine.core.threads = 1 + draw.below(2) as u32;
    machine.numbering =
        draw.pick(&[Numbering::CoresFirst, Numbering::ThreadsFirst, Numbering::RoundRobinSockets]);
    machine.os.page_fault = Span(draw.below(3_000_000));
    // An overlap with caches, which are absent: its only effect is to keep random lines apart from streams.
    machine.core.random_overlap = draw.perhaps(|draw| draw.real(0.0..1.0));
    machine.core.random_beside_streams = draw.perhaps(|draw| draw.real(0.0..1.0));
    // The slow engine models neither caches nor locks.
    machine.os.page_lock = Span::ZERO;
    machine.caches.clear();
    machine
}

fn link(at: u64, draw: &mut Draw) -> Link {
    Link {
        name: format!("link{at}"),
        bandwidth: Bandwidth(draw.real(1e9..10e9)),
        latency: Span(draw.below(200_000)),
        lanes: 1 + draw.below(2) as u32,
        duplex: if draw.maybe() { Duplex::Half } else { Duplex::Full },
        crowding: crowding(draw),
        loaded_latency: loaded_latency(draw),
    }
}

fn loaded_latency(draw: &mut Draw) -> LoadedLatency {
    let curve = |draw: &mut Draw| {
        let calm = draw.real(0.0..0.9);
        vec![(calm, 1.0), (draw.real(calm + 0.05..1.0), draw.real(1.0..2.0)), (1.0, draw.real(2.0..4.0))]
    };
    LoadedLatency(draw.perhaps(curve).unwrap_or_default())
}

fn crowding(draw: &mut Draw) -> Crowding {
    let curve = |draw: &mut Draw| {
        let full = draw.real(1.0..30.0);
        vec![(full, 1.0), (full + draw.real(1.0..60.0), draw.real(0.3..1.0))]
    };
    Crowding(draw.perhaps(curve).unwrap_or_default())
}

fn level(kind: LevelKind, outermost: bool, draw: &mut Draw) -> Level {
    let count = 1 + draw.below(3) as u32;
    let (count, shape) = match draw.below(8) {
        0 => (count, None),
        1 => (count, Some(Shape::Mesh)),
        2 => (count, Some(Shape::Ring)),
        3 => (2 * count, Some(Shape::Torus(vec![2, count]))),
        4 => (1 << draw.below(3), Some(Shape::Hypercube)),
        5 => (count, Some(Shape::FatTree { arity: 2 })),
        6 => (count, Some(Shape::Star)),
        _ => (count, Some(Shape::Edges(chain(count, draw)))),
    };
    let interconnect = shape.map(|shape| Interconnect { shape, link: any_link(draw) });
    let may_have_controller = !outermost && kind <= LevelKind::Node;
    let controller = draw.perhaps(|draw| Controller {
        link: any_link(draw),
        requests: draw.perhaps(|draw| draw.real(1.0..40.0)),
        bandwidth: draw.perhaps(|draw| Bandwidth(draw.real(1e9..40e9))),
        crowding: crowding(draw),
    });
    let port = draw.perhaps(|draw| NodePort {
        read_bandwidth: draw.perhaps(|draw| Bandwidth(draw.real(1e9..20e9))),
        write_bandwidth: draw.perhaps(|draw| Bandwidth(draw.real(1e9..20e9))),
    });
    Level {
        kind,
        count,
        interconnect,
        controller: controller.filter(|_| may_have_controller),
        port: port.filter(|_| !kind.holds_memory()),
        core_to_core: None,
    }
}

fn any_link(draw: &mut Draw) -> LinkId {
    LinkId(draw.below(LINKS) as usize)
}

/// Links that join each of `count` siblings, except the first, to an earlier sibling.
fn chain(count: u32, draw: &mut Draw) -> Vec<Edge> {
    let mut edge = |to| Edge { from: draw.below(u64::from(to)) as u32, to, link: any_link(draw) };
    (1..count).map(&mut edge).collect()
}
