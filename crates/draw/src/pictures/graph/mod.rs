//! The graph of a machine as a picture: nested boxes for units, lines coloured by kind for links.

mod arrange;
mod draw;
mod layout;
mod legend;
mod wires;

use crate::chart::colour::hue;
use crate::chart::shapes::{Tone, label, number};
use crate::chart::{HEIGHT, MARGIN, WIDTH, paper};
use draw::Pen;
use layout::Layout;
use numalab_machine::{LinkId, Machine, Totals, totals};
use numalab_report::numbers::count;
use wires::Wires;

const TOP: f64 = 104.0;
/// Height of an arc as a fraction of the distance between the arc's ends.
const BULGE: f64 = 0.09;

/// The graph as a complete SVG document. Of machines with many NUMA nodes, only the outermost units are drawn.
pub fn graph_svg(machine: &Machine) -> String {
    let layout = Layout::of(machine);
    let wires = Wires::of(machine, &layout);
    let legend = legend::entries(machine, &layout, &wires);
    let below = legend::height(legend.len()) + MARGIN;
    let room = (WIDTH - 2.0 * MARGIN, HEIGHT - TOP - below);
    // Arcs and stubs may extend beyond the layout's box by `margin`.
    let size = (layout.size().0 + 2.0 * wires.margin, layout.size().1 + 2.0 * wires.margin);
    let scale = (room.0 / size.0).min(room.1 / size.1).min(1.7);
    let pen = Pen {
        scale,
        x: WIDTH / 2.0 - scale * layout.size().0 / 2.0,
        y: TOP + room.1 / 2.0 - scale * layout.size().1 / 2.0,
    };

    let mut document = paper(HEIGHT)
        .add(label(MARGIN, 42.0, 26.0, &machine.name, Tone::Strong))
        .add(label(MARGIN, 66.0, 14.0, &machine.description, Tone::Plain))
        .add(label(MARGIN, 87.0, 14.0, &sums(machine), Tone::Soft));
    // Outer levels are drawn first, so that boxes of inner levels hide the ends of outer lines.
    for depth in 0..=layout.leaf {
        document = document.add(pen.boxes(machine, &layout, depth)).add(pen.wires(&wires, depth));
    }
    document = legend::draw(document, &legend, (MARGIN, number(HEIGHT - below)));
    format!("{document}\n")
}

fn sums(machine: &Machine) -> String {
    let Totals { boards, sockets, nodes, cores, processors, .. } = totals(machine);
    let mut facts: Vec<String> = Vec::new();
    facts.extend(boards.map(|number| count(number, "board")));
    facts.extend(sockets.map(|number| count(number, "socket")));
    facts.push(count(nodes, "NUMA node"));
    facts.push(count(cores, "core"));
    if processors > cores {
        facts.push(count(processors, "hardware thread"));
    }
    facts.join(", ")
}

/// Colour of a kind of link; grey for lines without a link.
fn colour(link: Option<LinkId>) -> String {
    link.map_or("#9a9a9a".to_owned(), |LinkId(at)| hue(LINK_HUES[at % LINK_HUES.len()], 0, 1))
}

/// Indices of the hues of links. Dark hues come first, since lines are thin.
const LINK_HUES: [usize; 8] = [0, 6, 2, 4, 1, 3, 5, 7];

#[cfg(test)]
mod tests;
