//! Tests of models made from topologies of different shapes.

use super::{caches, levels, read, sketch};
use numalab_base::{Bytes, Frequency};
use numalab_imports::topology::{CacheUnit, Node, Processor, Topology};

use numalab_machine::{LevelKind, Numbering};
use numalab_syntax::diagnostics::Source;

#[test]
fn one_socket() {
    let sketch = sketch("one-socket.xml");
    assert_eq!(levels(&sketch), ("socket:1 core:2".to_owned(), 1));
    assert_eq!(caches(&sketch), [(1, 48, 1), (2, 2048, 1), (3, 107_520, 2)]);
    assert_eq!(sketch.machine.memory.capacity, Bytes(25_276_502_016));
    assert_eq!((sketch.machine.memory.line, sketch.machine.memory.page), (Bytes(64), Bytes(4096)));
    assert_eq!(sketch.machine.description, "Intel(R) Xeon(R) Processor, socket:1 core:2");
    assert_eq!((sketch.processors, sketch.nodes), (vec![Some(0), Some(1)], vec![0]));
    assert_eq!(sketch.warnings, [""; 0]);
    assert!(sketch.assumed.iter().any(|path| path == "core.clock"));
    assert!(!sketch.assumed.iter().any(|path| path.ends_with("size") || path == "memory.capacity"));
}

#[test]
fn two_sockets_of_two_threads_a_core() {
    for name in ["synthetic-v1.xml", "synthetic-v2.xml"] {
        let sketch = sketch(name);
        assert_eq!(levels(&sketch), ("socket:2 core:2".to_owned(), 2), "{name}");
        assert_eq!(caches(&sketch), [(1, 32, 1), (2, 4096, 1), (3, 16384, 2)], "{name}");
        assert_eq!(sketch.machine.numbering, Numbering::CoresFirst, "{name}");
        assert_eq!(sketch.processors, (0..8).map(Some).collect::<Vec<_>>(), "{name}");
        assert_eq!(sketch.warnings, [""; 0], "{name}");
    }
}

#[test]
fn ways_of_numbering() {
    let (threads, round) = (sketch("threads-first.sys"), sketch("round-robin.sys"));
    assert_eq!(threads.machine.numbering, Numbering::ThreadsFirst);
    assert_eq!(round.machine.numbering, Numbering::RoundRobinSockets);
    for sketch in [threads, round] {
        assert_eq!(levels(&sketch), ("socket:2 core:3".to_owned(), 2));
        assert_eq!(sketch.processors, (0..12).map(Some).collect::<Vec<_>>());
    }
}

/// Two sockets of two cores, numbered 0 3 and 1 2: none of the orders. By socket and core the processors are 0, 3, 1, 2.
#[test]
fn an_irregular_numbering_is_a_list() {
    let processor = |number, package| Processor { number, package: Some(package), core: Some(number) };
    let node = |number, processors: [u32; 2]| Node {
        number,
        capacity: Some(1 << 30),
        processors: processors.into(),
        ..Node::default()
    };
    let topology = Topology {
        processors: vec![processor(0, 0), processor(1, 1), processor(2, 1), processor(3, 0)],
        nodes: vec![node(0, [0, 3]), node(1, [1, 2])],
        ..Topology::default()
    };
    let sketch = topology.machine("here").unwrap();
    assert_eq!(sketch.processors, [0, 1, 2, 3].map(Some));
    assert_eq!(sketch.machine.processors.0, [0, 3, 1, 2]);
    assert!(!sketch.warnings.iter().any(|warning| warning.contains("numbers processors")));
}

