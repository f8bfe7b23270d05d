//! Recorded footprints as regions of a workload and accesses of its phases.
//!
//! Touched pages are recorded per chunk. Each iteration of a chunk gets an equal part of each run of pages, in order,
//! as it gets an equal part of the cost. If a chunk touches many runs of an array, each of its iterations accesses
//! lines of all runs.

use crate::Recording;
use crate::work::{Class, Footprint, Form};
use numalab_base::Bytes;
use numalab_workload::{Access, Mode, Pieces, Region, RegionId, Slice, Sparse};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Largest number of runs of one array in a chunk that are kept apart; more runs become lines scattered over a
/// window.
const MOST_RUNS: usize = 4;
/// Largest page in bytes that is divided between two neighbouring chunks that both touch it.
const LARGEST_PAGE: u64 = 64 << 10;

/// Start and length in bytes.
type Span = (u64, u64);

/// Regions of a workload, one for each allocation that chunks touch.
pub struct Footprints {
    regions: Vec<Region>,
    numbers: BTreeMap<u32, RegionId>,
}

impl Footprints {
    /// Regions of all allocations that a class of work touches, named after the code that allocated them.
    pub fn of(recording: &Recording) -> Footprints {
        let runs =
            || recording.work.classes.iter().flat_map(|class| &class.footprint).flat_map(|part| &part.runs);
        let touched: BTreeSet<u32> = runs().map(|run| run.allocation).collect();
        let (mut regions, mut numbers): (Vec<Region>, _) = (Vec::new(), BTreeMap::new());
        let mut met: BTreeMap<String, u32> = BTreeMap::new();
        for number in touched {
            let Some(allocation) = recording.allocations.get(number as usize) else { continue };
            let site = recording.name(allocation.site);
            let times = met.entry(site.clone()).or_default();
            *times += 1;
            let name = if *times == 1 { site } else { format!("{site} #{times}") };
            numbers.insert(number, RegionId(regions.len()));
            regions.push(Region::new(name, Bytes(allocation.bytes)));
        }
        Footprints { regions, numbers }
    }

    pub fn regions(&self) -> Vec<Region> {
        self.regions.clone()
    }

    /// Accesses of a class whose phase has `units` units of `grain` iterations. In phases where each thread executes
    /// the iteration of its own number, that iteration has all accesses of the team member.
    pub fn accesses(&self, class: &Class, units: u64, grain: u64) -> Vec<Access> {
        let mut touched: Vec<(u32, bool)> = Vec::new();
        for run in class.footprint.iter().flat_map(|part| &part.runs) {
            if !touched.contains(&(run.allocation, run.written)) {
                touched.push((run.allocation, run.written));
            }
        }
        touched.sort_unstable();
        touched
            .iter()
            .flat_map(|(allocation, written)| self.of_one(class, *allocation, *written, units, grain))
            .collect()
    }

    /// Part of an array that each iteration of a loop reads or writes; `None` if the loop does not touch the array.
    pub fn of_array(&self, class: &Class, array: &str, iterations: u64) -> Option<Slice> {
        let (allocation, region) =
            self.numbers.iter().find(|(_, region)| self.regions[region.0].name == array)?;
        let size = self.regions[region.0].size.0;
        let touched = |part: &Footprint| {
            let mut spans: Vec<Span> = part
                .runs
                .iter()
                .filter(|run| run.allocation == *allocation)
                .map(|run| (run.first.min(size), run.bytes.min(size - run.first.min(size))))
                .collect();
            spans.sort_unstable();
            // Adjacent read and written pages form one run here.
            spans.dedup_by(|next, before| {
                let joins = before.0 + before.1 == next.0;
                before.1 += if joins { next.1 } else { 0 };
                joins
            });
            (part.count, spans)
        };
        let parts: Vec<(u64, Vec<Span>)> = class.footprint.iter().map(touched).collect();
        Some(match parts.iter().map(|part| part.1.len()).max().unwrap_or(0) {
            0 => return None,
            1 => {
                let mut runs: Vec<(u64, Option<Span>)> =
                    parts.iter().map(|(count, spans)| (*count, spans.first().copied())).collect();
                divide_borders(&mut runs);
                Slice::Explicit(Pieces::new(in_units(&runs, iterations, 1).into()))
            }
            _ => scattered(&parts, iterations, 1),
        })
    }

