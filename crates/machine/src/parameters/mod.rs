//! Parameters of a machine file, each declared once. The struct, the file type with its schema, the check of bounds,
//! writing, and the facts for a fit follow.

mod dsm;
mod os;
mod words;

pub use dsm::Dsm;
pub use os::{Balancing, Noise, Os, Tiering};
pub use words::{
    Consistency, Daemon, DirtyPages, Duplex, LevelKind, Master, Numbering, Protocol, Reductions, ReleaseLock,
    Replacement, Sharing, Technique,
};

use crate::{Controller, Level};
use numalab_base::parameter::{Field, Kind, Parameter, Rule, Table, Value};
use numalab_base::{Bandwidth, Bytes, Frequency, Span};

/// Fraction of a resource's capacity that is left, by number of outstanding cache lines: linear between the points,
/// constant outside. Empty means 1 everywhere.
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

/// Factor on the latency of a resource, by the fraction of its capacity that is in use: linear between the points,
/// constant outside. Empty means 1 everywhere: only a full resource makes lines wait.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadedLatency(pub Vec<(f64, f64)>);

impl LoadedLatency {
    /// Memory latency under load, if not measured: the middle of three public curves (two Xeon 8280 with MLC; Xeon
    /// Gold 5218 and Grace with Mess, reads only), each of which differs from it by at most 0.2 idle latencies below
    /// nine tenths of the capacity.
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
        /// Name by which interconnects and controllers refer to the link.
        name: String = String::new() => [key],
        /// Bandwidth of one lane in one direction, or in both together if half duplex.
        bandwidth: Bandwidth => [limit],
        /// Time for a cache line to cross, once.
        latency: Span,
        /// Parallel lanes between the same two ends.
        lanes: u32 = 1 => [at_least(1.0)],
        /// `full` if each direction has its own bandwidth, `half` if both directions share it.
        duplex: Duplex = Duplex::Full,
        /// Fraction of the bandwidth that is left, by number of outstanding cache lines: `[[lines, fraction], …]`.
        /// Between nodes that share memory by pages, pages count instead of lines.
        crowding: Crowding = Crowding::default() => [silent],
        /// Factor on the latency, by the fraction of the bandwidth that is in use: `[[fraction, factor], …]`; 1 if
        /// absent.
        loaded_latency: LoadedLatency = LoadedLatency::default() => [silent],
    }
}

numalab_base::parameters! {
    /// Port of a chip or cluster to its node. All that its cores read from memory or from another socket's caches, and
    /// all that they write there, crosses the port.
    pub struct NodePort as "NodePortFile" with defaults {
        /// Bandwidth of reads. Absent: no limit besides the memory and the links.
        read_bandwidth: Option<Bandwidth> = None => [liftable, stands_for(&[Memory::bandwidth])],
        /// Bandwidth of writes. Absent: no limit besides the memory and the links.
        write_bandwidth: Option<Bandwidth> = None => [liftable, stands_for(&[Memory::bandwidth])],
    }
}

/// Declaration of an optional parameter of a struct that `parameters!` does not declare.
const fn optional(table: &'static str, name: &'static str, kind: Kind, rule: Rule) -> Parameter {
    Parameter { table, name, doc: "", kind, optional: true, default: None, rule }
}

#[allow(non_upper_case_globals)]
impl Controller {
    /// Declarations of the fields that a measurement states.
    pub(crate) const PARAMETERS: &'static [Parameter] = &[
        optional(
            "ControllerFile",
            "requests",
            Kind::Number,
            Rule::NONE.limit().stands_for(&[Core::outstanding]),
        ),
        optional("ControllerFile", "bandwidth", Kind::Rate, Rule::NONE),
    ];
    /// Declaration of the field `requests`.
    pub const requests: &'static Parameter = &Controller::PARAMETERS[0];
    /// Declaration of the field `bandwidth`.
    pub const bandwidth: &'static Parameter = &Controller::PARAMETERS[1];
}

impl Table for Controller {
    fn get(&self, parameter: &Parameter) -> Option<Value> {
        let bandwidth = || (parameter == Controller::bandwidth).then(|| self.bandwidth.value());
        (parameter == Controller::requests).then(|| self.requests.value()).or_else(bandwidth)
    }
    fn set(&mut self, parameter: &Parameter, value: Value) {
        if parameter == Controller::requests {
            self.requests = Option::from_value(value).unwrap_or(self.requests);
        } else if parameter == Controller::bandwidth {
            self.bandwidth = Option::from_value(value).unwrap_or(self.bandwidth);
        }
    }
}

