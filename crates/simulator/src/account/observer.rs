//! Events that a run reports, and the trait that receives them.

use crate::account::cause::{Activity, Cause};
use crate::engine::team::Member;
use crate::error::Progress;
use numalab_base::{Span, ThreadId, Time};
use numalab_machine::{NodeId, ResourceId};
use numalab_workload::RegionId;

/// Interval of a thread's time under one cause. The spans of a thread follow each other without a gap, from the start
/// of the run to its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BookedSpan {
    pub thread: ThreadId,
    /// Account that the time goes to.
    pub activity: Activity,
    pub cause: Cause,
    pub from: Time,
    pub to: Time,
}

// Glossary: portion: Bytes of one region from one home among the data that a span of time is about.
/// Bytes of one region from one home: a part of what a stream or a cache delivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portion {
    pub region: RegionId,
    /// Node that holds the bytes; `None` if the core's own caches deliver them.
    pub home: Option<NodeId>,
    pub bytes: u64,
}

/// Iterations that a thread has been granted, of a loop or of a task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrantedWork {
    pub thread: ThreadId,
    /// Number of iterations; 0 if a task continues after its children.
    pub iterations: u64,
    /// Iterations taken from another thread's share. For tasks: iterations of tasks of other creators that the thread
    /// has finished since its previous request for work.
    pub stolen: u64,
    /// Thread from whose share the iterations were stolen, or that created the task; `None` for iterations of a loop
    /// that were not stolen.
    pub from: Option<ThreadId>,
    /// True for a task, false for iterations of a loop.
    pub task: bool,
    /// Instant of the grant.
    pub at: Time,
}

/// Bytes from or to one home that a stream of a thread carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Served {
    pub thread: ThreadId,
    /// Node that held the data.
    pub home: NodeId,
    /// Bytes that the program accessed.
    pub bytes: u64,
    /// Mean time from the request of a line to its arrival, by Little's law: lines in flight, multiplied by the time
    /// in which they are in flight, divided by the number of lines. The time leaves out faults, and computing that
    /// does not overlap with waiting.
    pub line: Span,
    pub from: Time,
    pub to: Time,
}

// Glossary: observer: Code that is told of spans, rates, iterations and pages while a run takes place;
//   without one it costs nothing.
/// Receiver of the events of a run. Every method does nothing by default.
pub trait Observer {
    /// A phase begins. Called for each simulated repetition.
    fn phase(&mut self, _name: &str, _measured: bool, _at: Time) {}

    /// The phase that has just begun has another team than the phase before: other threads, or other processors.
    fn team(&mut self, _members: &[Member]) {}

    /// A part of a thread's time was booked under an activity and a cause.
    fn span(&mut self, _span: BookedSpan) {}

    /// Data that the thread's next spans at this instant concern: data that the thread computes on, faults on or
    /// waits for. Portions are in the order of arrival.
    fn data(&mut self, _thread: ThreadId, _portions: &[Portion]) {}

    /// Thread `by` ended a wait of a thread: `by` arrived last at a meeting, released a lock, or created work. Called
    /// before the spans of the wait.
    fn released(&mut self, _thread: ThreadId, _by: ThreadId, _at: Time) {}

    /// Returns the end of the reporting interval that begins at `after`. Bytes over resources are reported at the
    /// first event after the end of an interval. If several intervals have ended by then, those after the first are
    /// reported together. The end of a phase ends an interval, too.
    fn next_look(&self, _after: Time) -> Time {
        Time(u64::MAX)
    }

    /// Bytes that crossed a resource between two instants. The rates of the flows over the resource may have changed
    /// in between.
    fn carried(&mut self, _resource: ResourceId, _bytes: f64, _from: Time, _to: Time) {}

    /// A thread was granted work: iterations of a loop, or a task.
    fn work(&mut self, _work: GrantedWork) {}

    /// A thread's stream ended. Called once for each home of the stream's data.
    fn served(&mut self, _served: Served) {}

    /// An access of a thread placed or moved pages.
    fn pages(&mut self, _thread: ThreadId, _placed: u64, _moved: u64, _at: Time) {}

    /// True if periods may be reported once with their number of repetitions: see
    /// [`period_ends`](Observer::period_ends). Otherwise every repetition is reported.
    fn counts_periods(&self) -> bool {
        false
    }

    /// Begins a period of whole phases that may be repeated. Periods can be nested.
    fn period_begins(&mut self) {}

    /// Ends the innermost open period: the events since its begin happen `_more` more times, and take `_each` every
    /// time. The clock stands still meanwhile.
    fn period_ends(&mut self, _more: u64, _each: Span) {}
}

/// Observer of a run or `()`. The engine is compiled once for each, in this crate. Anything that only an observer
/// needs is computed under [active](Listener::ACTIVE), so a run without observer pays nothing.
pub(crate) trait Listener: Observer {
    /// True if an observer is present.
    const ACTIVE: bool;
}

/// `()` stands for a run without observer.
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

/// Receivers of a run's progress and events.
pub(crate) struct Listeners<'w, O> {
    pub progress: &'w dyn Progress,
    pub observer: &'w mut O,
}
