//! Location of a thread of a team.

use numalab_coherence::AgentId;
use numalab_machine::{CoreId, Fabric, Groups, NodeId};

/// Thread of a team with its location. Caches, sockets and boards are numbered across the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamMember {
    /// Agent of the thread in the [`Exec`](crate::Exec).
    pub agent: AgentId,
    pub core: CoreId,
    pub node: NodeId,
    pub cache: u32,
    /// Socket; the node if there are no sockets.
    pub socket: u32,
    /// Board; the socket if there are no boards.
    pub board: u32,
    /// Among the program's threads on the member's processor: number of threads before the member, and number of all
    /// threads.
    pub sharing: (u32, u32),
}

impl TeamMember {
    /// Member whose agent runs on a core.
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
