//! Laws over all generations and the shapes in which firmware divides their sockets.

use crate::topology::generations::{Generation, all};
use crate::topology::{MachineSketch, Node, Processor, Topology};
use numalab_base::ValueOrigin;
use numalab_files::{Override, parse_overrides};
use numalab_machine::{Fabric, LevelKind, NodeId, ReaderId};

/// Cores of a socket of the tests; three and four nodes divide it.
const CORES: u32 = 12;

/// Sockets of nodes of cores, all of the same number.
fn shape(sockets: u32, nodes: u32) -> Topology {
    let of_node = CORES / nodes;
    let processor = |number| Processor { number, package: Some(number / CORES), core: Some(number) };
    let node = |number: u32| Node {
        number,
        capacity: Some(16 << 30),
        processors: (number * of_node..(number + 1) * of_node).collect(),
        ..Node::default()
    };
    Topology {
        processors: (0..sockets * CORES).map(processor).collect(),
        nodes: (0..sockets * nodes).map(node).collect(),
        ..Topology::default()
    }
}

/// Values of the machine that the user sets.
fn set(texts: &[&str]) -> Vec<Override> {
    let texts: Vec<String> = texts.iter().map(|text| format!("machine.{text}")).collect();
    parse_overrides(&texts).unwrap().machine
}

fn sketch(found: Option<&Generation>, topology: &Topology) -> MachineSketch {
    let mut sketch = topology.machine("here").unwrap();
    sketch.assume_of(found, topology);
    sketch
}

/// Idle latency and bandwidth of reads by cores of the first node from the memory of a node.
fn reads(sketch: &MachineSketch, to: u32) -> (u64, f64) {
    let fabric = Fabric::new(&sketch.machine).unwrap();
    let mut route = numalab_machine::Route::default();
    fabric.route(NodeId(to), ReaderId(0), &mut route);
    let links = route.toward_reader.iter().map(|hop| fabric.capacity(hop.resource).0 / hop.share);
    let slowest = links.fold(sketch.machine.memory.bandwidth.0, f64::min);
    (fabric.latency(NodeId(to), ReaderId(0)).0, slowest)
}

#[test]
fn own_memory_is_nearest_and_other_sockets_are_farthest() {
    let known = all().iter().map(Some).chain([None]);
    for found in known {
        for (sockets, nodes) in [(1, 2), (1, 4), (2, 1), (2, 2), (2, 3), (2, 4), (4, 1), (4, 2), (4, 4)] {
            let topology = shape(sockets, nodes);
            let sketch = sketch(found, &topology);
            let name = format!("{} {sockets} x {nodes}", found.map_or("unknown", |found| found.name));
            let own = reads(&sketch, 0);
            let inside = (nodes > 1).then(|| reads(&sketch, 1));
            let outside = (sockets > 1).then(|| reads(&sketch, nodes));
            let places: Vec<(u64, f64)> = [Some(own), inside, outside].into_iter().flatten().collect();
            for pair in places.windows(2) {
                assert!(pair[0].0 < pair[1].0, "latency {places:?} of {name}");
                assert!(pair[0].1 >= pair[1].1, "bandwidth {places:?} of {name}");
            }
            // Distances in this order contradict nothing, and distances in the opposite order are named.
            let place = |node: u32| (node / nodes, node);
            let distance = |from: u32, to: u32, [own, inside, outside]: [f64; 3]| match () {
                () if from == to => own,
                () if place(from).0 == place(to).0 => inside,
                () => outside,
            };
            let warned = |distances: [f64; 3]| {
                let all = 0..sockets * nodes;
                let row = |from: u32| all.clone().map(|to| distance(from, to, distances)).collect();
                let distances = Some(all.clone().map(row).collect());
                super::contradictions::with_distances(&sketch, &Topology { distances, ..topology.clone() })
            };
            assert_eq!(warned([10.0, 12.0, 32.0]), None, "{name}");
            if nodes > 1 && sockets > 1 {
                let warning = warned([10.0, 32.0, 12.0]).unwrap();
                assert!(warning.contains("set the latencies of the links"), "{warning}");
            }
        }
    }
}

