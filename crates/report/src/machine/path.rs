//! Route between two nodes as text: the memory, each link that a cache line crosses, the trackers of requests in
//! flight on the reader's side, and the bottleneck.

use crate::page::{Page, Sheet};
use crate::style::Style;
use numalab_base::{Bandwidth, Span, printable};
use numalab_machine::{CoreId, Fabric, NodeId, Route};

/// Describes the route of a line from the memory of node `to` to a thread on node `from`. If one of these nodes does
/// not exist, the text states the valid node numbers.
pub fn path(fabric: &Fabric, NodeId(from): NodeId, NodeId(to): NodeId, style: Style) -> String {
    if from.max(to) >= fabric.memory_nodes() {
        return format!("There is no node {}; nodes are 0 to {}.\n", from.max(to), fabric.memory_nodes() - 1);
    }
    if from >= fabric.nodes() {
        return format!(
            "Node {from} has memory only and no threads; nodes with processors are 0 to {}.\n",
            fabric.nodes() - 1
        );
    }
    // The reader is the whole node, or its first thread if threads of the node have different routes.
    let reader = fabric.reader_of(CoreId(from * fabric.cores_per_node()));
    let (latency, local) = (fabric.latency(NodeId(to), reader), fabric.latency(NodeId(from), reader));
    let mut route = Route::default();
    fabric.route(NodeId(to), reader, &mut route);

    let memory = fabric.memory(NodeId(to));
    let memory = memory.read.unwrap_or(memory.total);
    let mut hops = vec![(memory, 1.0)];
    hops.extend(route.toward_reader.iter().chain(&route.requests).map(|hop| (hop.resource, hop.share)));
    // Bandwidth of the route if this resource were the only limit.
    let carries = |&(resource, share): &(_, f64)| fabric.capacity(resource).0 / share;
    let narrowest = (0..hops.len()).min_by(|a, b| carries(&hops[*a]).total_cmp(&carries(&hops[*b])));
    let memory = if from == to { "its own memory".to_owned() } else { format!("the memory of node {to}") };
    let sheet = Sheet::of(&hops)
        .text("resource", |hop| fabric.name(hop.0))
        .number("latency", |hop| {
            Some(fabric.crossing(hop.0)).filter(|span| *span > Span::ZERO).map(|span| span.to_string())
        })
        .number("capacity", |hop| fabric.capacity(hop.0).to_string())
        .when(hops.iter().any(|(_, share)| *share < 1.0), |sheet| {
            sheet.number("share", |hop| format!("{:.0}%", hop.1 * 100.0))
        });
    let ratio = latency.as_secs() / local.as_secs().max(f64::MIN_POSITIVE);
    let compared = match from == to {
        true => String::new(),
        false => format!(", {ratio:.2} times that of its own memory (requests cross the links, too)"),
    };
    // The route contains at least the memory.
    let limit = hops[narrowest.unwrap_or(0)];
    let (bandwidth, narrowest) = (Bandwidth(carries(&limit)), printable(&fabric.name(limit.0)));
    let sums = format!("latency    {latency}{compared}\nbandwidth  {bandwidth}, limited by {narrowest}\n");
    Page::titled([format!("A thread on node {from} reads {memory}")])
        .table(sheet)
        .drawn(sums)
        .terminal(&style)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::machine;

    fn shown(spec: &str, from: u32, to: u32) -> String {
        path(&Fabric::new(&machine(spec)).unwrap(), NodeId(from), NodeId(to), Style::default())
    }

    #[test]
    fn across_boards() {
        insta::assert_snapshot!(shown("board:4 socket:4 core:8", 0, 15), @r"
        A thread on node 0 reads the memory of node 15

        resource                                            latency   capacity
        ──────────────────────────────────────────────────────────────────────
        memory of node 15 (reads)                            135 ns  15.6 GB/s
        controller-link socket 15 -> controller of board 3  25.0 ns  12.8 GB/s
        board-link board 3 -> board 0                        150 ns  12.8 GB/s
        controller-link controller of board 0 -> socket 0   25.0 ns  12.8 GB/s

        latency    535 ns, 3.96 times that of its own memory (requests cross the links, too)
        bandwidth  12.8 GB/s, limited by controller-link socket 15 -> controller of board 3
        ");
    }

    #[test]
    fn at_home() {
        insta::assert_snapshot!(shown("socket:2 core:8", 1, 1), @r"
        A thread on node 1 reads its own memory

        resource                  latency   capacity
        ────────────────────────────────────────────
        memory of node 1 (reads)   135 ns  15.6 GB/s

        latency    135 ns
        bandwidth  15.6 GB/s, limited by memory of node 1 (reads)
        ");
    }

    #[test]
    fn nodes_that_are_not_there() {
        assert_eq!(shown("socket:2 core:8", 0, 2), "There is no node 2; nodes are 0 to 1.\n");
        assert_eq!(shown("socket:2 core:8", 7, 0), "There is no node 7; nodes are 0 to 1.\n");
    }
}
