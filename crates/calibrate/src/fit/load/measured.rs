//! Latency under load from the kernels' own rows: a chase while other threads stream.

use super::at;
use crate::fit::observation::Observation;
use numalab_machine::{LoadedLatency, Machine};

/// Experiment of the kernel that measures latency under load.
const EXPERIMENT: &str = "loaded_latency";
/// Value of the parameter `load`, in per cent, in rows whose streaming threads have no rate limit.
const FULL: &str = "100";
/// Bandwidth, in bytes per second, that stands for "unlimited".
pub(crate) const UNBOUNDED: f64 = 1e15;
/// Fraction of the memory's bandwidth beyond which lines queue at the memory; a latency beyond it is a bound, not a
/// point of the curve.
const QUEUES: f64 = 0.97;
/// Minimum ratio of the largest to the smallest bandwidth of the streaming threads; below it rows do not show how
/// latency rises.
const APART: f64 = 1.5;

/// Measured latencies under load, by the bandwidth of the streaming threads. The memory's own bandwidth is fitted
/// later; `curve` then divides the measured bandwidths by the fitted one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct UnderLoad {
    /// Bytes per second from a node, in rising order, each with a factor: latency divided by the latency of the first
    /// point.
    points: Vec<(f64, f64)>,
    /// Relative standard error of a point's factor.
    pub error: f64,
    /// Curve that gives the factors at higher bandwidths than those of the points.
    beyond: LoadedLatency,
}

impl UnderLoad {
    /// Measured points of the rows of `loaded_latency`; `None` if their bandwidths differ too little.
    pub fn of(rows: &[Observation], machine: &Machine) -> Option<UnderLoad> {
        let mut pairs: Vec<(f64, &Observation)> = rows
            .iter()
            .filter(|row| is_of_kernel(row, "latency"))
            .filter_map(|row| Some((mate(row, rows)?.value * 1e9 / nodes_of(row, machine), row)))
            .collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (least, most) = (pairs.first()?, pairs.last()?);
        if most.0 < least.0 * APART {
            return None;
        }
        let error = pairs.iter().map(|(_, row)| row.error).sum::<f64>() / pairs.len() as f64;
        let latencies = never_falling(&pairs.iter().map(|(_, row)| row.value).collect::<Vec<_>>());
        let points = pairs.iter().zip(&latencies).map(|((rate, _), latency)| (*rate, latency / latencies[0]));
        // Each factor also has the error of the latency at the least load.
        let error = error * std::f64::consts::SQRT_2;
        Some(UnderLoad { points: points.collect(), error, beyond: LoadedLatency::usual() })
    }

    /// True for a row of the kernel that measures latency under load: a latency or a moved bandwidth.
    pub fn has(row: &Observation) -> bool {
        is_of_kernel(row, "latency") || is_of_kernel(row, "moved")
    }

    /// Points with all factors but the first shifted by `errors` standard errors, and the curve `beyond` after the
    /// last point.
    pub fn otherwise(&self, errors: f64, beyond: LoadedLatency) -> UnderLoad {
        let (least, others) = self.points.split_at(1.min(self.points.len()));
        let more =
            others.iter().map(|(rate, factor)| (*rate, (factor * (1.0 + errors * self.error)).max(1.0)));
        UnderLoad { points: least.iter().copied().chain(more).collect(), beyond, ..*self }
    }

    /// Curve by the used fraction of `capacity`, a node's bandwidth in bytes per second. After the last point that
    /// uses at most `QUEUES` of the capacity, the curve rises like the curve `beyond`, but not above the factor of
    /// the first point that uses more.
    pub fn curve(&self, capacity: f64) -> LoadedLatency {
        let part = |rate: f64| (rate / capacity).min(1.0);
        let (inside, full): (Vec<_>, Vec<_>) = self
            .points
            .iter()
            .map(|(rate, factor)| (part(*rate), *factor))
            .partition(|point| point.0 <= QUEUES);
        let longest = full.first().map_or(f64::INFINITY, |point| point.1);
        let (last, factor) = inside.last().copied().unwrap_or((0.0, 1.0));
        let before = at(&self.beyond, last);
        let on = self.beyond.0.iter().filter(|point| point.0 > last);
        let on = on.map(|(part, more)| (*part, (factor * more / before).min(longest).max(factor)));
        let rounded = |number: f64, digits: f64| (number * digits).round() / digits;
        let mut curve: Vec<(f64, f64)> = Vec::new();
        for (part, factor) in inside.iter().copied().chain(on) {
            let (part, factor) = (rounded(part, 1e4), rounded(factor, 1e3));
            match curve.last_mut() {
                Some(known) if part <= known.0 => known.1 = known.1.max(factor),
                _ => curve.push((part, factor)),
            }
        }
        // No queueing at the smallest load.
        curve.first_mut().into_iter().for_each(|first| first.1 = 1.0);
        LoadedLatency(curve)
    }
}

