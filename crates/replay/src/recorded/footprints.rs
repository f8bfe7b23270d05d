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

/// Largest number of runs of one array in a chunk that are kept apart; more runs become lines scattered over a
/// window.
const MOST_RUNS: usize = 4;
/// Largest page in bytes that is divided between two neighbouring chunks that both touch it.
const LARGEST_PAGE: u64 = 64 << 10;

/// Smallest array that is replayed, in bytes: cores keep smaller ones in caches of their own.
const LEAST_REPLAYED: u64 = 128 << 10;

/// Start and length in bytes.
type Span = (u64, u64);

/// Number and runs of each chunk that touches an array.
type Touched = Vec<(usize, Vec<Span>)>;

/// Regions of a workload, one for each allocation that chunks touch.
pub struct Footprints {
    regions: Vec<Region>,
    numbers: BTreeMap<u32, RegionId>,
}

impl Footprints {
    /// Regions of the allocations that a replay has.
    pub fn replayed(recording: &Recording) -> Footprints {
        Footprints::from(recording, LEAST_REPLAYED)
    }

    /// Regions of all allocations that a class of work touches, named after the code that allocated them.
    pub fn of(recording: &Recording) -> Footprints {
        Footprints::from(recording, 0)
    }

    /// Regions of allocations of at least `least` bytes.
    fn from(recording: &Recording, least: u64) -> Footprints {
        let runs =
            || recording.work.classes.iter().flat_map(|class| &class.footprint).flat_map(|part| &part.runs);
        let touched: BTreeSet<u32> = runs().map(|run| run.allocation).collect();
        let (mut regions, mut numbers): (Vec<Region>, _) = (Vec::new(), BTreeMap::new());
        let mut met: BTreeMap<String, u32> = BTreeMap::new();
        for number in touched {
            let Some(allocation) = recording.allocations.get(number as usize) else { continue };
            if allocation.bytes < least {
                continue;
            }
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
    ///
    /// `of_page` is the part of each page that is accessed: less than 1 are lines anywhere in the page.
    pub fn accesses(&self, class: &Class, units: u64, grain: u64, of_page: f64) -> Vec<Access> {
        let given = class.footprint.len().max(1);
        let parts: Vec<(u64, &Footprint)> = match class.form {
            Form::Loop | Form::Tasks => class.footprint.iter().map(|part| (part.count, part)).collect(),
            // The unit of a team member, or of a single thread, is a whole recorded part.
            Form::Serial | Form::Single | Form::Body => (0..units as usize)
                .filter_map(|unit| Some((grain, class.footprint.get(unit % given)?)))
                .collect(),
        };
        let starts = starts(parts.iter().map(|part| part.0));
        let mut arrays: BTreeMap<(u32, bool), Touched> = BTreeMap::new();
        for (number, (_, part)) in parts.iter().enumerate() {
            for run in &part.runs {
                let Some(region) = self.numbers.get(&run.allocation) else { continue };
                let size = self.regions[region.0].size.0;
                let first = run.first.min(size);
                let span = (first, run.bytes.min(size - first));
                let touched = arrays.entry((run.allocation, run.written)).or_default();
                match touched.last_mut() {
                    Some((last, spans)) if *last == number => spans.push(span),
                    _ => touched.push((number, vec![span])),
                }
            }
        }
        let units = Units { starts, count: units, grain };
        let of_array = |((allocation, written), touched): (&(u32, bool), &Touched)| {
            let region = self.numbers[allocation];
            let mode = if *written { Mode::Write } else { Mode::Read };
            let access = move |slice| Access::new(region, slice, mode);
            let most = touched.iter().map(|(_, spans)| spans.len()).max().unwrap_or(0);
            if most > MOST_RUNS || of_page < 1.0 {
                return vec![access(units.scattered(touched, of_page))];
            }
            let of_run = |run: usize| {
                let one = |(part, spans): &(usize, Vec<Span>)| Some((*part, *spans.get(run)?));
                access(units.explicit(touched.iter().filter_map(one).collect()))
            };
            (0..most).map(of_run).collect::<Vec<_>>()
        };
        arrays.iter().flat_map(of_array).collect()
    }

    /// Part of an array that each iteration of a loop reads or writes; `None` if the loop does not touch the array.
    pub fn of_array(&self, class: &Class, array: &str, iterations: u64) -> Option<Slice> {
        let (allocation, region) =
            self.numbers.iter().find(|(_, region)| self.regions[region.0].name == array)?;
        let size = self.regions[region.0].size.0;
        let touched = |(number, part): (usize, &Footprint)| {
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
            (!spans.is_empty()).then_some((number, spans))
        };
        let parts: Vec<(usize, Vec<Span>)> = class.footprint.iter().enumerate().filter_map(touched).collect();
        let starts = starts(class.footprint.iter().map(|part| part.count));
        let units = Units { starts, count: iterations, grain: 1 };
        Some(match parts.iter().map(|part| part.1.len()).max().unwrap_or(0) {
            0 => return None,
            1 => units.explicit(parts.iter().map(|(part, spans)| (*part, spans[0])).collect()),
            _ => units.scattered(&parts, 1.0),
        })
    }
}

/// Splits a page at the border of two chunks, so that the bytes of all chunks are those of the array. `runs`: number
/// and bytes of each chunk that touches the array.
fn divide_borders(runs: &mut [(usize, Span)]) {
    for at in 1..runs.len() {
        let [(chunk, (start, bytes)), (next_chunk, (next, next_bytes))] = [runs[at - 1], runs[at]];
        let (end, next_end) = (start + bytes, next + next_bytes);
        let shared = end.saturating_sub(next);
        if next_chunk == chunk + 1
            && next > start
            && next_end > end
            && shared > 0
            && shared <= LARGEST_PAGE
            && shared < bytes.min(next_bytes)
        {
            let middle = next + shared / 2;
            runs[at - 1].1 = (start, middle - start);
            runs[at].1 = (middle, next_end - middle);
        }
    }
}

/// First iteration of each part, and the end of the last, of parts with these numbers of iterations.
fn starts(counts: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut sum = 0;
    let after = counts.map(|count| {
        sum += count;
        sum
    });
    std::iter::once(0).chain(after).collect()
}

/// Units of a phase, and the recorded chunks whose iterations they are.
struct Units {
    /// First iteration of each chunk, and the end of the last.
    starts: Vec<u64>,
    count: u64,
    /// Iterations of a unit.
    grain: u64,
}

impl Units {
    /// Calls `each` for each of `chunks` (number and value) and each unit that takes iterations from it, in order.
    /// Arguments of `each`: unit, the chunk's value, first and end of the taken iterations in the chunk, and number
    /// of the chunk's iterations.
    fn each<T>(&self, chunks: &[(usize, T)], mut each: impl FnMut(u32, &T, u64, u64, u64)) {
        for (chunk, value) in chunks {
            let (first, end) = (self.starts[*chunk], self.starts[chunk + 1]);
            let mut at = first;
            while at < end && at / self.grain < self.count {
                let unit = at / self.grain;
                let to = ((unit + 1) * self.grain).min(end);
                each(unit as u32, value, at - first, to - first, end - first);
                at = to;
            }
        }
    }

    /// Bytes of each unit that touches bytes, start and end. The iterations of a chunk get equal parts of the chunk's
    /// bytes. A unit of several chunks has all bytes from its first to its last part.
    fn spans(&self, runs: &[(usize, Span)]) -> Vec<(u32, (u64, u64))> {
        let mut spans: Vec<(u32, (u64, u64))> = Vec::new();
        self.each(runs, |unit, (start, bytes), from, to, count| {
            let place = |iteration: u64| {
                start + (u128::from(*bytes) * u128::from(iteration) / u128::from(count)) as u64
            };
            let (low, high) = (place(from), place(to));
            match spans.last_mut() {
                Some((last, (start, end))) if *last == unit => {
                    (*start, *end) = ((*start).min(low), (*end).max(high));
                }
                _ => spans.push((unit, (low, high))),
            }
        });
        spans
    }

    fn explicit(&self, mut runs: Vec<(usize, Span)>) -> Slice {
        divide_borders(&mut runs);
        let spans = self.spans(&runs);
        let touching = spans.iter().map(|(unit, _)| *unit).collect();
        let consecutive = spans.windows(2).all(|pair| pair[0].1.1 == pair[1].1.0);
        let slice = match spans.first() {
            // Takes a third of the memory.
            Some((_, (first, _))) if consecutive => Slice::Partition(
                std::iter::once(*first).chain(spans.iter().map(|(_, (_, end))| *end)).collect(),
            ),
            _ => Slice::Explicit(Pieces::new(
                spans.iter().map(|(_, (start, end))| (*start, end - start)).collect(),
            )),
        };
        Slice::partial(self.count, touching, slice)
    }

    /// Lines scattered over a window. `parts`: number and runs of each chunk that touches the array.
    /// `of_page`: part of each run's bytes that is accessed.
    fn scattered(&self, parts: &[(usize, Vec<Span>)], of_page: f64) -> Slice {
        let window = |(part, runs): &(usize, Vec<Span>)| {
            let (first, last) = (runs.first()?, runs.last()?);
            let bytes: u64 = runs.iter().map(|run| run.1).sum();
            Some((*part, ((first.0, last.0 + last.1), bytes)))
        };
        let parts: Vec<(usize, (Span, u64))> = parts.iter().filter_map(window).collect();
        let mut windows: Vec<(u32, (u64, u64), f64)> = Vec::new();
        self.each(&parts, |unit, ((low, high), bytes), from, to, count| {
            let touched = of_page * *bytes as f64 * (to - from) as f64 / count as f64;
            match windows.last_mut() {
                Some((last, (start, end), sum)) if *last == unit => {
                    (*start, *end) = ((*start).min(*low), (*end).max(*high));
                    *sum += touched;
                }
                _ => windows.push((unit, (*low, *high), touched)),
            }
        });
        let bytes =
            windows.iter().map(|(_, (start, end), touched)| (touched.round() as u64).min(end - start));
        let sparse = Sparse::new(windows.iter().map(|(_, window, _)| *window).collect(), bytes, false);
        let touching = windows.iter().map(|(unit, ..)| *unit).collect();
        Slice::partial(self.count, touching, Slice::Sparse(sparse))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    // Chunks of 2 and 4 iterations on 10 000 bytes, whose border is in a page of 4096: 0..8192 and 4096..10000 share
    // this page, and each gets half of it, to 6144. Iterations: 3072 each, then a quarter of 3856 each.
    #[test]
    fn a_page_at_a_border_is_divided() {
        let mut runs = vec![(0, (0, 8192)), (1, (4096, 5904))];
        divide_borders(&mut runs);
        let spans = |count, grain| {
            let units = Units { starts: vec![0, 2, 6], count, grain };
            units.spans(&runs).into_iter().map(|(_, span)| span).collect::<Vec<_>>()
        };
        let ends = [0, 3072, 6144, 7108, 8072, 9036, 10000];
        assert_eq!(spans(6, 1), ends.windows(2).map(|pair| (pair[0], pair[1])).collect::<Vec<_>>());
        // Three iterations at a time: the second unit begins inside the second chunk.
        assert_eq!(spans(2, 3), [(0, 7108), (7108, 10000)]);
    }

    #[test]
    fn what_touches_nothing_has_no_bytes() {
        let units = Units { starts: vec![0, 1, 2, 3], count: 3, grain: 1 };
        let slice = units.explicit(vec![(0, (0, 100)), (2, (100, 50))]);
        let spans: Vec<(u64, u64)> = (0..3).map(|unit| slice.range(unit)).collect();
        assert_eq!(spans, [(0, 100), (100, 100), (100, 150)]);
        assert_eq!(slice.piece(0, 3).map(|piece| piece.touched), Some(150));
    }

    proptest! {
        /// Units of any size touch what the chunks touch.
        #[test]
        fn no_byte_is_lost(chunks in proptest::collection::vec((1u64..20, 1u64..100_000), 1..20), grain in 1u64..9) {
            let mut at = 0;
            let runs: Vec<(usize, Span)> = chunks
                .iter()
                .enumerate()
                .map(|(number, (_, bytes))| {
                    at += bytes;
                    (number, (at - bytes, *bytes))
                })
                .collect();
            let iterations: u64 = chunks.iter().map(|chunk| chunk.0).sum();
            let starts = starts(chunks.iter().map(|chunk| chunk.0));
            let units = Units { starts, count: iterations.div_ceil(grain), grain }.spans(&runs);
            prop_assert_eq!(units.iter().map(|(_, (start, end))| end - start).sum::<u64>(), at);
            prop_assert!(units.windows(2).all(|pair| pair[0].1.1 == pair[1].1.0));
        }
    }
}
