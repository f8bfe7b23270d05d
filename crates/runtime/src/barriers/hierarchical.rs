//! By the machine's levels: those who share a cache, a socket, a board, the machine. The first thread of
//! each group leads it, and the leaders meet at the next level.

use super::order::Order;
use crate::team::Seat;
use std::collections::BTreeMap;

pub(super) fn order(seats: &[Seat]) -> Order {
    let levels: [fn(&Seat) -> u32; 4] = [|seat| seat.cache, |seat| seat.socket, |seat| seat.board, |_| 0];
    let mut children = vec![Vec::new(); seats.len()];
    let mut present: Vec<u32> = (0..seats.len() as u32).collect();
    for group in levels {
        let mut leaders: BTreeMap<u32, u32> = BTreeMap::new();
        let mut first = Vec::new();
        for thread in present {
            let leader = *leaders.entry(group(&seats[thread as usize])).or_insert(thread);
            if leader == thread {
                first.push(thread);
            } else {
                children[leader as usize].push(thread);
            }
        }
        present = first;
    }
    Order::by_levels(children)
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_machine::{CoreId, NodeId};

    #[test]
    fn leaders_meet_at_the_next_level() {
        // Two boards of two sockets of two cores.
        let seat = |core| Seat {
            agent: core,
            core: CoreId(core),
            node: NodeId(core / 2),
            cache: core / 2,
            socket: core / 2,
            board: core / 4,
        };
        let seats: Vec<Seat> = (0..8).map(seat).collect();
        let order = order(&seats);
        assert_eq!(order.gather[0], [1, 2, 4]);
        assert_eq!(order.gather[2], [3]);
        assert_eq!(order.gather[4], [5, 6]);
        assert_eq!(order.release[0], [4, 2, 1]);
    }
}
