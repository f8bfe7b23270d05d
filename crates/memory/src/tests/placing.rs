//! Placement of new pages, with results worked out by hand.

use super::{HUGE, PAGE, homes, in_pages, nodes, pages, store, touch};
use crate::{Fresh, PagePolicy, PageSize};
use numalab_base::Bytes;
use numalab_machine::NodeId;

const THP: PageSize = PageSize::Transparent { huge: Bytes(HUGE) };

/// Bytes 0..10 000 are pages 0, 1 and 2. Node 1 touches up to byte 8191 and gets pages 0 and 1, node 2 gets page 2.
/// Bytes 4000..10 000 are then 4192 bytes (to 8192) on node 1 and 1808 on node 2.
#[test]
fn homes_of_a_byte_range() {
    let mut store = store(4, 4);
    let region = store.add(Bytes(10_000), PageSize::Base, PagePolicy::FirstTouch);
    store.touch(region, 100..8192, NodeId(1)).unwrap();
    assert_eq!(homes(&store, region, 4000..10_000), [(1, 4192)]);
    store.touch(region, 4000..10_000, NodeId(2)).unwrap();
    assert_eq!(homes(&store, region, 4000..10_000), [(1, 4192), (2, 1808)]);
    assert!(store.complete(region));
    assert_eq!(homes(&store, region, 5..5), []);
}

/// Four nodes of 4 pages. A thread on node 1 touches 10 pages: 4 stay on node 1; its zone list goes on with node 2,
/// the next equally far node upward, then 3.
#[test]
fn first_touch_spills_along_the_zone_list() {
    let mut store = store(4, 4);
    let region = store.add(Bytes(10 * PAGE), PageSize::Base, PagePolicy::FirstTouch);
    let touched = touch(&mut store, region, 0..10, 1);
    assert_eq!(touched.fresh, Fresh { pages: 10, huge: 0, zeroed: Bytes(10 * PAGE) });
    assert_eq!(in_pages(&store, region, 0..10), [(1, 4), (2, 4), (3, 2)]);
    assert_eq!(store.usage(NodeId(2)), Bytes(4 * PAGE));
    assert!(store.complete(region));
}

/// Nodes 0 and 2, the set of the policy, hold 8 pages. Of 9 pages one does not fit, although other nodes have room.
#[test]
fn bind_never_leaves_its_set() {
    let mut store = store(4, 4);
    let region = store.add(Bytes(9 * PAGE), PageSize::Base, PagePolicy::Bind(nodes(&[0, 2])));
    let full = store.touch(region, pages(0..9), NodeId(3)).unwrap_err();
    assert_eq!(full.pages, 1);
    // Node 3's list goes on with 0, 1, 2.
    assert_eq!(in_pages(&store, region, 0..9), [(0, 4), (2, 4)]);
    assert_eq!(store.placed(region), 8);
}

/// Nodes of 4 pages; node 2 has one page taken. Pages 0, 1, 2 go to nodes 0, 1, 2 and so on: page 11 would be the
/// fourth of these pages on node 2, which has no room. It goes to node 3, the next on node 2's list.
#[test]
fn interleaving_spills_by_zone_list_of_the_full_node() {
    let mut store = store(4, 4);
    let other = store.add(Bytes(PAGE), PageSize::Base, PagePolicy::FirstTouch);
    touch(&mut store, other, 0..1, 2);
    let region = store.add(Bytes(12 * PAGE), PageSize::Base, PagePolicy::Interleave(nodes(&[0, 1, 2])));
    touch(&mut store, region, 0..12, 3);
    let homes: Vec<_> = in_pages(&store, region, 0..12).iter().map(|home| home.0).collect();
    assert_eq!(homes, [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 3]);
    assert_eq!(store.runs(region), 2);
    // Bytes in the middle of pages: the end of page 2, page 3, and the start of page 4.
    let found = super::homes(&store, region, 3 * PAGE - 10..4 * PAGE + 20);
    assert_eq!(found, [(2, 10), (0, PAGE), (1, 20)]);
}

/// A region of 3 MiB and 8 KiB: block 0 is bytes 0..2 MiB and can be one huge page; the rest is too
/// short for another. The touch of page 5 takes all of block 0, that of page 600 one page.
#[test]
fn incomplete_huge_block_gets_base_pages() {
    let mut store = store(2, 4096);
    let region = store.add(Bytes(3 << 20 | 8192), THP, PagePolicy::FirstTouch);
    let touched = touch(&mut store, region, 5..6, 1);
    assert_eq!(touched.fresh, Fresh { pages: 0, huge: 1, zeroed: Bytes(HUGE) });
    let touched = touch(&mut store, region, 600..601, 0);
    assert_eq!(touched.fresh, Fresh { pages: 1, huge: 0, zeroed: Bytes(PAGE) });
    assert_eq!(in_pages(&store, region, 0..512), [(1, 512)]);
    assert_eq!(store.placed(region), 513);
}

/// Node 0 has room for 600 pages: one huge page fits, the second does not. Of its block, 88 pages
/// go to the rest of node 0, then pages go to node 1, which has room for huge pages but is not the
/// preferred node. The third block, of which one page is touched, becomes a base page, too.
#[test]
fn base_pages_replace_huge_page_without_room() {
    let mut store = store(2, 600);
    let region = store.add(Bytes(3 * HUGE), THP, PagePolicy::FirstTouch);
    let touched = touch(&mut store, region, 0..1025, 0);
    assert_eq!((touched.fresh.huge, touched.fresh.pages), (1, 513));
    assert_eq!(in_pages(&store, region, 0..1536), [(0, 600), (1, 425)]);
}

/// Three explicit huge pages on nodes of 600 base pages: the second goes to the next node whole, and the third does
/// not fit.
#[test]
fn explicit_page_moves_whole_to_next_node() {
    let mut store = store(2, 600);
    let region = store.add(Bytes(3 * HUGE), PageSize::Explicit(Bytes(HUGE)), PagePolicy::FirstTouch);
    let full = store.touch(region, 0..3 * HUGE, NodeId(0)).unwrap_err();
    assert_eq!(full.pages, 1);
    assert_eq!(homes(&store, region, 0..3 * HUGE), [(0, HUGE), (1, HUGE)]);
    assert_eq!(store.usage(NodeId(0)), Bytes(HUGE));
}

/// Released pages can be placed again, elsewhere and by another policy.
#[test]
fn release_frees_memory() {
    let mut store = store(2, 4);
    let region = store.add(Bytes(4 * PAGE), PageSize::Base, PagePolicy::FirstTouch);
    touch(&mut store, region, 0..4, 0);
    store.release(region);
    assert_eq!((store.placed(region), store.usage(NodeId(0))), (0, Bytes(0)));
    store.set_policy(region, PagePolicy::Preferred(NodeId(1)));
    touch(&mut store, region, 0..4, 0);
    assert_eq!(in_pages(&store, region, 0..4), [(1, 4)]);
}

#[test]
fn an_empty_region_is_complete() {
    let mut store = store(1, 0);
    let region = store.add(Bytes(0), THP, PagePolicy::Interleave(nodes(&[0])));
    assert!(store.complete(region));
    assert_eq!(touch(&mut store, region, 0..0, 0), crate::Touched::default());
    assert_eq!(homes(&store, region, 0..0), []);
}
