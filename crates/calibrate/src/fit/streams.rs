//! Size of the last cache from streams.
//!
//! A chase waits for each line, so it returns to a line after seconds. A stream through as many bytes returns in a
//! tenth of that time. Other users of the cache, such as another guest on the chip, evict more of the chase's data in
//! between. So the cache looks larger to a stream than to a chase. The fitted size is between both, and its error
//! reaches to either. A smaller size from a stream means nothing: a stream that slightly exceeds a cache with LRU
//! replacement finds nothing in it.

use super::curve::{self, Claim, Point};
use super::observation::Observation;
use super::subject::Subject;
use super::target::FittedTable::Cache;
use super::{Finding, IDENTIFIABLE, Verdict};
use numalab_base::Bytes;

/// Ratio of two cache sizes below which they agree, given the grid of the chase's fit and the measured footprints.
const AGREE: f64 = 1.5;
/// Ratio of a stream's rate from the cache to its rate from memory, below which streams do not show the cache's size.
const FASTER: f64 = 1.3;
/// Fraction of a stream that a level has to serve for that level's rate to be visible.
const SEEN: f64 = 0.5;

/// Raises the size of the last cache to the geometric mean of the sizes that the chase and the streams show, if the
/// streams' size is larger by a factor of at least `AGREE`. Returns a warning for the user if so.
pub(super) fn found_more(
    subject: &mut Subject,
    findings: &mut [Finding],
    rows: &[Observation],
) -> Option<String> {
    let at = subject.machine.caches.len().checked_sub(1)?;
    let path = Cache(at).number(numalab_machine::Cache::size).path(&subject.machine);
    let chased = subject.machine.caches[at].size;
    let own: Vec<usize> = (0..rows.len()).filter(|row| is_stream(&rows[*row])).collect();
    let streamed = size_of_last(subject, &own.iter().map(|row| &rows[*row]).collect::<Vec<_>>())?;
    let apart = (streamed / chased.0 as f64).ln();
    if apart < AGREE.ln() {
        return None;
    }
    let cache = &mut subject.machine.caches[at];
    cache.size = Bytes((chased.0 as f64 * (apart / 2.0).exp()) as u64);
    subject.settle();
    let size = subject.machine.caches[at].size;
    if let Some(finding) = findings.iter_mut().find(|finding| finding.path == path) {
        let estimate = &mut finding.estimate;
        estimate.value = size.0 as f64;
        estimate.error = estimate.error.max(apart / 2.0);
        estimate.sides.down = estimate.sides.down.max(apart / 2.0);
        estimate.sides.up = estimate.sides.up.max(apart / 2.0);
        finding.value = estimate.target.value(subject)?;
        finding.rows.extend(own);
        if finding.verdict != Verdict::Contradicted && estimate.error > IDENTIFIABLE {
            finding.verdict = Verdict::Wide;
        }
    }
    let streamed = Bytes(streamed as u64);
    Some(format!(
        "cache level {}: a stream finds {streamed} of it and a chase {chased}, so others fill it meanwhile; {size} is taken, \
         and its interval reaches to both",
        subject.machine.caches[at].level
    ))
}

fn is_stream(row: &Observation) -> bool {
    row.row.experiment == "serial_bandwidth"
        && row.is_local()
        && row.number("adds").unwrap_or(0.0) == 0.0
        && row.number("footprint").is_some()
}

/// Size of the last cache in bytes, from streams' times per byte by footprint; `None` unless rows show both cache and
/// memory.
fn size_of_last(subject: &Subject, rows: &[&Observation]) -> Option<f64> {
    let caches = &subject.machine.caches;
    let last = caches.len() - 1;
    // Sizes of the caches as the chase found them; only the last one may differ.
    let claims = caches.iter().enumerate();
    let claims: Vec<Claim> =
        claims.map(|(at, cache)| Claim { size: cache.size.0 as f64, shared: at == last }).collect();
    let point = |row: &&Observation| {
        let (footprint, error) = (row.number("footprint")?, row.error.max(row.rough()));
        (row.value > 0.0).then(|| Point { footprint, latency: 1.0 / row.value, error })
    };
    let points: Vec<Point> = rows.iter().filter_map(point).collect();
    let reading = curve::read(&points, &claims)?;
    let seen = |level: usize| points.iter().any(|point| reading.part(level, point.footprint) > SEEN);
    let faster = reading.latencies[last + 1] / reading.latencies[last];
    (seen(last) && seen(last + 1) && faster > FASTER).then(|| reading.sizes[last])
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_imports::measurements::{Limits, Row, Sample};
    use numalab_machine::synthetic;
    use numalab_runtime::Profile;

    const MIB: f64 = 1024.0 * 1024.0;

    /// Machine whose last cache has 8 MiB, as found by a chase.
    fn subject() -> Subject {
        let mut machine = synthetic("socket:1 core:2").unwrap();
        machine.caches[2].size = Bytes(8 << 20);
        Subject::new(machine, Profile::default())
    }

    /// Streams of 100 GB/s from caches, the last one of `size` bytes, and of `memory` GB/s from memory.
    fn streams(size: f64, memory: f64) -> Vec<Observation> {
        let rate = |footprint: f64| {
            let inside = (size / footprint).min(1.0);
            1.0 / (inside / 100.0 + (1.0 - inside) / memory)
        };
        let row = |footprint: u64| Row {
            experiment: "serial_bandwidth".to_owned(),
            quantity: "bandwidth".to_owned(),
            params: [("footprint", footprint.to_string()), ("threads", "1".to_owned())]
                .map(|(key, value)| (key.to_owned(), value))
                .to_vec(),
            unit: "GB/s".to_owned(),
            samples: vec![Sample::of(rate(footprint as f64))],
            source: "host.jsonl:1".to_owned(),
        };
        (0..9).map(|at| Observation::of(&row(4096 << (2 * at)), &Limits::default())).collect()
    }

    /// 32 MiB for streams, 8 MiB for a chase: the size becomes 16 MiB, their geometric mean, with a warning.
    #[test]
    fn a_stream_that_finds_more_than_the_chase_makes_the_size_unsure() {
        let mut subject = subject();
        let said = found_more(&mut subject, &mut [], &streams(32.0 * MIB, 20.0)).unwrap();
        let size = subject.machine.caches[2].size.0 as f64;
        assert!((size / (16.0 * MIB)).ln().abs() < 0.1, "{size}: {said}");
        assert!(said.starts_with("cache level 3: a stream finds "), "{said}");
    }

    #[test]
    fn a_stream_that_finds_less_or_does_not_tell_says_nothing() {
        for (size, memory) in [(4.0, 20.0), (9.0, 20.0), (32.0, 95.0)] {
            let mut subject = subject();
            assert_eq!(found_more(&mut subject, &mut [], &streams(size * MIB, memory)), None, "{size}");
            assert_eq!(subject.machine.caches[2].size, Bytes(8 << 20));
        }
    }
}
