//! Faults calculated by hand: trap 28, handle 17, handle_page 36, wake 21, latency 64 us; a header of 64 B is 0.711112 us
//! on a card of 90 MB/s (in whole picoseconds, rounded up), a page with it 46.222223 us.

use crate::support::{US, nodes, on};
use numalab_base::{Bytes, Span, Time};
use numalab_dsm::{AT_ONCE, Dsm, Meeting, Part, Use};

const HEADER: u64 = 711_112;
const PAGE: u64 = 46_222_223;

/// Time from a worker's fault to its wake-up in picoseconds, without other events.
fn stop(dsm: &mut Dsm, worker: u32, page: u64, how: Use, now: u64) -> u64 {
    let fault = dsm.touch(worker, page..page + 1, how, 4096).unwrap();
    dsm.fault(worker, fault, Time(now));
    let mut woken = Vec::new();
    let at = dsm.advance(Time::NEVER, &mut 0, &mut woken).unwrap();
    assert_eq!(woken, [worker]);
    let stop = dsm.take_stop(worker);
    assert_eq!(stop.total(), at - Time(now), "{stop:?}");
    at.0 - now
}

/// Node 0 wrote the page first and is its master. Node 1 reads: trap, request, page, wake:
/// 28 + (64 + 17) + (64 + 17 + 36) + 21 = 247, and a header and a page on the cards.
#[test]
fn a_read_fetches_the_page_from_its_master() {
    let mut dsm = nodes(2, 4, |_| {});
    assert!(dsm.touch(0, 0..4, Use::Write, 4096).is_none(), "the first touch is nobody else's");
    assert_eq!(stop(&mut dsm, 1, 2, Use::Read, 1000 * US), 247 * US + HEADER + PAGE);
    assert!(dsm.touch(0, 2..3, Use::Read, 4096).is_none() && dsm.touch(0, 2..3, Use::Write, 4096).is_some());
}

/// The master writes a page of which another node has a copy, and sends no message to itself. Trap, Invalidate, Ack,
/// wake: 28 + 2 · (64 + 17) + 21 = 211.
#[test]
fn an_upgrade_waits_for_those_who_drop_their_copies() {
    let mut dsm = nodes(3, 1, |_| {});
    assert!(dsm.touch(0, 0..1, Use::Write, 4096).is_none());
    stop(&mut dsm, 1, 0, Use::Read, 1000 * US);
    assert_eq!(stop(&mut dsm, 0, 0, Use::Write, 2000 * US), 211 * US + 2 * HEADER);
    // With two other copies both holders are asked: the second message departs a header later, and its answer waits
    // for the daemon, for 17 us less that header.
    stop(&mut dsm, 1, 0, Use::Read, 3000 * US);
    stop(&mut dsm, 2, 0, Use::Read, 4000 * US);
    assert_eq!(stop(&mut dsm, 0, 0, Use::Write, 5000 * US), (211 + 17) * US + 2 * HEADER);
}

/// Node 2 reads a page that node 1 owns and whose master is node 0: request 64 + 17, fetch 64 + 17, page to the
/// master 64 + 53, page to node 2 64 + 53, with trap and wake 49: 445.
#[test]
fn the_owner_sends_by_way_of_the_master() {
    let mut dsm = nodes(3, 1, |_| {});
    assert!(dsm.touch(0, 0..1, Use::Write, 4096).is_none());
    stop(&mut dsm, 1, 0, Use::Write, 1000 * US);
    assert_eq!(stop(&mut dsm, 2, 0, Use::Read, 2000 * US), 445 * US + 2 * HEADER + 2 * PAGE);
    // The owner keeps a copy, and so does the master.
    assert!([0, 1, 2].iter().all(|worker| dsm.touch(*worker, 0..1, Use::Read, 4096).is_none()));
}

/// A read followed by a write makes two faults; a write without a read makes one.
#[test]
fn an_update_is_two_faults() {
    let mut dsm = nodes(2, 2, |_| {});
    assert!(dsm.touch(0, 0..2, Use::Write, 4096).is_none());
    stop(&mut dsm, 1, 0, Use::Update, 1000 * US);
    stop(&mut dsm, 1, 0, Use::Update, 2000 * US);
    assert!(dsm.touch(1, 0..1, Use::Update, 4096).is_none());
    stop(&mut dsm, 1, 1, Use::Write, 3000 * US);
    let counts = &dsm.counts()[1];
    assert_eq!((counts.faults.read, counts.faults.upgrade, counts.faults.write), (1, 1, 1));
}