/// A link inside a socket is below the memory of a node only where a data sheet says so.
#[test]
fn links_inside_a_socket_are_not_below_memory() {
    for found in all() {
        for nodes in [2, 3, 4] {
            let machine = sketch(Some(found), &shape(2, nodes)).machine;
            let level = machine.levels.iter().find(|level| level.kind == LevelKind::Node).unwrap();
            let link = &machine.links[level.interconnect.as_ref().unwrap().link.0];
            let stated =
                found.inside.is_some_and(|(peak, _)| peak * 1e9 * super::SUSTAINED == link.bandwidth.0);
            assert!(stated || link.bandwidth.0 >= machine.memory.bandwidth.0, "{} {nodes}", found.name);
        }
    }
}

/// With the values of another machine, sockets have its bandwidth, whatever divides them, and the order is kept.
#[test]
fn values_of_another_machine_are_shared_by_the_nodes_of_a_socket() {
    for (spec, of_socket) in
        [("socket:2 core:4", 1.0), ("socket:1 core:4", 1.0), ("socket:2 node:4 core:2", 4.0)]
    {
        let mut like = numalab_machine::synthetic(spec).unwrap();
        like.memory.bandwidth = numalab_base::Bandwidth(300e9 / of_socket);
        like.core.outstanding = 40.0;
        for (sockets, nodes) in [(1, 1), (1, 4), (2, 1), (2, 2), (2, 4)] {
            let topology = shape(sockets, nodes);
            let mut sketch = topology.machine("here").unwrap();
            let said = sketch.assume_as(&topology, &like);
            let machine = &sketch.machine;
            assert_eq!(machine.check(), []);
            assert_eq!(machine.memory.bandwidth.0 * f64::from(nodes), 300e9, "{spec} {sockets} x {nodes}");
            assert_eq!((machine.core.outstanding, machine.memory.capacity.0), (40.0, 16 << 30));
            let places: Vec<_> = [Some(0), (nodes > 1).then_some(1), (sockets > 1).then_some(nodes)]
                .into_iter()
                .flatten()
                .map(|to| reads(&sketch, to))
                .collect();
            for pair in places.windows(2) {
                assert!(
                    pair[0].0 < pair[1].0 && pair[0].1 >= pair[1].1,
                    "{places:?} of {spec} {sockets} x {nodes}"
                );
            }
            for path in &sketch.assumed {
                assert_eq!(said.iter().filter(|one| one.path == *path).count(), 1, "{path} in {said:?}");
            }
        }
    }
}

/// Every value that no source states is listed once, for every generation.
#[test]
fn assumed_values_are_listed_once() {
    for found in all().iter().map(Some).chain([None]) {
        let topology = shape(2, 4);
        let mut sketch = topology.machine("here").unwrap();
        let said = sketch.assume_of(found, &topology);
        for path in &sketch.assumed {
            assert_eq!(said.iter().filter(|one| one.path == *path).count(), 1, "{path}");
        }
        assert_eq!(sketch.machine.check(), []);
    }
}

