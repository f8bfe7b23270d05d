//! Loaded-latency curves of tools: load generators that pause less and less, beside a chase.

use super::{Turning, UnderLoad};
use crate::fit::capacity::{self, Capacity, median};
use crate::fit::observation::Observation;
use crate::fit::subject::Subject;
use numalab_imports::Evidence;
use numalab_imports::foreign::LoadedLatency as Point;
use numalab_imports::measurements::{Limits, Row, Sample};
use numalab_machine::{LoadedLatency, Machine};

/// Minimum ratio of the latencies at the greatest and at the least bandwidth from which a curve shows the limit of the
/// memory: requests wait for it.
const RISES: f64 = 1.3;
/// Fraction of the greatest bandwidth from which a point is on the plateau: load generators that ask for more get no
/// more, and wait longer.
const PLATEAU: f64 = 0.98;
/// Used fraction of the capacity at which the plateau begins, and from which on latency is that of load generators
/// that never pause. Simulated streams that ask for the whole capacity use 95 to 98 % of the memory of the chasing
/// thread, whose node has a stream less.
const ENTRY: f64 = 0.93;
const TOP: f64 = 0.95;
/// Used fraction up to which points below the plateau are.
const BELOW: f64 = 0.925;

/// Greatest bandwidth of a curve in GB/s, and latencies in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::fit) struct Ends {
    /// Greatest bandwidth of all load generators together.
    pub most: f64,
    /// Least latency.
    pub idle: f64,
    /// Least latency on the plateau, where the load generators begin to wait for the memory.
    pub entry: f64,
    /// Greatest latency on the plateau, with load generators that never pause.
    pub top: f64,
}

impl Ends {
    /// Ends of a curve; `None` for too few points.
    pub fn of(points: &[Point]) -> Option<Ends> {
        let most = points.iter().map(|point| point.bandwidth).fold(0.0, f64::max);
        let idle = points.iter().map(|point| point.latency).fold(f64::INFINITY, f64::min);
        if points.len() < 3 || most <= 0.0 || idle <= 0.0 {
            return None;
        }
        let full =
            || points.iter().filter(|point| point.bandwidth >= PLATEAU * most).map(|point| point.latency);
        let (entry, top) = (full().fold(f64::INFINITY, f64::min), full().fold(0.0, f64::max));
        Some(Ends { most, idle, entry, top })
    }

    /// True if the latency rises at the greatest bandwidth, which then is the limit of the memory.
    pub fn rises(&self) -> bool {
        self.top >= RISES * self.idle
    }

    /// Bandwidth in GB/s that the load generators ask for at a point of the curve: none limits those that wait on the
    /// plateau. `capacity`: bandwidth of all memories together.
    pub fn asked(&self, bandwidth: f64, latency: f64, capacity: f64) -> f64 {
        match self.rises() && self.is_full(bandwidth) {
            true if latency > self.entry * (1.0 + super::SAME) || self.is_steep() => super::UNBOUNDED / 1e9,
            true => bandwidth.min(ENTRY * capacity),
            false if self.rises() && !self.is_steep() => bandwidth.min(BELOW * capacity),
            false => bandwidth,
        }
    }

    /// True for a bandwidth on the plateau, in GB/s.
    pub fn is_full(&self, bandwidth: f64) -> bool {
        bandwidth >= PLATEAU * self.most
    }

    /// True if the plateau has one latency.
    fn is_steep(&self) -> bool {
        self.top < self.entry * (1.0 + super::SAME)
    }
}

