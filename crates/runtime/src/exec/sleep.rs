//! Threads that sleep after they have spun for a while.
//!
//! A sleeper keeps its copy of the line, so that a sleep shows in times alone: the thread that lets it continue calls
//! the system for it, and the sleeper goes on late. No thread sleeps in a wait that is shorter than the spinning time.

use super::{Exec, State};
use crate::code::{Op, Polls, Word};
use numalab_base::{Snapshot, Span, Time};
use numalab_coherence::{AgentId, LineId};
use std::collections::BTreeMap;

/// Times of threads that sleep while they wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sleep {
    /// Spinning time before sleep.
    pub spin: Span,
    /// Time of a thread that lets others continue, for each that sleeps.
    pub wake: Span,
    /// Time from the release of a sleeper until it runs again.
    pub back: Span,
}

/// Waits in which threads may sleep.
#[derive(Clone, Debug)]
pub(super) struct Sleeping {
    times: Sleep,
    threads: Vec<Waits>,
    /// Threads that have waited since before they requested a line; some have it by now.
    expected: BTreeMap<LineId, Vec<AgentId>>,
}

#[derive(Clone, Copy, Debug)]
struct Waits {
    /// Start of the present wait; `None` if the thread does not wait in this way.
    since: Option<Time>,
    /// End of the thread's last program.
    idle_since: Time,
}

/// A wait that ends, with the times of sleep.
pub(super) struct Ending(Time, Sleep);

impl Ending {
    /// Time until the thread runs again, if it sleeps at `time`.
    pub fn has_ended(&self, time: Time) -> Option<Span> {
        self.1.has_begun(self.0, time).then_some(self.1.back)
    }
}

impl Sleep {
    /// True if a thread that has waited since `since` sleeps at `time`.
    fn has_begun(&self, since: Time, time: Time) -> bool {
        since.0.saturating_add(self.spin.0) <= time.0
    }
}

impl Sleeping {
    fn of(&mut self, agent: AgentId) -> &mut Waits {
        let needed = agent.index() + 1;
        if self.threads.len() < needed {
            self.threads.resize(needed, Waits { since: None, idle_since: Time::ZERO });
        }
        &mut self.threads[agent.index()]
    }

    fn since(&self, agent: AgentId) -> Option<Time> {
        self.threads.get(agent.index())?.since
    }

    /// Ends the wait of a thread; `None` if the thread has not waited.
    #[inline]
    pub fn end_wait(&mut self, agent: AgentId) -> Option<Ending> {
        let since = self.threads.get_mut(agent.index())?.since.take()?;
        Some(Ending(since, self.times))
    }

    /// Adds all waits to a snapshot. Sleepers are alike, however long they have slept.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Sleeping { times, threads, expected } = self;
        let passed = |since: Time, now: Time| now.since(since).min(times.spin);
        let now = into.now();
        for Waits { since, idle_since } in threads {
            into.add(&(since.map(|since| passed(since, now)), passed(*idle_since, now)));
        }
        into.add(expected);
    }
}

impl Exec<'_> {
    /// Lets threads sleep in waits that allow it. Called before programs are written.
    pub fn let_sleep(&mut self, times: Sleep) {
        self.sleep = Some(Box::new(Sleeping { times, threads: Vec::new(), expected: BTreeMap::new() }));
    }

    /// True if it takes time to wake sleepers.
    pub fn rouses(&self) -> bool {
        self.sleep.as_ref().is_some_and(|sleep| sleep.times.wake > Span::ZERO)
    }

    /// Counts the time since a thread's last program as part of the wait that its next program begins with.
    pub fn waits_already(&mut self, agent: AgentId) {
        if let Some(sleep) = &mut self.sleep {
            let waits = sleep.of(agent);
            waits.since = Some(waits.idle_since);
        }
    }

    /// Notes the end of a thread's program.
    #[inline]
    pub(super) fn rest(&mut self, now: Time, agent: AgentId) {
        if let Some(sleep) = &mut self.sleep {
            sleep.of(agent).idle_since = now;
        }
    }

    /// Notes the first failed poll of a thread, if it may sleep while it waits.
    #[inline]
    pub(super) fn begin_wait(&mut self, time: Time, agent: AgentId) {
        if self.may_sleep(agent)
            && let Some(sleep) = &mut self.sleep
        {
            sleep.of(agent).since.get_or_insert(time);
        }
    }

    fn may_sleep(&self, agent: AgentId) -> bool {
        let op = &self.ops[self.agents[agent.index()].at as usize];
        self.sleep.is_some() && matches!(op, Op::Wait { how: Polls::Sleeping, .. })
    }

    /// Notes a thread that has requested a line to wait for a word, and that may sleep already.
    #[inline]
    pub(super) fn expect(&mut self, agent: AgentId, line: LineId) {
        if self.rouses()
            && self.may_sleep(agent)
            && let Some(sleep) = &mut self.sleep
            && sleep.since(agent).is_some()
        {
            sleep.expected.entry(line).or_default().push(agent);
        }
    }

    /// Time for waking all threads that sleep while they wait for a word.
    pub(super) fn rouse(&mut self, word: Word, time: Time) -> Span {
        let line = self.memory.line(word);
        let Some(sleep) = &mut self.sleep else { return Span::ZERO };
        let expected = sleep.expected.remove(&line).unwrap_or_default();
        let on_their_way =
            expected.into_iter().filter(|agent| self.agents[agent.index()].state == State::Asked);
        let since = self.memory.readers(line).chain(on_their_way).filter_map(|agent| sleep.since(agent));
        since.filter(|since| sleep.times.has_begun(*since, time)).count() as u64 * sleep.times.wake
    }
}
