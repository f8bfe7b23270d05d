//! State diagram of a protocol, in Graphviz's language.

use numalab_base::printable;
use numalab_results::ProtocolTable;

/// Diagram for `dot`: one edge per pair of states, labelled with its requests.
pub fn protocol_dot(table: &ProtocolTable) -> String {
    let mut edges: Vec<(&str, &str, Vec<&str>)> = Vec::new();
    for row in &table.rows {
        match edges.iter_mut().find(|(from, to, _)| *from == row.state && *to == row.next) {
            Some((_, _, requests)) => requests.push(&row.request),
            None => edges.push((&row.state, &row.next, vec![&row.request])),
        }
    }
    let mut text = format!("digraph {} {{\n", quoted(&table.protocol));
    text += "  node [fontname=\"sans-serif\", shape=box, style=\"rounded,filled\", fillcolor=\"#e8f0fa\"];\n";
    text += "  edge [fontname=\"sans-serif\", fontsize=11];\n";
    for state in &table.states {
        text += &format!("  {} [tooltip={}];\n", quoted(&state.name), quoted(&state.meaning));
    }
    for (from, to, requests) in edges {
        // Line break in Graphviz's notation.
        let label = requests.iter().map(|name| escaped(name)).collect::<Vec<_>>().join("\\n");
        text += &format!("  {} -> {} [label=\"{label}\"];\n", quoted(from), quoted(to));
    }
    text + "}\n"
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

fn escaped(text: &str) -> String {
    printable(text).replace('\\', "\\\\").replace('"', "\\\"")
}
