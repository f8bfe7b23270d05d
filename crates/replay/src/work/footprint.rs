//! Pages of large allocations that chunks and tasks touch.

use super::instance::Sample;
use serde::{Deserialize, Serialize};

/// A large allocation of the recorded program. Addresses are never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allocation {
    /// Start address.
    pub start: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// Address of the code that made the allocation.
    pub site: u64,
}

/// Pages that consecutive iterations, or a task, touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Number of iterations.
    pub count: u64,
    /// Runs of pages, by address.
    pub runs: Vec<Run>,
}

/// Consecutive pages of an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub allocation: u32,
    /// True if every page of the run was written.
    pub written: bool,
    /// Offset of the run's first byte in the allocation.
    pub first: u64,
    pub bytes: u64,
}

/// Consecutive touched bytes, by address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub address: u64,
    pub bytes: u64,
    pub written: bool,
}

/// Lists of touches, identified by index. List 0 is empty.
#[derive(Debug)]
pub(super) struct Touches(Vec<Vec<Touch>>);

impl Default for Touches {
    fn default() -> Touches {
        Touches(vec![Vec::new()])
    }
}

impl Touches {
    /// Adds a touch to a list. If `list` is 0, a new list is made and `list` becomes its index.
    pub fn add(&mut self, list: &mut u32, touch: Touch) {
        if *list == 0 {
            *list = u32::try_from(self.0.len()).unwrap_or(0);
            self.0.push(Vec::new());
        }
        if let Some(touches) = self.0.get_mut(*list as usize) {
            touches.push(touch);
        }
    }

    /// The footprints of samples; empty if nothing was touched.
    pub fn of(&self, samples: &[Sample], allocations: &[Allocation]) -> Vec<Footprint> {
        if samples.iter().all(|sample| sample.touched == 0) {
            return Vec::new();
        }
        let one = |sample: &Sample| Footprint {
            count: sample.count,
            runs: self.0.get(sample.touched as usize).map_or(Vec::new(), |list| runs(list, allocations)),
        };
        samples.iter().map(one).collect()
    }
}

/// Runs by address: bytes touched twice count once, as written if they were ever written.
fn runs(list: &[Touch], allocations: &[Allocation]) -> Vec<Run> {
    let mut found: Vec<Run> = list.iter().flat_map(|touch| within(touch, allocations)).collect();
    let mut all = joined(found.iter().filter(|run| run.written));
    found.retain(|run| !run.written);
    for run in joined(found.iter()) {
        let mut rest = run;
        let written = all.clone();
        for other in written.iter().filter(|other| other.allocation == run.allocation) {
            let (start, end) =
                (other.first.max(rest.first), (other.first + other.bytes).min(rest.first + rest.bytes));
            if start < end {
                all.push(Run { bytes: start - rest.first, ..rest });
                rest = Run { first: end, bytes: rest.first + rest.bytes - end, ..rest };
            }
        }
        all.push(rest);
    }
    all.retain(|run| run.bytes > 0);
    all.sort_by_key(|run| (run.allocation, run.first));
    all
}

/// Merges adjacent and overlapping runs.
fn joined<'r>(runs: impl Iterator<Item = &'r Run>) -> Vec<Run> {
    let mut sorted: Vec<Run> = runs.copied().collect();
    sorted.sort_by_key(|run| (run.allocation, run.first));
    let mut joined: Vec<Run> = Vec::new();
    for run in sorted {
        match joined.last_mut() {
            Some(last) if last.allocation == run.allocation && last.first + last.bytes >= run.first => {
                last.bytes = last.bytes.max(run.first + run.bytes - last.first);
            }
            _ => joined.push(run),
        }
    }
    joined
}

/// Splits a touch into runs of the allocations that contain it; static variables may be adjacent.
fn within<'a>(touch: &Touch, allocations: &'a [Allocation]) -> impl Iterator<Item = Run> + use<'a> {
    let Touch { address, bytes, written } = *touch;
    let end = address.saturating_add(bytes);
    let first = allocations.partition_point(|allocation| allocation.start <= address).saturating_sub(1);
    allocations[first..]
        .iter()
        .enumerate()
        .take_while(move |(_, allocation)| allocation.start < end)
        .filter_map(move |(at, allocation)| {
            let from = address.max(allocation.start) - allocation.start;
            // The last page is touched as a whole.
            let to = (end - allocation.start).min(allocation.bytes);
            let allocation = u32::try_from(first + at).ok()?;
            (from < to).then(|| Run { allocation, written, first: from, bytes: to - from })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: u64 = 4096;

    fn touch(page: u64, pages: u64, written: bool) -> Touch {
        Touch { address: page * PAGE, bytes: pages * PAGE, written }
    }

    // An array on pages 16 to 25, which fills 9 and a half of them: 16-19 read, 18 written, 24-25 read. A written
    // page is not also counted as read; the last half page is not the array's.
    #[test]
    fn a_written_page_counts_once() {
        let allocations = [
            Allocation { start: 4 * PAGE, bytes: PAGE, site: 0 },
            Allocation { start: 16 * PAGE, bytes: 9 * PAGE + PAGE / 2, site: 1 },
        ];
        let list = [touch(16, 4, false), touch(24, 2, false), touch(18, 1, true), touch(17, 2, false)];
        let runs: Vec<(u32, bool, u64, u64)> = runs(&list, &allocations)
            .iter()
            .map(|run| (run.allocation, run.written, run.first, run.bytes))
            .collect();
        let half = PAGE / 2;
        assert_eq!(
            runs,
            [
                (1, false, 0, 2 * PAGE),
                (1, true, 2 * PAGE, PAGE),
                (1, false, 3 * PAGE, PAGE),
                (1, false, 8 * PAGE, PAGE + half)
            ]
        );
    }

    // Pages 3 to 11 of which 4 to 6 belong to one variable, and 7 to 9 and a half to another.
    #[test]
    fn shared_touches_are_split_by_variable() {
        let allocations = [
            Allocation { start: 4 * PAGE, bytes: 3 * PAGE, site: 0 },
            Allocation { start: 7 * PAGE, bytes: 2 * PAGE + PAGE / 2, site: 1 },
            Allocation { start: 12 * PAGE, bytes: PAGE, site: 2 },
        ];
        let found: Vec<(u32, u64, u64)> = runs(&[touch(3, 9, true)], &allocations)
            .iter()
            .map(|run| (run.allocation, run.first, run.bytes))
            .collect();
        assert_eq!(found, [(0, 0, 3 * PAGE), (1, 0, 2 * PAGE + PAGE / 2)]);
    }
}
