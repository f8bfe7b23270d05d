//! Numberings of the operating system, on two sockets of three cores with two hardware threads
//! each.

use crate::builders::{fabric, machine};
use numalab_machine::{CoreId, Fabric, NodeId, Numbering, ProcessorId};

fn numbered(spec: &str, numbering: Numbering) -> Fabric {
    let mut machine = machine(spec);
    machine.numbering = numbering;
    fabric(&machine)
}

/// Core and hardware thread of every processor, in the system's order.
fn order(numbering: Numbering) -> Vec<(u32, u32)> {
    let fabric = numbered("socket:2 core:3 thread:2", numbering);
    let processors = ProcessorId::first(fabric.processors()).map(|number| fabric.processor(number));
    processors.map(|processor| (processor.core.0, processor.thread)).collect()
}

#[test]
fn cores_first() {
    let firsts = (0..6).map(|core| (core, 0));
    let seconds = (0..6).map(|core| (core, 1));
    assert_eq!(order(Numbering::CoresFirst), firsts.chain(seconds).collect::<Vec<_>>());
}

#[test]
fn threads_first() {
    let expected: Vec<_> = (0..6).flat_map(|core| [(core, 0), (core, 1)]).collect();
    assert_eq!(order(Numbering::ThreadsFirst), expected);
}

#[test]
fn round_the_sockets() {
    let cores = order(Numbering::RoundRobinSockets);
    assert_eq!(cores[..7], [(0, 0), (3, 0), (1, 0), (4, 0), (2, 0), (5, 0), (0, 1)]);
}

#[test]
fn round_robin_counts_sockets_not_nodes() {
    let fabric = numbered("socket:2 node:2 core:2", Numbering::RoundRobinSockets);
    let nodes: Vec<_> = ProcessorId::first(8).map(|number| fabric.processor(number).node).collect();
    assert_eq!(nodes, [0, 2, 0, 2, 1, 3, 1, 3].map(NodeId));
}

#[test]
fn numbers_read_back() {
    for numbering in [Numbering::CoresFirst, Numbering::ThreadsFirst, Numbering::RoundRobinSockets] {
        let fabric = numbered("board:2 socket:3 node:2 core:5 thread:4", numbering);
        for number in ProcessorId::first(fabric.processors()) {
            let processor = fabric.processor(number);
            assert_eq!(fabric.os_number(processor.core, processor.thread), number);
            assert_eq!(processor.os_number, number);
            assert_eq!(fabric.node_of(processor.core), processor.node);
        }
    }
}

#[test]
fn readers_are_nodes_without_inner_interconnect() {
    let fabric = fabric(&machine("socket:2 cluster:2 core:3"));
    assert_eq!((fabric.nodes(), fabric.cores(), fabric.cores_per_node()), (2, 12, 6));
    assert_eq!(fabric.readers(), 2);
    assert_eq!(fabric.reader_of(CoreId(7)).0, 1);
}
