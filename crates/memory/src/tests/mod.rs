//! The store as a whole: by hand, and against a plain array of pages.

mod against_plain;
mod balancing;
mod large;
mod moving;
mod placing;
mod plain;
mod tiers;

use crate::{Home, Nodes, PageMap};
use numalab_base::Bytes;
use numalab_machine::NodeId;
use std::ops::Range;
use std::sync::Arc;

const PAGE: u64 = 4096;
const HUGE: u64 = 2 << 20;

/// Nodes with room for so many pages of 4 KiB each, all 20 apart.
fn store(nodes: u32, pages: u64) -> PageMap<'static> {
    PageMap::new(
        &Nodes::even(nodes, Bytes(pages * PAGE)),
        Bytes(PAGE),
        |from, to| if from == to { 10 } else { 20 },
    )
}

fn nodes(list: &[u32]) -> Arc<[NodeId]> {
    list.iter().copied().map(NodeId).collect()
}

/// Pages of 4 KiB as bytes.
fn pages(pages: Range<u64>) -> Range<u64> {
    pages.start * PAGE..pages.end * PAGE
}

/// Touches whole pages; there is room.
fn touch(store: &mut PageMap, region: usize, span: Range<u64>, node: u32) -> crate::Touched {
    store.touch(region, pages(span), NodeId(node)).unwrap()
}

/// Homes one page after the other: node and bytes, neighbours on one node together.
fn homes(store: &PageMap, region: usize, bytes: Range<u64>) -> Vec<(u32, u64)> {
    let mut found: Vec<(u32, u64)> = Vec::new();
    store.homes(region, bytes, |home, bytes| {
        let (nodes, first, page) = match home {
            Home::Node(node) => (&Arc::from([node]), 0, bytes),
            Home::Cycle { nodes, first, page } => (nodes, first, page),
        };
        assert_eq!(bytes % page, 0, "cycles are whole pages");
        for turn in 0..bytes / page {
            let node = nodes[((u64::from(first) + turn) % nodes.len() as u64) as usize].0;
            match found.last_mut() {
                Some(last) if last.0 == node => last.1 += page,
                _ => found.push((node, page)),
            }
        }
    });
    found
}

/// The same in pages of 4 KiB.
fn in_pages(store: &PageMap, region: usize, span: Range<u64>) -> Vec<(u32, u64)> {
    let homes = homes(store, region, pages(span));
    homes.into_iter().map(|(node, bytes)| (node, bytes / PAGE)).collect()
}
