//! Where a thread of a team sits.

use numalab_machine::{CoreId, Fabric, LevelKind, Machine, NodeId};

/// A thread of a team: who it is, and the groups of the machine that it belongs to, each counted through
/// the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    /// Its number in the [`Exec`](crate::Exec).
    pub agent: u32,
    /// Its core.
    pub core: CoreId,
    /// Its NUMA node.
    pub node: NodeId,
    /// Its last-level cache.
    pub cache: u32,
    /// Its socket; its node where there are no sockets.
    pub socket: u32,
    /// Its board; its socket where there are no boards.
    pub board: u32,
}

impl Seat {
    /// The seat of an agent on a core.
    pub fn new(machine: &Machine, fabric: &Fabric, agent: u32, core: CoreId) -> Seat {
        let cores_of = |kind: LevelKind| {
            let at = machine.levels.iter().position(|level| level.kind == kind)?;
            Some(machine.levels[at + 1..].iter().map(|level| level.count).product())
        };
        let node: u32 = fabric.cores_per_node();
        let socket = cores_of(LevelKind::Socket).unwrap_or(node);
        let board = cores_of(LevelKind::Board).unwrap_or(socket);
        let last = machine.caches.iter().max_by_key(|cache| cache.level).map(|cache| cache.shared_by);
        let cache = last.or_else(|| cores_of(LevelKind::Cluster)).unwrap_or(node);
        Seat {
            agent,
            core,
            node: fabric.node_of(core),
            cache: core.0 / cache.max(1),
            socket: core.0 / socket,
            board: core.0 / board,
        }
    }
}
