//! Parts of the execution of a region by one member.

use crate::work::instance::Sample;
use crate::work::packed::Chunks;

#[derive(Clone, Debug)]
pub(in crate::work) enum Part {
    /// Work outside of worksharing constructs.
    Body(Sample),
    /// A member's part of a loop.
    Loop {
        code: u64,
        work: u8,
        iterations: u64,
        chunks: Chunks,
        before_ns: u64,
    },
    /// A single construct. Only the member that executes the block has a sample.
    Single {
        code: u64,
        sample: Option<Sample>,
    },
    Barrier,
}

impl Part {
    pub(in crate::work) fn new_loop(code: u64, work: u8, iterations: u64) -> Part {
        Part::Loop { code, work, iterations, chunks: Chunks::default(), before_ns: 0 }
    }

    pub(in crate::work) fn is_construct(&self) -> bool {
        matches!(self, Part::Loop { .. } | Part::Single { .. })
    }

    pub(super) fn code(&self) -> Option<u64> {
        match self {
            Part::Loop { code, .. } | Part::Single { code, .. } => Some(*code),
            Part::Body(_) | Part::Barrier => None,
        }
    }

    pub(super) fn code_mut(&mut self) -> Option<&mut u64> {
        match self {
            Part::Loop { code, .. } | Part::Single { code, .. } => Some(code),
            Part::Body(_) | Part::Barrier => None,
        }
    }

    /// Time of the part in nanoseconds; 0 for a barrier.
    pub(super) fn ns(&self) -> u64 {
        match self {
            Part::Body(sample) => sample.ns,
            Part::Loop { chunks, before_ns, .. } => {
                chunks.iter().map(|taken| taken.sample.ns).fold(*before_ns, u64::saturating_add)
            }
            Part::Single { sample, .. } => sample.map_or(0, |sample| sample.ns),
            Part::Barrier => 0,
        }
    }
}

/// A chunk that a member took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::work) struct Taken {
    /// Value of the loop variable at the chunk's first iteration.
    pub first: u64,
    /// Time at which the member took the chunk.
    pub at: u64,
    pub sample: Sample,
}
