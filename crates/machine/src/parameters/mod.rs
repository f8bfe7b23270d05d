//! Parameters of a machine file, each declared once: the struct, the file type with its schema, the check of bounds,
//! writing, and what a fit may change follow.

mod dsm;
mod os;
mod words;

pub use dsm::Dsm;
pub use os::{Balancing, Os, Tiering};
pub use words::{
    Consistency, Daemon, DirtyPages, Duplex, LevelKind, Master, Numbering, Protocol, Reductions, ReleaseLock,
    Replacement, Sharing, Technique,
};

use crate::{Controller, Level};
use numalab_base::parameter::{Field, Kind, Parameter, Rule, Table, Value};
use numalab_base::{Bandwidth, Bytes, Frequency, Span};

/// Fraction of capacity left when so many cache lines are outstanding on a resource: straight lines
/// between the points, flat before the first and after the last. Empty means 1 everywhere.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Crowding(pub Vec<(f64, f64)>);

impl Field for Crowding {
    const KIND: Kind = Kind::Curve;
    fn value(&self) -> Value {
        Value::Curve(self.0.clone())
    }
    fn from_value(value: Value) -> Option<Crowding> {
        if let Value::Curve(points) = value { Some(Crowding(points)) } else { None }
    }
}

/// Factor on the latency of what uses so much of a resource's capacity: straight lines between the points, flat
/// before the first and after the last. Empty means 1 everywhere: only what is full makes wait.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadedLatency(pub Vec<(f64, f64)>);

impl LoadedLatency {
    /// The latency of memory under load where nobody measured it: the middle of three public curves (two Xeon 8280
    /// with MLC; Xeon Gold 5218 and Grace with Mess, reads only), of which each is at most 0.2 off below nine tenths
    /// of the capacity.
    pub fn usual() -> LoadedLatency {
        LoadedLatency(vec![(0.3, 1.0), (0.55, 1.2), (0.75, 1.33), (0.9, 1.52), (1.0, 1.9)])
    }
}

impl Field for LoadedLatency {
    const KIND: Kind = Kind::Curve;
    fn value(&self) -> Value {
        Value::Curve(self.0.clone())
    }
    fn from_value(value: Value) -> Option<LoadedLatency> {
        if let Value::Curve(points) = value { Some(LoadedLatency(points)) } else { None }
    }
}

numalab_base::parameters! {
    /// A kind of link.
    pub struct Link as "LinkFile" {
        /// Name by which interconnects and controllers have it.
        name: String = String::new() => [key],
        /// Bandwidth of one lane in one direction, or in both together if half duplex.
        bandwidth: Bandwidth => [limit],
        /// Time for a cache line to cross, once.
        latency: Span,
        /// Parallel lanes between the same two ends.
        lanes: u32 = 1 => [at_least(1.0)],
        /// Whether the directions have bandwidth of their own.
        duplex: Duplex = Duplex::Full,
        /// Fraction of capacity left when so many cache lines are outstanding: `[[lines, fraction], …]`; pages, between nodes
        /// that share memory by pages.
        crowding: Crowding = Crowding::default() => [silent],
        /// Factor on the latency when so much of the bandwidth is in use: `[[part, factor], …]`; 1 if not said.
        loaded_latency: LoadedLatency = LoadedLatency::default() => [silent],
    }
}

/// Declaration of an optional parameter of a struct that is no table.
const fn optional(table: &'static str, name: &'static str, kind: Kind, rule: Rule) -> Parameter {
    Parameter { table, name, doc: "", kind, optional: true, default: None, rule }
}

#[allow(non_upper_case_globals)]
impl Controller {
    /// Declaration of the field `requests`.
    pub const requests: &'static Parameter = &optional(
        "ControllerFile",
        "requests",
        Kind::Number,
        Rule::NONE.limit().stands_for(&[Core::outstanding]),
    );
}

