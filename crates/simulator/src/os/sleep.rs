//! Sleep of threads that are bound: a thread that has spun for the runtime's time leaves its core to the others.
//!
//! Only teams whose threads have processors of their own sleep in this way; for those that share processors the
//! runtime counts time slices, and the balancer knows who sleeps. This module decides who is awake on a core; what a
//! wake-up takes is part of the runtime's programs.

use crate::engine::setup::Setup;
use crate::engine::team::Team;
use numalab_base::{Snapshot, Span, Time};
use numalab_runtime::exec::Sleep;
use std::collections::{BTreeMap, BTreeSet};

/// Sleep of bound threads, if the runtime has one and the team's threads have processors of their own.
pub(crate) fn of(setup: &Setup<'_>) -> Option<Sleep> {
    let members = &setup.team.members;
    let used: BTreeSet<u32> = members.iter().map(|member| member.processor).collect();
    let is_apart = used.len() == members.len() && setup.machine.dsm.is_none();
    let spin = setup.runtime.wait.spin.filter(|_| is_apart && !setup.runtime.is_free())?;
    let os = &setup.machine.os;
    Some(Sleep { spin, wake: setup.runtime.wait.wake, back: os.context_switch + os.wake_thread })
}

/// Threads that sleep, on the cores that threads share.
#[derive(Clone, Debug)]
pub(crate) struct Sleepers {
    /// Team of the run, with the shares of cores at the end of the last phase.
    pub team: Team,
    /// Spinning threads, with the instants at which they go to sleep.
    sleepy: BTreeSet<(Time, u32)>,
    seats: Vec<Seat>,
    /// Threads of each core.
    cores: BTreeMap<u32, Vec<u32>>,
    spin: Span,
}

#[derive(Clone, Copy, Debug, Default)]
struct Seat {
    /// Instant at which the thread goes to sleep; `None` if it does not wait or sleeps already.
    sleeps_at: Option<Time>,
    asleep: bool,
}

impl Sleepers {
    /// All threads are awake. `None` if no thread sleeps, or if none shares a core.
    pub fn new(setup: &Setup<'_>) -> Option<Sleepers> {
        let spin = of(setup)?.spin;
        let team = setup.team.clone();
        let mut cores: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (thread, member) in (0..).zip(&team.members) {
            cores.entry(member.core.0).or_default().push(thread);
        }
        let seats = vec![Seat::default(); team.members.len()];
        let shared = team.members.iter().any(|member| member.core_mates > 1);
        shared.then_some(Sleepers { team, sleepy: BTreeSet::new(), seats, cores, spin })
    }

    /// A thread begins to wait for other threads; it spins, then goes to sleep.
    pub fn waits_from(&mut self, thread: u32, now: Time) {
        let at = Time(now.0.saturating_add(self.spin.0));
        self.forget(thread);
        self.seats[thread as usize].sleeps_at = Some(at);
        self.sleepy.insert((at, thread));
    }

    fn forget(&mut self, thread: u32) {
        if let Some(at) = self.seats[thread as usize].sleeps_at.take() {
            self.sleepy.remove(&(at, thread));
        }
    }

    /// A thread continues. Returns true if the thread has slept.
    pub fn goes_on(&mut self, thread: u32) -> bool {
        self.forget(thread);
        std::mem::take(&mut self.seats[thread as usize].asleep)
    }

    /// Next instant at which a thread goes to sleep.
    pub fn due(&self) -> Option<Time> {
        self.sleepy.first().map(|(at, _)| *at)
    }

    /// Puts to sleep the next thread whose spinning ends by `now`.
    pub fn fall_asleep(&mut self, now: Time) -> Option<u32> {
        let (_, thread) = self.sleepy.first().copied().filter(|(at, _)| *at <= now)?;
        self.forget(thread);
        self.seats[thread as usize].asleep = true;
        Some(thread)
    }

    /// Threads that are awake on the core of a thread.
    pub fn awake_beside(&self, thread: u32) -> Vec<u32> {
        let core = self.team.members[thread as usize].core.0;
        let threads = self.cores.get(&core).into_iter().flatten().copied();
        threads.filter(|thread| !self.seats[*thread as usize].asleep).collect()
    }

    /// Adds the state to a snapshot.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Sleepers { team: _, sleepy: _, seats, cores: _, spin: _ } = self;
        for Seat { sleeps_at, asleep } in seats {
            into.add(&(sleeps_at.is_some(), asleep));
            if let Some(at) = sleeps_at {
                into.time(*at);
            }
        }
    }
}
