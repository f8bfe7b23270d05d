//! The workload as the simulator sees it: regions, phases, loops and the slices they touch.

// Glossary: iteration: One pass of a loop's body, the unit that schedules distribute. The field `iterations`
//   of results counts them.

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod construct;
mod order;
mod placement;
mod schedule;
mod slice;
mod tasks;

pub use construct::{Construct, LockKind};
pub use numalab_base::ParseError;
pub use order::parents_first;
pub use placement::{NodeSet, Placement, Weighted};
pub use schedule::{Schedule, Victim};
pub use slice::{Exact, Piece, Pieces, Slice, Sparse};
pub use tasks::{Dependences, Producers, QueueKind, Task, TaskAffinity, Tasking, Tree};

use numalab_base::Bytes;
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
    /// Phases in the order in which they run; those that are not `measured` come first.
    pub phases: Vec<Phase>,
    /// Number of times that the measured phases run, all of them one after another.
    pub rounds: u32,
    /// Policies to compare when the command line names none.
    pub compare: Vec<Schedule>,
    /// `OMP_PLACES` and `OMP_PROC_BIND` of this workload, where the command line says nothing.
    pub binding: BindingText,
    /// Name of the OpenMP runtime that this workload is about, where the command line says nothing.
    pub runtime: Option<String>,
}

/// Texts of the two environment variables; either may be absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BindingText {
    /// `OMP_PLACES`.
    pub places: Option<String>,
    /// `OMP_PROC_BIND`.
    pub proc_bind: Option<String>,
}

// Glossary: region: In a workload, an allocation; in OpenMP, the code that a team executes between fork and
//   join. Where both occur, the second is a *parallel region*.
/// One allocation. Its pages are placed when they are first touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Name in the file.
    pub name: String,
    /// Size.
    pub size: Bytes,
    /// Placement of its pages.
    pub placement: Placement,
    /// Size of its pages.
    pub page: PageKind,
}

impl Region {
    /// First touch of the machine's own pages.
    pub fn new(name: impl Into<String>, size: Bytes) -> Region {
        Region { name: name.into(), size, placement: Placement::FirstTouch, page: PageKind::Base }
    }
}

/// Page size of a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PageKind {
    /// The machine's.
    #[default]
    Base,
    /// Page size in bytes; a power of two.
    Fixed(Bytes),
    /// Transparent huge pages: 2 MiB where a whole aligned one fits, the machine's elsewhere.
    Transparent,
}

/// Index into [`Workload::regions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(pub usize);

// Glossary: phase: One construct of a workload, with what it touches and how often it runs.
/// One construct: most often a parallel loop with its implied barrier.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// Name in the file.
    pub name: String,
    /// Construct.
    pub construct: Construct,
    /// Number of times that it runs.
    pub repeat: u32,
    /// Number of times that each thread meets the construct in one run: inside one region, unless the construct
    /// opens its own.
    pub times: u32,
    /// Inner teams that run it side by side, each with its share of the threads (nested parallelism):
    /// a thread of an outer team of this size opens each. 1 for one team.
    pub teams: u32,
    /// Team of its own, where it is not the run's.
    pub team: Option<RegionTeam>,
    /// Division into tasks, if the schedule is one of tasks.
    pub tasking: Tasking,
    /// Whether its time is part of the makespan.
    pub measured: bool,
    /// Whether it runs once, before or after all rounds, though it is measured.
    pub once: bool,
    /// `None`: the policy being compared.
    pub schedule: Option<Schedule>,
    /// Iterations.
    pub iterations: u64,
    /// Sums of what all iterations before each cost, and of all: under `static` without a chunk every thread has as
    /// much of that. `None`: as many iterations.
    pub costs: Option<Arc<[u64]>>,
    /// Accesses of each iteration.
    pub accesses: Vec<Access>,
    /// Instructions per byte accessed, beyond what waiting for memory costs.
    pub instructions_per_byte: f64,
    /// Instructions per iteration on top of those per byte; empty for none.
    pub instructions: Arc<[f64]>,
    /// 0: computing and waiting for memory alternate; 1: they overlap perfectly.
    pub overlap: f64,
    /// Cache lines that this loop keeps in flight; `None`: as many as the core sustains.
    pub outstanding: Option<f64>,
    /// Floating-point operations of all iterations. Analytic models use them; the simulation does not.
    pub flops: f64,
    /// Block that every iteration takes from the heap and gives back.
    pub allocation: Option<Allocation>,
    /// Iterations from one virtual synchronisation point to the next, where a memory that nodes share by pages may
    /// forward what is done with. `None`: there are no such points.
    pub vsp: Option<u64>,
    /// The context that it is for a memory that nodes share by pages, where that is not one of its own.
    pub context: Option<Context>,
    /// Whether what nodes are done with at its end is sent ahead, where a memory that nodes share by pages does that; else
    /// only virtual synchronisation points inside forward anything.
    pub presend: bool,
    /// Variables of the loop's reduction, which threads add to where a memory that nodes share by pages has the values
    /// come together in pages.
    pub reduction: Option<RegionId>,
    /// Iterations of the program's loop that each one here stands for: chunks of a policy being compared count those.
    /// `None`: one.
    pub unit: Option<u64>,
}

