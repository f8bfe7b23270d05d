//! Tests of the caches: results by hand, and comparison with plain lists of lines.

mod bounds;
mod by_hand;
mod coverage;
mod drawn;
mod laws;
mod oracle;
mod random;
mod sets;
mod sweeps;

use super::{AccessKind, CacheId, Caches, Served};
use numalab_base::{Bandwidth, Bytes, Span};
use numalab_machine::{Cache, CoreId, NodeId, Replacement};
use std::ops::Range;

/// Bytes of a line in all tests.
const LINE: u64 = 64;

/// The levels of a machine, given as lines and cores of each cache.
fn levels(levels: &[(u64, u32)]) -> Vec<Cache> {
    let level = |(at, (lines, shared_by)): (usize, &(u64, u32))| Cache {
        level: at as u8 + 1,
        size: Bytes(lines * LINE),
        shared_by: *shared_by,
        core_to_core: None,
        passed_on: 0.5,
        inclusive: true,
        random_outstanding: None,
        ways: None,
        replacement: Replacement::Lru,
        latency: Span(1),
        bandwidth: Bandwidth(1.0),
    };
    levels.iter().enumerate().map(level).collect()
}

/// A machine with each core on its own node, so that a peer is identified by its first core.
fn machine(sizes: &[(u64, u32)], cores: u32) -> Caches {
    Caches::new(&levels(sizes), cores, Bytes(LINE), |core| NodeId(core.0))
}

/// Like `machine`, with victim caches, and with directories that cover `coverage` lines of each node.
fn odd_machine(sizes: &[(u64, u32)], victims: &[bool], cores: u32, coverage: Option<u64>) -> Caches {
    let mut levels = levels(sizes);
    levels.iter_mut().zip(victims).for_each(|(level, victim)| level.inclusive = !victim);
    let caches = Caches::new(&levels, cores, Bytes(LINE), |core| NodeId(core.0));
    caches.covered(coverage.map(|lines| Bytes(lines * LINE)))
}

/// Simulates an access to lines. Returns ranges of lines with their servers.
fn access(
    caches: &mut Caches,
    core: u32,
    region: usize,
    lines: Range<u64>,
    kind: AccessKind,
) -> Vec<(Served, Range<u64>)> {
    let mut heard = Vec::new();
    let bytes = lines.start * LINE..lines.end * LINE;
    caches.access(CoreId(core), region, bytes, kind, |served, part, amount| {
        assert_eq!(amount, part.end - part.start, "no cache replaces at random");
        heard.push((served, part.start / LINE..part.end / LINE));
    });
    heard
}
