//! The workload as the simulator sees it: memory regions, phases, loops and accesses.

// Glossary: iteration: One pass of a loop's body, the unit that schedules distribute. The field `iterations`
//   of results counts them.

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod construct;
mod order;
mod partial;
mod place_rules;
mod placement;
pub mod policy;
mod schedule;
mod slice;
mod tasks;

pub use construct::{Construct, ConstructFacts, ConstructWords, Iterations, LockKind, OverPages, Regions};
pub use numalab_base::ParseError;
pub use order::parents_first;
pub use partial::Partial;
pub use place_rules::PlaceRules;
pub use placement::{NodeSet, Placement, Weighted};
pub use schedule::{Schedule, Victim};
pub use slice::{Exact, Piece, Pieces, Slice, Sparse};
pub use tasks::{Dependences, LAST_STEP, Producers, QueueKind, Task, TaskAffinity, Tasking, Tree};

use numalab_base::Bytes;
use std::sync::Arc;

/// A resolved workload: every expression is evaluated, every name is an index.
#[derive(Clone, Debug, PartialEq)]
pub struct Workload {
    /// Short name, as on the command line.
    pub name: String,
    /// One line for `numalab list`.
    pub description: String,
    /// Named parameters, with the values of `--set` applied, as text for the results.
    pub parameters: Vec<(String, String)>,
    pub regions: Vec<Region>,
    /// Phases in the order in which they run; those that are not `measured` come first.
    pub phases: Vec<Phase>,
    /// Number of times that the sequence of measured phases runs.
    pub rounds: u32,
    /// Schedules to compare, unless the command line names some.
    pub compare: Vec<Schedule>,
    /// `OMP_PLACES` and `OMP_PROC_BIND` of this workload, if the command line does not set them.
    pub binding: BindingText,
    /// Name of the OpenMP runtime of this workload, if the command line does not set it.
    pub runtime: Option<String>,
}

impl Workload {
    /// First phase, from the first measured one on, that writes a region; `None` if the region is only read there.
    pub fn written_in(&self, region: RegionId) -> Option<&Phase> {
        let writes = |phase: &&Phase| {
            let mut of_region = phase.accesses.iter().filter(|access| access.region == region);
            of_region.any(|access| access.mode.is_data() && access.mode != Mode::Read)
        };
        self.phases.iter().skip_while(|phase| !phase.measured).find(writes)
    }
}

/// Texts of the environment variables `OMP_PLACES` and `OMP_PROC_BIND`; `None` if unset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BindingText {
    pub places: Option<String>,
    pub proc_bind: Option<String>,
}

// Glossary: region: In a workload, an allocation; in OpenMP, the code that a team executes between fork and
//   join. Where both occur, the second is a *parallel region*.
/// One allocation. Its pages are placed when they are first touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    pub name: String,
    pub size: Bytes,
    pub placement: Placement,
    pub page: PageKind,
}

