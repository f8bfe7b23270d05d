//! Roofline picture: limits of the machine's parts and caches, and the performance of the workload.

use crate::chart::shapes::{Tone, dot, ending, label, line, titled};
use crate::chart::{Curve, HEIGHT, Plot, Scale, curves, page, room};
use numalab_base::Bandwidth;
use numalab_report::numbers::count;
use numalab_results::{CacheRoof, Model, ModelPhase, ModelPoint, Roof};
use svg::node::element::Group;

/// Operations per second in one unit of the vertical axis.
const GIGA: f64 = 1e9;

/// A complete SVG document: a roof for each part of the machine, a slope for each cache level, and
/// a point for each team size.
pub fn model_svg(model: &Model) -> String {
    let mut points: Vec<Point> = phases(model);
    points.extend(model.points.iter().filter_map(team));
    let (x, y) = axes(model, &points);
    let (left, right) = x.ends();
    let curves_of = |(at, roof): (usize, &Roof)| {
        let ridge = (roof.peak_flop_per_s / roof.bandwidth_bytes_per_s).clamp(left, right);
        let height = |x: f64| (x * roof.bandwidth_bytes_per_s).min(roof.peak_flop_per_s) / GIGA;
        let points = [left, ridge, right].map(|x| (x, Some(height(x))));
        Curve { name: named(roof), points: points.to_vec(), colour: at, ..Curve::default() }
    };
    let roofs: Vec<Curve> = model.roofs.iter().enumerate().map(curves_of).collect();
    let names = ("operations per byte", "GFLOP/s");
    let plot = Plot::of_page(&x, &y, names, room(&roofs));
    let title = format!("Roofline of {} on {}", model.workload.name, model.machine.name);
    let also = if points.iter().any(|point| point.phase) {
        "; small dots are phases of the largest team"
    } else {
        ""
    };
    let subtitle = match points.is_empty() {
        false => {
            format!("{}. Each dot is a team with its simulated performance{also}", model.policy)
        }
        true => "The workload states no number of floating-point operations".to_owned(),
    };
    let document = page(&title, &subtitle, HEIGHT).add(plot.axes()).add(cache_roofs(model, &plot, left));
    let document = document.add(curves(&roofs, &plot));
    format!("{}\n", document.add(dots(&points, &plot)))
}

fn named(roof: &Roof) -> String {
    let peak = numalab_report::numbers::significant(roof.peak_flop_per_s / GIGA);
    format!("{}: {}, {peak} GFLOP/s", roof.name, Bandwidth(roof.bandwidth_bytes_per_s))
}

/// Peak of the whole machine, in operations per second.
fn highest(model: &Model) -> f64 {
    model.roofs.iter().map(|roof| roof.peak_flop_per_s).fold(0.0, f64::max)
}

/// Slopes of the caches up to the peak of the whole machine, with labels. Levels of equal bandwidth
/// share a slope.
fn cache_roofs(model: &Model, plot: &Plot<'_>, left: f64) -> Group {
    const COLOUR: &str = "#8a8a8a";
    let peak = highest(model);
    let alike =
        |a: &CacheRoof, b: &CacheRoof| (a.bandwidth_bytes_per_s / b.bandwidth_bytes_per_s - 1.0).abs() < 0.02;
    let mut group = Group::new();
    for same in model.cache_roofs.chunk_by(alike) {
        let rate = same[0].bandwidth_bytes_per_s;
        let from = (left, (left * rate).min(peak) / GIGA);
        let ridge = (peak / rate).max(left);
        let (start, end) = (plot.place(from), plot.place((ridge, peak / GIGA)));
        let levels: Vec<String> = same.iter().map(|roof| format!("L{}", roof.level)).collect();
        let name = format!("{}: {}", levels.join(", "), Bandwidth(rate));
        let slope = line(start, end, COLOUR, 1.5).set("stroke-dasharray", "6 4");
        group = group.add(titled(&format!("all cores from {name}")).add(slope));
        // The label is above the slope and rotated like it.
        let turned = ((end.1 - start.1) / (end.0 - start.0)).atan().to_degrees();
        if turned.is_finite() {
            let (x, y) = (start.0 + 8.0, start.1 - 10.0);
            let turn = format!("rotate({turned:.1} {x:.1} {y:.1})");
            group = group.add(label(x, y, 13.0, &name, Tone::Soft).set("transform", turn));
        }
    }
    group
}

/// A team or a phase that computes.
struct Point {
    /// Operations per byte of memory traffic.
    x: f64,
    /// Performance in 10^9 operations per second.
    y: f64,
    name: String,
    /// True for a phase of a team.
    phase: bool,
}

