//! Location of a thread of a team.

use numalab_coherence::AgentId;
use numalab_machine::{CoreId, Fabric, Groups, NodeId};

/// A thread of a team: who it is, and the groups of the machine that it belongs to, each counted through
/// the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamMember {
    /// Its number in the [`Exec`](crate::Exec).
    pub agent: AgentId,
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
    /// Threads of the program on its processor: those before it, and all.
    pub sharing: (u32, u32),
}

impl TeamMember {
    /// A member whose agent runs on a core.
    pub fn new(groups: &Groups, fabric: &Fabric, agent: AgentId, core: CoreId) -> TeamMember {
        TeamMember {
            agent,
            core,
            node: fabric.node_of(core),
            cache: core.0 / groups.cache,
            socket: core.0 / groups.socket,
            board: core.0 / groups.board,
            sharing: (0, 1),
        }
    }
}