/// Translates rows of the kernel into parameters of the workload that simulates them. The requested rate of the
/// streaming threads is their measured bandwidth, or unlimited for threads that were not throttled. `share`, the size
/// of the streamed arrays, is removed: it only ensures that no cache holds the arrays.
pub fn as_asked(rows: &mut [Observation]) {
    let rates: Vec<Option<f64>> = rows
        .iter()
        .map(|row| match row.param("load") {
            Some(FULL) => Some(UNBOUNDED),
            _ => mate(row, rows).map(|mate| mate.value * 1e9),
        })
        .collect();
    for (row, rate) in rows.iter_mut().zip(rates) {
        if let (true, Some(rate)) = (UnderLoad::has(row), rate) {
            row.row.params.retain(|(key, _)| key != "share");
            row.row.params.push(("bandwidth".to_owned(), format!("{rate:.0}")));
        }
    }
}

/// True for a row of `loaded_latency` that measures `quantity` and states a load.
fn is_of_kernel(row: &Observation, quantity: &str) -> bool {
    row.row.experiment == EXPERIMENT && row.row.quantity == quantity && row.param("load").is_some()
}

/// Row that measured the bandwidth of the streaming threads while `row` was measured; `None` if missing.
fn mate<'a>(row: &Observation, rows: &'a [Observation]) -> Option<&'a Observation> {
    rows.iter().find(|other| is_of_kernel(other, "moved") && other.row.params == row.row.params)
}

/// Number of nodes over which the threads of a row are spread.
fn nodes_of(row: &Observation, machine: &Machine) -> f64 {
    let totals = numalab_machine::totals(machine);
    let each = (totals.cores / totals.nodes.max(1)).max(1);
    row.number("threads").map_or(1.0, |threads| (threads / f64::from(each)).ceil().max(1.0))
}