impl Point {
    /// Point of a team or a phase from its operations, bytes and picoseconds; `None` if one of them is 0.
    fn of(name: String, phase: bool, (flops, bytes, ps): (f64, u64, u64)) -> Option<Point> {
        let (x, y) = (flops / bytes as f64, flops / (ps as f64 / 1e12) / GIGA);
        Some(Point { x, y, name, phase }).filter(|_| x.is_finite() && y.is_finite() && x > 0.0 && y > 0.0)
    }
}

fn team(point: &ModelPoint) -> Option<Point> {
    Point::of(count(point.threads, "thread"), false, (point.flops(), point.bytes(), point.simulated_ps))
}

/// Points of the phases of the largest team; empty unless several phases compute.
fn phases(model: &Model) -> Vec<Point> {
    let Some(largest) = model.points.iter().max_by_key(|point| point.threads) else { return Vec::new() };
    let point = |phase: &ModelPhase| {
        Point::of(phase.name.clone(), true, (phase.flops, phase.bytes, phase.simulated_ps))
    };
    let phases: Vec<Point> = largest.phases.iter().filter_map(point).collect();
    if phases.len() > 1 { phases } else { Vec::new() }
}

/// Scales of the axes, wide enough for slopes, ridges and points.
fn axes(model: &Model, points: &[Point]) -> (Scale, Scale) {
    let peak = highest(model);
    let caches = model.cache_roofs.iter().map(|roof| peak / roof.bandwidth_bytes_per_s);
    let memory = model.roofs.iter().map(|roof| roof.peak_flop_per_s / roof.bandwidth_bytes_per_s);
    let ridges = caches.chain(memory);
    let across =
        || ridges.clone().chain(points.iter().map(|point| point.x)).filter(|x| x.is_finite() && *x > 0.0);
    let (low, high) = (across().fold(1.0, f64::min) / 4.0, across().fold(1.0, f64::max) * 4.0);
    let x = Scale::decades(low, high, 9);
    let slopes = model.roofs.iter().map(|roof| x.ends().0 * roof.bandwidth_bytes_per_s / GIGA);
    let peaks = model.roofs.iter().map(|roof| roof.peak_flop_per_s / GIGA);
    let up = || slopes.clone().chain(peaks.clone()).chain(points.iter().map(|point| point.y));
    let up = || up().filter(|y| y.is_finite() && *y > 0.0);
    let (low, high) = (up().fold(f64::INFINITY, f64::min), up().fold(0.0, f64::max));
    let y = if low <= high { Scale::decades(low, high, 9) } else { Scale::decades(0.1, 1000.0, 9) };
    (x, y)
}

/// Draws the points, each with a label if the label overlaps no other.
fn dots(points: &[Point], plot: &Plot<'_>) -> Group {
    let mut group = Group::new();
    let mut labelled: Vec<(bool, f64)> = Vec::new();
    // The largest team has priority, since its label matters most.
    for Point { x, y, name, phase } in points.iter().rev() {
        let (px, py) = plot.place((*x, *y));
        let title = format!("{name}: {y:.3} GFLOP/s, {x:.4} operations per byte");
        let (size, colour) = if *phase { (3.5, "#5c5c5c") } else { (5.5, "#1a1a1a") };
        group = group.add(titled(&title).add(dot((px, py), size, colour, 1.5)));
        // Labels of phases are on the left, away from those of teams.
        let free = |other: &(bool, f64)| other.0 != *phase || (other.1 - py).abs() >= 15.0;
        if labelled.iter().all(free) {
            labelled.push((*phase, py));
            group = group.add(match phase {
                true => ending(px - 8.0, py + 4.5, 13.0, name, Tone::Soft),
                false => label(px + 11.0, py + 4.5, 13.0, name, Tone::Plain),
            });
        }
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::model::model;

    #[test]
    fn dots_lie_below_their_roof() {
        let picture = model_svg(&model(2e9));
        let document = roxmltree::Document::parse(&picture).unwrap();
        assert_eq!(
            document
                .descendants()
                .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "circle")))
                .count(),
            6,
            "four teams, and two phases of the largest"
        );
        // The product has half of the operations, of the bytes and of the time.
        assert!(picture.contains("product: 3.200 GFLOP/s, 0.2500 operations per byte"), "{picture}");
        // At 0.25 operations per byte, 16 GB/s allow 4 GFLOP/s; the run reaches four fifths of that.
        assert!(picture.contains("8 threads: 3.200 GFLOP/s, 0.2500 operations per byte"), "{picture}");
    }

    #[test]
    fn picture_needs_no_operations_or_roofs() {
        let mut model = model(0.0);
        roxmltree::Document::parse(&model_svg(&model)).unwrap();
        model.roofs.clear();
        model.points.clear();
        roxmltree::Document::parse(&model_svg(&model)).unwrap();
    }
}