/// A bandwidth of memory that is set is bound by no assumed sibling, or a warning names it.
#[test]
fn assumed_companions_follow_what_is_set() {
    let mut like = numalab_machine::synthetic("socket:2 core:4").unwrap();
    like.memory.random_bandwidth = Some(numalab_base::Bandwidth(5e9));
    for (name, alike) in [("generation", None), ("another machine", Some(&like))] {
        for path in ["memory.bandwidth", "memory.read_bandwidth"] {
            for value in ["900 GB/s", "9 GB/s", "x2"] {
                let topology = shape(2, 4);
                let assumed = || {
                    let mut sketch = topology.machine("here").unwrap();
                    let said = match alike {
                        Some(like) => sketch.assume_as(&topology, like),
                        None => sketch.assume_of(Some(&all()[9]), &topology),
                    };
                    (sketch, said)
                };
                let (before, _) = assumed();
                let (mut sketch, mut said) = assumed();
                sketch.follow(&set(&[&format!("{path}={value}")]), &mut said);
                let (old, new) = (&before.machine.memory, &sketch.machine.memory);
                let times = match value {
                    "x2" => 2.0,
                    text => text.parse::<numalab_base::Bandwidth>().unwrap().0 / old.bandwidth.0,
                };
                if path == "memory.bandwidth" {
                    let part = |of: fn(&numalab_machine::Memory) -> Option<numalab_base::Bandwidth>| {
                        let (old, new) = (of(old), of(new));
                        assert_eq!(old.is_some(), new.is_some());
                        old.zip(new).is_none_or(|(old, new)| (new.0 / old.0 / times - 1.0).abs() < 1e-9)
                    };
                    let all = part(|one| one.read_bandwidth)
                        && part(|one| one.write_bandwidth)
                        && part(|one| one.random_bandwidth);
                    assert!(all, "{name} {value}: {new:?}");
                    let level =
                        sketch.machine.levels.iter().find(|level| level.kind == LevelKind::Node).unwrap();
                    let link = &sketch.machine.links[level.interconnect.as_ref().unwrap().link.0];
                    assert!(link.bandwidth.0 >= old.bandwidth.0 * times * 0.999, "{name} {value}: {link:?}");
                } else if let Ok(read) = value.parse::<numalab_base::Bandwidth>() {
                    assert!(new.bandwidth.0 >= read.0, "{name} {value}");
                }
                // Three cores of a node draw no 900 GB/s.
                let warned = sketch.warnings.iter().any(|one| one.contains("core.outstanding"));
                assert_eq!(warned, value == "900 GB/s", "{name} {path} {value}: {:?}", sketch.warnings);
            }
        }
    }
    // What the user sets as well is left alone.
    let topology = shape(1, 1);
    let mut sketch = topology.machine("here").unwrap();
    let mut said = sketch.assume_as(&topology, &like);
    let read = sketch.machine.memory.read_bandwidth;
    sketch.follow(&set(&["memory.bandwidth=x3", "memory.read_bandwidth=20 GB/s"]), &mut said);
    assert_eq!(sketch.machine.memory.read_bandwidth, read);
}

/// Law: Texts of sources agree with the origins: data sheets are named, and what nothing tells is a default.
#[test]
fn sources_have_origins() {
    let mut topology = shape(2, 2);
    topology.nodes.push(Node { number: 4, capacity: Some(1 << 40), ..Node::default() });
    for found in all().iter().map(Some).chain([None]) {
        let said = topology.machine("here").unwrap().assume_of(found, &topology);
        for one in &said {
            let text = &one.source;
            let origin = match () {
                () if text.starts_with("data sheet") => ValueOrigin::Sheet,
                () if text.ends_with(" cycles") || text.ends_with("a victim cache") => ValueOrigin::Sheet,
                () if text.starts_with("a synthetic machine's") => ValueOrigin::Default,
                () => ValueOrigin::Assumed,
            };
            assert_eq!(one.origin, origin, "{} ({text})", one.path);
        }
        let of = |path: &str| said.iter().find(|one| one.path == path).map(|one| one.origin);
        if found.is_some() {
            assert_eq!(of("memory.bandwidth"), Some(ValueOrigin::Sheet));
            assert_eq!(of("memory.latency"), Some(ValueOrigin::Assumed));
            // Memory of which nothing is known is no data sheet's.
            assert_ne!(of("memory_only.memory.bandwidth"), Some(ValueOrigin::Sheet));
        } else {
            assert_eq!(of("memory.latency"), Some(ValueOrigin::Default));
        }
    }
}
