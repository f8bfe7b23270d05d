//! Owners of flows: threads, and the `kswapd` of each node.

use numalab_base::ThreadId;
use numalab_machine::NodeId;

/// Thread or `kswapd` that continues when its flow ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FlowOwner {
    Thread(ThreadId),
    /// A node's `kswapd`.
    Reclaimer(NodeId),
}

impl FlowOwner {
    /// Number that identifies the owner's flow in the solver: threads have their own numbers, reclaimers the highest
    /// numbers.
    pub fn token(self) -> u32 {
        match self {
            FlowOwner::Thread(thread) => thread.number(),
            FlowOwner::Reclaimer(node) => u32::MAX - node.0,
        }
    }

    pub fn of_token(token: u32) -> FlowOwner {
        if token > u32::MAX - MOST_NODES {
            FlowOwner::Reclaimer(NodeId(u32::MAX - token))
        } else {
            FlowOwner::Thread(ThreadId::new(token))
        }
    }
}

/// More nodes than any machine has, and few enough to leave more than 2^31 numbers for threads.
const MOST_NODES: u32 = 1 << 30;

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: tokens tell owners apart.
    #[test]
    fn tokens_tell_owners_apart() {
        let threads = [0, 1, 1 << 20].map(|thread| FlowOwner::Thread(ThreadId::new(thread)));
        for owner in
            threads.into_iter().chain([FlowOwner::Reclaimer(NodeId(0)), FlowOwner::Reclaimer(NodeId(7))])
        {
            assert_eq!(FlowOwner::of_token(owner.token()), owner);
        }
    }
}
