//! Nested boxes: the position of every drawn unit.

use super::arrange::{Arrangement, arrange};
use numalab_machine::{Machine, Unit};
use numalab_report::node_depth;

/// A rectangle, given by its centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// Layout of the picture. Depth 0 is the machine, depth `d` the units of the `d`-th level.
pub(super) struct Layout<'a> {
    machine: &'a Machine,
    /// Depth of the innermost drawn units.
    pub leaf: usize,
    /// For each depth above `leaf`, the arrangement of a container's children.
    holds: Vec<Arrangement>,
    /// For each depth, the size of a unit's box.
    sizes: Vec<(f64, f64)>,
}

/// Largest number of NUMA nodes for which inner units are drawn; on larger machines only the outermost units are
/// drawn.
const MOST_NODES: usize = 64;
/// Largest number of cores that are drawn. Cores are drawn only if an interconnect joins them.
const MOST_CORES: u32 = 128;
/// Space between a box and its children, in pixels.
const PAD: f64 = 14.0;
/// Height of a box's heading, in pixels.
pub(super) const HEADING: f64 = 22.0;
/// Height of a controller's bar, and of the space above the bar, in pixels.
pub(super) const BAR: (f64, f64) = (20.0, 26.0);

impl<'a> Layout<'a> {
    pub fn of(machine: &'a Machine) -> Layout<'a> {
        let leaf = leaf(machine);
        let count = units(machine, 0, leaf);
        let side = match count {
            0..=24 => 48.0,
            25..=80 => 42.0,
            _ => 28.0,
        };
        let mut layout = Layout { machine, leaf, holds: Vec::new(), sizes: vec![(side * 1.25, side)] };
        // Box sizes follow from those of the children, so the innermost level is first.
        for depth in (0..leaf).rev() {
            let level = &machine.levels[depth];
            let gap = match (depth + 1 == leaf, count) {
                (false, _) => 44.0,
                (true, 0..=24) => 30.0,
                (true, 25..=80) => 24.0,
                (true, _) => 8.0,
            };
            let holds = arrange(level, layout.sizes[0], gap);
            let bar = if level.controller.is_some() { BAR.0 + BAR.1 } else { 0.0 };
            let frame = if depth > 0 { (2.0 * PAD, 2.0 * PAD + HEADING) } else { (0.0, 0.0) };
            layout.sizes.insert(0, (holds.size.0 + frame.0, holds.size.1 + frame.1 + bar));
            layout.holds.insert(0, holds);
        }
        layout
    }

    pub fn size(&self) -> (f64, f64) {
        self.sizes[0]
    }

    /// Number of units of the whole machine at a depth.
    pub fn count(&self, depth: usize) -> u32 {
        units(self.machine, 0, depth)
    }

    pub fn rect(&self, depth: usize, index: u32) -> Rect {
        let (width, height) = self.sizes[depth];
        let Some(above) = depth.checked_sub(1) else {
            return Rect { x: width / 2.0, y: height / 2.0, width, height };
        };
        let count = self.machine.levels[above].count;
        let outer = self.rect(above, index / count);
        let corner = (outer.x - outer.width / 2.0, outer.y - outer.height / 2.0);
        let inset = if above > 0 { (PAD, PAD + HEADING) } else { (0.0, 0.0) };
        let (x, y) = self.holds[above].centres[(index % count) as usize];
        Rect { x: corner.0 + inset.0 + x, y: corner.1 + inset.1 + y, width, height }
    }

    /// Bar of a unit's controller, at the bottom of the unit's box; `None` without a controller.
    pub fn bar(&self, depth: usize, index: u32) -> Option<Rect> {
        self.machine.levels.get(depth)?.controller.as_ref().filter(|_| depth < self.leaf)?;
        let frame = self.rect(depth, index);
        let y = frame.y + frame.height / 2.0 - PAD - BAR.0 / 2.0;
        Some(Rect { y, width: frame.width - 2.0 * PAD, height: BAR.0, ..frame })
    }

    /// Index of the unit's ancestor at a depth; `None` if the unit itself is less deep than that.
    pub fn ancestor(&self, unit: Unit, depth: usize) -> Option<u32> {
        let own = self.depth(unit);
        (own >= depth).then(|| unit.index / units(self.machine, depth, own).max(1))
    }

    /// Depth of a unit; 0, the machine itself, if no level has units of this kind.
    pub fn depth(&self, unit: Unit) -> usize {
        self.machine.levels.iter().position(|level| level.kind == unit.kind).map_or(0, |at| at + 1)
    }
}

/// Number of units of depth `to` in each unit of depth `from`.
fn units(machine: &Machine, from: usize, to: usize) -> u32 {
    machine.levels[from..to].iter().fold(1, |count: u32, level| count.saturating_mul(level.count))
}

fn leaf(machine: &Machine) -> usize {
    let (nodes, all) = (node_depth(machine), machine.levels.len());
    let inside = machine.levels[nodes..].iter().any(|level| level.interconnect.is_some());
    if inside && units(machine, 0, all) <= MOST_CORES {
        all
    } else if nodes > 1 && units(machine, 0, nodes) as usize > MOST_NODES {
        1
    } else {
        nodes
    }
}
