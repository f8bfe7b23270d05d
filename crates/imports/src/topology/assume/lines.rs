//! Latencies of lines between cores, by the generation of the processors.

use super::Assumption;
use crate::topology::MachineSketch;
use crate::topology::generations::Generation;
use crate::topology::lines;
use numalab_base::Span;
use numalab_machine::LevelKind;

impl MachineSketch {
    /// Sets the latencies of lines between cores of the last cache, between units of a socket and between sockets.
    pub(super) fn take_lines(&mut self, found: &Generation, said: &mut Vec<Assumption>) {
        let Some(known) = lines::of(found.name) else { return };
        let source = format!("assumed, of the order of what is {}", known.made_of);
        let span = |nanoseconds: f64| Span((nanoseconds * 1e3).round() as u64);
        let machine = &mut self.machine;
        machine.memory.directory_on_chip = known.directory_on_chip;
        if known.directory_on_chip {
            let source = format!("assumed: {} has a filter of snoops", found.name);
            said.push(Assumption::new("memory.directory_on_chip", true, source));
        }
        let shared = machine.shared_cache();
        let group = shared.map_or(1, |at| machine.caches[at].shared_by);
        if let Some((at, nanoseconds)) = shared.zip(known.cache) {
            machine.caches[at].core_to_core = Some(span(nanoseconds));
            said.push(Assumption::new(format!("cache[{at}].core_to_core"), span(nanoseconds), &*source));
        }
        for at in 0..machine.levels.len() {
            let nanoseconds = match machine.levels[at].kind {
                LevelKind::Socket => known.outside,
                LevelKind::Node | LevelKind::Chip | LevelKind::Cluster => known.inside,
                LevelKind::Board | LevelKind::Core => None,
            };
            // Units that share a cache have its latency.
            let cores: u32 = machine.levels[at + 1..].iter().map(|level| level.count).product();
            let is_apart = machine.levels[at].count > 1 && cores >= group;
            let Some(nanoseconds) = nanoseconds.filter(|_| is_apart) else { continue };
            let link = machine.levels[at].interconnect.as_ref();
            let way = link.map_or(Span::ZERO, |joined| machine.links[joined.link.0].latency);
            // A line takes at least the way there and back.
            let value = span(nanoseconds).max(way + way);
            machine.levels[at].core_to_core = Some(value);
            said.push(Assumption::new(format!("level[{at}].core_to_core"), value, &*source));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{CacheUnit, Node, Processor, Topology, generations};

    /// Two sockets of `nodes` nodes each, with clusters of four cores.
    fn sockets(nodes: u32) -> Topology {
        let all = 0..16;
        let cache = |cluster: u32| CacheUnit {
            level: 3,
            size: 32 << 20,
            line: None,
            processors: (4 * cluster..4 * cluster + 4).collect(),
        };
        let each = 8 / nodes;
        let node = |number: u32| Node {
            number,
            capacity: Some(64 << 30),
            processors: (each * number..each * (number + 1)).collect(),
            ..Node::default()
        };
        Topology {
            processors: all
                .map(|number| Processor { number, package: Some(number / 8), core: Some(number) })
                .collect(),
            nodes: (0..2 * nodes).map(node).collect(),
            caches: (0..4).map(cache).collect(),
            ..Topology::default()
        }
    }

    /// Latencies in picoseconds of sockets, of the units inside of them, and of the shared cache.
    fn lines(generation: &str, nodes: u32) -> Vec<Option<u64>> {
        let topology = sockets(nodes);
        let mut sketch = topology.machine("here").unwrap();
        let said = sketch.assume_of(generations::named(generation), &topology);
        assert_eq!(sketch.machine.check(), []);
        let machine = &sketch.machine;
        let of_levels = machine.levels.iter().filter(|level| level.kind != LevelKind::Core);
        let of_levels = of_levels.map(|level| level.core_to_core);
        let of_cache = machine.caches.iter().filter(|cache| cache.shared_by > 1);
        let all: Vec<Option<Span>> = of_levels.chain(of_cache.map(|cache| cache.core_to_core)).collect();
        let listed = said.iter().filter(|one| one.path.ends_with("core_to_core")).count();
        assert_eq!(listed, all.iter().flatten().count());
        all.into_iter().map(|span| Some(span?.0)).collect()
    }

    /// Of Milan measured: 303.6 ns between sockets, 124.2 between clusters and nodes, 24.9 in a cluster. Of Cascade Lake
    /// only the latency between sockets is known.
    #[test]
    fn each_level_has_its_latency() {
        assert_eq!(lines("EPYC 7003 (Milan)", 1), [Some(303_600), Some(124_200), Some(24_900)]);
        assert_eq!(lines("EPYC 7003 (Milan)", 2), [Some(303_600), Some(124_200), Some(24_900)]);
        assert_eq!(lines("Cascade Lake-SP", 1), [Some(116_000), None, None]);
        assert_eq!(lines("EPYC 7001 (Naples)", 1), [None, None, None]);
    }
}