    fn of_one(&self, class: &Class, allocation: u32, written: bool, units: u64, grain: u64) -> Vec<Access> {
        let Some(region) = self.numbers.get(&allocation) else { return Vec::new() };
        let size = self.regions[region.0].size.0;
        let inside = |first: u64, bytes: u64| (first.min(size), bytes.min(size - first.min(size)));
        let mut parts: Vec<(u64, Vec<Span>)> = class
            .footprint
            .iter()
            .map(|part| {
                let same =
                    part.runs.iter().filter(|run| (run.allocation, run.written) == (allocation, written));
                (part.count, same.map(|run| inside(run.first, run.bytes)).collect())
            })
            .collect();
        parts = match class.form {
            Form::Loop | Form::Tasks => parts,
            // The unit of a team member, or of a single thread, is a whole recorded part.
            Form::Serial | Form::Single | Form::Body => {
                let given = parts.len().max(1);
                (0..units as usize)
                    .map(|unit| (grain, parts.get(unit % given).map_or(Vec::new(), |part| part.1.clone())))
                    .collect()
            }
        };
        let mode = if written { Mode::Write } else { Mode::Read };
        let most = parts.iter().map(|part| part.1.len()).max().unwrap_or(0);
        if most > MOST_RUNS {
            return vec![Access::new(*region, scattered(&parts, units, grain), mode)];
        }
        let of_run = |number: usize| {
            let mut runs: Vec<(u64, Option<Span>)> =
                parts.iter().map(|(count, runs)| (*count, runs.get(number).copied())).collect();
            divide_borders(&mut runs);
            Access::new(*region, Slice::Explicit(Pieces::new(in_units(&runs, units, grain).into())), mode)
        };
        (0..most).map(of_run).collect()
    }
}

/// Splits a page at the border of two chunks, so that the bytes of all chunks are those of the array.
fn divide_borders(runs: &mut [(u64, Option<Span>)]) {
    for at in 1..runs.len() {
        let (Some((start, bytes)), Some((next, next_bytes))) = (runs[at - 1].1, runs[at].1) else { continue };
        let (end, next_end) = (start + bytes, next + next_bytes);
        let shared = end.saturating_sub(next);
        if next > start
            && next_end > end
            && shared > 0
            && shared <= LARGEST_PAGE
            && shared < bytes.min(next_bytes)
        {
            let middle = next + shared / 2;
            runs[at - 1].1 = Some((start, middle - start));
            runs[at].1 = Some((middle, next_end - middle));
        }
    }
}

/// Calls `each` for each unit of `grain` iterations and each chunk from which the unit takes iterations. `parts`:
/// number of iterations and value of each chunk. Arguments of `each`: unit, the chunk's value, first and end of the
/// taken iterations in the chunk, and number of the chunk's iterations.
fn each_unit<T>(parts: &[(u64, T)], units: u64, grain: u64, mut each: impl FnMut(usize, &T, u64, u64, u64)) {
    let (mut at, mut from) = (0, 0);
    for unit in 0..units {
        let mut need = grain;
        while need > 0
            && let Some((count, part)) = parts.get(at)
        {
            let taken = need.min(count - from);
            each(unit as usize, part, from, from + taken, *count);
            (need, from) = (need - taken, from + taken);
            if from == *count {
                (at, from) = (at + 1, 0);
            }
        }
    }
}

