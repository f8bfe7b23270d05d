//! Boxes and lines as SVG elements.

use super::colour;
use super::layout::{HEADING, Layout, Rect};
use super::wires::{Line, Wires};
use crate::chart::shapes::{Tone, centred, label, number, rect};
use numalab_machine::Machine;
use svg::node::element::{Group, Path, Rectangle};

/// Transformation from layout to picture coordinates.
#[derive(Clone, Copy)]
pub(super) struct Pen {
    pub scale: f64,
    pub x: f64,
    pub y: f64,
}

impl Pen {
    fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.x + self.scale * x, self.y + self.scale * y)
    }

    fn rounded(&self, of: Rect, fill: &str, stroke: &str) -> Rectangle {
        let corner = self.at((of.x - of.width / 2.0, of.y - of.height / 2.0));
        rect(corner.0, corner.1, of.width * self.scale, of.height * self.scale, fill)
            .set("rx", number(6.0 * self.scale))
            .set("stroke", stroke)
            .set("stroke-width", number(1.2 * self.scale.min(1.0)))
    }

    /// Draws the units of one depth, with their controllers.
    pub fn boxes(&self, machine: &Machine, layout: &Layout<'_>, depth: usize) -> Group {
        let mut group = Group::new();
        if depth == 0 && layout.leaf > 0 {
            return group;
        }
        for index in 0..layout.count(depth) {
            let of = layout.rect(depth, index);
            if depth == layout.leaf {
                let (x, y) = self.at((of.x, of.y));
                let size = self.scale * (of.height * 0.4).min(18.0);
                let number = label(x, y + size * 0.36, number(size), &index.to_string(), Tone::Plain);
                group = group
                    .add(self.rounded(of, "#dfe9f6", "#4a6fa5"))
                    .add(number.set("text-anchor", "middle"));
                continue;
            }
            let fill = if depth % 2 == 1 { "#f5f6f8" } else { "#ffffff" };
            let kind = machine.levels[depth - 1].kind;
            let corner = self.at((of.x - of.width / 2.0 + 14.0, of.y - of.height / 2.0 + HEADING));
            group = group.add(self.rounded(of, fill, "#9aa3ad")).add(label(
                corner.0,
                corner.1,
                number(15.0 * self.scale),
                &format!("{kind} {index}"),
                Tone::Soft,
            ));
            if let Some(bar) = layout.bar(depth, index) {
                let (x, y) = self.at((bar.x, bar.y));
                let size = 13.0 * self.scale;
                group = group.add(self.rounded(bar, "#f3e3cf", "#b08a4f")).add(centred(
                    x,
                    y + size * 0.36,
                    number(size),
                    "controller",
                    Tone::Plain,
                ));
            }
        }
        group
    }

    /// Draws the lines inside containers of one depth, and the containers' switches.
    pub fn wires(&self, wires: &Wires, depth: usize) -> Group {
        let none = Vec::new();
        let lines = wires.lines.get(&depth).unwrap_or(&none);
        // Many lines are drawn translucent, so that all remain visible.
        let opacity = (240.0 / lines.len().max(1) as f64).clamp(0.3, 1.0);
        let mut group = Group::new().set("fill", "none").set("stroke-opacity", number(opacity));
        for line in lines {
            group = group.add(self.wire(line));
        }
        for &at in wires.switches.get(&depth).into_iter().flatten() {
            let (x, y) = self.at(at);
            let half = (9.0 * self.scale).max(3.5);
            let mark = format!(
                "M{:.1} {:.1}l{half:.1} {half:.1}l-{half:.1} {half:.1}l-{half:.1} -{half:.1}z",
                x,
                y - half
            );
            group = group.add(
                Path::new()
                    .set("d", mark)
                    .set("fill", "#e4e4e4")
                    .set("stroke", "#5c5c5c")
                    .set("stroke-opacity", 1),
            );
        }
        group
    }

    fn wire(&self, line: &Line) -> Path {
        let (from, to) = (self.at(line.from), self.at(line.to));
        let drawn = match line.over.map(|over| self.at(over)) {
            Some(over) => {
                format!("M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}", from.0, from.1, over.0, over.1, to.0, to.1)
            }
            None => format!("M{:.1} {:.1}L{:.1} {:.1}", from.0, from.1, to.0, to.1),
        };
        // The width grows with the logarithm of the bandwidth, so that a fat tree's trunk is wider than its branches
        // but not too wide.
        let width = 2.2 * self.scale.clamp(0.45, 1.2) * (1.0 + 0.5 * line.multiple.max(1.0).log2());
        let path =
            Path::new().set("d", drawn).set("stroke", colour(line.link)).set("stroke-width", number(width));
        if line.link.is_some() { path } else { path.set("stroke-dasharray", "3 3") }
    }
}
