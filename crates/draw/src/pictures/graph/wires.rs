//! Lines of the picture, for the edges of the machine's graph.

use super::BULGE;
use super::layout::{Layout, Rect};
use numalab_machine::{EdgeRole, Interconnect, LinkEnd, LinkId, Machine, Shape, Unit, Wire, graph};
use std::collections::BTreeMap;

/// Line between two points: straight, or an arc with the control point `over`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    pub from: (f64, f64),
    pub to: (f64, f64),
    pub over: Option<(f64, f64)>,
    pub link: Option<LinkId>,
    /// Bandwidth of the line divided by the bandwidth of one link (all lanes) of the same kind; 1 without a link.
    pub multiple: f64,
}

#[derive(Default)]
pub(super) struct Wires {
    /// Lines by the depth of the container in which they are drawn.
    pub lines: BTreeMap<usize, Vec<Line>>,
    /// Positions of switches and junctions by the depth of their container.
    pub switches: BTreeMap<usize, Vec<(f64, f64)>>,
    /// Number of links that are not drawn because a level has too many lines.
    pub omitted: usize,
    /// True if wrapping links are drawn as stubs.
    pub stubs: bool,
    /// Distance by which lines extend beyond the layout.
    pub margin: f64,
}

/// Largest number of lines in a level. If a level has more lines, none of the level's lines is drawn, since the
/// picture would be unreadable.
const MOST: usize = 4000;

/// An edge of the graph, before its ends have positions.
struct Edge {
    ends: [LinkEnd; 2],
    depth: usize,
    role: EdgeRole,
    link: Option<LinkId>,
    multiple: f64,
}

impl Wires {
    pub fn of(machine: &Machine, layout: &Layout<'_>) -> Wires {
        let mut by_depth: BTreeMap<usize, Vec<Edge>> = BTreeMap::new();
        let graph = graph(machine);
        for at in graph.edge_indices() {
            let (Some((from, to)), wire) = (graph.edge_endpoints(at), &graph[at]) else { continue };
            let depth = wire.within.map_or(0, |unit| layout.depth(unit));
            if wire.role == EdgeRole::Entry || depth >= layout.leaf {
                continue;
            }
            let multiple = multiple(machine, wire);
            let edge =
                Edge { ends: [graph[from], graph[to]], depth, role: wire.role, link: wire.link, multiple };
            by_depth.entry(depth).or_default().push(edge);
        }
        let mut wires = Wires::default();
        for (depth, edges) in by_depth {
            if edges.len() > MOST {
                wires.omitted += edges.len();
                continue;
            }
            let switches = switches(layout, &edges);
            wires.switches.entry(depth).or_default().extend(switches.values().copied());
            let wraps = matches!(
                machine.levels[depth].interconnect,
                Some(Interconnect { shape: Shape::Torus(_), .. })
            );
            wires.stubs |= wraps;
            let lines = edges.iter().filter_map(|edge| lines(layout, edge, &switches, wraps)).flatten();
            wires.lines.entry(depth).or_default().extend(lines);
        }
        wires.margin = wires.overshoot(layout.size());
        wires
    }

    /// Distance by which the lines extend beyond a box of this size. The top of an arc is halfway between its chord
    /// and its control point.
    fn overshoot(&self, size: (f64, f64)) -> f64 {
        let tops = self.lines.values().flatten().flat_map(|line| {
            let middle = ((line.from.0 + line.to.0) / 2.0, (line.from.1 + line.to.1) / 2.0);
            let over = line.over.unwrap_or(middle);
            [line.from, line.to, ((over.0 + middle.0) / 2.0, (over.1 + middle.1) / 2.0)]
        });
        tops.map(|(x, y)| (-x).max(-y).max(x - size.0).max(y - size.1)).fold(0.0, f64::max)
    }

    /// Kinds of the drawn links, ascending; `None` for lines without a link.
    pub fn links(&self) -> Vec<Option<LinkId>> {
        let mut links: Vec<Option<LinkId>> = self.lines.values().flatten().map(|line| line.link).collect();
        links.sort_unstable();
        links.dedup();
        links
    }
}

fn multiple(machine: &Machine, wire: &Wire) -> f64 {
    let link = wire.link.and_then(|LinkId(link)| machine.links.get(link));
    link.map_or(1.0, |link| wire.bandwidth.0 / (link.bandwidth.0 * f64::from(link.lanes)))
}

/// Unit at a link's end; `None` for switches and junctions.
fn unit(place: LinkEnd) -> Option<Unit> {
    match place {
        LinkEnd::Unit(unit) | LinkEnd::Controller(unit) | LinkEnd::Exit(unit) => Some(unit),
        LinkEnd::Switch { .. } | LinkEnd::Junction(_) => None,
    }
}

/// Box of the container's child in which an edge ends.
fn child(layout: &Layout<'_>, place: LinkEnd, depth: usize) -> Option<Rect> {
    let index = layout.ancestor(unit(place)?, depth + 1)?;
    Some(layout.rect(depth + 1, index))
}