impl Region {
    /// A region with first touch and the machine's base pages.
    pub fn new(name: impl Into<String>, size: Bytes) -> Region {
        Region { name: name.into(), size, placement: Placement::FirstTouch, page: PageKind::Base }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PageKind {
    /// The machine's base page size.
    #[default]
    Base,
    /// Page size in bytes; a power of two.
    Fixed(Bytes),
    /// Transparent huge pages: 2 MiB wherever a whole aligned huge page fits, base pages elsewhere.
    Transparent,
}

/// Index into [`Workload::regions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(pub usize);

// Glossary: phase: One construct of a workload, with what it touches and how often it runs.
/// One construct, usually a parallel loop with its implied barrier.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    pub name: String,
    pub construct: Construct,
    /// True if the phase runs in the parallel region of the phase before it. The first phase of the region opens it,
    /// the last one closes it; `repeat`, `times`, `teams`, `team`, `measured` and `once` are those of all.
    pub continues: bool,
    /// Number of times that the phase runs in each round.
    pub repeat: u32,
    /// Number of times that each thread executes the construct in one run of the phase, inside one
    /// parallel region unless the construct opens its own. Phases that share a region are executed in turn.
    pub times: u32,
    /// Number of inner teams that run the phase side by side, each with its share of the threads (nested
    /// parallelism): each thread of an outer team of `teams` threads opens one. 1 for a single team.
    pub teams: u32,
    /// Team of the phase; `None` for the team of the run.
    pub team: Option<RegionTeam>,
    /// Tasks of the phase, used only under a schedule of tasks.
    pub tasking: Tasking,
    /// True if the phase's time is part of the makespan.
    pub measured: bool,
    /// True if the phase runs once, before or after all rounds, although it is measured.
    pub once: bool,
    /// Schedule that the phase fixes; `None`: the schedule being compared.
    pub schedule: Option<Schedule>,
    pub iterations: u64,
    /// Sum of the costs of all iterations before an iteration, by iteration, with the total as last entry. `static`
    /// without a chunk then gives every thread equal cost. `None`: equally many iterations.
    pub costs: Option<Arc<[u64]>>,
    /// Accesses that each iteration makes.
    pub accesses: Vec<Access>,
    /// Instructions for each byte accessed. Their time does not include waiting for memory.
    pub instructions_per_byte: f64,
    /// Instructions of each iteration, in addition to `instructions_per_byte`; empty if there are none.
    pub instructions: Arc<[f64]>,
    /// Overlap of computing with waiting for memory: 0 for none, 1 for perfect overlap.
    pub overlap: f64,
    /// Cache lines that this loop keeps in flight; `None`: as many as the core sustains.
    pub outstanding: Option<f64>,
    /// Sections that exclude each other, which iterations execute after their other work; `None`: no iteration does.
    pub section: Option<Section>,
    /// Floating-point operations of all iterations. Analytic models use them; the simulation does not.
    pub flops: f64,
    /// Block that every iteration allocates on the heap and frees.
    pub allocation: Option<Allocation>,
    /// Iterations between virtual synchronisation points, at which a software shared memory may forward
    /// finished pages. `None`: there are no such points.
    pub vsp: Option<u64>,
    /// Context under which a software shared memory learns page use. `None`: the phase has a context of its own.
    pub context: Option<Context>,
    /// True if a software shared memory with pre-sending forwards finished pages at the end of the
    /// phase. If false, only virtual synchronisation points inside the phase forward pages.
    pub presend: bool,
    /// Region with the variables of the loop's reduction, to which all threads add. Used only by a software shared
    /// memory that combines the values in pages.
    pub reduction: Option<RegionId>,
    /// Number of iterations of the program's loop for which one iteration of the phase stands. Chunks of a compared
    /// schedule count the program's iterations. `None`: one.
    pub unit: Option<u64>,
}

/// Team of a phase that differs from the run's: by the clauses `num_threads` and `proc_bind` of a
/// parallel region, or by threads that bind themselves before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionTeam {
    /// Number of threads of the team: the run's threads with the lowest numbers.
    pub threads: u32,
    /// Places and binding policy that differ from the run's.
    pub binding: BindingText,
    /// Processor of each thread of the team; empty until the machine is known.
    pub processors: Arc<[u32]>,
}

/// A place in the program for which a software shared memory learns which threads use which pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// No context: no page use is learned, and no pages are sent ahead.
    None,
    /// The context of another phase, by its index.
    Of(usize),
}

impl Phase {
    /// A loop under the compared schedule that runs once, is measured, and neither computes nor
    /// accesses memory yet.
    pub fn new(name: impl Into<String>, iterations: u64) -> Phase {
        Phase {
            name: name.into(),
            construct: Construct::ParallelFor,
            continues: false,
            repeat: 1,
            times: 1,
            teams: 1,
            team: None,
            tasking: Tasking { grain: 1, ..Tasking::default() },
            measured: true,
            once: false,
            schedule: None,
            iterations,
            costs: None,
            accesses: Vec::new(),
            instructions_per_byte: 0.0,
            instructions: Arc::new([]),
            overlap: 0.0,
            outstanding: None,
            section: None,
            flops: 0.0,
            allocation: None,
            vsp: None,
            context: None,
            presend: true,
            reduction: None,
            unit: None,
        }
    }
}

impl Phase {
    /// Phases grouped by parallel regions: each group runs in one region, or has one phase.
    pub fn by_region(phases: &[Phase]) -> impl Iterator<Item = &[Phase]> + Clone {
        phases.chunk_by(|_, next| next.continues)
    }

    /// Number of rounds, out of `rounds`, in which the phase runs. Repeats inside a round are not counted.
    pub fn rounds(&self, rounds: u32) -> u32 {
        if self.measured && !self.once { rounds } else { 1 }
    }

