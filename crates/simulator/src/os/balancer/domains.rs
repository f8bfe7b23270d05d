//! Scheduling domains: core, cache, node, socket, board, machine. The groups of a domain are the domains inside it,
//! or its processors if there are none.

use numalab_base::ProcessorId;
use numalab_openmp::places::{Location, Topology};
use std::ops::Range;

/// Functions that return a processor's domain at each level, innermost level first.
const LEVELS: [fn(&Location) -> u32; 6] = [
    |location| location.core,
    |location| location.cache,
    |location| location.node,
    |location| location.socket,
    |location| location.board,
    |_| 0,
];

/// Processors in the order of the hierarchy, so that a domain is a range of indices.
#[derive(Clone, Debug)]
pub(super) struct Domains {
    /// The operating system's number of each processor.
    pub processors: Vec<u32>,
    /// Levels whose domains differ from those of the level inside, innermost first.
    pub levels: Vec<Level>,
    /// Processors of each core. `caches`: processors of the cores that share a cache.
    pub cores: Spans,
    pub caches: Spans,
}

/// Domains of one level, and their groups.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub domains: Spans,
    pub groups: Spans,
}

/// Partition of positions into consecutive ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spans {
    ends: Vec<usize>,
    /// Index of the range that contains each position.
    of: Vec<usize>,
}

impl Spans {
    fn new(lengths: impl Iterator<Item = usize>) -> Spans {
        let (mut ends, mut of) = (Vec::new(), Vec::new());
        for (number, length) in lengths.enumerate() {
            of.extend(std::iter::repeat_n(number, length));
            ends.push(of.len());
        }
        Spans { ends, of }
    }

    /// Range that contains the position `place`.
    pub fn around(&self, place: usize) -> Range<usize> {
        self.span(self.of[place])
    }

    /// Ranges of the partition inside `range`, which must consist of whole ranges.
    pub fn inside(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
        (self.of[range.start]..=self.of[range.end - 1]).map(|number| self.span(number))
    }

    pub fn all(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        (0..self.ends.len()).map(|number| self.span(number))
    }

    fn span(&self, number: usize) -> Range<usize> {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[number]
    }
}

impl Domains {
    /// Domains of the allowed processors of a machine.
    pub fn new(topology: &dyn Topology, allowed: &[u32]) -> Domains {
        let located = |number: &u32| (topology.location(ProcessorId::new(*number)), *number);
        let mut located: Vec<(Location, u32)> = allowed.iter().map(located).collect();
        located.sort_unstable_by_key(|(location, number)| (location.core, *number));
        let spans = |level: fn(&Location) -> u32| {
            Spans::new(located.chunk_by(|a, b| level(&a.0) == level(&b.0)).map(<[_]>::len))
        };
        let mut groups = Spans::new(located.iter().map(|_| 1));
        let mut levels = Vec::new();
        for level in LEVELS {
            let domains = spans(level);
            if domains != groups {
                levels.push(Level { domains: domains.clone(), groups });
                groups = domains;
            }
        }
        let [cores, caches, ..] = LEVELS.map(spans);
        Domains { processors: located.into_iter().map(|(_, number)| number).collect(), levels, cores, caches }
    }
}