/// Non-decreasing values nearest to the given ones: falling neighbours are averaged.
fn never_falling(values: &[f64]) -> Vec<f64> {
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for value in values {
        blocks.push((*value, 1));
        while let [.., (before, of_before), (last, of_last)] = blocks[..]
            && before > last
        {
            let count = of_before + of_last;
            let mean = (before * of_before as f64 + last * of_last as f64) / count as f64;
            blocks.truncate(blocks.len() - 2);
            blocks.push((mean, count));
        }
    }
    blocks.into_iter().flat_map(|(value, count)| vec![value; count]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_imports::measurements::{Limits, Row, Sample};
    use numalab_machine::synthetic;

    fn row(quantity: &str, load: u32, value: f64) -> Observation {
        let params = [("share", "67108864"), ("load", &load.to_string()), ("threads", "2")];
        let row = Row {
            experiment: EXPERIMENT.to_owned(),
            quantity: quantity.to_owned(),
            params: params.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec(),
            unit: if quantity == "moved" { "GB/s" } else { "ns" }.to_owned(),
            samples: vec![Sample::of(value)],
            source: "host.jsonl:1".to_owned(),
        };
        Observation::of(&row, &Limits::default())
    }

    /// Latencies while other threads stream 5, 50, 85 and 100 GB/s.
    fn rows(latencies: [f64; 4]) -> Vec<Observation> {
        let loads = [5, 50, 85, 100];
        let pair = |(load, latency)| [row("latency", load, latency), row("moved", load, f64::from(load))];
        loads.into_iter().zip(latencies).flat_map(pair).collect()
    }

    fn curve(latencies: [f64; 4], capacity: f64) -> Vec<(f64, f64)> {
        let machine = synthetic("socket:1 core:2").unwrap();
        UnderLoad::of(&rows(latencies), &machine).unwrap().curve(capacity * 1e9).0
    }

    // Parts of 100 GB/s. The usual curve is at 1.33 + 0.19 x 10 / 15 = 1.4567 for 85 % in use, so its factors 1.52
    // and 1.9 become 1.5 x 1.52 / 1.4567 = 1.565 and 1.5 x 1.9 / 1.4567 = 1.957. The latency beside 100 GB/s, 240 or
    // 180 ns, includes queueing, so it only bounds the curve: at a factor of 2.4 or 1.8.
    #[test]
    fn parts_of_what_memory_delivers_and_factors_on_the_least() {
        let measured = [(0.05, 1.0), (0.5, 1.2), (0.85, 1.5)];
        let all = |full: f64| measured.into_iter().chain([(0.9, 1.565), (1.0, full)]).collect::<Vec<_>>();
        assert_eq!(curve([100.0, 120.0, 150.0, 240.0], 100.0), all(1.957));
        assert_eq!(curve([100.0, 120.0, 150.0, 180.0], 100.0), all(1.8));
    }

    // Parts of 200 GB/s, half of which is unused. At one half the usual curve is at 1.16, and at its later points at
    // 1.2, 1.33, 1.52 and 1.9.
    #[test]
    fn beyond_what_was_measured_the_usual_curve_goes_on() {
        let on = [(0.55, 2.483), (0.75, 2.752), (0.9, 3.145), (1.0, 3.931)];
        let all: Vec<(f64, f64)> =
            [(0.025, 1.0), (0.25, 1.2), (0.425, 1.5), (0.5, 2.4)].into_iter().chain(on).collect();
        assert_eq!(curve([100.0, 120.0, 150.0, 240.0], 200.0), all);
    }

    // 101 and 99 both become 100.
    #[test]
    fn noise_never_makes_a_loaded_memory_faster() {
        assert_eq!(never_falling(&[100.0, 101.0, 99.0, 120.0]), [100.0, 100.0, 100.0, 120.0]);
        assert_eq!(never_falling(&[3.0, 2.0, 1.0]), [2.0; 3]);
    }

    #[test]
    fn points_that_may_be_more_are_more_and_the_idle_latency_is_not() {
        let machine = synthetic("socket:1 core:2").unwrap();
        let measured = UnderLoad::of(&rows([100.0, 120.0, 150.0, 180.0]), &machine).unwrap();
        let measured = UnderLoad { error: 0.1, ..measured };
        let steeper = measured.otherwise(1.0, LoadedLatency::usual());
        assert_eq!(steeper.curve(100e9).0[..3], [(0.05, 1.0), (0.5, 1.32), (0.85, 1.65)]);
        let flatter = measured.otherwise(-2.0, LoadedLatency::usual());
        assert_eq!(flatter.curve(100e9).0[..3], [(0.05, 1.0), (0.5, 1.0), (0.85, 1.2)]);
    }

    #[test]
    fn one_load_says_nothing() {
        let machine = synthetic("socket:1 core:2").unwrap();
        assert_eq!(UnderLoad::of(&rows([100.0; 4])[..2], &machine), None);
        let without_mate = [row("latency", 5, 100.0), row("latency", 100, 200.0)];
        assert_eq!(UnderLoad::of(&without_mate, &machine), None);
    }

    #[test]
    fn what_the_others_moved_is_what_the_workload_asks_them_for() {
        let mut rows = rows([100.0, 120.0, 150.0, 180.0]);
        as_asked(&mut rows);
        let asked: Vec<Option<f64>> = rows.iter().map(|row| row.number("bandwidth")).collect();
        let expected = [5e9, 5e9, 50e9, 50e9, 85e9, 85e9, UNBOUNDED, UNBOUNDED].map(Some);
        assert_eq!(asked, expected);
        assert!(rows.iter().all(|row| row.param("share").is_none() && row.param("threads") == Some("2")));
    }
}
