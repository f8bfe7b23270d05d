//! The laws of idle units: what no thread uses and no page is on changes nothing in a run, to the picosecond and the
//! byte. A unit is added to every container of a level, as its last child or, where wiring allows, as its first.
//!
//! An idle unit is not free on all machines:
//!
//! | machine | what an idle unit costs |
//! |---|---|
//! | no directory, idle cores with last-level caches of their own in the snoop domain | A home that asks all caches waits for the answers of idle ones, which may be the farthest. |
//! | ring, torus, hypercube | A unit lies on the ways between others: they become longer, or another way is the shortest. |
//! | fat tree | The switch above a unit has lanes for it, which others use while it is idle. |
//! | last-level cache of a single core | A second core makes it a shared cache, which finds out which of its cores has a line. |
//! | pages interleaved over all nodes | Pages are on the idle node, too; the laws interleave over the used ones. |

use crate::binding::HardwareThread;
use crate::law::{Law, Promise, Subject};
use numalab_base::{Bandwidth, Bytes, Span};
use numalab_machine::{Controller, Crowding, Edge, Interconnect, Level, MemoryOnly, Shape};

const PLAIN: Law = Law { name: "", promise: Promise::Same, given: |_| {}, change: |_| {} };

pub const IDLE: &[Law] = &[
    // A first and a last core of each node, and a second hardware thread of each core.
    Law {
        name: "idle_cores",
        given: ask_shared_caches,
        change: |subject| {
            [true, false].into_iter().for_each(|first| add_core(subject, first));
            subject.machine.core.threads += 1;
        },
        ..PLAIN
    },
    // Last units of the two outer levels, and memory without processors.
    Law {
        name: "idle_units",
        given: |subject| (0..2).for_each(|level| with_directory(subject, level)),
        change: |subject| {
            (0..2).for_each(|level| add_unit(subject, level, false));
            add_memory(subject);
        },
        ..PLAIN
    },
    Law {
        name: "idle_first_units",
        given: |subject| (0..2).for_each(|level| with_mesh(subject, level)),
        change: |subject| (0..2).for_each(|level| add_unit(subject, level, true)),
        ..PLAIN
    },
    // Without a directory a home asks the caches of its own board.
    Law {
        name: "idle_board",
        given: with_controllers,
        change: |subject| match subject.machine.levels[1].controller {
            Some(_) => add_unit(subject, 0, false),
            None => add_memory(subject),
        },
        ..PLAIN
    },
];

/// Gives a machine a directory unless cores share a cache: an idle core then adds no cache that is asked.
fn ask_shared_caches(subject: &mut Subject) {
    let shared = subject.machine.caches.iter().any(|cache| cache.shared_by > 1);
    subject.machine.memory.directory_in_memory |= !shared;
}

/// Gives a machine a directory in memory, and a level whose units are on no way between others.
fn with_directory(subject: &mut Subject, level: usize) {
    subject.machine.memory.directory_in_memory = true;
    let Some(Interconnect { shape, .. }) = &mut subject.machine.levels[level].interconnect else { return };
    match shape {
        Shape::Mesh | Shape::Star | Shape::Edges(_) => {}
        Shape::Ring | Shape::Torus(_) | Shape::Hypercube | Shape::FatTree { .. } => *shape = Shape::Mesh,
    }
}

/// As [`with_directory`], with a level whose units are alike.
fn with_mesh(subject: &mut Subject, level: usize) {
    with_directory(subject, level);
    if let Some(Interconnect { shape, .. }) = &mut subject.machine.levels[level].interconnect {
        *shape = Shape::Mesh;
    }
}

/// Gives each unit of the outermost level a node controller, and the machine no directory.
fn with_controllers(subject: &mut Subject) {
    with_directory(subject, 0);
    subject.machine.memory.directory_in_memory = false;
    let inside = &mut subject.machine.levels[1];
    if let (true, Some(Interconnect { link, .. })) = (inside.kind.holds_memory(), &inside.interconnect) {
        let (link, requests, bandwidth) = (*link, Some(20.0), None);
        inside.controller = Some(Controller { link, requests, bandwidth, crowding: Crowding::default() });
    }
}

/// Adds a core to each node; the cores of a node go on sharing what they share.
fn add_core(subject: &mut Subject, first: bool) {
    let level = subject.machine.levels.len() - 1;
    let count = subject.machine.levels[level].count;
    let caches = subject.machine.caches.iter_mut();
    caches.filter(|cache| count > 1 && cache.shared_by == count).for_each(|cache| cache.shared_by += 1);
    add(subject, level, first);
}

/// Adds a node without processors next to each unit of the outermost level.
fn add_memory(subject: &mut Subject) {
    let near = subject.machine.levels[0].kind;
    let memory = MemoryOnly::new(Bytes(1 << 36), Span(300_000), Bandwidth(1e10));
    subject.machine.memory_only.push(MemoryOnly { name: "idle".to_owned(), near, ..memory });
}

/// Adds a unit that holds nodes, if the level has such units.
fn add_unit(subject: &mut Subject, level: usize, first: bool) {
    if subject.machine.levels[level].kind.holds_memory() {
        add(subject, level, first);
    }
}

/// Adds a child to each container of a level. Threads and pages stay where they are.
fn add(subject: &mut Subject, level: usize, first: bool) {
    let levels = &mut subject.machine.levels;
    let inside = |depth: usize| levels[depth..].iter().map(|level| level.count).product::<u32>();
    let nodes_end = levels.partition_point(|level| level.kind.holds_memory());
    let (container, child, node) = (inside(level), inside(level + 1), inside(nodes_end));
    let moved =
        |core: u32| core / container * (container + child) + core % container + u32::from(first) * child;
    subject.binding.iter_mut().for_each(|HardwareThread { core, .. }| *core = moved(*core));
    // A new core is in a node that there is.
    if level < nodes_end {
        subject.nodes.iter_mut().for_each(|number| *number = moved(*number * node) / node);
    }
    let Level { count, interconnect, .. } = &mut levels[level];
    if let Some(Interconnect { shape: Shape::Edges(edges), link }) = interconnect {
        let link = edges.first().map_or(*link, |edge| edge.link);
        edges.push(Edge { from: *count - 1, to: *count, link });
    }
    *count += 1;
}
