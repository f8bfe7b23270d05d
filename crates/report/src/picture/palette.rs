//! A colour for every home node: hue by board, lightness by node within the board, chosen so that
//! people with the usual colour blindnesses tell neighbours apart.

use numalab_results::{Comparison, Layout};
use std::collections::BTreeSet;

/// Fixed colours for what is not data.
pub(crate) struct Greys {
    /// Waiting for the others.
    pub idle: &'static str,
    /// In the runtime.
    pub overhead: &'static str,
    /// Computing on no data in particular.
    pub compute: &'static str,
    /// Grid lines.
    pub grid: &'static str,
    /// Axes and markers.
    pub axis: &'static str,
}

/// See [`Greys`].
pub(crate) const GREYS: Greys =
    Greys { idle: "#ebebeb", overhead: "#2b2b2b", compute: "#a8a8a8", grid: "#d9d9d9", axis: "#4d4d4d" };

/// Which node has which colour.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Palette {
    /// Nodes that held data, in order.
    pub nodes: Vec<u32>,
    /// The colour of each.
    colours: Vec<String>,
    /// How they are coloured.
    pub kind: Kind,
    layout: Layout,
}

/// How nodes are coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A hue for each node.
    Nodes,
    /// A hue for each board (or socket), a lightness for each node of it.
    Boards,
    /// One long scale, for machines with more boards or nodes than anybody tells apart.
    Scale,
}

/// Hues that can be told apart: blue, orange, green, magenta, cyan, vermillion, violet, olive; in degrees.
const HUES: [f64; 8] = [250.0, 62.0, 160.0, 350.0, 215.0, 32.0, 300.0, 110.0];

impl Palette {
    pub fn of(comparison: &Comparison) -> Palette {
        let layout = comparison.layout;
        let nodes: BTreeSet<u32> = comparison
            .runs
            .iter()
            .flat_map(|run| &run.team)
            .flat_map(|member| member.time_by_node_ps.iter().map(|(node, _)| node))
            .collect();
        let boards: BTreeSet<u32> = nodes.iter().map(|&node| layout.outermost(node)).collect();
        let few = nodes.len() <= HUES.len();
        let kind = if few && (boards.len() == nodes.len() || boards.len() <= 1) {
            Kind::Nodes
        } else if boards.len() <= HUES.len() && nodes_per_board(layout) <= 8 {
            Kind::Boards
        } else {
            Kind::Scale
        };
        let colour = |(at, &node): (usize, &u32)| match kind {
            Kind::Nodes => hue(at, 0, 1),
            Kind::Boards => {
                let each = nodes_per_board(layout);
                let board = boards.range(..layout.outermost(node)).count();
                hue(board, node % each, each)
            }
            Kind::Scale => sequential(step(at, nodes.len())),
        };
        let colours = nodes.iter().enumerate().map(colour).collect();
        Palette { nodes: nodes.into_iter().collect(), colours, kind, layout }
    }

    /// The board of a node, or its socket where there are no boards.
    pub fn board(&self, node: u32) -> u32 {
        self.layout.outermost(node)
    }

    /// What [`Palette::board`] numbers.
    pub fn board_name(&self) -> &'static str {
        if self.layout.boards > 0 { "board" } else { "socket" }
    }

    /// The colour of a node, as `#rrggbb`.
    pub fn colour(&self, node: u32) -> &str {
        match self.nodes.binary_search(&node) {
            Ok(at) => &self.colours[at],
            Err(_) => GREYS.compute,
        }
    }
}

/// Colours of the long scale. Neighbours of one colour merge, which keeps pictures of large machines
/// small, and nobody tells more steps apart.
pub(super) const STEPS: usize = 24;

/// Where the `at`-th of `count` nodes lies on the long scale.
fn step(at: usize, count: usize) -> f64 {
    (at * STEPS / count.max(1)) as f64 / (STEPS - 1) as f64
}

fn nodes_per_board(layout: Layout) -> u32 {
    let boards = if layout.boards > 0 { layout.boards } else { layout.sockets };
    layout.nodes.checked_div(boards).unwrap_or(1).max(1)
}

/// The `at`-th hue in step `step` of `steps` from dark to light.
pub(crate) fn hue(at: usize, step: u32, steps: u32) -> String {
    let lightness = match steps {
        0 | 1 => 0.65,
        _ => 0.47 + 0.38 * f64::from(step) / f64::from(steps - 1),
    };
    oklch(lightness, 0.125, HUES[at % HUES.len()])
}

/// A scale from dark violet over green to yellow; lightness alone tells the order.
pub(crate) fn sequential(fraction: f64) -> String {
    let fraction = fraction.clamp(0.0, 1.0);
    oklch(0.30 + 0.58 * fraction, 0.13, 310.0 - 210.0 * fraction)
}

/// OKLCH, in which equal steps look equal, to sRGB (Björn Ottosson, "A perceptual color space for
/// image processing", 2020). Channels outside sRGB are clipped.
fn oklch(lightness: f64, chroma: f64, hue_degrees: f64) -> String {
    let (sin, cos) = hue_degrees.to_radians().sin_cos();
    let (a, b) = (chroma * cos, chroma * sin);
    let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
    let linear = [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s,
    ];
    let [red, green, blue] = linear.map(|channel| {
        let channel = channel.clamp(0.0, 1.0);
        let curved =
            if channel <= 0.003_130_8 { 12.92 * channel } else { 1.055 * channel.powf(1.0 / 2.4) - 0.055 };
        (curved * 255.0).round() as u8
    });
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;

    #[test]
    fn known_colours() {
        assert_eq!(oklch(1.0, 0.0, 0.0), "#ffffff");
        assert_eq!(oklch(0.0, 0.0, 0.0), "#000000");
        // sRGB red is (0.62796, 0.25768, 29.234°).
        assert_eq!(oklch(0.627_96, 0.257_68, 29.234), "#ff0000");
    }

    #[test]
    fn nodes_have_their_own_colours_up_to_a_point() {
        for (boards, sockets, nodes, kind) in [
            (0, 8, 8, Kind::Nodes),
            (0, 2, 8, Kind::Boards),
            (4, 16, 16, Kind::Boards),
            (72, 144, 288, Kind::Scale),
        ] {
            let layout = Layout { boards, sockets, nodes };
            let palette = Palette::of(&fixtures::unbalanced("m", layout, 1, &["static"]));
            assert_eq!(palette.kind, kind);
            let colours: BTreeSet<&str> = (0..nodes).map(|node| palette.colour(node)).collect();
            let expected = if kind == Kind::Scale { STEPS } else { nodes as usize };
            assert_eq!(colours.len(), expected);
        }
    }
}
