//! Legend of the colours.

use super::palette::{Colouring, Palette, STEPS};
use crate::activities::{CLASSES, class};
use crate::chart::colour::{GREYS, dark, sequential};
use crate::chart::shapes::{Tone, centred, flow, label, rect, text_width};
use numalab_results::{Comparison, Timeline};
use svg::Document;

/// Name and colour samples of a legend entry. A sample is (colour, node number); the number may be empty.
pub(super) struct Entry {
    name: String,
    swatches: Vec<(String, String)>,
    wide: f64,
}

const SIZE: f64 = 13.0;
const SWATCH: f64 = 22.0;
const ROW: f64 = 28.0;
const GAP: f64 = 26.0;

impl Entry {
    fn width(&self) -> f64 {
        self.swatches_width() + text_width(&self.name, SIZE)
    }

    fn swatches_width(&self) -> f64 {
        if self.swatches.is_empty() { 0.0 } else { self.wide * self.swatches.len() as f64 + 8.0 }
    }
}

/// Entries for the colours that occur in the bars.
pub(super) fn entries(comparison: &Comparison, palette: &Palette) -> Vec<Entry> {
    let mut entries = nodes(palette);
    let mut other = |name: &str, colour: &str, occurs: bool| {
        if occurs {
            let swatches = vec![(colour.to_owned(), String::new())];
            entries.push(Entry { name: name.to_owned(), swatches, wide: SWATCH });
        }
    };
    let team = || comparison.runs.iter().flat_map(|run| &run.team);
    let no_data = team()
        .any(|member| member.compute_ps.saturating_add(member.stall_ps) > member.time_by_node_ps.total());
    other("no data", GREYS.compute, no_data);
    other("runtime", GREYS.overhead, team().any(|member| member.overhead_ps > 0));
    other("idle", GREYS.idle, team().any(|member| member.idle_ps > 0));
    entries
}

/// Entries for the activity classes that occur in the timelines.
pub(super) fn classes(timelines: &[Timeline]) -> Vec<Entry> {
    let kinds = || timelines.iter().flat_map(|timeline| &timeline.kinds);
    let occurs = |at: &usize| kinds().any(|kind| class(kind) == *at);
    let entry = |at: usize| Entry {
        name: CLASSES[at].name.to_owned(),
        swatches: vec![(CLASSES[at].colour.to_owned(), String::new())],
        wide: SWATCH,
    };
    (0..CLASSES.len()).filter(occurs).map(entry).collect()
}

fn nodes(palette: &Palette) -> Vec<Entry> {
    let swatch = |node: u32| (palette.colour(node).to_owned(), node.to_string());
    let (Some(first), Some(last)) = (palette.nodes.first(), palette.nodes.last()) else {
        return Vec::new();
    };
    match palette.kind {
        Colouring::Nodes => {
            let swatches = palette.nodes.iter().copied().map(swatch).collect();
            vec![Entry { name: "home node".to_owned(), swatches, wide: SWATCH }]
        }
        Colouring::Boards => {
            let boards = palette.nodes.chunk_by(|a, b| palette.board(*a) == palette.board(*b));
            let entry = |nodes: &[u32]| Entry {
                name: format!("{} {}", palette.board_name(), palette.board(nodes[0])),
                swatches: nodes.iter().copied().map(swatch).collect(),
                wide: SWATCH,
            };
            let heading = Entry { name: "home node:".to_owned(), swatches: Vec::new(), wide: 0.0 };
            std::iter::once(heading).chain(boards.map(entry)).collect()
        }
        Colouring::Scale => {
            let step = |at| (sequential(at as f64 / (STEPS - 1) as f64), String::new());
            let name = format!("home node {first} to {last}");
            vec![Entry { name, swatches: (0..STEPS).map(step).collect(), wide: 7.0 }]
        }
    }
}

/// Height of the legend when its entries flow over lines of this width.
pub(super) fn height(entries: &[Entry], width: f64) -> f64 {
    place(entries, width).last().map_or(0.0, |(_, y)| y + ROW)
}

/// Draws the legend below and right of `at`.
pub(super) fn draw(mut document: Document, entries: &[Entry], at: (f64, f64), width: f64) -> Document {
    for (entry, (x, y)) in entries.iter().zip(place(entries, width)) {
        let (mut x, y) = (at.0 + x, at.1 + y + 8.0);
        let name = label(x + entry.swatches_width(), y + 13.0, SIZE, &entry.name, Tone::Plain);
        document = document.add(name);
        for (colour, number) in &entry.swatches {
            document = document.add(rect(x, y, entry.wide, 16.0, colour));
            if !number.is_empty() {
                let centre = x + entry.wide / 2.0;
                let ink = if dark(colour) { "#ffffff" } else { "#1a1a1a" };
                document =
                    document.add(centred(centre, y + 12.0, 11.0, number, Tone::Plain).set("fill", ink));
            }
            x += entry.wide;
        }
    }
    document
}

fn place(entries: &[Entry], width: f64) -> Vec<(f64, f64)> {
    flow(entries.iter().map(Entry::width), width, GAP, ROW)
}