/// Bytes of each unit. The iterations of a chunk get equal parts of the chunk's bytes. A unit of several chunks has
/// all bytes from its first to its last part.
fn in_units(runs: &[(u64, Option<Span>)], units: u64, grain: u64) -> Vec<Span> {
    let mut spans: Vec<Option<(u64, u64)>> = vec![None; units as usize];
    each_unit(runs, units, grain, |unit, run, from, to, count| {
        let Some((start, bytes)) = run else { return };
        let place = |iteration: u64| {
            start + (u128::from(*bytes) * u128::from(iteration) / u128::from(count.max(1))) as u64
        };
        let (low, high) = (place(from), place(to));
        spans[unit] = Some(spans[unit].map_or((low, high), |(start, end)| (start.min(low), end.max(high))));
    });
    // A unit without data is placed behind the one before.
    let mut last = 0;
    let span = |span: Option<(u64, u64)>| match span {
        Some((start, end)) => {
            last = end;
            (start, end - start)
        }
        None => (last, 0),
    };
    spans.into_iter().map(span).collect()
}

fn scattered(parts: &[(u64, Vec<Span>)], units: u64, grain: u64) -> Slice {
    let mut windows: Vec<Option<(u64, u64)>> = vec![None; units as usize];
    let mut touched = vec![0.0; units as usize];
    each_unit(parts, units, grain, |unit, runs, from, to, count| {
        let (Some(first), Some(last)) = (runs.first(), runs.last()) else { return };
        let (low, high) = (first.0, last.0 + last.1);
        windows[unit] =
            Some(windows[unit].map_or((low, high), |(start, end)| (start.min(low), end.max(high))));
        let bytes: u64 = runs.iter().map(|run| run.1).sum();
        touched[unit] += bytes as f64 * (to - from) as f64 / count.max(1) as f64;
    });
    let windows: Arc<[(u64, u64)]> = windows.into_iter().map(|window| window.unwrap_or((0, 0))).collect();
    let bytes: Vec<u64> = windows
        .iter()
        .zip(touched)
        .map(|((start, end), bytes)| (bytes.round() as u64).min(end - start))
        .collect();
    Slice::Sparse(Sparse::new(windows, bytes, false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    // Chunks of 2 and 4 iterations on 10 000 bytes, whose border is in a page of 4096: 0..8192 and 4096..10000 share
    // this page, and each gets half of it, to 6144. Iterations: 3072 each, then a quarter of 3856 each.
    #[test]
    fn a_page_at_a_border_is_divided() {
        let mut runs = vec![(2, Some((0, 8192))), (4, Some((4096, 5904)))];
        divide_borders(&mut runs);
        assert_eq!(
            in_units(&runs, 6, 1),
            [(0, 3072), (3072, 3072), (6144, 964), (7108, 964), (8072, 964), (9036, 964)]
        );
        // Three iterations at a time: the second unit begins inside the second chunk.
        assert_eq!(in_units(&runs, 2, 3), [(0, 7108), (7108, 2892)]);
    }

    #[test]
    fn what_touches_nothing_has_no_bytes() {
        let runs = [(1, Some((0, 100))), (1, None), (1, Some((100, 50)))];
        assert_eq!(in_units(&runs, 3, 1), [(0, 100), (100, 0), (100, 50)]);
    }

    proptest! {
        /// Units of any size touch what the chunks touch.
        #[test]
        fn no_byte_is_lost(chunks in proptest::collection::vec((1u64..20, 1u64..100_000), 1..20), grain in 1u64..9) {
            let mut at = 0;
            let runs: Vec<(u64, Option<Span>)> = chunks
                .iter()
                .map(|(count, bytes)| {
                    at += bytes;
                    (*count, Some((at - bytes, *bytes)))
                })
                .collect();
            let iterations: u64 = chunks.iter().map(|chunk| chunk.0).sum();
            let units = in_units(&runs, iterations.div_ceil(grain), grain);
            prop_assert_eq!(units.iter().map(|unit| unit.1).sum::<u64>(), at);
            prop_assert!(units.windows(2).all(|pair| pair[0].0 + pair[0].1 == pair[1].0));
        }
    }
}
