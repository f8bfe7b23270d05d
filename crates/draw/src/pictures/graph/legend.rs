//! Legend of the graph: samples of boxes and lines.

use super::colour;
use super::layout::Layout;
use super::wires::Wires;
use crate::chart::shapes::{Tone, label, line, rect};
use numalab_machine::{LinkId, Machine, Totals, totals};
use numalab_report::{link_facts, node_depth};
use svg::Document;

/// A sample and the text that explains it.
pub(super) struct Entry {
    /// Colour of a link; `None` for the sample of a box.
    stroke: Option<String>,
    dashed: bool,
    words: String,
}

const ROW: f64 = 24.0;
/// Width of one of the legend's two columns.
const COLUMN: f64 = 580.0;

/// Entries of the legend: one for the boxes, and one for each kind of link that is drawn.
pub(super) fn entries(machine: &Machine, layout: &Layout<'_>, wires: &Wires) -> Vec<Entry> {
    let mut entries = vec![Entry { stroke: None, dashed: false, words: vertex(machine, layout) }];
    for link in wires.links() {
        let kind = link.and_then(|LinkId(link)| machine.links.get(link));
        let words = match kind {
            Some(kind) => format!("{}: {}", kind.name, link_facts(kind)),
            None => "joined without cost".to_owned(),
        };
        entries.push(Entry { stroke: Some(colour(link)), dashed: link.is_none(), words });
    }
    if wires.stubs {
        let words = "a stub continues at the other end of its row".to_owned();
        entries.push(Entry { stroke: Some("none".to_owned()), dashed: false, words });
    }
    if wires.omitted > 0 {
        let words = format!("{} links are not drawn", wires.omitted);
        entries.push(Entry { stroke: Some("none".to_owned()), dashed: false, words });
    }
    entries
}

fn vertex(machine: &Machine, layout: &Layout<'_>) -> String {
    let Totals { nodes, cores, .. } = totals(machine);
    let count = layout.count(layout.leaf).max(1);
    let Some(kind) = layout.leaf.checked_sub(1).map(|at| machine.levels[at].kind) else {
        return format!("the machine: one NUMA node of {cores} cores");
    };
    match layout.leaf.cmp(&node_depth(machine)) {
        std::cmp::Ordering::Less => {
            format!("{kind} of {} NUMA nodes, {} cores", nodes / count, cores / count)
        }
        std::cmp::Ordering::Equal if kind.name() == "node" => format!("NUMA node of {} cores", cores / count),
        std::cmp::Ordering::Equal => format!("{kind}: one NUMA node of {} cores", cores / count),
        std::cmp::Ordering::Greater => format!("{kind}"),
    }
}

/// Height of a legend with this many entries.
pub(super) fn height(entries: usize) -> f64 {
    entries.div_ceil(2) as f64 * ROW
}

/// Draws the legend below and right of `at`.
pub(super) fn draw(mut document: Document, entries: &[Entry], at: (f64, f64)) -> Document {
    for (index, entry) in entries.iter().enumerate() {
        let (x, y) = (at.0 + (index % 2) as f64 * COLUMN, at.1 + (index / 2) as f64 * ROW);
        document = match &entry.stroke {
            Some(stroke) => {
                let sample = line((x, y + 10.0), (x + 30.0, y + 10.0), stroke, 3.0);
                document.add(if entry.dashed { sample.set("stroke-dasharray", "3 3") } else { sample })
            }
            None => document
                .add(rect(x + 4.0, y + 2.0, 22.0, 16.0, "#dfe9f6").set("stroke", "#4a6fa5").set("rx", 3)),
        };
        document = document.add(label(x + 40.0, y + 15.0, 14.0, &entry.words, Tone::Plain));
    }
    document
}
