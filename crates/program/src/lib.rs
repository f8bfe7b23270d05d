//! The workload as the simulator sees it: regions, phases, loops and the slices they touch.

mod policy;

pub use policy::{Policy, PolicyError, Victim};

use numalab_units::Bytes;
use std::sync::Arc;

/// A resolved workload: every expression evaluated, every name an index.
#[derive(Clone, Debug, PartialEq)]
pub struct Workload {
    /// Short name, as on the command line.
    pub name: String,
    /// One line for `numalab list`.
    pub description: String,
    /// Named parameters after `--set`, as written, for the record.
    pub parameters: Vec<(String, String)>,
    /// Allocations.
    pub regions: Vec<Region>,
    /// What runs, in order. Phases that are not `measured` come before those that are.
    pub phases: Vec<Phase>,
    /// Policies to compare when the command line names none.
    pub compare: Vec<Policy>,
}

/// One allocation. Its pages are placed when they are first touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Name in the file.
    pub name: String,
    /// Size.
    pub size: Bytes,
}

/// Index into [`Workload::regions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(pub usize);

/// One parallel loop with its implied barrier.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// Name in the file.
    pub name: String,
    /// How often it runs.
    pub repeat: u32,
    /// Whether its time is part of the makespan.
    pub measured: bool,
    /// `None`: the policy being compared.
    pub schedule: Option<Policy>,
    /// Iterations.
    pub iterations: u64,
    /// What each iteration touches.
    pub accesses: Vec<Access>,
    /// Instructions per byte accessed, beyond what waiting for memory costs.
    pub instructions_per_byte: f64,
    /// Instructions per iteration on top of those per byte; empty for none.
    pub instructions: Arc<[f64]>,
    /// 0: computing and waiting for memory alternate; 1: they overlap perfectly.
    pub overlap: f64,
    /// Cache lines that this loop keeps in flight; `None`: as many as the core sustains.
    pub outstanding: Option<f64>,
}

/// How an iteration uses one region.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// Which region.
    pub region: RegionId,
    /// Which bytes.
    pub slice: Slice,
    /// How.
    pub mode: Mode,
}

/// Bytes of a region that iteration `i` touches.
#[derive(Clone, Debug, PartialEq)]
pub enum Slice {
    /// Consecutive slices: iteration `i` has `bounds[i]..bounds[i + 1]`.
    Partition(Arc<[u64]>),
    /// Any slice: iteration `i` has `starts[i]` and so many bytes.
    Explicit(Arc<[(u64, u64)]>),
    /// The whole region, every time.
    Whole(u64),
}

impl Slice {
    /// Start and end of what iteration `i` touches.
    pub fn range(&self, i: u64) -> (u64, u64) {
        let i = i as usize;
        match self {
            Slice::Partition(bounds) => (bounds[i], bounds[i + 1]),
            Slice::Explicit(slices) => (slices[i].0, slices[i].0 + slices[i].1),
            Slice::Whole(size) => (0, *size),
        }
    }

    /// Start and end of what iterations `lo..hi` touch, if that is one gapless piece in order.
    pub fn run(&self, lo: u64, hi: u64) -> Option<(u64, u64)> {
        match self {
            Slice::Partition(bounds) => Some((bounds[lo as usize], bounds[hi as usize])),
            _ if hi == lo + 1 => Some(self.range(lo)),
            _ => None,
        }
    }
}

/// What an access does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Loads.
    Read,
    /// Stores that fetch the line first and write it back later: two transfers for each byte.
    Write,
    /// Stores past the cache: one transfer for each byte.
    StreamingWrite,
    /// Loads and stores of the same bytes: a fetch and a write-back.
    Update,
}
