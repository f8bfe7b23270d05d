//! The graph of a machine in Graphviz's language, with outermost units as clusters.

use super::link_facts;
use numalab_machine::{LevelKind, LinkEnd, Machine, Unit, graph};
use std::collections::BTreeMap;

/// The machine's graph as input for `dot`, `neato` or `sfdp`.
pub fn dot(machine: &Machine) -> String {
    let graph = graph(machine);
    let mut clusters: BTreeMap<Option<Unit>, Vec<String>> = BTreeMap::new();
    for vertex in graph.node_indices() {
        let place = graph[vertex];
        let shape = match place {
            LinkEnd::Unit(_) => "box, style=\"rounded,filled\", fillcolor=\"#e8f0fa\"",
            LinkEnd::Controller(_) => "box, style=filled, fillcolor=\"#f3e3cf\"",
            LinkEnd::Switch { .. } => "diamond, style=filled, fillcolor=\"#e4e4e4\"",
            LinkEnd::Junction(_) | LinkEnd::Exit(_) => "point",
        };
        let label = quoted(&place.to_string());
        clusters
            .entry(outermost(machine, place))
            .or_default()
            .push(format!("v{} [label={label}, shape={shape}];", vertex.index()));
    }
    let mut text = format!("graph {} {{\n", quoted(&machine.name));
    text += "  layout=fdp;\n  node [fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n";
    for (unit, lines) in clusters {
        let indent = if unit.is_some() { "    " } else { "  " };
        if let Some(unit) = unit {
            text += &format!("  subgraph \"cluster {unit}\" {{\n    label=\"{unit}\"; style=rounded;\n");
        }
        for line in lines {
            text += &format!("{indent}{line}\n");
        }
        if unit.is_some() {
            text += "  }\n";
        }
    }
    for edge in graph.edge_indices() {
        let (Some((from, to)), wire) = (graph.edge_endpoints(edge), &graph[edge]) else { continue };
        let link = wire.link.and_then(|link| machine.links.get(link.0));
        let drawn = link.map_or("style=dotted".to_owned(), |link| {
            let tip = quoted(&format!("{}: {}", link.name, link_facts(link)));
            format!("label={}, edgetooltip={tip}", quoted(&link.name))
        });
        text += &format!("  v{} -- v{} [{drawn}];\n", from.index(), to.index());
    }
    text + "}\n"
}

/// The outermost unit that contains a unit or link end; `None` if `place` is an outermost unit itself, or outside of
/// all.
fn outermost(machine: &Machine, place: LinkEnd) -> Option<Unit> {
    let unit = match place {
        LinkEnd::Unit(unit) | LinkEnd::Controller(unit) | LinkEnd::Exit(unit) => unit,
        LinkEnd::Switch { within, .. } | LinkEnd::Junction(within) => within?,
    };
    let outer = machine.levels.first().filter(|level| level.kind < LevelKind::Core)?;
    if unit.kind == outer.kind && matches!(place, LinkEnd::Unit(_)) {
        return None;
    }
    // Number of units of the kind of `unit` in one outermost unit.
    let mut each = 1u32;
    for level in machine.levels.iter().skip(1).take_while(|level| level.kind <= unit.kind) {
        each = each.saturating_mul(level.count);
    }
    Some(Unit { kind: outer.kind, index: unit.index / each.max(1) })
}

/// Quotes an identifier. Graphviz understands escaped quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", numalab_base::printable(text).replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::machine;

    #[test]
    fn two_boards_of_two_sockets() {
        insta::assert_snapshot!(dot(&machine("board:2 socket:2 core:2")), @r##"
        graph "synthetic" {
          layout=fdp;
          node [fontname="sans-serif"];
          edge [fontname="sans-serif"];
          subgraph "cluster board 0" {
            label="board 0"; style=rounded;
            v0 [label="socket 0", shape=box, style="rounded,filled", fillcolor="#e8f0fa"];
            v1 [label="socket 1", shape=box, style="rounded,filled", fillcolor="#e8f0fa"];
            v4 [label="controller of board 0", shape=box, style=filled, fillcolor="#f3e3cf"];
          }
          subgraph "cluster board 1" {
            label="board 1"; style=rounded;
            v2 [label="socket 2", shape=box, style="rounded,filled", fillcolor="#e8f0fa"];
            v3 [label="socket 3", shape=box, style="rounded,filled", fillcolor="#e8f0fa"];
            v5 [label="controller of board 1", shape=box, style=filled, fillcolor="#f3e3cf"];
          }
          v4 -- v5 [label="board-link", edgetooltip="board-link: 12.8 GB/s each way, 150 ns"];
          v0 -- v1 [label="socket-link", edgetooltip="socket-link: 12.8 GB/s each way, 25.0 ns"];
          v0 -- v4 [label="controller-link", edgetooltip="controller-link: 12.8 GB/s each way, 25.0 ns"];
          v1 -- v4 [label="controller-link", edgetooltip="controller-link: 12.8 GB/s each way, 25.0 ns"];
          v2 -- v3 [label="socket-link", edgetooltip="socket-link: 12.8 GB/s each way, 25.0 ns"];
          v2 -- v5 [label="controller-link", edgetooltip="controller-link: 12.8 GB/s each way, 25.0 ns"];
          v3 -- v5 [label="controller-link", edgetooltip="controller-link: 12.8 GB/s each way, 25.0 ns"];
        }
        "##);
    }

    #[test]
    fn names_are_quoted() {
        let mut machine = machine("socket:2 core:2");
        machine.name = "a \"b\" \\ c\n".into();
        assert!(dot(&machine).starts_with("graph \"a \\\"b\\\" \\\\ c?\" {\n"));
    }
}