impl Table for Controller {
    fn get(&self, parameter: &Parameter) -> Option<Value> {
        (parameter == Controller::requests).then(|| self.requests.value())
    }
    fn set(&mut self, parameter: &Parameter, value: Value) {
        if parameter == Controller::requests {
            self.requests = Option::from_value(value).unwrap_or(self.requests);
        }
    }
}

#[allow(non_upper_case_globals)]
impl Level {
    /// Declaration of the field `core_to_core`.
    pub const core_to_core: &'static Parameter =
        &optional("LevelFile", "core_to_core", Kind::Time, Rule::NONE);
}

impl Table for Level {
    fn get(&self, parameter: &Parameter) -> Option<Value> {
        (parameter == Level::core_to_core).then(|| self.core_to_core.value())
    }
    fn set(&mut self, parameter: &Parameter, value: Value) {
        if parameter == Level::core_to_core {
            self.core_to_core = Option::from_value(value).unwrap_or(self.core_to_core);
        }
    }
}

/// Store buffers of Nehalem. Its successors have 36 to 72, AMD's Zen 44 to 64; what counts is that it is more than
/// the lines on their way.
const STORE_BUFFERS: u32 = 32;

impl Link {
    /// Whether both directions share the bandwidth.
    pub fn is_half_duplex(&self) -> bool {
        self.duplex == Duplex::Half
    }
}

/// Instructions that the widest server cores rename in a cycle (Golden Cove, Zen 4, Neoverse V2). A loop that executes
/// more of the counted ones was compiled to fewer.
const WIDEST: f64 = 6.0;

const SKYLAKE: &str = "Skylake's cores (Intel's manual)";
const ZEN_4: &str = "a guest on Zen 4 cores";

/// Reorder buffer of Skylake's cores (Intel's manual): between those of the servers of 2010 and of today. Half of it may
/// belong to another thread of the core.
pub const SKYLAKE_WINDOW: f64 = 224.0;

numalab_base::parameters! {
    /// One core.
    pub struct Core as "CoreFile" {
        /// Clock.
        clock: Frequency,
        /// Peak floating-point operations per cycle.
        flops_per_cycle: f64 => [above_zero],
        /// Instructions per cycle that one thread sustains on cached data.
        instructions_per_cycle: f64 => [above_zero, widest(WIDEST)],
        /// Cache lines kept in flight when streaming.
        outstanding: f64 => [above_zero, limit],
        /// Stores that wait for their lines while the thread goes on; 0: it waits for each.
        store_buffers: u32 = STORE_BUFFERS => [silent, at_most(1024.0)],
        /// Most of them that one sequence of addresses gets, as far as prefetchers look ahead; all if not said.
        stream_outstanding: Option<f64> = None => [
            above_zero, shown("at most {} of them for one stream"), liftable, stands_for(&[Core::outstanding])
        ],
        /// Most of them that stores get, as far as they only use the buffers of the first-level cache; all if not said.
        store_outstanding: Option<f64> = None => [
            silent, above_zero, shown("at most {} of them for stores"), liftable, stands_for(&[Core::outstanding])
        ],
        /// Most of them that lines in random order get, which no prefetcher foresees: buffers of the first-level cache; all
        /// if not said.
        random_outstanding: Option<f64> = None => [
            silent, above_zero, shown("at most {} of them in random order"), limit,
            stands_for(&[Core::outstanding]), assumed_of(SKYLAKE)
        ],
        /// Instructions that it has under way at a time: of lines in random order no more are in flight than lie in so many.
        /// No limit if not said.
        window: Option<f64> = None => [
            silent, above_zero, shown("has {} instructions under way"), limit,
            stands_for_number(SKYLAKE_WINDOW), assumed_of(SKYLAKE)
        ],
        /// Fraction of computing that passes while a cache is waited for that delivers lines in random order: 1 all, 0 none.
        /// As the loop's overlap says, if not said.
        random_overlap: Option<f64> = None => [
            silent, part, shown("computes {} of the time that caches take for them"), stands_for_number(1.0)
        ],
        /// Fraction of waiting for streams from memory in which caches deliver lines in random order: 1 all, 0 none. As the
        /// loop's overlap says, if not said.
        random_beside_streams: Option<f64> = None => [
            silent, part, shown("gets them in {} of the time that it waits for streams"), stands_for_number(1.0)
        ],
        /// Most that one core moves to and from memory, fetches and write-backs together, whatever the latency.
        copy_bandwidth: Option<Bandwidth> = None => [
            shown("moves at most {}"), liftable, stands_for(&[Memory::bandwidth])
        ],
        /// Fraction of computing that passes while loads that prefetchers foresee are waited for: 1 all, 0 none. For
        /// workloads that ask for it as `core_overlap`.
        overlap: f64 = 1.0 => [silent, part],
        /// Time that an atomic operation on a line takes beyond the latency of the first-level cache, once the core has the line.
        atomic: Span = Span::ZERO => [silent],
        /// Part of the wait for the line of an atomic operation that passes beside what comes before it, as far as the window
        /// reaches: 0, its request leaves when its turn comes; 1, as early as a load's.
        atomic_ahead: f64 = 0.0 => [silent, part, assumed_of(ZEN_4)],
        /// Part of it that passes beside what comes after: 0, what comes next waits; 1, it is executed meanwhile.
        atomic_past: f64 = 0.0 => [silent, part, assumed_of(ZEN_4)],
        /// Time that a spinning thread rests between two looks at a word: of the instruction that says so (x86 PAUSE).
        pause: Span = Span::ZERO => [silent, assumed_of(SKYLAKE)],
        /// Hardware threads.
        threads: u32 = 1 => [at_least(1.0)],
    }
}