/// Curve of latency under load by the used fraction of `capacity`, the bandwidth of all memories together in GB/s.
/// Factors are on the latency `idle` of a chase without load. `None` for too few points, or if the points do not show
/// the effect of load.
fn curve(points: &[Point], idle: f64, capacity: f64) -> Option<LoadedLatency> {
    let ends = Ends::of(points)?;
    if !ends.rises() {
        return super::factors(points, capacity, idle);
    }
    let below = |point: &&Point| !ends.is_full(point.bandwidth);
    let at = |part: f64, latency: f64| Point { delay: 0, bandwidth: part * capacity, latency };
    let below_plateau = if ends.is_steep() { PLATEAU } else { BELOW };
    let mut all: Vec<Point> = points
        .iter()
        .filter(below)
        .map(|point| at((point.bandwidth / capacity).min(below_plateau), point.latency))
        .collect();
    if ends.is_steep() {
        all.push(at(1.0, ends.top));
    } else {
        all.extend([at(ENTRY, ends.entry), at(TOP, ends.top)]);
    }
    let idle = idle.min(ends.top);
    super::factors(&all, capacity, idle)
}

/// Sets the subject's latency under load and its capacity, by the first curve of the evidence and by the rows. Adds the
/// ends of the curve to the rows if no other rows measure them, and the sources of the curves to `stated`.
pub(in crate::fit) fn read(
    evidence: &[Evidence],
    rows: &mut Vec<Observation>,
    subject: &mut Subject,
    stated: &mut Vec<(String, String)>,
) {
    let of_load = evidence.iter().find_map(|source| match source {
        Evidence::Foreign(foreign) if !foreign.loaded_latency.is_empty() => Some(foreign),
        _ => None,
    });
    let points = of_load.map_or(&[][..], |foreign| &foreign.loaded_latency);
    let turning = Turning::of(rows, Ends::of(points).map(|ends| ends.most));
    if let Some(turning) = &turning {
        subject.machine.memory.write_cost = Some((turning.cost * 1e2).round() / 1e2);
        let from = match turning.mixes {
            1 => "the bandwidth of a mix of reads and writes".to_owned(),
            mixes => format!("the bandwidths of {mixes} mixes of reads and writes"),
        };
        stated.push(("memory.write_cost".to_owned(), from));
    }
    subject.capacity = capacity::of(rows, &subject.machine, points, turning.as_ref());
    let curve = of_machine(points, rows, &subject.machine, subject.capacity.as_ref());
    if curve.is_none() {
        subject.under_load = UnderLoad::of(rows, &subject.machine);
    }
    if let Some((curve, ends)) = curve.zip(Ends::of(points)) {
        as_asked(points, rows, &subject.machine, subject.capacity.as_ref());
        subject.machine.memory.loaded_latency = curve;
        let from = format!("{} points of a loaded-latency curve", points.len());
        stated.push(("memory.loaded_latency".to_owned(), from.clone()));
        let of_mix = evidence.iter().find_map(|source| match source {
            Evidence::Foreign(foreign) if !foreign.mixed_latency.is_empty() => Some(&foreign.mixed_latency),
            _ => None,
        });
        let turning = turning.unwrap_or(Turning { cost: 1.0, bandwidth: ends.most, mixes: 0 });
        let capacity = subject.capacity.as_ref().map(|capacity| capacity.all * nodes(&subject.machine) / 1e9);
        let capacity = capacity.unwrap_or(turning.bandwidth);
        let mixed = of_mix.and_then(|points| mixed(points, &turning, capacity));
        if let Some(of_mix) = of_mix {
            mixes_as_asked(of_mix, rows, &turning, capacity);
        }
        if let Some(mixed) = mixed {
            subject.machine.memory.mixed_latency = mixed;
            let from = "a loaded-latency curve of as many writes as reads".to_owned();
            stated.push(("memory.mixed_latency".to_owned(), from));
        }
        // The ends of a curve (idle latency, greatest bandwidth) become rows if no other rows measure them.
        let has =
            |rows: &[Observation], experiment: &str| rows.iter().any(|row| row.row.experiment == experiment);
        if !has(rows, "pointer_chase") {
            rows.push(of_curve(("pointer_chase", "latency", "ns"), ends.idle, &from));
        }
        if !has(rows, "parallel_bandwidth") && !has(rows, "node_bandwidth") {
            rows.push(of_curve(("parallel_bandwidth", "read_bandwidth", "GB/s"), ends.most, &from));
        }
    }
}

