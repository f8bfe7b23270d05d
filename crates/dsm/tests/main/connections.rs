//! Network cards with bounded queues, and messages that return. Latency 64 us, service 17 us, cards of 90 MB/s; a
//! message of 4096 bytes with its header takes 46.222223 us on a card.

use crate::support::{MESSAGE, US, drive, echo, nodes};
use numalab_base::{Bytes, Span, Time};
use numalab_dsm::Use;
use proptest::prelude::*;

/// A message takes 64 + 46.2 + 17 us to the other node, and the same time to return. If only one message is in flight
/// at a time, each message takes this long.
#[test]
fn a_message_comes_back() {
    let once = 2 * (64 + 17) * US + 2 * MESSAGE;
    assert_eq!(echo(&mut nodes(2, 1, |_| {}), 1, 1), once);
    assert_eq!(echo(&mut nodes(3, 1, |_| {}), 1, 5), 5 * once);
    // With 100 messages in flight, the card sends without pause: the last message departs 99 messages after the
    // first.
    assert_eq!(echo(&mut nodes(2, 1, |_| {}), 100, 100), once + 99 * MESSAGE);
    // Each node sends as many bytes as it receives.
    let mut dsm = nodes(3, 1, |_| {});
    echo(&mut dsm, 4, 10);
    let sent: Vec<u64> = dsm.counts().iter().map(|node| node.messages.iter().sum()).collect();
    let received: Vec<u64> = dsm.counts().iter().map(|node| node.received).collect();
    assert_eq!((sent, received), (vec![10, 5, 5], vec![10, 5, 5]));
}

/// Nodes 1 to 3 read pages of node 0, whose card has room for one page besides the page that it sends; 16 KiB may be
/// in flight to each node. Pages to nodes 1, 2 and 3 are to depart at one time; the third page does not fit and is
/// lost. No later message goes to node 3, so the page is resent after 200 ms.
#[test]
fn what_does_not_fit_is_sent_again() {
    let pages = |queue: Option<Bytes>| {
        let mut dsm = nodes(4, 3, |dsm| (dsm.queue, dsm.handle) = (queue, Span(0)));
        assert!(dsm.touch(0, 0..3, Use::Write, 4096).is_none());
        for node in 1..4 {
            let fault = dsm.touch(node, u64::from(node) - 1..node.into(), Use::Read, 4096).unwrap();
            dsm.fault(node, fault, Time(1000 * US));
        }
        let mut woken = Vec::new();
        let mut ends = Vec::new();
        while let Some(at) = dsm.advance(Time::NEVER, &mut 0, &mut woken) {
            ends.extend(woken.drain(..).map(|worker| (worker, at.0 - 1000 * US)));
        }
        let stops: Vec<u64> = (1..4).map(|worker| dsm.take_stop(worker).total().0).collect();
        (ends, stops, dsm.counts()[0].resent)
    };
    let (wide, _, none) = pages(None);
    let (narrow, stops, resent) = pages(Some(Bytes(2 * 4160)));
    assert_eq!((none, resent), (0, 1));
    assert_eq!(narrow[..2], wide[..2]);
    // Without the loss the page would wait for two other pages, less two headers; the resent page finds an empty
    // queue.
    let lost_for = narrow[2].1 - wide[2].1;
    assert_eq!(lost_for, 200_000 * US - 2 * MESSAGE + 2 * 711_112);
    assert_eq!(stops, narrow.iter().map(|(_, stop)| *stop).collect::<Vec<_>>(), "booked in full");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// For any queue length, every message returns once, and the last no sooner than with unbounded queues. If
    /// nothing is lost, and only one message at a time is in flight, which fits the window, the last returns at the
    /// same time as with unbounded queues.
    #[test]
    fn nothing_is_lost_for_ever(
        count in 2_u32..6,
        in_flight in 1_u32..80,
        queue in 1_u64..200_000,
        window in 1_u64..70_000,
        resend in prop_oneof![Just(1_u64), 1_u64..300_000 * US],
    ) {
        let mut bounded = nodes(count, 1, |dsm| {
            (dsm.queue, dsm.window, dsm.resend) = (Some(Bytes(queue)), Bytes(window), Span(resend));
        });
        let took = echo(&mut bounded, in_flight, 200);
        let sum = |of: fn(&numalab_counts::NodeCounts) -> u64| bounded.counts().iter().map(of).sum::<u64>();
        prop_assert_eq!((sum(|node| node.messages.iter().sum()), sum(|node| node.received)), (400, 400));
        prop_assert_eq!(sum(|node| node.bytes), sum(|node| node.bytes_received));
        let free = echo(&mut nodes(count, 1, |_| {}), in_flight, 200);
        let resent = sum(|node| node.resent);
        prop_assert!(took >= free, "{took} of {free}");
        if resent == 0 && window >= u64::from(in_flight) * 4160 && in_flight == 1 {
            prop_assert_eq!(took, free);
        }
    }

    #[test]
    fn laws_hold_where_messages_are_lost(
        todo in prop::collection::vec(prop::collection::vec((0_u64..6, 0..3), 1..12), 3..6),
        queue in 1_u64..9000,
    ) {
        let kinds = [Use::Read, Use::Write, Use::Update];
        let todo: Vec<Vec<(u64, Use)>> = todo
            .into_iter()
            .map(|uses| uses.into_iter().map(|(page, kind)| (page, kinds[kind as usize])).collect())
            .collect();
        let mut dsm = nodes(todo.len() as u32, 6, |dsm| dsm.queue = Some(Bytes(queue)));
        prop_assert_eq!(drive(&mut dsm, &todo, 5 * US).err(), None);
    }
}
