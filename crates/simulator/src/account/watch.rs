//! Facts that only an observer needs: traffic over resources, the home of the data that a thread waits for, the
//! causes of the wait, and the thread that ended it.

use crate::account::cause::{Cause, Interval};
use crate::account::observer::{Listener, Portion};
use crate::engine::script::Program;
use crate::engine::segment::team_of;
use crate::engine::segment::{Segment, SegmentState};
use crate::engine::worker::{Doing, Told, Worker};
use crate::engine::world::World;
use crate::flow::pace::Pace;
use crate::plan::{CachedData, DataStream, Deliverer};
use numalab_base::{ThreadId, Time};
use numalab_des::fluid::{ClassId, delayed_between};
use numalab_machine::Closeness;
use numalab_workload::Construct;

impl<'a, O: Listener> Segment<'a, '_, O> {
    /// Reports to an observer the bytes that crossed resources in the intervals that are over; with `all`, at the end
    /// of a phase, also in the unfinished one. Called before any rate changes at this instant.
    #[inline]
    pub(crate) fn show_loads(&mut self, all: bool) {
        if O::ACTIVE {
            let World { network, now, .. } = &mut *self.world;
            network.show_loads(*now, all, self.books.observer);
        }
    }

    /// Finds the causes of a thread's wait for a stream that has ended: puts delays by cause into `told.reasons` and
    /// returns the cause of the rest. Reports the stream's data to the observer first.
    pub(crate) fn reasons(
        &mut self,
        (worker, told): (&mut Worker, &mut Told),
        thread: u32,
        stream: &DataStream,
        (pace, class): (Pace, ClassId),
    ) -> Cause {
        let Told { reasons, delayed, portions } = told;
        let World { network, blends, .. } = &mut *self.world;
        let node = self.team.members[thread as usize].node;
        portions.clear();
        // A stream that was cut short delivered its first bytes.
        let mut left = stream.bytes;
        let from = (Deliverer::Origin(stream.origin), stream.demand);
        for part in worker.seen.data.iter_mut().filter(|part| part.from == from && part.bytes > 0) {
            let bytes = part.bytes.min(left);
            left -= bytes;
            part.bytes -= bytes;
            blends.divide(stream.origin, bytes, |home, bytes| {
                portions.push(Portion { region: part.region, home: Some(home), bytes });
            });
        }
        self.books.observer.data(ThreadId::new(thread), portions);
        let mut level = Closeness::Node;
        blends.divide(stream.origin, stream.bytes, |home, _| {
            level = level.max(network.fabric.closest(node, home));
        });
        network.fluid.delays(class, delayed);
        delayed_between(&worker.seen.delayed, delayed);
        let waiting = pace.waiting(network.fluid.ceiling(class));
        reasons.clear();
        reasons.extend(network.reasons(level, delayed, waiting));
        Cause::Memory { level, limit: None }
    }

    /// Reports to an observer, before a thread's time is booked, the data that the core's caches delivered to the
    /// thread, or the thread that ended its wait.
    pub(crate) fn tell(
        &mut self,
        state: &mut SegmentState<'a, '_>,
        thread: u32,
        doing: &Doing,
        during: Interval,
    ) {
        let by = match *doing {
            Doing::Cached(cached, _) => {
                self.show_cached(&mut state.workers[thread as usize], thread, cached);
                None
            }
            Doing::Parked => state.workers[thread as usize].seen.woken.take(),
            Doing::Turn => state.turn(thread, during.from),
            Doing::Nothing
            | Doing::Overhead(_)
            | Doing::Copying(_)
            | Doing::Interrupted
            | Doing::Locked(_)
            | Doing::Starting
            | Doing::Program
            | Doing::PassingOn
            | Doing::Line
            | Doing::Compute
            | Doing::Stream(..)
            | Doing::Tail
            | Doing::Meeting
            | Doing::Paging => None,
        };
        if let Some((by, at)) = by {
            self.books.released(thread, by, at);
        }
    }

    /// Reports to an observer bytes that one of the core's own caches delivered.
    pub(crate) fn show_cached(&mut self, worker: &mut Worker, thread: u32, cached: CachedData) {
        let mut left = cached.bytes;
        let from = (Deliverer::Cache(cached.cache as usize), cached.demand);
        let mut portions = Vec::new();
        // A cache can deliver in two steps: data of the first pass, then data that is touched again.
        for part in worker.seen.data.iter_mut().filter(|part| part.from == from) {
            let bytes = part.bytes.min(left);
            left -= bytes;
            part.bytes -= bytes;
            if bytes > 0 {
                portions.push(Portion { region: part.region, home: None, bytes });
            }
        }
        self.books.observer.data(ThreadId::new(thread), &portions);
    }
}

impl SegmentState<'_, '_> {
    /// If `program` releases a lock or passes a turn on, notes the thread as the last releaser, for an observer.
    pub(crate) fn note_turns(&mut self, program: Program, team: usize, thread: u32, now: Time) {
        if program.passes_on() {
            self.last_release[team] = Some((thread, now));
        }
    }

    /// Last releaser of the lock or turn that a thread waited for, with the instant; `None` if released no later than
    /// `since`.
    pub(crate) fn turn(&self, thread: u32, since: Time) -> Option<(u32, Time)> {
        let team = team_of(self, thread);
        // A lock can be shared by all teams; a turn belongs to one team.
        let latest = self.last_release.iter().flatten().max_by_key(|passed| passed.1);
        let own = self.last_release[team].as_ref();
        let by = if matches!(
            self.planners[self.workers[thread as usize].phase as usize].phase.construct,
            Construct::Ordered | Construct::Pipeline { .. }
        ) {
            own
        } else {
            latest
        };
        by.copied().filter(|by| by.1 > since)
    }

    /// Notes for an observer that `by` told the threads in `woken` to look for work again.
    pub(crate) fn note_woken(&mut self, by: u32, now: Time) {
        for (_, thread) in &self.woken {
            self.workers[*thread as usize].seen.woken.get_or_insert((by, now));
        }
    }
}
