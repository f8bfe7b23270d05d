//! The parameters that can be fitted, by the names that `--set` has for them.

use super::subject::Subject;
use numalab_machine::{LinkId, Machine};
use numalab_units::{Bandwidth, Bytes, Frequency, Span};
use std::fmt;

/// A parameter of a machine or a runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// Clock of the cores.
    Clock,
    /// Instructions that a core executes in a cycle.
    InstructionsPerCycle,
    /// Lines that a core keeps in flight.
    Outstanding,
    /// Those of one stream.
    StreamOutstanding,
    /// Bandwidth of a core in both directions together.
    CopyBandwidth,
    /// Fraction of computing that passes while memory is waited for.
    Overlap,
    /// Time of an atomic operation besides that of its line.
    Atomic,
    /// Capacity of a cache, as its users see it. Caches count from 0, the innermost.
    CacheSize(usize),
    /// Latency of a cache.
    CacheLatency(usize),
    /// Bandwidth of a cache.
    CacheBandwidth(usize),
    /// Time of a line from one core to another through a cache.
    CoreToCore(usize),
    /// Latency of local memory.
    MemoryLatency,
    /// Bandwidth of a memory controller, reads and writes together.
    MemoryBandwidth,
    /// Part of it that reads may take.
    ReadBandwidth,
    /// Part of it that writes may take.
    WriteBandwidth,
    /// Latency of a kind of link.
    LinkLatency(LinkId),
    /// Bandwidth of a kind of link.
    LinkBandwidth(LinkId),
    /// Lines in flight through the node controller of a level.
    Requests(usize),
    /// A fault on a fresh page.
    PageFault,
    /// The part of it that holds a lock.
    PageLock,
    /// Mapping and unmapping a block.
    Map,
    /// Waking the next thread that waits to do so.
    Wake,
    /// Moving a page.
    PageMigration,
    /// Opening and closing a region with one thread.
    ForkFixed,
    /// Opening a region of more threads.
    ForkOpen,
    /// Cost of a barrier to each thread by itself.
    BarrierFixed,
    /// Creating a task.
    TaskCreate,
    /// Starting and finishing a task.
    TaskDispatch,
}

