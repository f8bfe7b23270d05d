//! Colours of home nodes: hue by board, lightness by node within the board; neighbours remain
//! distinct for common colour blindnesses.

use crate::chart::colour::{GREYS, HUES, hue, sequential};
use numalab_results::{Comparison, Layout};
use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Palette {
    /// Nodes that held data, ascending.
    pub nodes: Vec<u32>,
    /// Colour of each of `nodes`.
    colours: Vec<String>,
    pub kind: Colouring,
    layout: Layout,
}

/// Scheme by which nodes get colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colouring {
    /// One hue per node.
    Nodes,
    /// One hue per board (or socket), one lightness per node in the board.
    Boards,
    /// One continuous scale, for more boards or nodes than can be distinguished.
    Scale,
}

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
            Colouring::Nodes
        } else if boards.len() <= HUES.len() && nodes_per_board(layout) <= 8 {
            Colouring::Boards
        } else {
            Colouring::Scale
        };
        let colour = |(at, &node): (usize, &u32)| match kind {
            Colouring::Nodes => hue(at, 0, 1),
            Colouring::Boards => {
                let each = nodes_per_board(layout);
                let board = boards.range(..layout.outermost(node)).count();
                hue(board, node % each, each)
            }
            Colouring::Scale => sequential(step(at, nodes.len())),
        };
        let colours = nodes.iter().enumerate().map(colour).collect();
        Palette { nodes: nodes.into_iter().collect(), colours, kind, layout }
    }

    /// Board of a node, or its socket on machines without boards.
    pub fn board(&self, node: u32) -> u32 {
        self.layout.outermost(node)
    }

    /// Name of the units that [`Palette::board`] numbers.
    pub fn board_name(&self) -> &'static str {
        if self.layout.boards > 0 { "board" } else { "socket" }
    }

    /// Colour of a node, as `#rrggbb`; grey if the node held no data.
    pub fn colour(&self, node: u32) -> &str {
        match self.nodes.binary_search(&node) {
            Ok(at) => &self.colours[at],
            Err(_) => GREYS.compute,
        }
    }
}

/// Number of colours of the continuous scale; more are not distinguishable. Neighbouring parts of one colour merge,
/// which keeps pictures of large machines small.
pub(super) const STEPS: usize = 24;

/// Position (0 to 1) on the continuous scale of the `at`-th of `count` nodes.
fn step(at: usize, count: usize) -> f64 {
    (at * STEPS / count.max(1)) as f64 / (STEPS - 1) as f64
}

fn nodes_per_board(layout: Layout) -> u32 {
    let boards = if layout.boards > 0 { layout.boards } else { layout.sockets };
    layout.nodes.checked_div(boards).unwrap_or(1).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;

    #[test]
    fn few_nodes_have_their_own_colours() {
        for (boards, sockets, nodes, kind) in [
            (0, 8, 8, Colouring::Nodes),
            (0, 2, 8, Colouring::Boards),
            (4, 16, 16, Colouring::Boards),
            (72, 144, 288, Colouring::Scale),
        ] {
            let layout = Layout { boards, sockets, nodes };
            let palette = Palette::of(&fixtures::unbalanced("m", layout, 1, &["static"]));
            assert_eq!(palette.kind, kind);
            let colours: BTreeSet<&str> = (0..nodes).map(|node| palette.colour(node)).collect();
            let expected = if kind == Colouring::Scale { STEPS } else { nodes as usize };
            assert_eq!(colours.len(), expected);
        }
    }
}
