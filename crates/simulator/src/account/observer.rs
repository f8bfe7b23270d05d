//! Observation of a run while it takes place.

use crate::account::books::{Activity, Cause};
use crate::engine::team::Member;
use numalab_base::{Span, ThreadId, Time};
use numalab_machine::{NodeId, ResourceId};
use numalab_workload::RegionId;

/// A part of a thread's time. The spans of a thread follow each other without a gap, from the start of the run
/// to its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BookedSpan {
    /// The thread.
    pub thread: ThreadId,
    /// The account that it goes to.
    pub activity: Activity,
    /// The reason.
    pub cause: Cause,
    /// Its start.
    pub from: Time,
    /// Its end.
    pub to: Time,
}

// Glossary: portion: Bytes of one region from one home among the data that a span of time is about.
/// A part of the data that a stream or a cache delivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portion {
    /// The region that the bytes are in.
    pub region: RegionId,
    /// The node that they come from; none, if the core's own caches deliver them.
    pub home: Option<NodeId>,
    /// Number of bytes.
    pub bytes: u64,
}

/// Iterations that a thread begins: of a loop, or of a task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrantedWork {
    /// The thread.
    pub thread: ThreadId,
    /// Number of iterations; none, where a task goes on after its children.
    pub iterations: u64,
    /// Number of them that it took from another thread's share; of tasks, those of others that it has ended meanwhile.
    pub stolen: u64,
    /// The thread whose share they are of, or that created the task; none, where nobody's.
    pub from: Option<ThreadId>,
    /// Whether they are a task's.
    pub task: bool,
    /// Instant of the grant.
    pub at: Time,
}

/// Data that came to a thread (or went from it) as a part of one stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Served {
    /// The thread.
    pub thread: ThreadId,
    /// The node that held it.
    pub home: NodeId,
    /// Bytes that the program accessed.
    pub bytes: u64,
    /// Time of each line, by Little's law: what the lines in flight take at that rate, without the computing between.
    pub line: Span,
    /// The start of the stream.
    pub from: Time,
    /// Its end.
    pub to: Time,
}

// Glossary: observer: Code that is told of spans, rates, iterations and pages while a run takes place;
//   without one it costs nothing.
/// Is told what happens.
pub trait Observer {
    /// A phase begins; a phase that is repeated begins as often.
    fn phase(&mut self, _name: &str, _measured: bool, _at: Time) {}

    /// Other threads than before execute the phase that has begun, or the same at other places.
    fn team(&mut self, _members: &[Member]) {}

    /// Time of a thread was booked.
    fn span(&mut self, _span: BookedSpan) {}

    /// The data that the next spans of a thread at this instant are about: what it computed on, faulted and waited for.
    /// The first portions came first.
    fn data(&mut self, _thread: ThreadId, _portions: &[Portion]) {}

    /// The wait of a thread whose spans come next ended because of what another thread did at an instant: it came to
    /// a meeting as the last one, gave a lock back, or created work.
    fn released(&mut self, _thread: ThreadId, _by: ThreadId, _at: Time) {}

    /// The first instant after another that ends a stretch of time: what crosses resources is told for each stretch.
    /// A phase ends one too.
    fn next_look(&self, _after: Time) -> Time {
        Time(u64::MAX)
    }

    /// Counts bytes that crossed a resource between two instants. Rates may have changed in between.
    fn carried(&mut self, _resource: ResourceId, _bytes: f64, _from: Time, _to: Time) {}

    /// A thread begins iterations.
    fn work(&mut self, _work: GrantedWork) {}

    /// A stream ended.
    fn served(&mut self, _served: Served) {}

    /// An access of a thread placed pages, or moved them.
    fn pages(&mut self, _thread: ThreadId, _placed: u64, _moved: u64, _at: Time) {}

    /// Whether it is enough to be told once what happens again and again, and how often: see
    /// [`period_ends`](Observer::period_ends). To others every repetition is shown.
    fn counts_periods(&self) -> bool {
        false
    }

    /// Whole phases that may be repeated begin. Such periods may be parts of each other.
    fn period_begins(&mut self) {}

    /// Ends the last period that has begun and not ended: what was told since happens so many times more, each of them as
    /// long. The clock stands still meanwhile.
    fn period_ends(&mut self, _more: u64, _each: Span) {}
}

/// The observer of a run, or nobody: what the engine is compiled for, once each, in this crate. Everything that only an
/// observer needs is worked out only for one that is [active](Listener::ACTIVE): without one a run is compiled as if there
/// were none.
pub(crate) trait Listener: Observer {
    /// Whether anybody looks.
    const ACTIVE: bool;
}

/// Nobody looks.
impl Observer for () {}

impl Listener for () {
    const ACTIVE: bool = false;
}

impl Listener for &mut (dyn Observer + '_) {
    const ACTIVE: bool = true;
}

impl<O: Observer + ?Sized> Observer for &mut O {
    fn phase(&mut self, name: &str, measured: bool, at: Time) {
        O::phase(self, name, measured, at);
    }

    fn team(&mut self, members: &[Member]) {
        O::team(self, members);
    }

    fn span(&mut self, span: BookedSpan) {
        O::span(self, span);
    }

    fn data(&mut self, thread: ThreadId, portions: &[Portion]) {
        O::data(self, thread, portions);
    }

    fn released(&mut self, thread: ThreadId, by: ThreadId, at: Time) {
        O::released(self, thread, by, at);
    }

    fn next_look(&self, after: Time) -> Time {
        O::next_look(self, after)
    }

    fn carried(&mut self, resource: ResourceId, bytes: f64, from: Time, to: Time) {
        O::carried(self, resource, bytes, from, to);
    }

    fn work(&mut self, work: GrantedWork) {
        O::work(self, work);
    }

    fn served(&mut self, served: Served) {
        O::served(self, served);
    }

    fn pages(&mut self, thread: ThreadId, placed: u64, moved: u64, at: Time) {
        O::pages(self, thread, placed, moved, at);
    }

    fn counts_periods(&self) -> bool {
        O::counts_periods(self)
    }

    fn period_begins(&mut self) {
        O::period_begins(self);
    }

    fn period_ends(&mut self, more: u64, each: Span) {
        O::period_ends(self, more, each);
    }
}