#[allow(non_upper_case_globals)]
impl Level {
    pub(crate) const PARAMETERS: &'static [Parameter] =
        &[optional("LevelFile", "core_to_core", Kind::Time, Rule::NONE)];
    /// Declaration of the field `core_to_core`.
    pub const core_to_core: &'static Parameter = &Level::PARAMETERS[0];
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

/// Store buffers of Nehalem. Its successors have 36 to 72, AMD's Zen 44 to 64; it matters only that they exceed the
/// lines in flight.
const STORE_BUFFERS: u32 = 32;

impl Link {
    pub fn is_half_duplex(&self) -> bool {
        self.duplex == Duplex::Half
    }
}

/// Instructions that the widest server cores rename in a cycle (Golden Cove, Zen 4, Neoverse V2). If a measured loop
/// seems to execute more, its compiler saved some of the counted instructions.
const WIDEST: f64 = 6.0;

const SKYLAKE: &str = "Skylake's cores (Intel's manual)";
const ZEN_4: &str = "a guest on Zen 4 cores";

/// Instructions in the reorder buffer of Skylake's cores (Intel's manual): between the buffers of servers of 2010 and
/// of today. Another thread of the core may occupy half of the buffer.
pub const SKYLAKE_WINDOW: f64 = 224.0;

numalab_base::parameters! {
    /// One core.
    pub struct Core as "CoreFile" {
        /// Clock frequency.
        clock: Frequency,
        /// Peak floating-point operations per cycle.
        flops_per_cycle: f64 => [above_zero],
        /// Instructions per cycle that one thread sustains on cached data.
        instructions_per_cycle: f64 => [above_zero, widest(WIDEST)],
        /// Cache lines that a core keeps in flight when streaming.
        outstanding: f64 => [above_zero, limit],
        /// Stores that wait for their lines while the thread continues. 0: the thread waits for each store.
        store_buffers: u32 = STORE_BUFFERS => [silent, at_most(1024.0)],
        /// Lines that the stores in the buffer request at a time. 1: a store requests its line when all stores before
        /// it have theirs, so that stores to several lines take the sum of the lines' times. Absent: `outstanding`.
        store_requests: Option<u32> = None => [
            silent, at_least(1.0), at_most(1024.0), stands_for(&[Core::outstanding])
        ],
        /// Most cache lines that a core keeps in flight for one sequence of addresses, limited by how far prefetchers
        /// look ahead. Absent: `outstanding`.
        stream_outstanding: Option<f64> = None => [
            above_zero, shown("at most {} of them for one stream"), liftable, stands_for(&[Core::outstanding])
        ],
        /// Most cache lines that a core keeps in flight for stores, usually its line fill buffers of the first-level
        /// cache. Absent: `outstanding`.
        store_outstanding: Option<f64> = None => [
            silent, above_zero, shown("at most {} of them for stores"), liftable, stands_for(&[Core::outstanding])
        ],
        /// Most cache lines in random order that a core keeps in flight: the line fill buffers of the first-level
        /// cache, since no prefetcher predicts such lines. Absent: `outstanding`.
        random_outstanding: Option<f64> = None => [
            silent, above_zero, shown("at most {} of them in random order"), limit,
            stands_for(&[Core::outstanding]), assumed_of(SKYLAKE)
        ],
        /// Instructions that a core has in flight at a time (reorder buffer). Lines in random order are in flight
        /// together only if their loads lie within this number of instructions. Absent: no limit.
        window: Option<f64> = None => [
            silent, above_zero, shown("has {} instructions under way"), limit,
            stands_for_number(SKYLAKE_WINDOW), assumed_of(SKYLAKE)
        ],
        /// Fraction of computing that overlaps with waiting for lines in random order from a cache: 1 all, 0 none.
        /// Absent: the loop's overlap.
        random_overlap: Option<f64> = None => [
            silent, part, shown("computes {} of the time that caches take for them"), stands_for_number(1.0)
        ],
        /// Fraction of the wait for streams from memory during which caches also deliver lines in random order: 1
        /// all, 0 none. Absent: the loop's overlap.
        random_beside_streams: Option<f64> = None => [
            silent, part, shown("gets them in {} of the time that it waits for streams"), stands_for_number(1.0)
        ],
        /// Most bytes per second that one core moves to and from memory, fetches and write-backs together, at any
        /// latency.
        copy_bandwidth: Option<Bandwidth> = None => [
            shown("moves at most {}"), liftable, stands_for(&[Memory::bandwidth])
        ],
        /// Fraction of computing that overlaps with waiting for loads that prefetchers predict: 1 all, 0 none. Only
        /// for workloads that use the fact `core_overlap`.
        overlap: f64 = 1.0 => [silent, part],
        /// Time of an atomic operation beyond the latency of the first-level cache, once the core has the line.
        atomic: Span = Span::ZERO => [silent],
        /// Fraction of the wait for the line of an atomic operation that overlaps with earlier instructions, as far
        /// as the window reaches. 0: the request leaves when the operation's turn comes; 1: as early as the request
        /// of a load.
        atomic_ahead: f64 = 0.0 => [silent, part, assumed_of(ZEN_4)],
        /// Fraction of the wait for the line of an atomic operation that overlaps with later instructions. 0: later
        /// instructions wait; 1: they are executed meanwhile.
        atomic_past: f64 = 0.0 => [silent, part, assumed_of(ZEN_4)],
        /// Time between two reads of a word by a spinning thread: the duration of the processor's pause instruction
        /// (x86 PAUSE).
        pause: Span = Span::ZERO => [silent, assumed_of(SKYLAKE)],
        /// Time until a hardware thread that watches a word sees what another thread of its core has written. Absent: a
        /// hit, and a nanosecond of the watching loop at least.
        between_threads: Option<Span> = None => [silent, stands_for_number(1000.0)],
        /// Hardware threads.
        threads: u32 = 1 => [at_least(1.0)],
    }
}

numalab_base::parameters! {
    /// A cache.
    pub struct Cache as "CacheFile" {
        /// Level of the cache; 1 is next to the core.
        level: u8 => [at_least(1.0), at_most(9.0)],
        /// Capacity.
        size: Bytes,
        /// Cores that share one instance.
        shared_by: u32 => [at_least(1.0)],
        /// Load-to-use latency.
        latency: Span,
        /// Bandwidth to one core.
        bandwidth: Bandwidth => [limit],
        /// Most lines in random order that a core keeps in flight from this cache. Absent: as many as from memory.
        random_outstanding: Option<f64> = None => [
            silent, above_zero, shown("at most {} lines in random order for a core"), limit, liftable,
            stands_for(&[Core::random_outstanding])
        ],
        /// Time until a core has a line that another core of the same cache has written. Absent: twice the latency.
        core_to_core: Option<Span> = None => [stands_for(&[Cache::latency, Cache::latency])],
        /// Fraction of `core_to_core` that a line takes from its owner to a core whose request already waits at the
        /// cache.
        passed_on: f64 = 0.5 => [silent, part, assumed_of(ZEN_4)],
        /// True if the cache holds the contents of the caches inside it. False for a victim cache, which takes the
        /// lines that the inner caches evict: together they hold the sum of their sizes.
        inclusive: bool = true => [silent],
        /// Choice of the line that is evicted.
        replacement: Replacement = Replacement::Lru => [silent, shown("{} replacement")],
        /// Lines of a set: a line can be in one set only, so some are lost before the cache is full. Absent: any line can
        /// be anywhere, as where huge pages fill all sets alike.
        ways: Option<u32> = None => [silent, at_least(1.0), at_most(64.0), shown("{} ways")],
    }
}

impl Core {
    /// Time in which the core executes as many instructions as its window holds, so the longest time by which it runs
    /// ahead of an unfinished instruction. Zero if the window is unknown. Threads of a core share the window and its
    /// speed.
    pub fn window_time(&self) -> Span {
        let speed = self.clock.0 * self.instructions_per_cycle;
        self.window.map_or(Span::ZERO, |window| Span::from_secs_ceil(window / speed))
    }
}

impl Cache {
    /// Latency of a line that another core of the same cache has written: `core_to_core`, or twice the cache's
    /// latency.
    pub fn between_cores(&self) -> Span {
        self.core_to_core.unwrap_or(self.latency + self.latency)
    }