/// Row with a value at one end of a loaded-latency curve: the idle latency or the greatest bandwidth.
fn of_curve((experiment, quantity, unit): (&str, &str, &str), value: f64, from: &str) -> Observation {
    let row = Row {
        experiment: experiment.to_owned(),
        quantity: quantity.to_owned(),
        params: Vec::new(),
        unit: unit.to_owned(),
        samples: vec![Sample::of(value)],
        source: from.to_owned(),
    };
    Observation::of(&row, &Limits::default())
}

/// Curve of latency under load for a machine with this capacity, by points of a tool. Its factors are on the latency
/// of a chase in rows of idle latency, if there are any.
fn of_machine(
    points: &[Point],
    rows: &[Observation],
    machine: &Machine,
    capacity: Option<&Capacity>,
) -> Option<LoadedLatency> {
    let ends = Ends::of(points)?;
    curve(points, idle(rows).unwrap_or(ends.idle), total(ends, machine, capacity))
}

/// Bandwidth of all memories with processors together, in GB/s.
fn total(ends: Ends, machine: &Machine, capacity: Option<&Capacity>) -> f64 {
    capacity.map_or(ends.most, |capacity| capacity.reads.unwrap_or(capacity.all) * nodes(machine) / 1e9)
}

/// Number of nodes with processors.
fn nodes(machine: &Machine) -> f64 {
    f64::from(numalab_machine::totals(machine).nodes.max(1))
}

/// Points of a curve of as many writes as reads, with the bandwidth of reads that take the channels as long.
fn as_reads(points: &[Point], turning: &Turning) -> Vec<Point> {
    let of = |point: &Point| Point { bandwidth: turning.as_reads(point.bandwidth), ..*point };
    points.iter().map(of).collect()
}

/// Curve of latency beside as many writes as reads, by the used fraction of the channels' time, of which `capacity`
/// GB/s of reads take all.
fn mixed(points: &[Point], turning: &Turning, capacity: f64) -> Option<LoadedLatency> {
    let points = as_reads(points, turning);
    let idle = Ends::of(&points)?.idle;
    curve(&points, idle, capacity)
}

/// As `as_asked`, for points of a curve of as many writes as reads.
fn mixes_as_asked(points: &[Point], rows: &mut [Observation], turning: &Turning, capacity: f64) {
    let Some(ends) = Ends::of(&as_reads(points, turning)).filter(Ends::rises) else { return };
    let scale = turning.as_reads(1.0);
    let is_of_mix = |row: &Observation| {
        row.row.experiment == "loaded_latency"
            && row.row.quantity == "latency"
            && row.number("read_percent") == Some(50.0)
    };
    for row in rows.iter_mut().filter(|row| is_of_mix(row)) {
        let latency = row.value;
        for (_, value) in row.row.params.iter_mut().filter(|(key, _)| key == "bandwidth") {
            let Ok(bandwidth) = value.parse::<f64>() else { continue };
            let asked = ends.asked(bandwidth / 1e9 * scale, latency, capacity) / scale;
            *value = format!("{:.0}", asked * 1e9);
        }
    }
}

/// Sets the bandwidth that load generators ask for in rows of a curve: on its plateau they ask for more than they get.
fn as_asked(points: &[Point], rows: &mut [Observation], machine: &Machine, capacity: Option<&Capacity>) {
    let Some(ends) = Ends::of(points).filter(Ends::rises) else { return };
    let total = total(ends, machine, capacity);
    for row in rows.iter_mut().filter(|row| is_of_curve(row)) {
        let latency = row.value;
        for (_, value) in row.row.params.iter_mut().filter(|(key, _)| key == "bandwidth") {
            let Ok(bandwidth) = value.parse::<f64>() else { continue };
            *value = format!("{:.0}", ends.asked(bandwidth / 1e9, latency, total) * 1e9);
        }
    }
}

