//! Moves on request and at the next touch, with results worked out by hand.

use super::{HUGE, PAGE, in_pages, nodes, pages, store, touch};
use crate::{Moved, PagePolicy, PageSize};
use numalab_base::Bytes;
use numalab_machine::NodeId;

fn moved(pages: u64, checked: u64, refused: u64, from: &[(u32, u64)]) -> Moved {
    let from = from.iter().map(|&(node, pages)| (NodeId(node), pages)).collect();
    Moved { pages, bytes: Bytes(pages * PAGE), checked, refused, from }
}

/// Pages 0..8 are on nodes 0 1 2 0 1 2 0 1. Fetching pages 1..9 to node 2 finds pages 2 and 5 there already, moves
/// pages 3 and 6 from node 0, moves pages 1, 4 and 7 from node 1, and skips page 8, which is not placed.
#[test]
fn fetch_moves_remote_pages() {
    let mut store = store(3, 100);
    let region = store.add(Bytes(9 * PAGE), PageSize::Base, PagePolicy::Interleave(nodes(&[0, 1, 2])));
    touch(&mut store, region, 0..8, 0);
    let result = store.fetch(region, pages(1..9), NodeId(2)).unwrap();
    assert_eq!(result, moved(5, 2, 0, &[(0, 2), (1, 3)]));
    assert_eq!(in_pages(&store, region, 0..9), [(0, 1), (2, 7)]);
    assert_eq!(store.usage(NodeId(2)), Bytes(7 * PAGE));
}

/// Node 1 holds page 3 and has room for 2 more. Of pages 0..6, fetched to node 1, pages 0 and 1 move; page 3 is on
/// node 1 already; pages 2, 4 and 5 stay for lack of room.
#[test]
fn pages_without_room_stay() {
    let mut store = store(2, 6);
    let region = store.add(Bytes(6 * PAGE), PageSize::Base, PagePolicy::FirstTouch);
    let other = store.add(Bytes(3 * PAGE), PageSize::Base, PagePolicy::FirstTouch);
    touch(&mut store, other, 0..3, 1);
    touch(&mut store, region, 3..4, 1);
    touch(&mut store, region, 0..6, 0);
    let result = store.fetch(region, pages(0..6), NodeId(1)).unwrap();
    assert_eq!(result, moved(2, 1, 3, &[(0, 2)]));
    assert_eq!(in_pages(&store, region, 0..6), [(1, 2), (0, 1), (1, 1), (0, 2)]);
}

/// A request for one base page moves the huge page around it, which counts as one.
#[test]
fn a_huge_page_moves_whole() {
    let mut store = store(2, 2048);
    let huge = PageSize::Transparent { huge: Bytes(HUGE) };
    let region = store.add(Bytes(2 * HUGE), huge, PagePolicy::FirstTouch);
    touch(&mut store, region, 0..1024, 0);
    let result = store.fetch(region, pages(700..701), NodeId(1)).unwrap();
    assert_eq!((result.pages, result.bytes), (1, Bytes(HUGE)));
    assert_eq!(in_pages(&store, region, 0..1024), [(0, 512), (1, 512)]);
}

/// Node 1 has room for 700 pages. Of two huge pages one moves whole; the other is split, and 188 of its
/// pages fill the rest.
#[test]
fn a_huge_page_without_room_is_split() {
    let mut store = store(2, 1400);
    let huge = PageSize::Transparent { huge: Bytes(HUGE) };
    let region = store.add(Bytes(2 * HUGE), huge, PagePolicy::FirstTouch);
    let other = store.add(Bytes(700 * PAGE), PageSize::Base, PagePolicy::FirstTouch);
    touch(&mut store, other, 0..700, 1);
    touch(&mut store, region, 0..1024, 0);
    let result = store.fetch(region, pages(0..1024), NodeId(1)).unwrap();
    assert_eq!((result.pages, result.refused, result.bytes), (1 + 188, 324, Bytes(700 * PAGE)));
    assert_eq!(in_pages(&store, region, 0..1024), [(1, 700), (0, 324)]);
}

/// Pages 0..8 are on node 0, and pages 2..6 are marked. Node 1 touches pages 0..4 and gets 2 and 3. Node 0 touches
/// all pages and keeps 4 and 5, checked and unmarked. The marks are gone: node 1 gets no further page.
#[test]
fn the_next_touch_moves_once() {
    let mut store = store(2, 100);
    let region = store.add(Bytes(8 * PAGE), PageSize::Base, PagePolicy::FirstTouch);
    touch(&mut store, region, 0..8, 0);
    assert_eq!(store.mark(region, pages(2..6)), 4);
    assert_eq!(store.mark(region, pages(0..3)), 2);
    assert_eq!(store.mark(region, pages(0..3)), 0);
    assert_eq!(touch(&mut store, region, 2..4, 1).next_touch, moved(2, 0, 0, &[(0, 2)]));
    assert_eq!(touch(&mut store, region, 0..8, 0).next_touch, moved(0, 4, 0, &[]));
    assert_eq!(touch(&mut store, region, 0..8, 1), crate::Touched::default());
    assert_eq!(in_pages(&store, region, 0..8), [(0, 2), (1, 2), (0, 4)]);
}