#[test]
fn nodes_inside_a_socket_share_its_last_cache() {
    for name in ["sub-numa.sys", "sub-numa.xml", "sub-numa-v1.xml"] {
        let sketch = sketch(name);
        assert_eq!(levels(&sketch), ("socket:2 node:2 core:3".to_owned(), 2), "{name}");
        // 24 MiB for two nodes.
        assert_eq!(caches(&sketch), [(1, 32, 1), (2, 512, 1), (3, 12288, 3)], "{name}");
        assert!(sketch.warnings[0].contains("level 3 serves 2 nodes"), "{:?}", sketch.warnings);
        assert_eq!(sketch.nodes, [0, 1, 2, 3], "{name}");
    }
}

#[test]
fn several_last_caches_in_a_node_are_clusters() {
    for name in ["chips.sys", "chips.xml"] {
        let sketch = sketch(name);
        assert_eq!(levels(&sketch), ("socket:2 node:2 cluster:2 core:2".to_owned(), 2), "{name}");
        assert_eq!(caches(&sketch), [(1, 32, 1), (2, 512, 1), (3, 8192, 2)], "{name}");
        assert_eq!(sketch.warnings, [""; 0], "{name}");
    }
}

#[test]
fn an_inner_cache_may_be_shared_by_some() {
    for name in ["pairs.sys", "pairs.xml"] {
        let sketch = sketch(name);
        assert_eq!(levels(&sketch), ("socket:1 core:4".to_owned(), 1), "{name}");
        assert_eq!(caches(&sketch), [(1, 32, 1), (2, 512, 2), (3, 8192, 4)], "{name}");
    }
}

#[test]
fn distances_of_two_kinds_are_boards() {
    for name in ["boards.sys", "boards.xml", "boards-v1.xml"] {
        let sketch = sketch(name);
        assert_eq!(levels(&sketch), ("board:4 socket:4 core:1".to_owned(), 1), "{name}");
        assert!(sketch.assumed.iter().any(|path| path == "link.board-link.latency"), "{name}");
        assert_eq!(sketch.warnings, [""; 0], "{name}");
    }
    // cpufreq states 2.266 GHz, the model name 2.5.
    assert_eq!(sketch("boards.sys").machine.core.clock, Frequency(2.266e9));
}

#[test]
fn memory_without_processors_is_a_node() {
    for name in ["expander.sys", "expander.xml", "expander-v1.xml"] {
        let topology = read(name);
        assert_eq!(topology.nodes.len(), 3, "{name}");
        let (node, near) = (&topology.nodes[2], topology.nodes[2].near.clone());
        let alone = Node { number: 4, capacity: Some(64 << 30), near, ..Node::default() };
        assert_eq!(*node, alone, "{name}");
        assert_eq!(topology.distances.as_ref().unwrap()[2], [14.0, 24.0, 10.0], "{name}");
        let sketch = topology.machine("here").unwrap();
        assert_eq!(levels(&sketch), ("socket:2 core:2".to_owned(), 1), "{name}");
        assert_eq!(sketch.warnings, [""; 0], "{name}");
        // Distance 14 from node 0 and 24 from node 1: next to socket 0, two fifths farther than its own memory.
        let [kind] = &sketch.machine.memory_only[..] else {
            panic!("{name}: {:?}", sketch.machine.memory_only)
        };
        assert_eq!((&*kind.name, kind.near, kind.only_at), ("memory", LevelKind::Socket, Some(0)), "{name}");
        assert_eq!(kind.capacity, Bytes(64 << 30), "{name}");
        assert_eq!(kind.latency.0 * 10, sketch.machine.memory.latency.0 * 14, "{name}");
        assert!(sketch.assumed.iter().any(|path| path == "memory_only.memory.bandwidth"), "{name}");
        assert_eq!(sketch.memory_only, [4], "{name}");
        assert_eq!((sketch.nodes, sketch.machine.memory.capacity), (vec![0, 1], Bytes(16 << 30)), "{name}");
    }
}

