//! Servers of accesses, worked out by hand. Ranges are in lines.

use super::Served::{Memory, Peer};
use super::{AccessKind, CacheId, Caches, LINE, Served, access, machine};
use AccessKind::{Read, Stream, Write};
use numalab_machine::{CoreId, NodeId};

const FIRST: Served = Served::Cache(0);
const SECOND: Served = Served::Cache(1);

#[test]
fn long_access_evicts_lines_ahead() {
    let mut caches = machine(&[(10, 1)], 1);
    assert_eq!(access(&mut caches, 0, 0, 0..10, Read), [(Memory, 0..10)]);
    // 5..10 is present. 10..15 evicts 0..5.
    assert_eq!(access(&mut caches, 0, 0, 5..15, Read), [(FIRST, 5..10), (Memory, 10..15)]);
    // 0..5 evicts 5..10, which then evicts 10..15.
    assert_eq!(access(&mut caches, 0, 0, 0..15, Read), [(Memory, 0..15)]);
    // 5..15 is present again. 3 and 4 evict 5 and 6, which evict 7 and 8 when they come back.
    assert_eq!(access(&mut caches, 0, 0, 3..7, Read), [(Memory, 3..7)]);
    assert_eq!(access(&mut caches, 0, 0, 9..15, Read), [(FIRST, 9..15)]);
    assert_eq!(access(&mut caches, 0, 0, 3..7, Read), [(FIRST, 3..7)]);
}

#[test]
fn inner_cache_holds_end_of_outer_contents() {
    let mut caches = machine(&[(4, 1), (8, 1)], 1);
    access(&mut caches, 0, 0, 0..8, Read);
    assert_eq!(access(&mut caches, 0, 0, 4..8, Read), [(FIRST, 4..8)]);
    // The inner cache has lost 4..8: 0..4 evicted it.
    assert_eq!(access(&mut caches, 0, 0, 0..8, Read), [(SECOND, 0..8)]);
    // 8..10 evicts 0..2 from the outer cache and 4..6 from the inner one.
    assert_eq!(access(&mut caches, 0, 0, 8..10, Read), [(Memory, 8..10)]);
    assert_eq!(access(&mut caches, 0, 0, 6..8, Read), [(FIRST, 6..8)]);
    assert_eq!(access(&mut caches, 0, 0, 4..6, Read), [(SECOND, 4..6)]);
}

#[test]
fn dirty_remote_line_is_served_once() {
    // Three sockets of two cores.
    let mut caches = machine(&[(16, 2)], 6);
    access(&mut caches, 3, 0, 0..4, Write);
    assert_eq!(access(&mut caches, 0, 0, 0..8, Read), [(Peer(NodeId(2)), 0..4), (Memory, 4..8)]);
    // Clean in both; the third socket reads memory.
    assert_eq!(access(&mut caches, 1, 0, 0..4, Read), [(FIRST, 0..4)]);
    assert_eq!(access(&mut caches, 2, 0, 0..4, Read), [(FIRST, 0..4)]);
    assert_eq!(access(&mut caches, 4, 0, 0..4, Read), [(Memory, 0..4)]);
    // A write invalidates the other two copies, and takes over the dirty line of an earlier writer.
    assert_eq!(access(&mut caches, 0, 0, 1..3, Write), [(FIRST, 1..3)]);
    assert_eq!(access(&mut caches, 4, 0, 1..2, Write), [(Peer(NodeId(0)), 1..2)]);
    let parts = access(&mut caches, 2, 0, 0..4, Read);
    assert_eq!(parts, [(FIRST, 0..1), (Peer(NodeId(4)), 1..2), (Peer(NodeId(0)), 2..3), (FIRST, 3..4)]);
}

#[test]
fn written_back_line_comes_from_memory() {
    let mut caches = machine(&[(4, 1)], 2);
    access(&mut caches, 0, 0, 0..4, Write);
    // Evicts 0..2, which comes back clean.
    access(&mut caches, 0, 1, 0..2, Read);
    access(&mut caches, 0, 0, 0..1, Read);
    // 0 is clean, 1 was evicted, 2 was evicted by 0.
    assert_eq!(access(&mut caches, 1, 0, 0..4, Read), [(Memory, 0..3), (Peer(NodeId(0)), 3..4)]);
}

