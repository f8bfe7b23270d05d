//! Run queues of shared processors, and the rules by which Linux moves threads that are not bound.
//!
//! A thread that wakes up goes to its last processor if that processor is idle, else to an idle processor that shares
//! the cache, else it waits at its last processor. A processor that becomes idle looks for a waiting thread, nearest
//! domains first. An idle processor looks again at intervals that grow with the domain. It takes a thread from the
//! busiest group that has more threads than processors: from the busiest processor of the group, the thread that came
//! last.
//!
//! This module does not know what threads do; `moves` does. Sources: `select_idle_sibling`, `idle_balance` and
//! `load_balance` in `kernel/sched/fair.c`, `sd_init` in `kernel/sched/topology.c`.

// Glossary: run queue: Threads that run on a processor or wait for it.

// Glossary: load balancer: Part of the operating system that moves threads which are not bound to idle
//   processors.

mod domains;
mod looks;
mod queue;

#[cfg(test)]
mod tests;

use crate::engine::setup::Setup;
use crate::engine::team::{ProcessorTopology, Team};
use domains::{Domains, Level};
use numalab_base::{Snapshot, Span, Time};
use numalab_des::{Domain, Streams};
use queue::{RunQueue, WEIGHT};
use std::collections::BTreeSet;

/// Load balancer with the present positions of all threads.
#[derive(Clone, Debug)]
pub(crate) struct Balancer {
    /// Team of the run, each thread on the processor that it had at the end of the last phase.
    pub team: Team,
    domains: Domains,
    /// Run queue of each processor, by index.
    queues: Vec<RunQueue>,
    /// Processor and sleep state of each thread.
    seats: Vec<Seat>,
    /// Spinning threads, with the instants at which they go to sleep.
    sleepy: BTreeSet<(Time, u32)>,
    /// Time of spinning before sleep; `None` if threads never sleep.
    spin: Option<Span>,
    cost: Span,
    interval: Span,
    /// Instant at which the first interval of each level of scheduling domains begins, in picoseconds. `passed`: time
    /// of repetitions that were counted instead of simulated. Intervals are measured on the world's clock plus this
    /// time.
    offsets: Vec<u64>,
    passed: Span,
    /// Number of processors with more than one awake thread. `idle`: number of processors without one.
    crowded: usize,
    idle: usize,
    /// Instant of the next periodic search by idle processors (look); `None` if no search would find a thread.
    look: Option<Time>,
    /// Number of moves to another processor so far, by wake-ups and pulls.
    pub moved: u64,
    /// Number of times so far that a periodic search was scheduled, because an idle processor would have found a
    /// thread.
    pub waits: u64,
}

#[derive(Clone, Copy, Debug)]
struct Seat {
    place: usize,
    asleep: bool,
    /// True if the thread has run before. A new thread runs on the processor where it was placed, even if other
    /// threads are there.
    started: bool,
}

impl Balancer {
    /// State before the first region: only the first thread exists. `None` if the system moves no thread.
    pub fn new(setup: &Setup<'_>) -> Option<Balancer> {
        let allowed = setup.team.unbound.as_ref().filter(|_| setup.machine.dsm.is_none())?;
        let topology = ProcessorTopology::new(setup.machine, setup.fabric);
        let domains = Domains::new(&topology, allowed);
        let os = &setup.machine.os;
        let threads = setup.team.members.len() as u32;
        let spin = setup.runtime.barrier.crowded_spin;
        let slice = os.time_slice(threads.div_ceil(allowed.len() as u32));
        Balancer::on(domains, setup.team.clone(), (os.balance_interval, os.migration_cost), setup.streams())
            .map(|balancer| Balancer { spin: (spin < slice).then_some(spin), ..balancer })
    }

    fn on(
        domains: Domains,
        team: Team,
        (interval, cost): (Span, Span),
        streams: Streams,
    ) -> Option<Balancer> {
        let place = |number: u32| domains.processors.iter().position(|known| *known == number);
        let seats: Option<Vec<Seat>> = team
            .members
            .iter()
            .map(|member| Some(Seat { place: place(member.processor)?, asleep: true, started: false }))
            .collect();
        let queues = vec![RunQueue::idle(most_idle(cost)); domains.processors.len()];
        let offset = |(number, level): (u64, &Level)| {
            let largest = level.domains.all().map(|domain| domain.len() as u64).max().unwrap_or(1);
            streams.stream(Domain::Balance, number).below(interval.0.saturating_mul(largest).max(1))
        };
        let offsets = (0..).zip(&domains.levels).map(offset).collect();
        let idle = queues.len();
        let mut balancer = Balancer {
            team,
            domains,
            queues,
            seats: seats?,
            sleepy: BTreeSet::new(),
            spin: Some(Span::ZERO),
            cost,
            interval,
            offsets,
            passed: Span::ZERO,
            crowded: 0,
            idle,
            look: None,
            moved: 0,
            waits: 0,
        };
        balancer.wake(0, Time::ZERO);
        Some(balancer)
    }

    /// The operating system's number of the processor with index `place` in the order of the hierarchy.
    pub fn number(&self, place: usize) -> u32 {
        self.domains.processors[place]
    }

    /// Index of a thread's processor.
    pub fn place(&self, thread: u32) -> usize {
        self.seats[thread as usize].place
    }