    /// Schedule of the phase: its own, or `compared` with chunks divided by the phase's `unit`.
    pub fn under(&self, compared: Schedule) -> Schedule {
        self.schedule.unwrap_or_else(|| compared.in_units_of(self.unit.unwrap_or(1)))
    }

    /// True if only a schedule of tasks can run the phase: its tasks create tasks or have dependences.
    pub fn needs_tasks(&self) -> bool {
        self.tasking.tree.is_some() || self.tasking.dependences.is_some()
    }

    /// Number of address sequences that an iteration accesses side by side in its accesses with this `demand`. Each
    /// sequence counts by its bytes relative to the longest sequence: 2 for a copy, hardly more than 1 for a product
    /// that stores one number per row. `None` if all lines come in random order, which no prefetcher predicts.
    pub fn sequences(&self, demand: Demand) -> Option<f64> {
        let regular = self
            .accesses
            .iter()
            .filter(|access| access.mode.is_data() && access.demand == demand)
            .filter(|access| !access.is_scattered());
        let (sum, most) = regular
            .map(|access| access.slice.total(self.iterations) as f64)
            .fold((0.0, 0.0_f64), |(sum, most), bytes| (sum + bytes, most.max(bytes)));
        (most > 0.0).then(|| sum / most)
    }
}

/// Sections of iterations that exclude each other: critical sections, sections under a lock, or atomic additions.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// `Critical`, `Lock` or `Atomic`.
    pub construct: Construct,
    /// Number of executions by each iteration.
    pub times: Arc<[u32]>,
    /// Instructions of each execution, by iteration; empty if there are none.
    pub instructions: Arc<[f64]>,
}

impl Section {
    /// First iteration of a range that executes the section; `None` if none does.
    pub fn next(&self, iterations: std::ops::Range<u64>) -> Option<u64> {
        iterations
            .clone()
            .zip(self.times.get(iterations.start as usize..)?)
            .find(|(_, times)| **times > 0)
            .map(|entry| entry.0)
    }
}

/// A block that is allocated and freed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allocation {
    pub bytes: Bytes,
    /// Fraction of the calls in which the allocator maps and unmaps memory, under the lock of the process's address
    /// space. Other calls use memory that the allocator keeps for the thread.
    pub mapped: f64,
    /// Fraction of the calls in which the allocator keeps the addresses and releases the pages, which
    /// interrupts other processors (TLB shootdown).
    pub released: f64,
}

/// Access of an iteration to one region.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    pub region: RegionId,
    /// Bytes of the region that each iteration accesses.
    pub slice: Slice,
    pub mode: Mode,
    /// Demand of this access; values that are `None` are those of the access's loop.
    pub demand: Demand,
}

impl Access {
    /// An access with the demand of its loop.
    pub fn new(region: RegionId, slice: Slice, mode: Mode) -> Access {
        Access { region, slice, mode, demand: Demand::default() }
    }

    /// True if the lines come in random order.
    pub fn is_scattered(&self) -> bool {
        self.slice.is_scattered()
    }
}

/// Demand of an access: its speed if all data were in the nearest cache, and the amount of data requested ahead.
/// `None`: the loop's value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Demand {
    /// Cache lines that a thread keeps in flight for the access.
    pub outstanding: Option<f64>,
    /// Instructions that the loop executes for each byte of this access.
    pub instructions_per_byte: Option<f64>,
}

/// Effect of an access on data, or on the pages of its region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    Read,
    /// Stores that fetch the line first and write it back later: two transfers per byte.
    Write,
    /// Stores that bypass the cache: one transfer per byte.
    StreamingWrite,
    /// Loads and stores of the same bytes: a fetch and a write-back.
    Update,
    /// Moves the pages to the thread's node.
    Fetch,
    /// Moves the pages to a given node.
    Migrate(u32),
    /// Marks the pages for next touch: the next access moves each to the accessing thread's node.
    NextTouch,
    /// Copies the pages to the thread's node, whose threads read the copies from then on.
    Replicate,
}

impl Mode {
    /// True if the access transfers data between memory and core, instead of acting on pages.
    pub fn is_data(self) -> bool {
        matches!(self, Mode::Read | Mode::Write | Mode::StreamingWrite | Mode::Update)
    }
}
