//! A machine of the model is reconstructed from the topology that its operating system would report.

use numalab_imports::topology::{CacheUnit, Node, Processor, Topology};
use numalab_machine::{Fabric, Machine, Numbering, ProcessorId, synthetic};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Topology that Linux would report for this machine. `boards`: number of boards; `None` for a machine without.
fn described(machine: &Machine, fabric: &Fabric, boards: Option<u32>) -> Topology {
    let outer = |kinds: usize| machine.levels[..kinds].iter().map(|level| level.count).product::<u32>();
    let sockets = outer(1 + usize::from(boards.is_some()));
    let per_socket = fabric.cores() / sockets;
    let mut topology = Topology { page: Some(4096), ..Topology::default() };
    let mut nodes: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut caches: BTreeMap<(u8, u32), CacheUnit> = BTreeMap::new();
    for number in 0..fabric.processors() {
        let place = fabric.processor(ProcessorId::new(number));
        let core = place.core.0;
        let package = Some(core / per_socket);
        topology.processors.push(Processor { number, package, core: Some(core) });
        nodes.entry(place.node.0).or_default().push(number);
        for cache in &machine.caches {
            let unit = caches.entry((cache.level, core / cache.shared_by)).or_default();
            (unit.level, unit.size, unit.line) = (cache.level, cache.size.0, Some(64));
            unit.processors.push(number);
        }
    }
    let capacity = Some(machine.memory.capacity.0);
    topology.nodes = nodes
        .into_iter()
        .map(|(number, processors)| Node { number, capacity, processors, ..Node::default() })
        .collect();
    topology.caches = caches.into_values().collect();
    let each = fabric.nodes() / sockets;
    let on_board = boards.map_or(fabric.nodes(), |boards| fabric.nodes() / boards);
    let distance = |a: u32, b: u32| match () {
        () if a == b => 10.0,
        () if a / each == b / each => 12.0,
        () if a / on_board == b / on_board => 20.0,
        () => 60.0,
    };
    let all = 0..fabric.nodes();
    topology.distances = Some(all.clone().map(|a| all.clone().map(|b| distance(a, b)).collect()).collect());
    topology
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn regular_machines_are_found_again(
        boards in prop::option::of(2..4_u32),
        [sockets, nodes, clusters, cores, threads] in [1..4_u32, 1..4, 1..4, 2..5, 1..4],
        way in 0..3_usize,
    ) {
        // A board of one socket is a socket.
        let sockets = if boards.is_some() { sockets + 1 } else { sockets };
        let mut words: Vec<String> = boards.iter().map(|boards| format!("board:{boards}")).collect();
        words.push(format!("socket:{sockets}"));
        let inner = [("node", nodes), ("cluster", clusters)];
        words.extend(inner.iter().filter(|(_, count)| *count > 1).map(|(kind, count)| format!("{kind}:{count}")));
        words.push(format!("core:{cores}"));
        if threads > 1 {
            words.push(format!("thread:{threads}"));
        }
        let mut machine = synthetic(&words.join(" ")).unwrap();
        machine.numbering = [Numbering::CoresFirst, Numbering::ThreadsFirst, Numbering::RoundRobinSockets][way];
        let fabric = Fabric::new(&machine).unwrap();
        let found = described(&machine, &fabric, boards).machine("synthetic").unwrap();
        prop_assert_eq!(&found.warnings, &Vec::<String>::new());
        prop_assert_eq!(found.processors, (0..fabric.processors()).map(Some).collect::<Vec<_>>());
        prop_assert_eq!(found.nodes, (0..fabric.nodes()).collect::<Vec<_>>());
        // Several numberings of processors may yield the same numbers.
        machine.numbering = found.machine.numbering;
        machine.description.clone_from(&found.machine.description);
        prop_assert_eq!(found.machine, machine);
    }
}