#[test]
fn processors_that_are_off() {
    for name in ["offline.sys", "offline.xml"] {
        let sketch = sketch(name);
        // Each core has a second hardware thread that is off; the others keep their numbers.
        assert_eq!(levels(&sketch), ("socket:2 core:2".to_owned(), 2), "{name}");
        assert_eq!(sketch.machine.numbering, Numbering::ThreadsFirst, "{name}");
        assert_eq!(sketch.machine.offline.to_string(), "1,3,5,7", "{name}");
        let numbers: Vec<u32> = sketch.processors.iter().copied().flatten().collect();
        assert_eq!(numbers, [0, 2, 4, 6], "{name}");
    }
}

fn refused(topology: &Topology) -> String {
    topology.machine("here").unwrap_err().to_string()
}

#[test]
fn what_no_level_can_say_is_refused_with_the_counts() {
    assert_eq!(refused(&Topology::default()), "no source lists the processors");
    // Three nodes in two sockets.
    let processor = |number: u32| Processor { number, package: Some(number / 4), core: Some(number) };
    let node = |number: u32| Node { number, processors: vec![2 * number, 2 * number + 1], ..Node::default() };
    let topology = Topology {
        processors: (0..6).map(processor).collect(),
        nodes: (0..3).map(node).collect(),
        ..Topology::default()
    };
    assert_eq!(refused(&topology), "sockets have 1 to 2 nodes; those of the model are all equal");
}

/// The hierarchy has the size of the largest group; what the others lack is off line, and keeps its numbers.
#[test]
fn groups_that_lack_cores() {
    for (name, spec, offline, warning) in [
        ("unequal.sys", "socket:2 core:4", "6-7", "nodes have 2 to 4 cores: the others count as off line"),
        ("unequal.xml", "socket:2 core:4", "6-7", "nodes have 2 to 4 cores: the others count as off line"),
        ("one-off.sys", "socket:2 core:4", "5", "nodes have 3 to 4 cores: the others count as off line"),
    ] {
        let sketch = sketch(name);
        assert_eq!(levels(&sketch), (spec.to_owned(), 1), "{name}");
        assert_eq!(sketch.machine.offline.to_string(), offline, "{name}");
        assert!(sketch.warnings.iter().any(|found| found == warning), "{name}: {:?}", sketch.warnings);
        assert_eq!(sketch.machine.caches.last().unwrap().shared_by, 4, "{name}");
    }
}

#[test]
fn nodes_without_memory() {
    for name in ["memoryless.sys", "memoryless.xml"] {
        let sketch = sketch(name);
        let found: Vec<_> =
            sketch.machine.memory_at.iter().map(|some| (&*some.nodes, some.capacity)).collect();
        assert_eq!(found, [("1", Some(Bytes(0)))], "{name}");
        let warning = "node 1 has no memory: pages of its threads go to the nearest node with memory";
        assert!(sketch.warnings.iter().any(|found| found == warning), "{name}: {:?}", sketch.warnings);
    }
}

/// Sizes of 16, 15, 8 and 8 GiB, and of none: 16 and 15 are as good as equal, and the two classes are equally common, so
/// that the larger one stands for all others.
#[test]
fn nodes_of_different_memory() {
    let node = |(number, gibibytes): (u32, u64)| Node {
        number,
        capacity: Some(gibibytes << 30),
        processors: vec![number],
        ..Node::default()
    };
    let processor = |number: u32| Processor { number, package: Some(number), core: Some(number) };
    let topology = Topology {
        processors: (0..5).map(processor).collect(),
        nodes: (0..).zip([16, 8, 15, 0, 8]).map(node).collect(),
        ..Topology::default()
    };
    let sketch = topology.machine("here").unwrap();
    assert_eq!(sketch.machine.memory.capacity, Bytes(15 << 30));
    let found: Vec<_> = sketch.machine.memory_at.iter().map(|some| (&*some.nodes, some.capacity)).collect();
    assert_eq!(found, [("1,4", Some(Bytes(8 << 30))), ("3", Some(Bytes(0)))]);
    let said = |part: &str| sketch.warnings.iter().any(|warning| warning.contains(part));
    assert!(said("nodes have 8.59 GB to 16.1 GB of memory: their bandwidths"), "{:?}", sketch.warnings);
}

