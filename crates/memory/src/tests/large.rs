//! Terabytes placed and moved as a handful of runs.

use super::{HUGE, PAGE, nodes, pages, store};
use crate::{Home, PagePolicy, PageSize};
use numalab_base::Bytes;
use numalab_machine::NodeId;

const TIB: u64 = 1 << 40;
const ALL: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// 2^40 bytes are 2^28 pages of 4 KiB, 2^24 on each of 16 nodes: one run for any toucher, and one piece for each
/// query.
#[test]
fn interleaved_terabyte_is_one_run() {
    let mut store = store(16, TIB / PAGE);
    let region = store.add(Bytes(TIB), PageSize::Base, PagePolicy::Interleave(nodes(&ALL)));
    let touched = store.touch(region, 0..TIB, NodeId(3)).unwrap();
    assert_eq!(touched.fresh.pages, TIB / PAGE);
    assert_eq!(store.runs(region), 1);
    assert_eq!(store.usage(NodeId(15)), Bytes(TIB / 16));
    let mut pieces = Vec::new();
    store.homes(region, 5 * PAGE..TIB, |home, bytes| match home {
        Home::Cycle { nodes, first, page } => pieces.push((nodes.len(), first, page, bytes)),
        Home::Node(_) => panic!("pages of all nodes"),
    });
    assert_eq!(pieces, [(16, 5, PAGE, TIB - 5 * PAGE)]);
}

/// 16 nodes with exactly enough memory, huge pages, and 256 touches of a part each.
#[test]
fn many_touchers_leave_one_run() {
    let mut store = store(16, TIB / 16 / PAGE);
    let huge = PageSize::Transparent { huge: Bytes(HUGE) };
    let region = store.add(Bytes(TIB), huge, PagePolicy::Interleave(nodes(&ALL)));
    for part in 0..256 {
        store.touch(region, part * (TIB / 256)..(part + 1) * (TIB / 256), NodeId(0)).unwrap();
    }
    assert_eq!((store.runs(region), store.complete(region)), (1, true));
    assert_eq!(store.usage(NodeId(7)), Bytes(TIB / 16));
}

/// Node 0 has room for 1000 pages, the others for 2^20 each. 2^23 pages are 2^19 rounds of 16. After 1000 rounds, at
/// page 16 000, node 1 takes node 0's turns, too: 2^20 - 1000 pages in all, for which it has room. The pages before
/// and after page 16 000 are one run each.
#[test]
fn each_full_node_starts_a_run() {
    let mut store = store(16, 1 << 20);
    let other = store.add(Bytes(((1 << 20) - 1000) * PAGE), PageSize::Base, PagePolicy::FirstTouch);
    touch_all(&mut store, other, (1 << 20) - 1000, 0);
    let region = store.add(Bytes((1 << 23) * PAGE), PageSize::Base, PagePolicy::Interleave(nodes(&ALL)));
    touch_all(&mut store, region, 1 << 23, 0);
    assert_eq!(store.runs(region), 2);
    let mut found = Vec::new();
    let part = pages(16_000 - 16..16_000 + 32);
    store.homes(region, part, |home, bytes| found.push((first_four(home), bytes / PAGE)));
    assert_eq!(found, [(vec![0, 1, 2, 3], 16), (vec![1, 1, 2, 3], 32)]);
}

fn touch_all(store: &mut crate::PageMap, region: usize, count: u64, node: u32) {
    store.touch(region, pages(0..count), NodeId(node)).unwrap();
}

fn first_four(home: Home<'_>) -> Vec<u32> {
    match home {
        Home::Node(node) => vec![node.0],
        Home::Cycle { nodes, first, .. } => {
            (0..4).map(|turn| nodes[(first as usize + turn) % nodes.len()].0).collect()
        }
    }
}

/// Interleaved pages are moved, marked and unmapped as a whole: 2^28 pages stay a few runs throughout.
#[test]
fn a_terabyte_moves_in_closed_form() {
    let mut store = store(16, TIB / PAGE);
    let region = store.add(Bytes(TIB), PageSize::Base, PagePolicy::Interleave(nodes(&ALL)));
    store.touch(region, 0..TIB, NodeId(0)).unwrap();
    assert_eq!(store.mark(region, 0..TIB / 2), 1 << 27);
    let touched = store.touch(region, TIB / 4..TIB, NodeId(9)).unwrap();
    // 2^26 of the touched pages were marked; a sixteenth of these, 2^22, was on node 9.
    assert_eq!(touched.next_touch.checked, 1 << 22);
    assert_eq!(touched.next_touch.pages, 15 << 22);
    assert_eq!(touched.next_touch.from.len(), 15);
    assert_eq!(store.runs(region), 3);
    let moved = store.fetch(region, 0..TIB, NodeId(2)).unwrap();
    assert_eq!(moved.pages + moved.checked, 1 << 28);
    assert_eq!((store.runs(region), store.usage(NodeId(2))), (2, Bytes(TIB)));
}