/// Two workers of a node make one request. The second worker faults 5 us later and is stalled 5 us less.
#[test]
fn workers_of_a_node_share_a_request() {
    let mut dsm = on(2, vec![0, 1, 1], 1, |_| {});
    assert!(dsm.touch(0, 0..1, Use::Write, 4096).is_none());
    for (worker, now) in [(1, 1000 * US), (2, 1005 * US)] {
        let fault = dsm.touch(worker, 0..1, Use::Read, 4096).unwrap();
        dsm.fault(worker, fault, Time(now));
    }
    let mut woken = Vec::new();
    dsm.advance(Time::NEVER, &mut 0, &mut woken);
    assert_eq!(woken, [1, 2]);
    let [first, second] = [1, 2].map(|worker| dsm.take_stop(worker));
    assert_eq!(first.total(), second.total() + Span(5 * US));
    assert_eq!(second.0[Part::PageBusy as usize], second.total());
    assert_eq!(dsm.counts()[0].messages.iter().sum::<u64>(), 1, "one page");
}

/// A barrier of two workers: the later worker's message takes 64 + 17 us and a header, the departure as long, the
/// wake 21 us.
#[test]
fn a_barrier_is_two_messages() {
    let mut dsm = nodes(2, 1, |_| {});
    assert!(dsm.meet(0, Meeting::Barrier, Time::ZERO) && dsm.meet(1, Meeting::Barrier, Time(100 * US)));
    let mut woken = Vec::new();
    // The worker on the first node is woken first, since its message stays on the node.
    let first = dsm.advance(Time::NEVER, &mut 0, &mut woken).unwrap();
    assert_eq!((first.0, &woken[..]), (100 * US + 81 * US + HEADER + 21 * US, &[0][..]));
    let second = dsm.advance(Time::NEVER, &mut 0, &mut woken).unwrap();
    assert_eq!((second, &woken[..]), (first + Span(81 * US) + Span(HEADER), &[0, 1][..]));
}

/// Law: A page's entry migrates to a frequent requester, when nothing is in flight.
///
/// Node 0 touched the page first; node 1 writes the page and becomes its master. Node 2 asks node 0, which forwards
/// the request: 28 + 3 * (64 + 17) + 36 + 21 us, two headers and a page. If node 0 were still master, it would fetch
/// the page and send it on: 28 + 4 * (64 + 17) + 2 * 36 + 21 us, two headers and two pages. Node 1 then serves its
/// own faults: it asks node 2 to drop node 2's copy, 28 + 2 * (64 + 17) + 21 us and two headers.
#[test]
fn an_entry_moves_to_who_asks_often() {
    for (migrate, read) in [(Some(1), 328 * US + 2 * HEADER + PAGE), (None, 445 * US + 2 * HEADER + 2 * PAGE)]
    {
        let mut dsm = nodes(3, 1, |parameters| parameters.migrate = migrate);
        assert!(dsm.touch(0, 0..1, Use::Write, 4096).is_none());
        stop(&mut dsm, 1, 0, Use::Write, 1000 * US);
        assert_eq!(stop(&mut dsm, 2, 0, Use::Read, 2000 * US), read, "{migrate:?}");
        assert_eq!(dsm.disagreement(0..1), None);
    }
    let mut dsm = nodes(3, 1, |parameters| parameters.migrate = Some(2));
    assert!(dsm.touch(0, 0..1, Use::Write, 4096).is_none());
    stop(&mut dsm, 1, 0, Use::Read, 1000 * US);
    stop(&mut dsm, 1, 0, Use::Write, 2000 * US);
    // After two requests in a row node 1 is the master.
    assert_eq!(stop(&mut dsm, 2, 0, Use::Read, 3000 * US), 328 * US + 2 * HEADER + PAGE);
    assert_eq!(stop(&mut dsm, 1, 0, Use::Write, 4000 * US), 211 * US + 2 * HEADER);
}

/// A call processes a limited number of events, so that the caller sees events that wake no worker, here an echo of
/// many messages.
#[test]
fn a_call_without_a_woken_worker_ends() {
    let mut dsm = nodes(2, 1, |_| {});
    dsm.echo(0, Bytes(64), (1, AT_ONCE as u32), Time::ZERO);
    let (mut events, mut woken) = (0, Vec::new());
    assert_eq!(dsm.advance(Time::NEVER, &mut events, &mut woken), None);
    assert_eq!((events, woken.len()), (AT_ONCE, 0));
    assert!(dsm.echoes());
}