numalab_base::parameters! {
    /// A cache.
    pub struct Cache as "CacheFile" {
        /// 1 is next to the core.
        level: u8 => [at_least(1.0), at_most(9.0)],
        /// Capacity.
        size: Bytes,
        /// Cores that share one instance.
        shared_by: u32 => [at_least(1.0)],
        /// Load-to-use latency.
        latency: Span,
        /// Bandwidth to one core.
        bandwidth: Bandwidth => [limit],
        /// Most lines in random order that a core keeps in flight from it; as many as from memory if not said.
        random_outstanding: Option<f64> = None => [
            silent, above_zero, shown("at most {} lines in random order for a core"), limit, liftable,
            stands_for(&[Core::random_outstanding])
        ],
        /// Until a core has a line that another of the sharing cores has written; twice the latency if not said.
        core_to_core: Option<Span> = None => [stands_for(&[Cache::latency, Cache::latency])],
        /// Part of that from the owner to a core whose request has waited for it.
        passed_on: f64 = 0.5 => [silent, part, assumed_of(ZEN_4)],
        /// Whether it holds what the caches next to it on the way to the cores hold. One that does not takes what
        /// these drive out (a victim cache): together they hold as much as all of them.
        inclusive: bool = true => [silent],
        /// Which line gives way to one that comes in.
        replacement: Replacement = Replacement::Lru => [silent, shown("{} replacement")],
    }
}

impl Core {
    /// Time of the instructions that it has under way, which it may begin before earlier ones have ended; none where nothing
    /// is said of its window. Threads of a core have parts of them, and are slower by as much.
    pub fn window_time(&self) -> Span {
        let speed = self.clock.0 * self.instructions_per_cycle;
        self.window.map_or(Span::ZERO, |window| Span::from_secs_ceil(window / speed))
    }
}

impl Cache {
    /// Until a request that another of the sharing cores has to hear of is answered: there to ask, and what the
    /// other's cache takes.
    pub fn between_cores(&self) -> Span {
        self.core_to_core.unwrap_or(self.latency + self.latency)
    }

    /// The part of that until the request is where it waits for the owner.
    pub fn asking(&self) -> Span {
        Span((self.between_cores().0 as f64 * (1.0 - self.passed_on)) as u64)
    }
}