/// Big cores of two threads and little cores of one; then caches shared by one core and by two.
#[test]
fn hybrids_lack_threads_and_cores() {
    let processor = |number, core| Processor { number, package: Some(0), core: Some(core) };
    let mut topology = Topology {
        processors: vec![processor(0, 0), processor(1, 0), processor(2, 1)],
        ..Topology::default()
    };
    let sketch = topology.machine("here").unwrap();
    assert_eq!(levels(&sketch), ("socket:1 core:2".to_owned(), 2));
    assert_eq!(sketch.machine.offline.to_string(), "3");
    assert!(sketch.warnings[0].contains("as on chips with several kinds of cores"), "{:?}", sketch.warnings);
    topology.processors = vec![processor(0, 0), processor(1, 1), processor(2, 2)];
    let cache =
        |processors: &[u32]| CacheUnit { level: 2, size: 1 << 20, line: None, processors: processors.into() };
    topology.caches = vec![cache(&[0]), cache(&[1, 2])];
    // Core 0 has a cache of two cores for itself. Its neighbour would be number 1, which is in the other cache: a list
    // says so.
    let sketch = topology.machine("here").unwrap();
    assert_eq!(levels(&sketch), ("socket:1 cluster:2 core:2".to_owned(), 1));
    assert_eq!(
        (sketch.machine.processors.0, sketch.machine.offline.to_string()),
        (vec![0, 3, 1, 2], "3".into())
    );
}

/// POWER9 with 11 and 12 pairs of cores: pairs share caches, the first socket lacks one pair, and numbers have no gap.
#[test]
fn pairs_of_cores_that_are_missing() {
    let (of_first, all) = (11 * 2, 11 * 2 + 12 * 2);
    let processor =
        |number: u32| Processor { number, package: Some(u32::from(number >= of_first)), core: Some(number) };
    let node = |number, processors: std::ops::Range<u32>| Node {
        number,
        capacity: Some(1 << 30),
        processors: processors.collect(),
        ..Node::default()
    };
    let cache = |pair: u32| CacheUnit {
        level: 3,
        size: 10 << 20,
        line: None,
        processors: vec![2 * pair, 2 * pair + 1],
    };
    let topology = Topology {
        processors: (0..all).map(processor).collect(),
        nodes: vec![node(0, 0..of_first), node(8, of_first..all)],
        caches: (0..all / 2).map(cache).collect(),
        ..Topology::default()
    };
    let sketch = topology.machine("here").unwrap();
    assert_eq!(levels(&sketch), ("socket:2 cluster:12 core:2".to_owned(), 1));
    assert_eq!(caches(&sketch).last().unwrap().2, 2);
    // 48 positions for 46 processors; the missing pair is the last of the first socket and has the numbers that are left.
    assert_eq!(sketch.machine.processors.to_string(), "0-21,46-47,22-45");
    assert_eq!(sketch.machine.offline.to_string(), "46-47");
    assert_eq!(sketch.nodes, [0, 8]);
}

/// Topology from `numactl -H` alone: nodes and their processors.
#[test]
fn little_is_known() {
    let node = |number: u32| Node { number, processors: vec![2 * number, 2 * number + 1], ..Node::default() };
    let processors = (0..4).map(|number| Processor { number, ..Processor::default() }).collect();
    let topology = Topology { processors, nodes: vec![node(0), node(1)], ..Topology::default() };
    let sketch = topology.machine("here").unwrap();
    assert_eq!(levels(&sketch), ("socket:2 core:2".to_owned(), 1));
    assert_eq!(sketch.warnings.len(), 3, "cores, sockets and caches: {:?}", sketch.warnings);
    for path in ["memory.capacity", "cache[0].size", "memory.page", "memory.line"] {
        assert!(sketch.assumed.iter().any(|assumed| assumed == path), "{path}");
    }
}

