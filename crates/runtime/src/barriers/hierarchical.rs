//! Tree by the levels of the machine: threads that share a cache, a socket, a board, the machine. The first of the
//! threads that share such a part is the parent of the others, and meets the first threads of other parts at the next
//! level.

use super::order::ParentOrder;
use crate::team::TeamMember;
use std::collections::BTreeMap;

pub(super) fn order(members: &[TeamMember]) -> ParentOrder {
    let levels: [fn(&TeamMember) -> u32; 4] =
        [|member| member.cache, |member| member.socket, |member| member.board, |_| 0];
    let mut children = vec![Vec::new(); members.len()];
    let mut present: Vec<u32> = (0..members.len() as u32).collect();
    for group in levels {
        let mut leaders: BTreeMap<u32, u32> = BTreeMap::new();
        let mut first = Vec::new();
        for thread in present {
            let leader = *leaders.entry(group(&members[thread as usize])).or_insert(thread);
            if leader == thread {
                first.push(thread);
            } else {
                children[leader as usize].push(thread);
            }
        }
        present = first;
    }
    ParentOrder::by_levels(children)
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_coherence::AgentId;
    use numalab_machine::{CoreId, NodeId};

    #[test]
    fn leaders_meet_at_the_next_level() {
        // A machine of two boards with two sockets of two cores each.
        let member = |core: u32| TeamMember {
            agent: AgentId::new(core),
            core: CoreId(core),
            node: NodeId(core / 2),
            cache: core / 2,
            socket: core / 2,
            board: core / 4,
            sharing: (0, 1),
        };
        let members: Vec<TeamMember> = (0..8).map(member).collect();
        let order = order(&members);
        assert_eq!(order.gather(0), [1, 2, 4]);
        assert_eq!(order.gather(2), [3]);
        assert_eq!(order.gather(4), [5, 6]);
        assert_eq!(order.release(0).collect::<Vec<u32>>(), [4, 2, 1]);
    }
}
