//! hwloc's XML and the files of `/sys` yield the same topology.

use super::{read, text};
use numalab_imports::topology::{Topology, topology_from_text};
use std::collections::BTreeMap;

/// Topology with cores and packages named by their first processor, since each source numbers them differently, and
/// without facts that only one of the sources states.
fn comparable(mut topology: Topology) -> Topology {
    let mut cores = BTreeMap::new();
    let mut packages = BTreeMap::new();
    for processor in &mut topology.processors {
        let number = processor.number;
        processor.core = processor.core.map(|core| *cores.entry(core).or_insert(number));
        processor.package = processor.package.map(|package| *packages.entry(package).or_insert(number));
    }
    // These dumps state the line size of one cache only.
    topology.caches.iter_mut().for_each(|cache| cache.line = None);
    topology.page = None;
    topology.clock = None;
    // Files of /sys do not state the processors beside a memory-only node.
    topology.nodes.iter_mut().for_each(|node| node.near.clear());
    topology
}

#[test]
fn both_readers_find_the_same_machine() {
    for name in ["sub-numa", "chips", "boards", "expander", "memoryless", "unequal", "pairs"] {
        let (xml, sys) = (comparable(read(&format!("{name}.xml"))), comparable(read(&format!("{name}.sys"))));
        assert_eq!(xml, sys, "{name}");
    }
    for name in ["sub-numa", "boards", "expander"] {
        let (old, new) =
            (comparable(read(&format!("{name}-v1.xml"))), comparable(read(&format!("{name}.xml"))));
        assert_eq!(old, new, "{name}");
    }
    // From files alone, hwloc does not know which processors are off-line.
    for name in ["offline", "one-off"] {
        let (xml, mut sys) =
            (comparable(read(&format!("{name}.xml"))), comparable(read(&format!("{name}.sys"))));
        assert!(!sys.offline.is_empty());
        sys.offline.clear();
        assert_eq!(xml, sys, "{name}");
    }
}

#[test]
fn older_kernels_number_cores_in_each_package() {
    let sys = text("sub-numa.sys");
    let without: String =
        sys.lines().filter(|line| !line.contains("siblings")).map(|line| format!("{line}\n")).collect();
    assert_ne!(sys, without);
    let old = topology_from_text("old", &without).unwrap();
    assert_eq!(comparable(old), comparable(read("sub-numa.sys")));
}

#[test]
fn a_dump_may_lie_in_a_folder() {
    let moved = text("chips.sys").replace("/sys/", "host7/sys/").replace("/proc/", "host7/proc/");
    assert_eq!(topology_from_text("moved", &moved).unwrap(), read("chips.sys"));
}

#[test]
fn what_one_leaves_open_the_other_fills() {
    let full = read("expander.sys");
    let mut nodes_only = Topology { nodes: full.nodes.clone(), ..Topology::default() };
    nodes_only.nodes[0].capacity = None;
    nodes_only.fill_from(&full).unwrap();
    assert_eq!(nodes_only, full);
    let other = read("chips.sys");
    let error = nodes_only.fill_from(&other).unwrap_err().to_string();
    assert_eq!(error, "4 processors here and 32 there: not the same machine");
}

#[test]
fn instruction_caches_are_passed_over() {
    let levels: Vec<u8> = read("expander.sys").caches.iter().map(|cache| cache.level).collect();
    assert_eq!(levels, [1, 1, 1, 1, 2, 2, 2, 2, 3, 3]);
}
