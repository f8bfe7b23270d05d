//! Victim caches and directories of limited coverage, worked out by hand.

use super::{AccessKind, Caches, LINE, Served, access, odd_machine};
use numalab_machine::NodeId;

/// Number of lines of a read that caches serve.
fn hits(caches: &mut Caches, core: u32, lines: std::ops::Range<u64>) -> u64 {
    let parts = access(caches, core, 0, lines, AccessKind::Read);
    let cached = parts.iter().filter(|(served, _)| matches!(served, Served::Cache(_)));
    cached.map(|(_, part)| part.end - part.start).sum()
}

// An inner cache of four lines and an outer one of eight. A victim cache makes them one list of twelve: twelve lines
// that are read again and again all hit, and none of thirteen. If the outer one also holds the inner one's lines, at
// most eight lines hit.
#[test]
fn a_victim_cache_adds_to_those_inside() {
    for (victim, lines, expected) in
        [(true, 12, 12), (true, 13, 0), (false, 8, 8), (false, 9, 0), (false, 12, 0)]
    {
        let mut caches = odd_machine(&[(4, 1), (8, 1)], &[false, victim], 1, None);
        assert_eq!(hits(&mut caches, 0, 0..lines), 0);
        assert_eq!(hits(&mut caches, 0, 0..lines), expected, "{victim} {lines}");
    }
}

// After a read of twelve lines, the last four are in the inner cache, those before in the outer one.
#[test]
fn inner_cache_serves_its_lines() {
    let mut caches = odd_machine(&[(4, 1), (8, 1)], &[false, true], 1, None);
    hits(&mut caches, 0, 0..12);
    let last = access(&mut caches, 0, 0, 8..12, AccessKind::Read);
    assert_eq!(last, [(Served::Cache(0), 8..12)]);
    assert_eq!(access(&mut caches, 0, 0, 0..4, AccessKind::Read), [(Served::Cache(1), 0..4)]);
}

// Two cores, each with an inner cache of four lines, share an outer cache of eight: twelve lines while only one core
// has run, sixteen once both have.
#[test]
fn only_used_caches_add_capacity() {
    let mut caches = odd_machine(&[(4, 1), (8, 2)], &[false, true], 2, None);
    hits(&mut caches, 0, 0..15);
    assert_eq!(hits(&mut caches, 0, 0..15), 0);
    assert_eq!(hits(&mut caches, 1, 100..101), 0);
    hits(&mut caches, 0, 0..15);
    assert_eq!(hits(&mut caches, 0, 0..15), 15);
}

/// Reads as a program does: what memory delivers goes through the directory of node 0. Returns the
/// number of lines that caches serve.
fn read(caches: &mut Caches, core: u32, lines: std::ops::Range<u64>) -> u64 {
    let parts = access(caches, core, 0, lines, AccessKind::Read);
    for (served, part) in &parts {
        if *served == Served::Memory {
            caches.fill(NodeId(0), 0, part.start * LINE..part.end * LINE);
        }
    }
    let cached = parts.iter().filter(|(served, _)| matches!(served, Served::Cache(_)));
    cached.map(|(_, part)| part.end - part.start).sum()
}

// Two caches of eight lines hold eight each of sixteen lines of one node. With a directory of
// sixteen lines all are hits. With twelve, the first four leave the first cache when the second
// core has read its part. They come in again and displace the other four of the first core, the
// earliest ones.
#[test]
fn full_directory_invalidates_earliest_lines() {
    let mut caches = odd_machine(&[(8, 1)], &[false], 2, Some(16));
    assert!(caches.tracks());
    for (core, expected) in [(0, 0), (1, 0), (0, 8), (1, 8)] {
        assert_eq!(read(&mut caches, core, u64::from(core) * 8..u64::from(core + 1) * 8), expected);
    }
    let mut caches = odd_machine(&[(8, 1)], &[false], 2, Some(12));
    for (core, expected) in [(0, 0), (1, 0), (0, 4), (1, 8), (0, 4)] {
        assert_eq!(read(&mut caches, core, u64::from(core) * 8..u64::from(core + 1) * 8), expected);
    }
}

#[test]
fn unlimited_directory_tracks_nothing() {
    let mut caches = odd_machine(&[(8, 1)], &[false], 1, None);
    assert!(!caches.tracks());
    read(&mut caches, 0, 0..8);
    assert_eq!(read(&mut caches, 0, 0..8), 8);
}