/// Team of a phase that is not the run's: as the clauses `num_threads` and `proc_bind` of a parallel region say, or
/// threads that place themselves before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionTeam {
    /// Its threads: the first ones of the run.
    pub threads: u32,
    /// Places and policy that differ from the run's.
    pub binding: BindingText,
    /// Processors of its threads, by number; none until the machine is known.
    pub processors: Arc<[u32]>,
}

/// A context: a place in the program, for which a memory that nodes share by pages learns who uses which pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// None: nothing is learned, and nothing sent ahead.
    None,
    /// The same place as a phase, by its number.
    Of(usize),
}

impl Phase {
    /// A loop under the policy being compared that runs once, is measured, and neither computes nor
    /// touches anything yet.
    pub fn new(name: impl Into<String>, iterations: u64) -> Phase {
        Phase {
            name: name.into(),
            construct: Construct::ParallelFor,
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
    /// Number of times that it is gone through where measured phases have so many rounds, besides its repeats.
    pub fn rounds(&self, rounds: u32) -> u32 {
        if self.measured && !self.once { rounds } else { 1 }
    }

    /// The schedule that it runs under, where this is the policy being compared.
    pub fn under(&self, compared: Schedule) -> Schedule {
        self.schedule.unwrap_or_else(|| compared.in_units_of(self.unit.unwrap_or(1)))
    }

    /// Whether only a policy of tasks can run it: its tasks create tasks, or wait for each other.
    pub fn needs_tasks(&self) -> bool {
        self.tasking.tree.is_some() || self.tasking.dependences.is_some()
    }

    /// Sequences of addresses that iterations walk through side by side under one demand, each counted by its bytes
    /// against the longest: 2 for a copy, hardly more than 1 for a product that stores one number for a whole row.
    /// `None` where lines come in random order alone, which no prefetcher looks ahead in.
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

/// A block that is allocated and freed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allocation {
    /// Its size.
    pub bytes: Bytes,
    /// In what part of the calls the allocator maps and unmaps memory, under the lock of the
    /// process's address space; the others it serves from what it keeps for the thread.
    pub mapped: f64,
    /// In what part of the calls it keeps the addresses and gives the pages back, which other
    /// processors have to be interrupted for.
    pub released: f64,
}

/// Use of one region by an iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// The region.
    pub region: RegionId,
    /// The bytes of it.
    pub slice: Slice,
    /// Mode of the access.
    pub mode: Mode,
    /// Demand, where it is not the loop's.
    pub demand: Demand,
}

impl Access {
    /// An access with its loop's demand.
    pub fn new(region: RegionId, slice: Slice, mode: Mode) -> Access {
        Access { region, slice, mode, demand: Demand::default() }
    }

    /// Whether it takes lines in random order.
    pub fn is_scattered(&self) -> bool {
        matches!(&self.slice, Slice::Sparse(sparse) if sparse.is_scattered())
    }
}

/// Demand of an access for data: how fast it could go on if all data were at once there, and how much of them it asks
/// for ahead. What is `None` is the loop's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Demand {
    /// Cache lines that it keeps in flight.
    pub outstanding: Option<f64>,
    /// Instructions for each byte.
    pub instructions_per_byte: Option<f64>,
}

/// Mode of an access: its effect on memory, or on the pages that hold it.
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
    /// Moves the pages to the thread's node.
    Fetch,
    /// Moves the pages to a node.
    Migrate(u32),
    /// Marks the pages: the next access moves each to the accessor's node.
    NextTouch,
}

impl Mode {
    /// Whether it moves data between memory and core, rather than acting on pages.
    pub fn is_data(self) -> bool {
        matches!(self, Mode::Read | Mode::Write | Mode::StreamingWrite | Mode::Update)
    }
}