/// Places each switch in the middle of its neighbours, iteratively, since neighbours may be switches.
fn switches(layout: &Layout<'_>, edges: &[Edge]) -> BTreeMap<LinkEnd, (f64, f64)> {
    let mut switches: BTreeMap<LinkEnd, (f64, f64)> = BTreeMap::new();
    for edge in edges {
        for place in edge.ends.into_iter().filter(|place| unit(*place).is_none()) {
            let container = match place {
                LinkEnd::Switch { within: Some(unit), .. } | LinkEnd::Junction(Some(unit)) => unit.index,
                _ => 0,
            };
            let middle = layout.rect(edge.depth, container);
            switches.insert(place, (middle.x, middle.y));
        }
    }
    for _ in 0..100 {
        let mut sums: BTreeMap<LinkEnd, (f64, f64, f64)> = BTreeMap::new();
        for edge in edges {
            for [place, other] in [edge.ends, [edge.ends[1], edge.ends[0]]] {
                let at = child(layout, other, edge.depth)
                    .map(|rect| (rect.x, rect.y))
                    .or_else(|| switches.get(&other).copied());
                if let (true, Some(at)) = (switches.contains_key(&place), at) {
                    let sum = sums.entry(place).or_default();
                    *sum = (sum.0 + at.0, sum.1 + at.1, sum.2 + 1.0);
                }
            }
        }
        switches = sums.into_iter().map(|(place, (x, y, count))| (place, (x / count, y / count))).collect();
        if switches.is_empty() {
            break;
        }
    }
    switches
}

/// Lines of an edge: one line, or two stubs if the edge wraps in a torus and would cross a box. `None` if the edge is
/// not drawn.
fn lines(
    layout: &Layout<'_>,
    edge: &Edge,
    switches: &BTreeMap<LinkEnd, (f64, f64)>,
    wraps: bool,
) -> Option<Vec<Line>> {
    let straight = |from, to| Line { from, to, over: None, link: edge.link, multiple: edge.multiple };
    let [from, to] = edge.ends;
    if edge.role == EdgeRole::WayOut {
        // A straight line down to the bar of the container's controller. Without a controller, the line is not drawn.
        let LinkEnd::Controller(outer) = to else { return None };
        let bar = layout.bar(edge.depth, layout.ancestor(outer, edge.depth)?)?;
        let rect = child(layout, from, edge.depth)?;
        return Some(vec![straight((rect.x, rect.y), (rect.x, bar.y - bar.height / 2.0))]);
    }
    let rects = [from, to].map(|place| child(layout, place, edge.depth));
    let end =
        |at: usize| rects[at].map(|rect| (rect.x, rect.y)).or_else(|| switches.get(&edge.ends[at]).copied());
    let (from, to) = (end(0)?, end(1)?);
    let [Some(rect), Some(_)] = rects else { return Some(vec![straight(from, to)]) };
    let indices = edge.ends.map(|place| layout.ancestor(unit(place)?, edge.depth + 1));
    if !runs_over_a_sibling(layout, edge.depth + 1, indices, (from, to)) {
        return Some(vec![straight(from, to)]);
    }
    if wraps {
        let stub = |from, to| straight(from, outward(rect, from, to));
        return Some(vec![stub(from, to), stub(to, from)]);
    }
    Some(vec![Line { over: Some(control(rect, from, to)), ..straight(from, to) }])
}

/// A point just beyond the box around `from`, on the side away from `to`.
fn outward(rect: Rect, from: (f64, f64), to: (f64, f64)) -> (f64, f64) {
    let along = (from.0 - to.0, from.1 - to.1);
    let length = along.0.hypot(along.1).max(1e-9);
    let way = (along.0 / length, along.1 / length);
    let reach = (rect.width / 2.0 / way.0.abs().max(1e-9)).min(rect.height / 2.0 / way.1.abs().max(1e-9));
    let stub = reach + 0.25 * rect.height;
    (from.0 + way.0 * stub, from.1 + way.1 * stub)
}

/// True if the straight line between two boxes would cross another box.
fn runs_over_a_sibling(
    layout: &Layout<'_>,
    depth: usize,
    ends: [Option<u32>; 2],
    (from, to): ((f64, f64), (f64, f64)),
) -> bool {
    let (Some(first), count) = (ends[0], layout.count(depth) / layout.count(depth - 1).max(1)) else {
        return false;
    };
    let siblings = first / count * count..(first / count + 1) * count;
    let along = (to.0 - from.0, to.1 - from.1);
    let square = (along.0 * along.0 + along.1 * along.1).max(1e-9);
    siblings.filter(|sibling| !ends.contains(&Some(*sibling))).any(|sibling| {
        let rect = layout.rect(depth, sibling);
        let to_rect = (rect.x - from.0, rect.y - from.1);
        let part = (to_rect.0 * along.0 + to_rect.1 * along.1) / square;
        let away = (to_rect.0 * along.1 - to_rect.1 * along.0).abs() / square.sqrt();
        (0.0..=1.0).contains(&part) && away < 0.3 * rect.width.min(rect.height)
    })
}

/// Control point of an arc that clears boxes of this size. The arc bends upwards; if the line is vertical, to the
/// left.
fn control(rect: Rect, from: (f64, f64), to: (f64, f64)) -> (f64, f64) {
    let along = (to.0 - from.0, to.1 - from.1);
    let length = along.0.hypot(along.1).max(1e-9);
    let mut normal = (along.1 / length, -along.0 / length);
    if normal.1 > 1e-9 || normal.1.abs() <= 1e-9 && normal.0 > 0.0 {
        normal = (-normal.0, -normal.1);
    }
    let half = (normal.0 * rect.width / 2.0).abs() + (normal.1 * rect.height / 2.0).abs();
    // The top of a quadratic curve is half as far from the chord as the control point.
    let rise = 2.0 * (half + BULGE * length);
    ((from.0 + to.0) / 2.0 + normal.0 * rise, (from.1 + to.1) / 2.0 + normal.1 * rise)
}