    /// Part of [`Cache::between_cores`] until the request has reached the cache, where it waits for the line's owner.
    pub fn asking(&self) -> Span {
        Span((self.between_cores().0 as f64 * (1.0 - self.passed_on)) as u64)
    }
}

numalab_base::parameters! {
    /// Memory-only NUMA nodes: high-bandwidth memory beside the processors' own, memory behind CXL, non-volatile
    /// modules.
    pub struct MemoryOnly as "MemoryOnlyFile" {
        /// Name of all nodes of this kind in placements.
        name: String = String::new() => [key],
        /// Level whose units have one node of this kind each. `node`: every node with processors.
        near: LevelKind = LevelKind::Node,
        /// Number of the only unit of level `near` that has a node of this kind, counted through the machine from 0.
        /// Absent: all units.
        only_at: Option<u32> = None,
        /// Bytes of each node.
        capacity: Bytes,
        /// Idle latency of a miss from the cores next to the node.
        latency: Span => [above_zero],
        /// Idle latency of a miss from cores of the nearest other unit of level `near`; from farther units, the longer way
        /// adds latency. Absent: `latency`, and the way there and back.
        far_latency: Option<Span> = None => [silent, above_zero, stands_for(&[MemoryOnly::latency])],
        /// Bandwidth of reads and writes together.
        bandwidth: Bandwidth,
        /// Most bandwidth that reads alone use.
        read_bandwidth: Option<Bandwidth> = None,
        /// Most bandwidth that writes alone use.
        write_bandwidth: Option<Bandwidth> = None,
        /// Most bandwidth that lines in random order use. Absent: as much as streams.
        random_bandwidth: Option<Bandwidth> = None => [silent],
        /// Most bandwidth that cores of other units of level `near` use together. Absent: as much as links and memory let
        /// through.
        far_bandwidth: Option<Bandwidth> = None => [silent, stands_for(&[MemoryOnly::bandwidth])],
        /// Fraction of the bandwidth that is left, by number of outstanding cache lines: `[[lines, fraction], …]`.
        crowding: Crowding = Crowding::default() => [silent],
        /// Factor on the latency, by the fraction of the bandwidth that is in use: `[[fraction, factor], …]`.
        loaded_latency: LoadedLatency = LoadedLatency::usual() => [silent],
    }
}

numalab_base::parameters! {
    /// Memory of some nodes with processors, as far as it differs from `memory`.
    pub struct MemoryAt as "MemoryAtFile" with defaults {
        /// Numbers of the nodes.
        nodes: String = String::new() => [key],
        /// Bytes of each of these nodes; `0 B` without modules. Absent: as the other nodes.
        capacity: Option<Bytes> = None,
        /// Bandwidth of reads and writes together; those of reads, of writes and in random order change in
        /// proportion. Absent: as the other nodes.
        bandwidth: Option<Bandwidth> = None,
    }
}

numalab_base::parameters! {
    /// The memory of one NUMA node.
    pub struct Memory as "MemoryFile" {
        /// Bytes of each node.
        capacity: Bytes,
        /// Idle latency of a local miss.
        latency: Span => [above_zero],
        /// Bandwidth of reads and writes together, at the controller.
        bandwidth: Bandwidth => [limit],
        /// Most bandwidth that reads alone use.
        read_bandwidth: Option<Bandwidth> = None => [liftable, stands_for(&[Memory::bandwidth])],
        /// Most bandwidth that writes alone use.
        write_bandwidth: Option<Bandwidth> = None => [liftable, stands_for(&[Memory::bandwidth])],
        /// Most bandwidth that lines in random order use, since each of these lines opens a row of a memory bank.
        /// Absent: as much as streams.
        random_bandwidth: Option<Bandwidth> = None => [silent],
        /// Channel time of a written byte, as a multiple of the channel time of a read byte: channels lose time when
        /// they turn between reads and writes. Absent: 1.
        write_cost: Option<f64> = None => [
            silent, at_least(1.0), at_most(10.0), shown("a byte written takes it {} times as long as one read")
        ],
        /// Size of a cache line; 64 B if absent.
        line: Bytes = Bytes(64),
        /// Size of a page, which first touch places as a whole; 4 KiB if absent.
        page: Bytes = Bytes(4096),
        /// Bytes of a node's memory that caches can hold, limited by the node's directory (probe filter); beyond that
        /// the earliest lines leave all caches. Absent: all.
        directory_coverage: Option<Bytes> = None => [silent, above_zero],
        /// True if the home of a line reads the line's holders from memory before it asks any cache. False if the
        /// home asks all caches of its snoop domain at once.
        directory_in_memory: bool = false => [silent],
        /// True if the home of a line knows the line's holders without reading memory, by a snoop filter or probe filter.
        /// It then asks these alone, and a copy that is given up takes as long as a line that is handed over.
        directory_on_chip: bool = false => [silent],
        /// Number of stops of the cores' interconnect that have memory controllers.
        stops: u32 = 1 => [at_least(1.0)],
        /// Fraction of the bandwidth that is left, by number of outstanding cache lines: `[[lines, fraction], …]`.
        crowding: Crowding = Crowding::default() => [silent],
        /// Factor on the latency, by the fraction of the bandwidth that is in use: `[[fraction, factor], …]`.
        loaded_latency: LoadedLatency = LoadedLatency::usual() => [silent],
        /// `loaded_latency` with as many bytes written as read: reads wait behind batches of writes. Interpolated
        /// linearly for fewer writes. Absent: `loaded_latency`.
        mixed_latency: LoadedLatency = LoadedLatency::default() => [silent],
    }
}

impl Memory {
    /// True if a written byte takes more channel time than a read byte.
    pub fn turns(&self) -> bool {
        self.write_cost.is_some_and(|cost| cost > 1.0)
    }
}