numalab_base::parameters! {
    /// NUMA nodes that are memory alone: high-bandwidth memory beside the processors' own, memory behind CXL,
    /// non-volatile modules.
    pub struct MemoryOnly as "MemoryOnlyFile" {
        /// Name by which placements have all nodes of this kind.
        name: String = String::new() => [key],
        /// Level of which every unit has such a node next to it; `node`: every node with processors.
        near: LevelKind = LevelKind::Node,
        /// The one unit of that level that has one, counted through the machine from 0; all if not said.
        only_at: Option<u32> = None,
        /// Bytes of each node.
        capacity: Bytes,
        /// Idle latency of a miss from the cores next to it.
        latency: Span => [above_zero],
        /// Reads and writes together.
        bandwidth: Bandwidth,
        /// Most that reads alone take of it.
        read_bandwidth: Option<Bandwidth> = None,
        /// Most that writes alone take of it.
        write_bandwidth: Option<Bandwidth> = None,
        /// Most that lines in random order take of it; as much as streams if not said.
        random_bandwidth: Option<Bandwidth> = None => [silent],
        /// Fraction of capacity left when so many cache lines are outstanding: `[[lines, fraction], …]`.
        crowding: Crowding = Crowding::default() => [silent],
        /// Factor on the latency when so much of the bandwidth is in use: `[[part, factor], …]`.
        loaded_latency: LoadedLatency = LoadedLatency::usual() => [silent],
    }
}

numalab_base::parameters! {
    /// The memory of one NUMA node.
    pub struct Memory as "MemoryFile" {
        /// Bytes of each node.
        capacity: Bytes,
        /// Idle latency of a local miss.
        latency: Span => [above_zero],
        /// Reads and writes together, as the controller moves them.
        bandwidth: Bandwidth => [limit],
        /// Most that reads alone take of it.
        read_bandwidth: Option<Bandwidth> = None => [liftable, stands_for(&[Memory::bandwidth])],
        /// Most that writes alone take of it.
        write_bandwidth: Option<Bandwidth> = None => [liftable, stands_for(&[Memory::bandwidth])],
        /// Most that lines in random order take of it, each of which opens a row of its own; as much as streams if not
        /// said.
        random_bandwidth: Option<Bandwidth> = None => [silent],
        /// Time of the controller that a byte written takes, in those of a byte read: a channel turns round between
        /// both. 1 if not said.
        write_cost: Option<f64> = None => [
            silent, at_least(1.0), at_most(10.0), shown("a byte written takes it {} times as long as one read")
        ],
        /// Cache line; 64 B if absent.
        line: Bytes = Bytes(64),
        /// Page that first touch places; 4 KiB if absent.
        page: Bytes = Bytes(4096),
        /// Bytes of a node's memory that caches may hold, as far as the node's directory (probe filter) can keep track
        /// of them: what came earliest leaves all caches when there are more. All if not said.
        directory_coverage: Option<Bytes> = None => [silent, above_zero],
        /// Whether a line's home reads from memory who else has the line, before it asks anybody; otherwise it asks all of
        /// its snoop domain at once.
        directory_in_memory: bool = false => [silent],
        /// Stops of the cores' interconnect at which the controllers sit.
        stops: u32 = 1 => [at_least(1.0)],
        /// Fraction of capacity left when so many cache lines are outstanding: `[[lines, fraction], …]`.
        crowding: Crowding = Crowding::default() => [silent],
        /// Factor on the latency when so much of the bandwidth is in use: `[[part, factor], …]`.
        loaded_latency: LoadedLatency = LoadedLatency::usual() => [silent],
        /// `loaded_latency` where as many bytes are written as read: reads wait behind batches of writes. As where nobody
        /// writes, if not said; with fewer writes it is as far between.
        mixed_latency: LoadedLatency = LoadedLatency::default() => [silent],
    }
}

impl Memory {
    /// Whether a byte written takes its channels longer than one read.
    pub fn turns(&self) -> bool {
        self.write_cost.is_some_and(|cost| cost > 1.0)
    }
}