/// True for a point of a tool's curve of reads under load.
fn is_of_curve(row: &Observation) -> bool {
    row.row.experiment == "loaded_latency"
        && row.param("read_percent").is_none()
        && row.param("load").is_none()
}

pub(in crate::fit) fn is_on_plateau(row: &Observation, ends: Ends) -> bool {
    is_of_curve(row) && row.number("bandwidth").is_some_and(|rate| ends.is_full(rate / 1e9))
}

/// Median idle latency of a node's own memory in rows of tools, in nanoseconds; `None` without such rows.
fn idle(rows: &[Observation]) -> Option<f64> {
    let own = |row: &&Observation| {
        row.row.experiment == "pointer_chase" && row.is_local() && row.param("footprint").is_none()
    };
    median(&mut rows.iter().filter(own).map(|row| row.value).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(latency: f64, bandwidth: f64) -> Point {
        Point { delay: 0, bandwidth, latency }
    }

    // Maximum bandwidth 200 GB/s, minimum latency 80 ns: 100 GB/s is one half, 120 ns a factor of 1.5. 81 ns is that of
    // the point before, but the latency rises from there on only.
    #[test]
    fn parts_of_the_most_and_factors_on_the_least() {
        let points = [point(240.0, 200.0), point(120.0, 100.0), point(81.0, 40.0), point(80.0, 20.0)];
        let LoadedLatency(found) = curve(&points, 80.0, 200.0).unwrap();
        assert_eq!(found, [(0.1, 1.0), (0.2, 1.013), (0.5, 1.5), (1.0, 3.0)]);
        assert_eq!(Ends::of(&points), Some(Ends { most: 200.0, idle: 80.0, entry: 240.0, top: 240.0 }));
    }

    #[test]
    fn noise_never_makes_a_loaded_memory_faster() {
        let points = [point(80.0, 20.0), point(120.0, 100.0), point(110.0, 120.0), point(300.0, 200.0)];
        let LoadedLatency(curve) = curve(&points, 80.0, 200.0).unwrap();
        assert!(curve.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1), "{curve:?}");
    }

    // 200 GB/s of reads alone, 160 with as many writes, which take 2 x 200 / 160 - 1 = 1.5 times as long: 100 GB/s take the
    // channels as long as 125 of reads. The steep plateau is at all of it.
    #[test]
    fn writes_take_more_of_the_channels() {
        let points = [point(240.0, 160.0), point(90.0, 100.0), point(60.0, 20.0)];
        let turning = Turning { cost: 1.5, bandwidth: 200.0, mixes: 1 };
        let expected = LoadedLatency(vec![(0.125, 1.0), (0.625, 1.5), (1.0, 4.0)]);
        assert_eq!(mixed(&points, &turning, 200.0), Some(expected));
        assert_eq!(mixed(&points[..2], &turning, 200.0), None);
    }

    #[test]
    fn two_points_are_no_curve() {
        assert_eq!(curve(&[point(80.0, 20.0), point(120.0, 100.0)], 80.0, 100.0), None);
    }

    // The generators get 200 GB/s at 150 ns and no more beyond, where they wait 400 ns. A chase takes 100 ns.
    #[test]
    fn a_plateau_begins_at_its_least_latency() {
        let points = [
            point(400.0, 198.0),
            point(390.0, 199.0),
            point(150.0, 200.0),
            point(110.0, 100.0),
            point(90.0, 20.0),
        ];
        let LoadedLatency(found) = curve(&points, 100.0, 200.0).unwrap();
        assert_eq!(found, [(0.1, 1.0), (0.5, 1.1), (0.93, 1.5), (0.95, 4.0)]);
        let ends = Ends::of(&points).unwrap();
        assert_eq!(ends.asked(198.0, 400.0, 200.0), super::super::UNBOUNDED / 1e9);
        assert_eq!(ends.asked(200.0, 150.0, 200.0), 186.0);
        assert_eq!(ends.asked(100.0, 110.0, 200.0), 100.0);
    }
}
