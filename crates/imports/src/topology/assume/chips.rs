//! Ports of chips of cores to the chip with the memory controllers.

use super::{Assumption, Source};
use crate::topology::chips;
use crate::topology::generations::Generation;
use crate::topology::{MachineSketch, Topology};
use numalab_base::Bandwidth;
use numalab_machine::{Level, LevelKind, NodePort};

/// Fraction of the peak that a chip reads: 36.9 of 42.7 GB/s on a Zen 2 with DDR4-2666 [kt.zen2.2x4].
const SUSTAINED: f64 = 0.865;

impl MachineSketch {
    /// Gives each cluster, or each chip of several clusters, the port of its generation.
    pub(super) fn take_ports(&mut self, found: &Generation, topology: &Topology, said: &mut Vec<Assumption>) {
        let levels = &self.machine.levels;
        let Some(at) = levels.iter().position(|level| level.kind == LevelKind::Cluster) else { return };
        let Some(chips) = chips::of(found.name) else { return };
        let clusters = levels[at].count;
        if !clusters.is_multiple_of(chips.clusters) {
            return;
        }
        let of_node = clusters / chips.clusters;
        let of_socket = (f64::from(of_node) * self.nodes_of_a_socket(topology)) as u32;
        let (read, write) = chips.peak(of_socket);
        let sustained = |peak: f64| Some(Bandwidth(peak * SUSTAINED * 1e9));
        let port = NodePort { read_bandwidth: sustained(read), write_bandwidth: sustained(write) };
        let levels = &mut self.machine.levels;
        if chips.clusters > 1 && of_node > 1 {
            // Clusters of a chip share its port.
            let chip = Level {
                kind: LevelKind::Chip,
                count: of_node,
                interconnect: None,
                controller: None,
                port: Some(port.clone()),
                core_to_core: levels[at].core_to_core,
            };
            levels[at] = Level { count: chips.clusters, core_to_core: None, ..levels[at].clone() };
            levels.insert(at, chip);
        } else {
            levels[at].port = Some(port.clone());
        }
        let links = match chips.links(of_socket) {
            1 => chips.made_of.to_owned(),
            links => format!("{links} links of {}", chips.made_of),
        };
        let values = [("read", read, port.read_bandwidth), ("write", write, port.write_bandwidth)];
        for (name, peak, value) in values {
            let source = Source::sheet(format!(
                "data sheet of {}: {links}, {peak} GB/s; {SUSTAINED} of it sustained, as a Zen 2 reads",
                found.name
            ));
            let path = format!("level[{at}].port.{name}_bandwidth");
            said.extend(value.map(|value| Assumption::new(path, value, source)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::generations;
    use crate::topology::{CacheUnit, Node, Processor};
    use numalab_base::ValueOrigin;

    /// One socket of one node, with clusters of four cores.
    fn socket(clusters: u32) -> Topology {
        let processor = |number| Processor { number, package: Some(0), core: Some(number) };
        let cache = |cluster: u32| CacheUnit {
            level: 3,
            size: 16 << 20,
            line: None,
            processors: (4 * cluster..4 * cluster + 4).collect(),
        };
        let all = 0..4 * clusters;
        let node = Node { capacity: Some(64 << 30), processors: all.clone().collect(), ..Node::default() };
        Topology {
            processors: all.map(processor).collect(),
            nodes: vec![node],
            caches: (0..clusters).map(cache).collect(),
            ..Topology::default()
        }
    }

    /// Level with the ports, number of units there, and GB/s of reads.
    fn ports(generation: &str, clusters: u32) -> Option<(LevelKind, u32, f64)> {
        let topology = socket(clusters);
        let mut sketch = topology.machine("here").unwrap();
        let said = sketch.assume_of(generations::named(generation), &topology);
        assert_eq!(sketch.machine.check(), []);
        let (at, level) = (0..).zip(&sketch.machine.levels).find(|(_, level)| level.port.is_some())?;
        let read = level.port.as_ref().unwrap().read_bandwidth.unwrap();
        let path = format!("level[{at}].port.read_bandwidth");
        let listed = said.iter().find(|one| one.path == path).unwrap();
        assert_eq!((listed.value.clone(), listed.origin), (read.to_string(), ValueOrigin::Sheet));
        Some((level.kind, level.count, (read.0 / 1e8).round() / 10.0))
    }

    /// Two clusters of Rome share a chip's port: 0.865 x 46.9 = 40.6 GB/s. A cluster of Milan is a chip: 0.865 x 51.2 =
    /// 44.3. Four chips of Genoa have two links each: 2 x 0.865 x 57.6 = 99.6; eight have one.
    #[test]
    fn each_chip_has_its_port() {
        assert_eq!(ports("EPYC 7002 (Rome)", 8), Some((LevelKind::Chip, 4, 40.6)));
        assert_eq!(ports("EPYC 7003 (Milan)", 8), Some((LevelKind::Cluster, 8, 44.3)));
        assert_eq!(ports("EPYC 9004 (Genoa)", 4), Some((LevelKind::Cluster, 4, 99.6)));
        assert_eq!(ports("EPYC 9004 (Genoa)", 8), Some((LevelKind::Cluster, 8, 49.8)));
    }

    /// An odd number of clusters cannot be divided into chips of two. Dies of Naples have their own memory.
    #[test]
    fn other_machines_have_no_ports() {
        assert_eq!(ports("EPYC 7002 (Rome)", 3), None);
        assert_eq!(ports("EPYC 7001 (Naples)", 4), None);
        assert_eq!(ports("Ice Lake-SP", 2), None);
    }
}