#[test]
fn write_invalidates_other_private_caches() {
    let mut caches = machine(&[(4, 1), (8, 2)], 2);
    access(&mut caches, 0, 0, 0..3, Read);
    access(&mut caches, 1, 0, 1..2, Write);
    let parts = access(&mut caches, 0, 0, 0..3, Read);
    assert_eq!(parts, [(FIRST, 0..1), (SECOND, 1..2), (FIRST, 2..3)]);
}

#[test]
fn shared_eviction_leaves_private_caches() {
    let mut caches = machine(&[(4, 1), (8, 2)], 2);
    access(&mut caches, 0, 0, 0..2, Read);
    access(&mut caches, 1, 1, 0..7, Read);
    assert_eq!(access(&mut caches, 0, 0, 1..2, Read), [(FIRST, 1..2)]);
    assert_eq!(access(&mut caches, 0, 0, 0..1, Read), [(Memory, 0..1)]);
}

#[test]
fn streaming_store_invalidates_every_copy() {
    let mut caches = machine(&[(8, 1)], 2);
    access(&mut caches, 0, 0, 0..8, Write);
    assert_eq!(access(&mut caches, 1, 0, 2..4, Stream), [(Memory, 2..4)]);
    assert_eq!(access(&mut caches, 0, 0, 4..6, Stream), [(Memory, 4..6)]);
    assert_eq!(access(&mut caches, 0, 0, 0..8, Read), [(FIRST, 0..2), (Memory, 2..6), (FIRST, 6..8)]);
    assert_eq!(access(&mut caches, 0, 0, 0..8, Read), [(FIRST, 0..8)]);
}

#[test]
fn a_forgotten_region_is_in_no_cache() {
    let mut caches = machine(&[(8, 1)], 2);
    access(&mut caches, 0, 3, 0..8, Write);
    caches.forget(3);
    caches.forget(100);
    assert_eq!(access(&mut caches, 1, 3, 0..8, Read), [(Memory, 0..8)]);
    assert_eq!(access(&mut caches, 0, 3, 0..8, Read), [(Memory, 0..8)]);
}

#[test]
fn without_caches_everything_is_memory() {
    let mut caches = machine(&[], 2);
    for _ in 0..2 {
        assert_eq!(access(&mut caches, 1, 0, 3..8, Write), [(Memory, 3..8)]);
    }
}

#[test]
fn parts_cover_unrounded_bytes() {
    let mut caches = machine(&[(8, 1)], 1);
    let mut heard = Vec::new();
    let mut read = |caches: &mut Caches, bytes| {
        caches.access(CoreId(0), 0, bytes, Read, |served, part, _| heard.push((served, part)));
    };
    read(&mut caches, 10..20);
    read(&mut caches, 60..70);
    read(&mut caches, u64::MAX - 3..u64::MAX);
    read(&mut caches, 5..5);
    assert_eq!(
        heard,
        [(Memory, 10..20), (FIRST, 60..64), (Memory, 64..70), (Memory, u64::MAX - 3..u64::MAX)]
    );
}

#[test]
fn three_hundred_megabytes_through_eighteen() {
    let lines = |megabytes: u64| (megabytes << 20) / LINE;
    let mut caches = machine(&[(lines(18), 1)], 1);
    assert_eq!(access(&mut caches, 0, 0, 0..lines(300), Write), [(Memory, 0..lines(300))]);
    let kept = caches.levels[0].used(CacheId::new(0)).map(|lru| lru.contents().len());
    assert_eq!(kept, Some(1));
    let parts = access(&mut caches, 0, 0, lines(282)..lines(301), Read);
    assert_eq!(parts, [(FIRST, lines(282)..lines(300)), (Memory, lines(300)..lines(301))]);
}