/// A front-side bus: two sockets, one node. Sockets become groups of its cores; processors are numbered across them
/// in turn.
#[test]
fn sockets_of_one_node_are_its_clusters() {
    let processor = |number| Processor { number, package: Some(number % 2), core: Some(number) };
    let topology = Topology { processors: (0..4).map(processor).collect(), ..Topology::default() };
    let sketch = topology.machine("here").unwrap();
    assert_eq!(levels(&sketch), ("cluster:2 core:2".to_owned(), 1));
    assert!(sketch.warnings[0].starts_with("node 0 holds sockets 0, 1, which are"), "{:?}", sketch.warnings);
    assert_eq!(sketch.processors, [0, 1, 2, 3].map(Some));
    assert_eq!(sketch.machine.processors.0, [0, 2, 1, 3]);
    // The groups stay the same with a cache for each socket, and with one for each core.
    let cache = |level, processors: &[u32]| CacheUnit {
        level,
        size: 1 << 20,
        line: None,
        processors: processors.into(),
    };
    for caches in [vec![cache(2, &[0, 2]), cache(2, &[1, 3])], (0..4).map(|core| cache(1, &[core])).collect()]
    {
        let sketch = Topology { caches, ..topology.clone() }.machine("here").unwrap();
        assert_eq!(levels(&sketch), ("cluster:2 core:2".to_owned(), 1));
    }
}

/// Sockets inside of nodes that cannot be clusters of the model: the nodes are kept, and a warning states the reason.
#[test]
fn sockets_of_one_node_that_are_left_out() {
    let processor = |number| Processor { number, package: Some(number / 4), core: Some(number) };
    let topology = Topology { processors: (0..8).map(processor).collect(), ..Topology::default() };
    let said = |topology: Topology, shape: &str, reason: &str| {
        let sketch = topology.machine("here").unwrap();
        assert_eq!(levels(&sketch).0, shape);
        assert!(sketch.warnings[0].contains(reason), "{:?}", sketch.warnings);
        assert!(sketch.warnings[0].ends_with("are left out"), "{:?}", sketch.warnings);
    };
    let cache =
        |processors: &[u32]| CacheUnit { level: 2, size: 1 << 20, line: None, processors: processors.into() };
    let pairs = [[0, 1], [2, 3], [4, 5], [6, 7]].map(|pair| cache(&pair));
    let caches = |caches: &[CacheUnit]| Topology { caches: caches.into(), ..topology.clone() };
    said(
        caches(&pairs),
        "cluster:4 core:2",
        "node 0 holds sockets 0, 1, whose cores share caches in 2 groups each",
    );
    said(caches(&[cache(&[0, 1, 2, 3, 4, 5, 6, 7])]), "core:8", "which share a cache");
    let uneven = |number: u32| Processor { number, package: Some(number / 6), core: Some(number) };
    said(
        Topology { processors: (0..8).map(uneven).collect(), ..Topology::default() },
        "core:8",
        "sockets have 2 to 6 cores",
    );
    // Socket 1 is cut by the nodes' border: 0 1 | 1 2.
    let third = |number: u32| Processor { number, package: Some((number + 2) / 4), core: Some(number) };
    let node = |number: u32| Node {
        number: number + 5,
        processors: (4 * number..4 * number + 4).collect(),
        ..Node::default()
    };
    said(
        Topology {
            processors: (0..8).map(third).collect(),
            nodes: vec![node(0), node(1)],
            ..Topology::default()
        },
        "node:2 core:4",
        "node 5 holds sockets 0, 1, while socket 1 lies in nodes 5, 6",
    );
}

