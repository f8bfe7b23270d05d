//! The default latency curve of a loaded memory, compared with published measurements.

use numalab_machine::LoadedLatency;
use std::collections::BTreeMap;
use std::path::Path;

/// Latency factor of a curve at the fraction `part` of the bandwidth.
fn at(LoadedLatency(points): &LoadedLatency, part: f64) -> f64 {
    let after = points.partition_point(|point| point.0 <= part);
    match (after.checked_sub(1).map(|before| points[before]), points.get(after)) {
        (Some((x0, y0)), Some(&(x1, y1))) => y0 + (y1 - y0) * (part - x0) / (x1 - x0),
        (Some(last), None) => last.1,
        (None, _) => 1.0,
    }
}

/// Reads of three machines. Up to nine tenths of the highest bandwidth, the default curve differs from each measured
/// curve by at most 0.2 idle latencies. At the highest bandwidth the measured curves have between 1.7 and 2.9 idle
/// latencies, and the default curve lies between these values.
#[test]
fn default_curve_is_near_measured_curves() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference/loaded-latency.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let mut curves: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let mut cells = line.rsplitn(4, ',');
        let mut number = || cells.next().unwrap().parse::<f64>().unwrap();
        let (latency, bandwidth, reads) = (number(), number(), number());
        if reads == 100.0 {
            curves.entry(cells.next().unwrap()).or_default().push((bandwidth, latency));
        }
    }
    assert_eq!(curves.len(), 3);
    let usual = LoadedLatency::usual();
    let mut tops = Vec::new();
    for (machine, points) in curves {
        let most = points.iter().map(|point| point.0).fold(0.0, f64::max);
        let idle = points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
        for (bandwidth, latency) in points.iter().filter(|point| point.0 <= 0.9 * most) {
            let (measured, usual) = (latency / idle, at(&usual, bandwidth / most));
            assert!(
                (measured - usual).abs() <= 0.2,
                "{machine} at {bandwidth} GB/s: {measured}, not {usual}"
            );
        }
        tops.push(points.iter().map(|point| point.1 / idle).fold(0.0, f64::max));
    }
    tops.sort_by(f64::total_cmp);
    assert!(tops[0] < at(&usual, 1.0) && at(&usual, 1.0) < tops[2], "{tops:?}");
}