/// Where a parameter's value is kept.
pub(super) enum Slot<'a> {
    Time(&'a mut Span),
    Rate(&'a mut Bandwidth),
    Size(&'a mut Bytes),
    Clock(&'a mut Frequency),
    Number(&'a mut f64),
}

impl Slot<'_> {
    pub fn get(&self) -> f64 {
        match self {
            Slot::Time(span) => span.0 as f64,
            Slot::Rate(rate) => rate.0,
            Slot::Size(size) => size.0 as f64,
            Slot::Clock(clock) => clock.0,
            Slot::Number(number) => **number,
        }
    }

    pub fn set(self, value: f64) {
        match self {
            Slot::Time(span) => *span = Span(value.round() as u64),
            Slot::Rate(rate) => *rate = Bandwidth(value),
            Slot::Size(size) => *size = Bytes(value.round() as u64),
            Slot::Clock(clock) => *clock = Frequency(value),
            Slot::Number(number) => *number = value,
        }
    }
}

impl Target {
    /// Where its value is. What a machine file leaves open begins with the value that it then stands for.
    pub(super) fn slot(self, subject: &mut Subject) -> Slot<'_> {
        let Subject { machine, runtime } = subject;
        let Machine { levels, links, core, caches, memory, os, .. } = machine;
        match self {
            Target::Clock => Slot::Clock(&mut core.clock),
            Target::InstructionsPerCycle => Slot::Number(&mut core.instructions_per_cycle),
            Target::Outstanding => Slot::Number(&mut core.outstanding),
            Target::StreamOutstanding => {
                Slot::Number(core.stream_outstanding.get_or_insert(core.outstanding))
            }
            Target::CopyBandwidth => Slot::Rate(core.copy_bandwidth.get_or_insert(memory.bandwidth)),
            Target::Overlap => Slot::Number(&mut core.overlap),
            Target::Atomic => Slot::Time(&mut core.atomic),
            Target::CacheSize(at) => Slot::Size(&mut caches[at].size),
            Target::CacheLatency(at) => Slot::Time(&mut caches[at].latency),
            Target::CacheBandwidth(at) => Slot::Rate(&mut caches[at].bandwidth),
            Target::CoreToCore(at) => {
                let otherwise = caches[at].between_cores();
                Slot::Time(caches[at].core_to_core.get_or_insert(otherwise))
            }
            Target::MemoryLatency => Slot::Time(&mut memory.latency),
            Target::MemoryBandwidth => Slot::Rate(&mut memory.bandwidth),
            Target::ReadBandwidth => Slot::Rate(memory.read_bandwidth.get_or_insert(memory.bandwidth)),
            Target::WriteBandwidth => Slot::Rate(memory.write_bandwidth.get_or_insert(memory.bandwidth)),
            Target::LinkLatency(LinkId(at)) => Slot::Time(&mut links[at].latency),
            Target::LinkBandwidth(LinkId(at)) => Slot::Rate(&mut links[at].bandwidth),
            Target::Requests(at) => {
                let controller = levels[at].controller.as_mut();
                let requests = controller.and_then(|controller| controller.requests.as_mut());
                Slot::Number(requests.unwrap_or(&mut core.outstanding))
            }
            Target::PageFault => Slot::Time(&mut os.page_fault),
            Target::PageLock => Slot::Time(&mut os.page_lock),
            Target::Map => Slot::Time(&mut os.map),
            Target::Wake => Slot::Time(&mut os.wake),
            Target::PageMigration => Slot::Time(&mut os.page_migration),
            Target::ForkFixed => Slot::Time(&mut runtime.fork.fixed),
            Target::ForkOpen => Slot::Time(&mut runtime.fork.open),
            Target::BarrierFixed => Slot::Time(&mut runtime.barrier_fixed),
            Target::TaskCreate => Slot::Time(&mut runtime.tasks.create),
            Target::TaskDispatch => Slot::Time(&mut runtime.tasks.dispatch),
        }
    }

    /// Whether where it starts is the most that it can be: no cache is larger than the system says, though it may
    /// look smaller where others use it too.
    pub(super) fn is_known_at_most(self) -> bool {
        matches!(self, Target::CacheSize(_))
    }

    /// Takes a limit away that the measurements do not show: what is not seen to limit anything does not.
    /// A size that they do not show is what the system says.
    pub(super) fn lift(self, subject: &mut Subject, start: &Subject) {
        let Machine { core, memory, caches, .. } = &mut subject.machine;
        match self {
            Target::CacheSize(at) => caches[at].size = start.machine.caches[at].size,
            Target::StreamOutstanding => core.stream_outstanding = None,
            Target::CopyBandwidth => core.copy_bandwidth = None,
            Target::ReadBandwidth => memory.read_bandwidth = None,
            Target::WriteBandwidth => memory.write_bandwidth = None,
            _ => {}
        }
    }

    /// Its path in the machine or runtime file.
    pub fn path(self, machine: &Machine) -> String {
        let link = |LinkId(at): LinkId| machine.links.get(at).map_or("", |link| &link.name);
        match self {
            Target::Clock => "core.clock".into(),
            Target::InstructionsPerCycle => "core.instructions_per_cycle".into(),
            Target::Outstanding => "core.outstanding".into(),
            Target::StreamOutstanding => "core.stream_outstanding".into(),
            Target::CopyBandwidth => "core.copy_bandwidth".into(),
            Target::Overlap => "core.overlap".into(),
            Target::Atomic => "core.atomic".into(),
            Target::CacheSize(at) => format!("cache[{at}].size"),
            Target::CacheLatency(at) => format!("cache[{at}].latency"),
            Target::CacheBandwidth(at) => format!("cache[{at}].bandwidth"),
            Target::CoreToCore(at) => format!("cache[{at}].core_to_core"),
            Target::MemoryLatency => "memory.latency".into(),
            Target::MemoryBandwidth => "memory.bandwidth".into(),
            Target::ReadBandwidth => "memory.read_bandwidth".into(),
            Target::WriteBandwidth => "memory.write_bandwidth".into(),
            Target::LinkLatency(id) => format!("link.{}.latency", link(id)),
            Target::LinkBandwidth(id) => format!("link.{}.bandwidth", link(id)),
            Target::Requests(at) => format!("level[{at}].controller.requests"),
            Target::PageFault => "os.page_fault".into(),
            Target::PageLock => "os.page_lock".into(),
            Target::Map => "os.map".into(),
            Target::Wake => "os.wake".into(),
            Target::PageMigration => "os.page_migration".into(),
            Target::ForkFixed => "fork.fixed".into(),
            Target::ForkOpen => "fork.open".into(),
            Target::BarrierFixed => "barrier.fixed".into(),
            Target::TaskCreate => "tasks.create".into(),
            Target::TaskDispatch => "tasks.dispatch".into(),
        }
    }

    /// Whether it stands in the runtime file.
    pub fn is_of_runtime(self) -> bool {
        matches!(
            self,
            Target::ForkFixed
                | Target::ForkOpen
                | Target::BarrierFixed
                | Target::TaskCreate
                | Target::TaskDispatch
        )
    }
}

/// A value of a parameter as its file says it.
pub(crate) struct Shown(pub Target, pub f64);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(target, value) = *self;
        match target {
            Target::Clock => write!(f, "{}", Frequency(value)),
            Target::InstructionsPerCycle
            | Target::Outstanding
            | Target::StreamOutstanding
            | Target::Overlap
            | Target::Requests(_) => write!(f, "{value:.3}"),
            Target::CacheSize(_) => write!(f, "{}", Bytes(value.round() as u64)),
            Target::CacheBandwidth(_)
            | Target::CopyBandwidth
            | Target::MemoryBandwidth
            | Target::ReadBandwidth
            | Target::WriteBandwidth
            | Target::LinkBandwidth(_) => write!(f, "{}", Bandwidth(value)),
            _ => write!(f, "{}", Span(value.round() as u64)),
        }
    }
}
