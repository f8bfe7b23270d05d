//! Checks of interconnects and controllers: shapes fit their counts, and graphs are connected.

use super::MAX_LISTED;
use crate::problem::Problems;
use crate::{Edge, Level, LinkId, Machine, Shape};
use petgraph::unionfind::UnionFind;
use std::collections::BTreeMap;

pub(super) fn check(machine: &Machine, at: usize, level: &Level, problems: &mut Problems) {
    let path = format!("level[{at}].interconnect");
    if let Some(interconnect) = &level.interconnect {
        match &interconnect.shape {
            Shape::Edges(edges) => listed(machine, level, edges, &format!("{path}.edges"), problems),
            shape @ (Shape::Mesh
            | Shape::Ring
            | Shape::Torus(_)
            | Shape::Hypercube
            | Shape::FatTree { .. }
            | Shape::Star) => {
                regular(shape, level.count, &path, problems);
                link(machine, interconnect.link, &format!("{path}.link"), problems);
            }
        }
    }
    handed(machine, at, level, problems);
    port(at, level, problems);
    let Some(controller) = &level.controller else { return };
    let path = format!("level[{at}].controller");
    if at == 0 {
        problems.add(&path, "the outermost level cannot have a controller: nothing is outside it");
    } else if !level.kind.holds_memory() {
        problems.add(
            &path,
            format!("a {} cannot have a controller: only levels down to the NUMA node can", level.kind),
        );
    }
    link(machine, controller.link, &format!("{path}.link"), problems);
    if let Some(requests) = controller.requests
        && !(requests.is_finite() && requests > 0.0)
    {
        let message = format!("must be a finite number above 0, not {requests}");
        problems.add(format!("{path}.requests"), message);
    }
    if let Some(bandwidth) = controller.bandwidth
        && !(bandwidth.0.is_finite() && bandwidth.0 > 0.0)
    {
        problems.add(format!("{path}.bandwidth"), format!("must be above 0, not {bandwidth}"));
    }
    super::crowding(&controller.crowding, &format!("{path}.crowding"), problems);
}

fn port(at: usize, level: &Level, problems: &mut Problems) {
    let Some(port) = &level.port else { return };
    let path = format!("level[{at}].port");
    if level.kind.holds_memory() {
        problems.add_expecting(
            &path,
            format!("a {} cannot have a port: only levels inside a NUMA node can", level.kind),
            "a controller or an interconnect limits the traffic of this level",
        );
    }
    super::bounds(port, &path, problems);
}

/// Checks `core_to_core` of a level: at least the round trip over the link between two children, and absent if
/// several children share a cache, whose own `core_to_core` then applies.
fn handed(machine: &Machine, at: usize, level: &Level, problems: &mut Problems) {
    let Some(span) = level.core_to_core else { return };
    let path = format!("level[{at}].core_to_core");
    let inside = &machine.levels[at + 1..];
    let cores = inside.iter().fold(1u32, |all, level| all.saturating_mul(level.count));
    let shared = machine.caches.iter().rev().find(|cache| cache.shared_by > 1);
    if let Some(shared) = shared.filter(|cache| cores < cache.shared_by) {
        let message = format!("the L{} cache is shared by {} cores", shared.level, shared.shared_by);
        let expected = "set `core_to_core` of that cache instead";
        problems.add_expecting(path, message, expected);
        return;
    }
    let crossed = level.interconnect.as_ref().and_then(|joined| machine.links.get(joined.link.0));
    if let Some(link) = crossed.filter(|link| span < link.latency + link.latency) {
        let least = link.latency + link.latency;
        let message = format!("{span} is less than a round trip over {}", link.name);
        problems.add_expecting(path, message, format!("at least {least}"));
    }
}

fn link(machine: &Machine, LinkId(link): LinkId, path: &str, problems: &mut Problems) {
    if link >= machine.links.len() {
        problems.add_expecting(
            path,
            format!("there is no link {link}"),
            format!("the machine has {}", machine.links.len()),
        );
    }
}

fn regular(shape: &Shape, count: u32, path: &str, problems: &mut Problems) {
    match shape {
        Shape::Torus(dims) => {
            let path = format!("{path}.dims");
            let product = dims.iter().try_fold(1u64, |all, size| all.checked_mul((*size).into()));
            if dims.is_empty() {
                problems.add(path, "expected at least one dimension, such as [4, 4]");
            } else if let Some(at) = dims.iter().position(|size| *size == 0) {
                problems.add(format!("{path}[{at}]"), "must be at least 1");
            } else if product != Some(count.into()) {
                let product = product.map_or("too many".to_owned(), |product| product.to_string());
                let dims = dims.iter().map(u32::to_string).collect::<Vec<_>>().join(" x ");
                problems.add(path, format!("{dims} makes {product} siblings, but the count is {count}"));
            }
        }
        Shape::Hypercube if count > 0 && !count.is_power_of_two() => problems.add_expecting(
            format!("{path}.shape"),
            format!("a hypercube joins a power of two, not {count}"),
            "a fat tree or a torus joins any number",
        ),
        Shape::FatTree { arity } if *arity < 2 => {
            problems.add(format!("{path}.arity"), format!("must be at least 2, not {arity}"));
        }
        Shape::Mesh
        | Shape::Ring
        | Shape::Hypercube
        | Shape::FatTree { .. }
        | Shape::Star
        | Shape::Edges(_) => {}
    }
}

/// Checks a listed graph: first each edge by itself, then that the valid edges connect all siblings.
fn listed(machine: &Machine, level: &Level, edges: &[Edge], path: &str, problems: &mut Problems) {
    let (count, kind) = (level.count, level.kind);
    if count > MAX_LISTED {
        problems.add_expecting(
            path,
            format!("a list of edges joins at most {MAX_LISTED} siblings, not {count}"),
            "name a regular shape",
        );
        return;
    }
    let mut seen = BTreeMap::new();
    let mut joined = UnionFind::<u32>::new(count as usize);
    let mut usable = true;
    for (at, edge) in edges.iter().enumerate() {
        let path = format!("{path}[{at}]");
        link(machine, edge.link, &path, problems);
        if let Some(end) = [edge.from, edge.to].into_iter().find(|end| *end >= count) {
            usable = false;
            let last = count.saturating_sub(1);
            problems.add_expecting(
                path,
                format!("there is no {kind} {end}"),
                format!("they are numbered 0 to {last}"),
            );
        } else if edge.from == edge.to {
            problems.add(path, format!("joins {kind} {} to itself", edge.from));
        } else {
            let ends = (edge.from.min(edge.to), edge.from.max(edge.to));
            if let Some(first) = seen.insert(ends, at) {
                problems.add_expecting(
                    path,
                    format!("joins {kind} {} and {} again, as edges[{first}] does", ends.0, ends.1),
                    "use lanes",
                );
            }
            joined.union(edge.from, edge.to);
        }
    }
    // A wrong edge was probably meant to connect a sibling: one error is enough.
    if let Some(lost) = (1..count).find(|sibling| usable && !joined.equiv(0, *sibling)) {
        problems.add(path, format!("no path of edges leads from {kind} 0 to {kind} {lost}; add an edge"));
    }
}