/// Tools that know only the processors (CPUID) write one node without memory around two sockets: each socket becomes
/// a node. If the node has memory it stays one node, and the sockets become groups of its cores.
#[test]
fn sockets_are_nodes_where_nobody_knows_of_memory() {
    let processor = |number: u32| Processor { number, package: Some(number / 2), core: Some(number) };
    let topology = |capacity| Topology {
        processors: (0..4).map(processor).collect(),
        nodes: vec![Node { number: 0, capacity, processors: (0..4).collect(), ..Node::default() }],
        ..Topology::default()
    };
    let sketch = topology(Some(0)).machine("here").unwrap();
    assert_eq!(levels(&sketch).0, "socket:2 core:2");
    assert!(sketch.warnings[0].starts_with("the memory beside each socket"), "{:?}", sketch.warnings);
    let sketch = topology(Some(1 << 30)).machine("here").unwrap();
    assert_eq!(levels(&sketch).0, "cluster:2 core:2");
    assert!(
        sketch.warnings[0].contains("holds sockets 0, 1, which are its clusters"),
        "{:?}",
        sketch.warnings
    );
}

/// One kind of memory beside each of two nodes, listed in the order of the sockets although its nodes are numbered
/// otherwise; a second kind beside one node; a third kind beside the whole machine.
#[test]
fn kinds_of_memory_alone() {
    let processor = |number: u32| Processor { number, package: Some(number / 2), core: Some(number) };
    let own = |number: u32| Node {
        number,
        capacity: Some(8 << 30),
        processors: vec![2 * number, 2 * number + 1],
        ..Node::default()
    };
    let alone = |number: u32, kind: &str, near: &[u32], gibibytes: u64| Node {
        number,
        capacity: Some(gibibytes << 30),
        near: near.to_vec(),
        kind: Some(kind.to_owned()),
        ..Node::default()
    };
    let topology = Topology {
        processors: (0..4).map(processor).collect(),
        nodes: vec![
            own(0),
            own(1),
            alone(2, "HBM", &[2, 3], 4),
            alone(3, "HBM", &[0, 1], 4),
            alone(4, "CXL-DRAM", &[2, 3], 16),
            alone(5, "NVM", &[0, 1, 2, 3], 32),
        ],
        ..Topology::default()
    };
    let sketch = topology.machine("here").unwrap();
    let kinds: Vec<_> = sketch.machine.memory_only.iter().map(|kind| (&*kind.name, kind.only_at)).collect();
    // Node 5 is beside both sockets; a warning says that the machine has it beside the first socket.
    assert_eq!(kinds, [("hbm", None), ("nvm", Some(0)), ("cxl", Some(1))]);
    assert_eq!(sketch.memory_only, [3, 2, 5, 4]);
    let said = |part: &str| sketch.warnings.iter().any(|warning| warning.contains(part));
    assert!(said("node 5 is memory next to no socket"), "{:?}", sketch.warnings);
}

/// The error stands at the first line about a part that deviates, with what to do.
#[test]
fn what_no_level_can_say_is_shown_at_its_line() {
    let written = "# CPU,Core,Socket,Node\n0,0,0,0\n1,1,0,1\n2,2,1,2\n";
    let processor = |number, package| Processor { number, package: Some(package), core: Some(number) };
    let node = |number| Node { number, processors: vec![number], ..Node::default() };
    let topology = Topology {
        processors: vec![processor(0, 0), processor(1, 0), processor(2, 1)],
        nodes: vec![node(0), node(1), node(2)],
        ..Topology::default()
    };
    // Of the two sockets, each of a kind of its own, the one with fewer nodes is shown.
    let error = topology.machine("here").unwrap_err();
    let shown = error.in_source(Source { name: "cpus".to_owned(), text: written.to_owned() }).render(false);
    for part in ["--> cpus:4:1", "numalab new machine NAME"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    let unknown =
        error.in_source(Source { name: "cpus".to_owned(), text: "other\n".to_owned() }).render(false);
    assert!(unknown.contains("cpus: sockets have 1 to 2 nodes"), "{unknown}");
}