    pub fn is_asleep(&self, thread: u32) -> bool {
        self.seats[thread as usize].asleep
    }

    /// Threads that run or wait on the core of a processor.
    pub fn on_core(&self, place: usize) -> impl Iterator<Item = u32> + '_ {
        self.queues[self.domains.cores.around(place)].iter().flat_map(|queue| queue.awake.iter().copied())
    }

    /// A thread begins to wait for other threads; it spins, then goes to sleep.
    pub fn waits_from(&mut self, thread: u32, now: Time) {
        if let Some(spin) = self.spin {
            self.sleepy.insert((now + spin, thread));
        }
    }

    /// A thread continues. Returns true if the thread had gone to sleep.
    pub fn goes_on(&mut self, thread: u32) -> bool {
        self.sleepy.retain(|(_, sleepy)| *sleepy != thread);
        self.is_asleep(thread)
    }

    /// Advances by `span`, the time of repetitions that are counted instead of simulated. No idle processor would
    /// have found a thread meanwhile. `World::now` stays.
    pub fn pass(&mut self, span: Span) {
        self.passed += span;
    }

    /// Next instant at which a thread goes to sleep or an idle processor searches for a thread.
    pub fn due(&self) -> Option<Time> {
        let sleep = self.sleepy.first().map(|(at, _)| *at);
        crate::engine::calendar::earlier(sleep, self.look)
    }

    /// Puts to sleep the next thread whose spinning ends by `now`. Returns the thread and the index of its processor.
    pub fn fall_asleep(&mut self, now: Time) -> Option<(u32, usize)> {
        let (_, thread) = self.sleepy.first().copied().filter(|(at, _)| *at <= now)?;
        self.sleepy.pop_first();
        let place = self.place(thread);
        self.leave(thread, now);
        self.seats[thread as usize].asleep = true;
        self.rearm(now);
        Some((thread, place))
    }

    /// Wakes a sleeping thread. Returns the index of its processor from now on.
    pub fn wake(&mut self, thread: u32, now: Time) -> usize {
        let before = self.place(thread);
        let seat = &mut self.seats[thread as usize];
        seat.asleep = false;
        let place = match std::mem::replace(&mut seat.started, true) {
            true => self.idle_near(before).unwrap_or(before),
            false => before,
        };
        self.moved += u64::from(place != before);
        self.queues[place].end_idle_time(now, most_idle(self.cost));
        self.come(thread, place);
        self.rearm(now);
        place
    }

    /// Idle processor for a thread whose last processor has index `place`: that processor, else a processor that
    /// shares the cache, preferably on an idle core.
    fn idle_near(&self, place: usize) -> Option<usize> {
        let is_idle = |place: &usize| self.queues[*place].awake.is_empty();
        if is_idle(&place) {
            return Some(place);
        }
        let near = || self.domains.caches.around(place);
        let core_is_idle = |place: &usize| self.domains.cores.around(*place).all(|place| is_idle(&place));
        near().find(core_is_idle).or_else(|| near().find(is_idle))
    }

    /// Moves a thread to an idle processor.
    pub fn pull(&mut self, thread: u32, to: usize, now: Time) {
        self.leave(thread, now);
        self.come(thread, to);
        self.moved += 1;
        self.rearm(now);
    }

    /// Takes a thread out of its processor's queue.
    fn leave(&mut self, thread: u32, now: Time) {
        let queue = &mut self.queues[self.seats[thread as usize].place];
        queue.awake.retain(|other| *other != thread);
        self.crowded -= usize::from(queue.awake.len() == 1);
        if queue.awake.is_empty() {
            self.idle += 1;
            queue.idle_since = Some(now);
        }
    }

    /// Adds a thread to the end of a processor's queue.
    fn come(&mut self, thread: u32, place: usize) {
        self.seats[thread as usize].place = place;
        let queue = &mut self.queues[place];
        self.idle -= usize::from(queue.awake.is_empty());
        queue.awake.push(thread);
        self.crowded += usize::from(queue.awake.len() == 2);
    }

    /// Adds the state that later moves depend on to a snapshot. Marks the snapshot as not whole (`Snapshot::refuse`)
    /// while a search by idle processors is scheduled.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Balancer {
            team: _,
            domains: _,
            queues,
            seats,
            sleepy,
            spin: _,
            cost,
            interval: _,
            offsets: _,
            passed: _,
            crowded: _,
            idle: _,
            look,
            moved: _,
            waits: _,
        } = self;
        if look.is_some() {
            into.refuse();
        }
        // From this idle time on the new mean is the maximum, whatever the old mean was.
        let most = most_idle(*cost).0.saturating_mul(WEIGHT + 1);
        let now = into.now();
        for RunQueue { awake, idle_since, mean_idle } in queues {
            let idle = idle_since.map_or(most, |since| now.since(since).0.min(most));
            into.add(&(awake, if awake.is_empty() { idle } else { 0 }, mean_idle));
        }
        for Seat { place, asleep, started } in seats {
            into.add(&(place, asleep, started));
        }
        into.add(&sleepy.len());
        for (at, thread) in sleepy {
            into.time(*at);
            into.add(thread);
        }
    }
}

/// Upper bound of the mean idle time at this cost of a move.
fn most_idle(cost: Span) -> Span {
    Span(cost.0.saturating_mul(2))
}
