//! Random small machines of every shape.
//!
//! A machine is derived from a list of numbers, so that it shrinks as the list does: zeros are the
//! simplest choices.

use crate::builders::{controlled, edge, joined, level, link, machine};
use numalab_base::{Bandwidth, Bytes, Span};
use numalab_machine::{Duplex, Edge, Level, LevelKind, Machine, Numbering, Shape};
use proptest::prelude::*;

pub fn any_machine() -> impl Strategy<Value = Machine> {
    proptest::collection::vec(any::<u16>(), 80).prop_map(|numbers| drawn(&mut Choices(numbers.into_iter())))
}

/// A random machine with a few values that may be invalid.
pub fn spoilt_machine() -> impl Strategy<Value = Machine> {
    let blows = proptest::collection::vec((any::<u16>(), any::<u16>(), any::<u16>()), 1..4);
    (any_machine(), blows).prop_map(|(mut machine, blows)| {
        for (what, at, value) in blows {
            spoil(&mut machine, what, at.into(), value.into());
        }
        machine
    })
}

fn spoil(machine: &mut Machine, what: u16, at: usize, value: usize) {
    let number = [0, 1, 2, 3, 64, 1000, 1 << 20, 1 << 22, u32::MAX][value % 9];
    let real = [0.0, -1.0, 1.0, 1e300, f64::INFINITY, f64::NAN][value % 6];
    let size = [0, 1, 64, 4096, 1 << 57, u64::MAX][value % 6];
    let levels = machine.levels.len();
    let level = &mut machine.levels[at % levels];
    match what % 12 {
        0 => level.count = number,
        1 => level.kind = LevelKind::ALL[value % 5],
        2 => level.interconnect = joined(Shape::Torus(vec![number; 3]), value % 7),
        3 => level.interconnect = joined(Shape::FatTree { arity: number }, value % 7),
        4 => level.interconnect = joined(Shape::Edges(vec![edge(number, 1, value % 7)]), value % 7),
        5 => level.interconnect = joined(Shape::Hypercube, value % 7),
        6 => *level = controlled(level.clone(), value % 7, Some(real)),
        7 => machine.links[at % LINKS].lanes = number,
        8 => machine.links[at % LINKS].bandwidth = Bandwidth(real),
        9 => machine.memory.stops = number,
        10 => machine.memory.capacity = Bytes(size),
        _ => machine.links[at % LINKS].latency = Span(size),
    }
}

struct Choices(std::vec::IntoIter<u16>);

impl Choices {
    fn below(&mut self, bound: u32) -> u32 {
        u32::from(self.0.next().unwrap_or(0)) % bound
    }

    fn maybe(&mut self) -> bool {
        self.below(2) == 1
    }
}

const LINKS: usize = 4;

fn drawn(choices: &mut Choices) -> Machine {
    let mut random = machine("core:1");
    random.links = (0..LINKS).map(|at| link(&format!("link{at}"), choices.below(4).into())).collect();
    for link in &mut random.links {
        link.duplex = if choices.maybe() { Duplex::Half } else { Duplex::Full };
        link.lanes = 1 + choices.below(3);
    }
    random.levels = LevelKind::ALL.into_iter().fold(Vec::new(), |mut levels: Vec<Level>, kind| {
        if kind == LevelKind::Core || choices.maybe() {
            let outermost = levels.is_empty();
            levels.push(drawn_level(kind, outermost, choices));
        }
        levels
    });
    let inside = random.levels.iter().filter(|level| level.kind > LevelKind::Node);
    if inside.clone().any(|level| level.interconnect.is_some()) {
        random.memory.stops = 1 + choices.below(inside.map(|level| level.count).product());
    }
    random.memory.latency = Span(1000 + u64::from(choices.below(100)));
    random.caches.clear();
    random.core.threads = 1 + choices.below(2);
    random.numbering = match choices.below(3) {
        0 => Numbering::CoresFirst,
        1 => Numbering::ThreadsFirst,
        _ => Numbering::RoundRobinSockets,
    };
    random
}

fn drawn_level(kind: LevelKind, outermost: bool, choices: &mut Choices) -> Level {
    let link = choices.below(LINKS as u32) as usize;
    let (count, shape) = match choices.below(8) {
        0 => (1 + choices.below(3), None),
        1 => (1 + choices.below(5), Some(Shape::Mesh)),
        2 => (1 + choices.below(7), Some(Shape::Ring)),
        3 => {
            let dims: Vec<u32> = (0..1 + choices.below(3)).map(|_| 1 + choices.below(4)).collect();
            (dims.iter().product(), Some(Shape::Torus(dims)))
        }
        4 => (1 << choices.below(4), Some(Shape::Hypercube)),
        5 => (1 + choices.below(9), Some(Shape::FatTree { arity: 2 + choices.below(2) })),
        6 => (1 + choices.below(5), Some(Shape::Star)),
        _ => {
            let count = 1 + choices.below(6);
            (count, Some(Shape::Edges(connected(count, choices))))
        }
    };
    let level = level(kind, count, shape.and_then(|shape| joined(shape, link)));
    if outermost || kind > LevelKind::Node || !choices.maybe() {
        return level;
    }
    let requests = choices.maybe().then(|| 1.0 + f64::from(choices.below(40)));
    controlled(level, choices.below(LINKS as u32) as usize, requests)
}

/// Random edges that connect each sibling to an earlier one, and some more edges.
fn connected(count: u32, choices: &mut Choices) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    for to in 1..count {
        for from in [choices.below(to), choices.below(to)] {
            if !edges.iter().any(|edge| (edge.from, edge.to) == (from, to)) {
                edges.push(edge(from, to, choices.below(LINKS as u32) as usize));
            }
        }
    }
    edges
}
