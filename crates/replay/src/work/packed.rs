//! Compact lists: chunks of a member, parts of a region, and the course of a thread.
//!
//! A program with millions of chunks or regions is held in memory until it ends. Consecutive values
//! differ little, so variable-length differences take a fifth of the space.

use super::instance::Sample;
use super::region::{Part, Taken};
use super::walk::Course;
use numalab_nlt::columns::{ColumnReader, ColumnWriter};
use std::collections::BTreeMap;

/// Chunks in the order in which a member took them.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunks {
    columns: ColumnWriter,
    count: usize,
    last: Taken,
    /// The chunk that is being executed; `None` between chunks.
    open: Option<Taken>,
}

impl Chunks {
    pub fn len(&self) -> usize {
        self.count + usize::from(self.open.is_some())
    }

    /// Starts a chunk.
    pub fn open(&mut self, taken: Taken) {
        if let Some(before) = self.open.replace(taken) {
            self.push(before);
        }
    }

    /// Ends the open chunk with its cost; false if none is open.
    pub fn close(&mut self, sample: Sample) -> bool {
        let Some(open) = self.open.take() else { return false };
        self.push(Taken { sample: Sample { count: open.sample.count, ..sample }, ..open });
        true
    }

    fn push(&mut self, taken: Taken) {
        let Taken { first, at, sample } = taken;
        self.columns.difference(first, self.last.first.wrapping_add(self.last.sample.count));
        self.columns.difference(at, self.last.at);
        self.columns.difference(sample.count, self.last.sample.count);
        write_cost(&mut self.columns, sample);
        (self.last, self.count) = (taken, self.count + 1);
    }

    pub fn iter(&self) -> impl Iterator<Item = Taken> + '_ {
        closed(ColumnReader::new(self.columns.bytes())).chain(self.open)
    }
}

impl FromIterator<Taken> for Chunks {
    fn from_iter<T: IntoIterator<Item = Taken>>(list: T) -> Chunks {
        let mut chunks = Chunks::default();
        list.into_iter().for_each(|taken| chunks.push(taken));
        chunks
    }
}

fn closed(mut columns: ColumnReader<'_>) -> impl Iterator<Item = Taken> + '_ {
    let mut last = Taken::default();
    std::iter::from_fn(move || {
        let first = columns.difference(last.first.wrapping_add(last.sample.count))?;
        let at = columns.difference(last.at)?;
        let count = columns.difference(last.sample.count)?;
        last = Taken { first, at, sample: read_cost(&mut columns, count)? };
        Some(last)
    })
}

fn write_cost(columns: &mut ColumnWriter, sample: Sample) {
    columns.number(sample.ns);
    columns.number(u64::from(sample.touched) << 1 | u64::from(sample.disturbed));
}

fn read_cost(columns: &mut ColumnReader<'_>, count: u64) -> Option<Sample> {
    let ns = columns.number()?;
    let marks = columns.number()?;
    Some(Sample { count, ns, disturbed: marks & 1 == 1, touched: u32::try_from(marks >> 1).ok()? })
}

fn write_sample(columns: &mut ColumnWriter, sample: Sample) {
    columns.number(sample.count);
    write_cost(columns, sample);
}

fn read_sample(columns: &mut ColumnReader<'_>) -> Option<Sample> {
    let count = columns.number()?;
    read_cost(columns, count)
}

/// Parts of a region that its members execute, in the order in which they are added.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    columns: ColumnWriter,
}

impl Parts {
    /// Adds a part that team member `member` executes.
    pub fn push(&mut self, member: u32, part: Part) {
        let columns = &mut self.columns;
        columns.number(member.into());
        match part {
            Part::Barrier => columns.byte(0),
            Part::Body(sample) => {
                columns.byte(1);
                write_sample(columns, sample);
            }
            Part::Single { code, sample: None } => {
                columns.byte(2);
                columns.number(code);
            }
            Part::Single { code, sample: Some(sample) } => {
                columns.byte(3);
                columns.number(code);
                write_sample(columns, sample);
            }
            Part::Loop { code, work, iterations, mut chunks, before_ns } => {
                columns.byte(4);
                columns.number(code);
                columns.byte(work);
                columns.number(iterations);
                columns.number(before_ns);
                if let Some(open) = chunks.open.take() {
                    chunks.push(open);
                }
                columns.number(chunks.count as u64);
                columns.number(chunks.last.first);
                columns.number(chunks.last.at);
                write_sample(columns, chunks.last.sample);
                columns.text(chunks.columns.bytes());
            }
        }
    }

    pub fn by_member(&self) -> Vec<Vec<Part>> {
        let mut columns = ColumnReader::new(self.columns.bytes());
        let mut members: BTreeMap<u64, Vec<Part>> = BTreeMap::new();
        while let Some(member) = columns.number()
            && let Some(part) = read_part(&mut columns)
        {
            members.entry(member).or_default().push(part);
        }
        members.into_values().collect()
    }
}

