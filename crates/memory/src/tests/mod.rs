//! Tests of the page map: results by hand, and comparison with a plain array of pages.

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

/// A map of nodes with room for `pages` pages of 4 KiB each; all distances are 20.
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

/// Byte range of pages of 4 KiB.
fn pages(pages: Range<u64>) -> Range<u64> {
    pages.start * PAGE..pages.end * PAGE
}

/// Touches whole pages, which must fit.
fn touch(store: &mut PageMap, region: usize, span: Range<u64>, node: u32) -> crate::Touched {
    store.touch(region, pages(span), NodeId(node)).unwrap()
}

/// Homes of a byte range page by page: node and bytes, with adjacent pages on one node merged.
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

/// Homes of a page range: node and number of pages of 4 KiB, with adjacent pages on one node merged.
fn in_pages(store: &PageMap, region: usize, span: Range<u64>) -> Vec<(u32, u64)> {
    let homes = homes(store, region, pages(span));
    homes.into_iter().map(|(node, bytes)| (node, bytes / PAGE)).collect()
}
