//! Cost of turning the channels of memory between reads and writes, by the bandwidths of mixes.
//!
//! Channels are full where reads + `write_cost` × writes reach their bandwidth, so the time of a byte rises in
//! proportion to the part that is written: bandwidth / rate = 1 + (`write_cost` - 1) × written.

use crate::fit::capacity::median;
use crate::fit::observation::Observation;

/// Ratio of a mix to reads alone from which reads have a limit of their own, and channels move more.
const ABOVE: f64 = 1.02;

/// Channels of all memories with processors, by the rates of mixes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::fit) struct Turning {
    /// Channel time of a written byte over that of a read byte.
    pub cost: f64,
    /// GB/s of the channels if they only read.
    pub bandwidth: f64,
    /// Number of mixes.
    pub mixes: usize,
}

/// Rate in GB/s of a mix, and the part of its bytes that is written.
#[derive(Clone, Copy)]
struct Mix {
    written: f64,
    rate: f64,
}

impl Turning {
    /// Channels by the rows; `curve` is the greatest bandwidth of reads in a curve of latency under load, in GB/s.
    /// `None` without a mix, or if nothing states the rate of reads alone.
    pub fn of(rows: &[Observation], curve: Option<f64>) -> Option<Turning> {
        let mixes: Vec<Mix> = rows.iter().filter_map(mix).collect();
        let of_all = rows.iter().filter(|row| {
            (row.row.experiment.as_str(), row.row.quantity.as_str())
                == ("parallel_bandwidth", "read_bandwidth")
                && row.row.params.is_empty()
        });
        let reads = median(&mut of_all.map(|row| row.value).collect::<Vec<_>>()).or(curve)?;
        let most = mixes.iter().map(|mix| mix.rate).reduce(f64::max)?;
        let (cost, bandwidth) = match most > reads * ABOVE {
            false => (cost_beside(reads, &mixes), reads),
            true => line(&mixes).filter(|(cost, _)| *cost >= 1.0).unwrap_or((1.0, most)),
        };
        Some(Turning { cost, bandwidth, mixes: mixes.len() })
    }

    /// GB/s of reads alone that take the channels as long as `rate` GB/s of as many writes as reads.
    pub fn as_reads(&self, rate: f64) -> f64 {
        rate * (1.0 + self.cost) / 2.0
    }
}

/// Mix that a row measured; `None` for other rows.
fn mix(row: &Observation) -> Option<Mix> {
    let is_moved = row.row.experiment == "loaded_latency" && row.row.quantity == "moved";
    let written = 1.0 - row.number("read_percent").filter(|_| is_moved)? / 100.0;
    (written > 0.0).then_some(Mix { written, rate: row.value })
}

/// Cost of writes by least squares, for channels that move `reads` GB/s if they only read. At least 1.
fn cost_beside(reads: f64, mixes: &[Mix]) -> f64 {
    let more = mixes.iter().map(|mix| mix.written * (reads / mix.rate - 1.0)).sum::<f64>();
    let squares = mixes.iter().map(|mix| mix.written * mix.written).sum::<f64>();
    (1.0 + more / squares).max(1.0)
}

/// Cost of writes and bandwidth of the channels by the line of least squares through the times of a byte; `None` if
/// all mixes have the same part of writes.
fn line(mixes: &[Mix]) -> Option<(f64, f64)> {
    let count = mixes.len() as f64;
    let mean = |value: fn(&Mix) -> f64| mixes.iter().map(value).sum::<f64>() / count;
    let (written, time) = (mean(|mix| mix.written), mean(|mix| 1.0 / mix.rate));
    let squares: f64 = mixes.iter().map(|mix| (mix.written - written).powi(2)).sum();
    let products: f64 = mixes.iter().map(|mix| (mix.written - written) * (1.0 / mix.rate - time)).sum();
    if squares < 1e-6 {
        return None;
    }
    let slope = products / squares;
    let start = time - slope * written;
    (start > 0.0).then(|| (1.0 + slope / start, 1.0 / start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mixes<const N: usize>(of: [(f64, f64); N]) -> Vec<Mix> {
        of.map(|(written, rate)| Mix { written, rate }).to_vec()
    }

    // 200 GB/s of reads; a written byte takes 1.6 times as long: 200 / (3/4 + 1.6/4) = 173.9, 200 / (1/2 + 1.6/2) =
    // 153.8.
    #[test]
    fn mixes_below_reads_state_the_cost() {
        let cost = cost_beside(200.0, &mixes([(0.25, 173.913), (0.5, 153.846)]));
        assert!((cost - 1.6).abs() < 1e-4, "{cost}");
        assert_eq!(cost_beside(200.0, &mixes([(0.5, 203.0)])), 1.0);
    }

    // Reads have less than the channels, which move 240 GB/s at a cost of 1.2: 240 / 1.05 = 228.6, 240 / 1.1 = 218.2.
    #[test]
    fn mixes_above_reads_state_both() {
        let (cost, bandwidth) = line(&mixes([(0.25, 228.571), (0.5, 218.182)])).unwrap();
        assert!((cost - 1.2).abs() < 1e-3 && (bandwidth - 240.0).abs() < 0.1, "{cost} {bandwidth}");
        assert_eq!(line(&mixes([(0.5, 210.0), (0.5, 215.0)])), None);
    }
}