fn read_part(columns: &mut ColumnReader<'_>) -> Option<Part> {
    Some(match columns.byte()? {
        0 => Part::Barrier,
        1 => Part::Body(read_sample(columns)?),
        2 => Part::Single { code: columns.number()?, sample: None },
        3 => Part::Single { code: columns.number()?, sample: Some(read_sample(columns)?) },
        _ => {
            let (code, work) = (columns.number()?, columns.byte()?);
            let (iterations, before_ns) = (columns.number()?, columns.number()?);
            let count = usize::try_from(columns.number()?).ok()?;
            let (first, at) = (columns.number()?, columns.number()?);
            let last = Taken { first, at, sample: read_sample(columns)? };
            let chunks = Chunks { columns: ColumnWriter::of(columns.text()?), count, last, open: None };
            Part::Loop { code, work, iterations, chunks, before_ns }
        }
    })
}

/// Serial parts and regions that a thread executes, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Courses {
    columns: ColumnWriter,
    last: u64,
}

impl Courses {
    pub fn push(&mut self, course: Course) {
        match course {
            Course::Region(number) => {
                self.columns.byte(0);
                self.columns.difference(number, self.last);
                self.last = number;
            }
            Course::Serial(site, sample) => {
                self.columns.byte(1);
                self.columns.number(site);
                write_sample(&mut self.columns, sample);
            }
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = Course> + '_ {
        let mut columns = ColumnReader::new(self.columns.bytes());
        let mut last = 0;
        std::iter::from_fn(move || {
            Some(match columns.byte()? {
                0 => {
                    last = columns.difference(last)?;
                    Course::Region(last)
                }
                _ => Course::Serial(columns.number()?, read_sample(&mut columns)?),
            })
        })
    }
}

/// Costs of one instance, each with a flag for disturbed ones.
#[derive(Clone, Debug)]
pub(super) struct Costs(Box<[u8]>);

impl Costs {
    pub fn of(costs: impl Iterator<Item = (u64, bool)>) -> Costs {
        let mut columns = ColumnWriter::default();
        for (ns, disturbed) in costs {
            // One bit holds the flag, so a cost saturates at 2^63 ns (three centuries).
            columns.number(ns.min(u64::MAX >> 1) << 1 | u64::from(disturbed));
        }
        Costs(columns.finish().into_boxed_slice())
    }

    pub fn iter(&self) -> impl Iterator<Item = (u64, bool)> + '_ {
        let mut columns = ColumnReader::new(&self.0);
        std::iter::from_fn(move || columns.number().map(|coded| (coded >> 1, coded & 1 == 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample() -> impl Strategy<Value = Sample> {
        (any::<u64>(), any::<u64>(), any::<bool>(), any::<u32>())
            .prop_map(|(count, ns, disturbed, touched)| Sample { count, ns, disturbed, touched })
    }

    fn taken() -> impl Strategy<Value = Taken> {
        (any::<u64>(), any::<u64>(), sample()).prop_map(|(first, at, sample)| Taken { first, at, sample })
    }

    proptest! {
        #[test]
        fn chunks_come_back(list in proptest::collection::vec(taken(), 0..20), open in proptest::option::of(taken())) {
            let mut chunks: Chunks = list.iter().copied().collect();
            open.into_iter().for_each(|taken| chunks.open(taken));
            prop_assert_eq!(chunks.len(), list.len() + usize::from(open.is_some()));
            prop_assert_eq!(chunks.iter().collect::<Vec<_>>(), list.iter().copied().chain(open).collect::<Vec<_>>());
            let mut parts = Parts::default();
            let part = Part::Loop { code: 7, work: 1, iterations: 3, chunks: chunks.clone(), before_ns: 4 };
            let all = [Part::Barrier, part, Part::Single { code: 9, sample: None }];
            all.into_iter().for_each(|part| parts.push(1, part));
            parts.push(0, Part::Barrier);
            let members = parts.by_member();
            let [zero, one] = &members[..] else { return Err(TestCaseError::fail("other members")) };
            prop_assert!(matches!(zero[..], [Part::Barrier]));
            let [Part::Barrier, Part::Loop { code: 7, work: 1, iterations: 3, chunks: read, before_ns: 4 },
                Part::Single { code: 9, sample: None }] = &one[..] else {
                return Err(TestCaseError::fail("other parts"));
            };
            prop_assert_eq!(read.iter().collect::<Vec<_>>(), chunks.iter().collect::<Vec<_>>());
        }

        #[test]
        fn courses_come_back(list in proptest::collection::vec((any::<u64>(), proptest::option::of(sample())), 0..20)) {
            let mut courses = Courses::default();
            for (number, sample) in &list {
                courses.push(sample.map_or(Course::Region(*number), |sample| Course::Serial(*number, sample)));
            }
            let read: Vec<(u64, Option<Sample>)> = courses.iter().map(|course| match course {
                Course::Region(number) => (number, None),
                Course::Serial(site, sample) => (site, Some(sample)),
            }).collect();
            prop_assert_eq!(read, list);
        }
    }

    /// Chunks of a microsecond, taken one after another: 40 bytes each as plain values.
    #[test]
    fn a_chunk_takes_few_bytes() {
        let chunk = |i: u64| Taken {
            first: 4 * i,
            at: 1000 * i + i % 7,
            sample: Sample { count: 4, ns: 900 + i % 100, ..Sample::default() },
        };
        let chunks: Chunks = (0..1000).map(chunk).collect();
        assert!(chunks.columns.bytes().len() <= 8 * 1000, "{}", chunks.columns.bytes().len());
    }
}
