//! Sizes of groups of cores on machines that may lack some levels.

use crate::{LevelKind, Machine};

/// Sizes of the groups that a core belongs to, in cores. Groups of one kind are consecutive: a
/// core's number divided by the size is the number of its group in the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups {
    /// Cores of a board; of a socket on machines without boards.
    pub board: u32,
    /// Cores of a socket; of a node on machines without sockets.
    pub socket: u32,
    /// Cores that share a last-level cache; on machines without caches cores of a cluster, or else of a node.
    pub cache: u32,
}

impl Groups {
    /// Groups of a checked machine.
    pub fn of(machine: &Machine) -> Groups {
        let cores_of = |kind: LevelKind| {
            let at = machine.levels.iter().position(|level| level.kind == kind)?;
            Some(machine.levels[at + 1..].iter().map(|level| level.count).product())
        };
        let node = machine.cores_per_node();
        let socket = cores_of(LevelKind::Socket).unwrap_or(node);
        let last = machine.caches.iter().max_by_key(|cache| cache.level);
        let cache = last.map(|cache| cache.shared_by).or_else(|| cores_of(LevelKind::Cluster));
        Groups { board: cores_of(LevelKind::Board).unwrap_or(socket), socket, cache: cache.unwrap_or(node) }
    }
}
