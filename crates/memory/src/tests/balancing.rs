//! Automatic balancing, with results worked out by hand.

use super::{PAGE, in_pages, nodes, pages, store};
use crate::{Moved, PageMap, PagePolicy, PageSize, ScanClock, ScanSettings, Touched};
use numalab_base::{Bytes, Span, Time};
use numalab_machine::NodeId;

/// A page map with a scanner that runs before each touch: 4 pages every 100 ps, first at 1000 ps.
struct Balanced {
    store: PageMap<'static>,
    clock: ScanClock,
}

fn balanced(nodes: u32) -> Balanced {
    let (scan_size, scan_period, scan_delay) = (Bytes(4 * PAGE), Span(100), Span(1000));
    let clock = ScanClock::new(ScanSettings { scan_size, scan_period, scan_delay });
    Balanced { store: store(nodes, 100), clock }
}

fn touch(
    Balanced { store, clock }: &mut Balanced,
    region: usize,
    span: std::ops::Range<u64>,
    node: u32,
    now: u64,
) -> Touched {
    store.scan(clock.walk_until(Time(now)));
    assert!(clock.next() > Time(now), "all that was due is made");
    store.touch(region, pages(span), NodeId(node)).unwrap()
}

/// 8 pages on node 0. The scanner unmaps pages 0..4 at 1000 ps, 4..8 at 1100 ps, and 0..4 again at 1200 ps. Node 1
/// accesses all pages. At 1000 ps it takes 4 hint faults, the first from this node; at 1150 ps 4 for pages 4..8; at
/// 1200 ps 4, the second in a row for pages 0..4, which move. Node 0 takes the second fault of pages 4..8 at 1300 ps,
/// from another node: no page moves.
#[test]
fn second_hint_fault_from_one_node_moves_page() {
    let mut store = balanced(2);
    let region = store.store.add(Bytes(8 * PAGE), PageSize::Base, PagePolicy::FirstTouch);
    assert_eq!(touch(&mut store, region, 0..8, 0, 0).fresh.pages, 8);
    assert_eq!(touch(&mut store, region, 0..8, 1, 999), Touched::default());
    let hints = |hints| Touched { hints, ..Touched::default() };
    assert_eq!(touch(&mut store, region, 0..8, 1, 1000), hints(4));
    assert_eq!(touch(&mut store, region, 0..8, 1, 1050), hints(0));
    assert_eq!(touch(&mut store, region, 0..8, 1, 1150), hints(4));
    let from = vec![(NodeId(0), 4)];
    let migrated = Moved { pages: 4, bytes: Bytes(4 * PAGE), from, ..Moved::default() };
    assert_eq!(touch(&mut store, region, 0..8, 1, 1200), Touched { migrated, ..hints(4) });
    assert_eq!(touch(&mut store, region, 0..8, 0, 1300), hints(4));
    assert_eq!(in_pages(&store.store, region, 0..8), [(1, 4), (0, 4)]);
}

#[test]
fn shared_pages_stay() {
    let mut store = balanced(3);
    let region = store.store.add(Bytes(4 * PAGE), PageSize::Base, PagePolicy::FirstTouch);
    touch(&mut store, region, 0..4, 0, 0);
    for round in 0..10 {
        let touched = touch(&mut store, region, 0..4, 1 + round % 2, 1000 + 100 * u64::from(round));
        assert_eq!((touched.hints, touched.migrated.pages), (4, 0));
    }
}

/// A hundred scans without a touch in between unmap every page once, and the next scan starts where they end. The
/// region has 5 pages. By 11 000 ps the scanner has passed 101 * 4 = 404 pages, the last of them page 3
/// (404 = 80 * 5 + 4). At 11 100 ps it passes pages 4, 0, 1 and 2.
#[test]
fn missed_scans_are_caught_up() {
    let mut store = balanced(2);
    let region = store.store.add(Bytes(5 * PAGE), PageSize::Base, PagePolicy::FirstTouch);
    touch(&mut store, region, 0..5, 0, 0);
    assert_eq!(touch(&mut store, region, 0..5, 0, 11_000).hints, 5);
    assert_eq!(touch(&mut store, region, 3..4, 0, 11_100).hints, 0);
    assert_eq!(touch(&mut store, region, 0..5, 0, 11_100).hints, 4);
}

#[test]
fn scanner_skips_bound_and_explicit_pages() {
    let mut store = balanced(2);
    let bound = store.store.add(Bytes(4 * PAGE), PageSize::Base, PagePolicy::Bind(nodes(&[0])));
    let reserved =
        store.store.add(Bytes(8 * PAGE), PageSize::Explicit(Bytes(2 * PAGE)), PagePolicy::FirstTouch);
    for now in [0, 5000] {
        assert_eq!(touch(&mut store, bound, 0..4, 1, now).hints, 0);
        assert_eq!(touch(&mut store, reserved, 0..4, 1, now).hints, 0);
    }
}
