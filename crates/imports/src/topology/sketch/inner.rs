//! Sockets that share a node (front-side bus, or memory interleaved by the firmware), as groups of its cores.

use super::Unsuited;
use super::cores::Core;
use super::hierarchy::{Uneven, clusters, equal};
use crate::topology::Topology;
use std::collections::{BTreeMap, BTreeSet};

/// Number of sockets in every node, which become the model's clusters; `None` if they cannot be clusters and are
/// dropped. Adds a warning in both cases. Called if a node spans several sockets.
pub(super) fn sockets(
    topology: &Topology,
    cores: &mut [Core],
    warnings: &mut Vec<String>,
) -> Result<Option<usize>, Unsuited> {
    let mut held: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
    cores.iter().for_each(|core| _ = held.entry(core.node).or_default().insert(core.package));
    let shared = held.iter().find(|(_, sockets)| sockets.len() > 1);
    let shared = shared.map_or(String::new(), |(node, sockets)| {
        format!("node {} holds sockets {}", topology.node_number(*node), list(sockets))
    });
    match as_clusters(topology, cores)? {
        Ok(each) => {
            warnings.push(format!(
                "{shared}, which are its clusters here: the model has no sockets inside of nodes, and the way from one to the \
                 other costs nothing until their interconnect or core_to_core says so"
            ));
            Ok(Some(each))
        }
        Err(reason) => {
            warnings.push(format!(
                "{shared}, {reason}: sockets inside of nodes are no level of the model and are left out"
            ));
            cores.iter_mut().for_each(|core| core.package = 0);
            Ok(None)
        }
    }
}

/// Number of sockets in every node, or the reason why they cannot be clusters.
fn as_clusters(topology: &Topology, cores: &[Core]) -> Result<Result<usize, String>, Unsuited> {
    let mut nodes: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for core in cores {
        nodes.entry(core.package).or_default().insert(topology.node_number(core.node));
    }
    if let Some((socket, nodes)) = nodes.iter().find(|(_, nodes)| nodes.len() > 1) {
        return Ok(Err(format!("while socket {socket} lies in nodes {}", list(nodes))));
    }
    let each = match equal(cores.iter().map(|core| (core.node, core.package))) {
        Ok(each) => each,
        Err(Uneven { least, most, .. }) => return Ok(Err(format!("and nodes hold {least} to {most}"))),
    };
    let of_socket = match equal(cores.iter().map(|core| (core.package, core.threads.first()))) {
        Ok(cores) => cores,
        Err(Uneven { least, most, .. }) => {
            return Ok(Err(format!("and sockets have {least} to {most} cores")));
        }
    };
    let levels = cores.first().map_or(0, |core| core.caches.len());
    let spanned = |level: usize| {
        let of = equal(cores.iter().filter_map(|core| Some((core.caches[level]?, core.package))));
        of.unwrap_or_else(|uneven| uneven.most) > 1
    };
    if (0..levels).any(spanned) {
        return Ok(Err("which share a cache".to_owned()));
    }
    let Ok(groups) = clusters(topology, cores, each * of_socket) else {
        return Ok(Err("whose caches have unequal numbers of cores".to_owned()));
    };
    if groups != 1 && groups != each {
        return Ok(Err(format!("whose cores share caches in {} groups each", groups / each)));
    }
    Ok(Ok(each))
}

fn list(numbers: &BTreeSet<u32>) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}
