//! Network cards that lose bandwidth by congestion. Latency 64 us, service 17 us, cards of 90 MB/s; a message of 4096
//! bytes with its header takes 46.222223 us on a card.

use crate::support::{MESSAGE, US, cards, drive, echo, nodes, with_cards};
use numalab_base::Bytes;
use numalab_dsm::Use;
use proptest::prelude::*;

/// Half of the bandwidth is left with eight pages in flight, headers included, and all of it with four.
const CURVE: [(f64, f64); 2] = [(4.0, 1.0), (8.0, 0.5)];

/// Two nodes cause no congestion, nor do few messages. With many messages among three nodes, each message takes twice
/// as long on the card.
#[test]
fn a_crowd_of_several_nodes_costs_bandwidth() {
    let took = |count, in_flight, messages| {
        let free = echo(&mut nodes(count, 1, |_| {}), in_flight, messages);
        let crowded = echo(&mut with_cards(count, 1, cards(&CURVE), |_| {}), in_flight, messages);
        (free, crowded)
    };
    let (free, crowded) = took(2, 100, 400);
    assert_eq!(crowded, free);
    let (free, crowded) = took(3, 3, 400);
    assert_eq!(crowded, free);
    let (free, crowded) = took(3, 100, 400);
    // A hundred pages are in flight whenever a page arrives at the card, so each page takes twice as long there.
    assert_eq!(crowded, free + 400 * MESSAGE);
}

/// Two nodes each return a message. At the first node's card each message finds both messages in flight: half-way
/// along the curve, where three quarters of the bandwidth are left.
#[test]
fn between_two_points_of_the_curve_lies_a_straight_line() {
    let curve = [(0.0, 1.0), (4.0 * 4160.0 / 4096.0, 0.5)];
    let free = echo(&mut nodes(3, 1, |_| {}), 2, 2);
    let crowded = echo(&mut with_cards(3, 1, cards(&curve), |_| {}), 2, 2);
    let longer = (MESSAGE as f64 / 0.75).ceil() as u64 - MESSAGE;
    assert_eq!(crowded - free, 2 * longer);
}

/// With bounded queues, losses are simulated and the curve has no effect.
#[test]
fn a_queue_counts_instead() {
    let wide = |dsm: &mut numalab_machine::Dsm| dsm.queue = Some(Bytes(1 << 20));
    let took = echo(&mut with_cards(3, 1, cards(&CURVE), wide), 100, 400);
    assert_eq!(took, echo(&mut nodes(3, 1, wide), 100, 400));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Uses of pages keep the laws that `drive` checks under congestion, and no message stays in flight.
    #[test]
    fn laws_hold_in_a_crowd(
        todo in prop::collection::vec(prop::collection::vec((0_u64..6, 0..3), 1..12), 3..6),
        least in 0.01_f64..1.0,
    ) {
        let kinds = [Use::Read, Use::Write, Use::Update];
        let todo: Vec<Vec<(u64, Use)>> = todo
            .into_iter()
            .map(|uses| uses.into_iter().map(|(page, kind)| (page, kinds[kind as usize])).collect())
            .collect();
        let curve = [(0.5, 1.0), (2.0, least)];
        let mut dsm = with_cards(todo.len() as u32, 6, cards(&curve), |_| {});
        prop_assert_eq!(drive(&mut dsm, &todo, 5 * US).err(), None);
    }
}
