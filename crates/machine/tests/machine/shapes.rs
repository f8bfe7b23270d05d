//! Nodes with less memory or none, processors that are off line, and listed numbers.

use crate::builders::machine;
use numalab_base::{Bandwidth, Bytes};
use numalab_machine::{CoreId, Fabric, Machine, MemoryAt, NodeId, Numbering, ProcessorId, totals};

fn differing(nodes: &str, capacity: Option<u64>, bandwidth: Option<f64>) -> MemoryAt {
    MemoryAt { nodes: nodes.to_owned(), capacity: capacity.map(Bytes), bandwidth: bandwidth.map(Bandwidth) }
}

/// Two sockets of two nodes of two cores with two hardware threads; a node has 8 GiB and 16 GB/s.
fn four_nodes() -> Machine {
    let mut machine = machine("socket:2 node:2 core:2 thread:2");
    machine.memory.capacity = Bytes(8 << 30);
    machine.memory.bandwidth = Bandwidth(16e9);
    (machine.memory.read_bandwidth, machine.memory.write_bandwidth) = (Some(Bandwidth(12e9)), None);
    machine
}

#[test]
fn single_nodes_have_memory_of_their_own() {
    let mut machine = four_nodes();
    machine.memory_at = vec![differing("0,3", Some(0), None), differing("1", Some(4 << 30), Some(4e9))];
    let fabric = Fabric::new(&machine).unwrap();
    let capacities: Vec<u64> = (0..4).map(|node| fabric.memory_capacity(NodeId(node)).0 >> 30).collect();
    assert_eq!(capacities, [0, 4, 8, 0]);
    assert!(fabric.nodes_with_memory().map(|node| node.0).eq([1, 2]));
    // A quarter of the bandwidth is a quarter of that of reads.
    let ports = |node| fabric.memory(NodeId(node));
    let rate = |node| [ports(node).total, ports(node).read.unwrap()].map(|port| fabric.capacity(port).0);
    assert_eq!((rate(1), rate(2)), ([4e9, 3e9], [16e9, 12e9]));
    let all = totals(&machine);
    assert_eq!((all.memory, all.memory_bandwidth), (Bytes(12 << 30), Bandwidth(20e9)));
    assert_eq!(machine.memoryless_nodes().to_string(), "0,3");
}

/// Processors 0-7 are the first hardware threads of the cores, 8-15 the second ones.
#[test]
fn cores_without_a_thread_in_use_do_not_count() {
    let mut machine = four_nodes();
    machine.offline = "0-1,8,12".parse().unwrap();
    let all = totals(&machine);
    assert_eq!((all.nodes, all.cores, all.processors), (4, 7, 12));
    let fabric = Fabric::new(&machine).unwrap();
    assert_eq!((fabric.cores(), fabric.processors()), (8, 16));
    assert!(fabric.online_cores(NodeId(0)).eq([CoreId(1)]));
    assert!(fabric.online_threads(CoreId(1)).eq([9]));
    assert!(fabric.online_threads(CoreId(4)).eq([4]));
    assert!(fabric.online().eq([2, 3, 4, 5, 6, 7, 9, 10, 11, 13, 14, 15]));
    assert!(!fabric.is_online(ProcessorId::new(12)));
}

#[test]
fn listed_numbers_are_those_of_the_hierarchy() {
    let mut machine = machine("socket:2 core:2 thread:2");
    machine.processors = "0,7,2,5,4,3,6,1".parse().unwrap();
    let fabric = Fabric::new(&machine).unwrap();
    let numbers = (0..4).flat_map(|core| (0..2).map(move |thread| (CoreId(core), thread)));
    let numbers: Vec<u32> = numbers.map(|(core, thread)| fabric.os_number(core, thread).number()).collect();
    assert_eq!(numbers, machine.processors.0);
    for number in 0..8 {
        let found = fabric.processor(ProcessorId::new(number));
        assert_eq!(fabric.os_number(found.core, found.thread).number(), number);
    }
}

#[test]
fn mistakes_are_named() {
    let problems = |change: &dyn Fn(&mut Machine)| {
        let mut machine = four_nodes();
        change(&mut machine);
        machine.check().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let memory_at = |all: Vec<MemoryAt>| problems(&|machine| machine.memory_at.clone_from(&all));
    let none = |nodes: &str| differing(nodes, Some(0), None);
    for (found, expected) in [
        (memory_at(vec![none("4")]), "memory_at.4: the machine has no node 4 with processors; these are 0-3"),
        (memory_at(vec![none("a")]), "memory_at.a: \"a\" is no number or range"),
        (memory_at(vec![none("")]), "memory_at.: names no node"),
        (memory_at(vec![none("0-1"), none("1")]), "memory_at.1: node 1 is named twice"),
        (memory_at(vec![none("0-3")]), "memory_at: no node has memory"),
        (
            memory_at(vec![differing("2", Some(100), None)]),
            "memory_at.2.capacity: must be 0 B or at least a page",
        ),
        (memory_at(vec![differing("2", None, Some(0.0))]), "memory_at.2.bandwidth: must be"),
        (
            problems(&|machine| machine.offline = "3,16".parse().unwrap()),
            "offline: the machine has no processor 16; its processors are 0-15",
        ),
        (
            problems(&|machine| machine.offline = "0-15".parse().unwrap()),
            "offline: all processors are off line",
        ),
        (
            problems(&|machine| machine.processors = "0-7".parse().unwrap()),
            "processors: lists 8 of 16 hardware threads; list all of them, core by core",
        ),
        (
            problems(&|machine| machine.processors = "1-16".parse().unwrap()),
            "processors: lists processor 16; the numbers are 0-15",
        ),
        (
            problems(&|machine| {
                machine.processors = "0-15".parse().unwrap();
                machine.numbering = Numbering::ThreadsFirst;
            }),
            "processors: `numbering` states an order, too",
        ),
    ] {
        assert!(found.len() == 1 && found[0].starts_with(expected), "{found:?} instead of {expected}");
    }
}
