//! Store buffers: a store waits there for its line while its thread continues.
//!
//! Requests for ownership leave immediately, as many as the machine states (`core.store_requests`) or the core has
//! buffers for lines in flight. The first limit does not hold for stores that go through consecutive lines, which a
//! prefetcher requests. Each request is made by a helper, an agent on the thread's core. Stores become visible in
//! program order. A line that arrives early can be
//! lost again and is then requested once more. Loads pass stores and see those of their own thread. Atomic
//! operations, sleeping, waking and the end of a program wait for the empty buffer.

use super::registers::{read, word};
use super::step::Need;
use super::{Exec, State};
use crate::code::{Op, Word};
use numalab_base::{Snapshot, Time};
use numalab_coherence::{Access, AgentId, LineId};
use std::collections::VecDeque;

// Glossary: store buffer: Stores of a thread that wait for their lines while the thread goes on.
/// Stores of a thread that are not visible yet, oldest first, and its helpers.
#[derive(Clone, Debug, Default)]
pub(super) struct StoreBuffer {
    pending: VecDeque<Pending>,
    helpers: Vec<Helper>,
    /// Number of stores whose requests can leave. A full buffer is asked at every store, and mostly has none.
    ready: usize,
}

#[derive(Clone, Copy, Debug)]
struct Pending {
    word: Word,
    value: u64,
    line: LineId,
    request: Request,
    /// True if no older pending store needs the same line.
    leads: bool,
    /// True if a prefetcher requests the line.
    in_sequence: bool,
}

impl Pending {
    /// True if the store's request can leave.
    fn is_ready(&self) -> bool {
        self.leads && self.request == Request::Waits
    }
}

/// Progress of a store's request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Request {
    /// Request has not left: all helpers are busy, or an older pending store needs the same line.
    Waits,
    /// Request of this helper is under way.
    Left(AgentId),
    /// Request has been answered. The line may have been lost again.
    Answered,
}

// Glossary: helper: An agent that asks for the lines of stores that a thread has in its store buffer.
#[derive(Clone, Copy, Debug, Hash)]
struct Helper {
    agent: AgentId,
    is_under_way: bool,
}

impl StoreBuffer {
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.pending.is_empty()
    }

    /// Value of a word as the thread itself reads it, from its newest pending store to the word; `None` if no store
    /// to the word is pending.
    #[inline]
    pub fn newest(&self, word: Word) -> Option<u64> {
        self.pending.iter().rev().find(|store| store.word == word).map(|store| store.value)
    }

    /// Adds the buffer to a snapshot. Values are counters, which may grow.
    pub fn snapshot(&self, into: &mut Snapshot) {
        // The other fields follow from these.
        let StoreBuffer { pending, helpers, ready: _ } = self;
        into.add(&(pending.len(), helpers));
        for Pending { word, value, line, request, leads: _, in_sequence } in pending {
            into.add(&(word, line, request, in_sequence));
            into.counter(*value);
        }
    }

    /// Adds a store whose request has not left.
    fn push(&mut self, word: Word, value: u64, line: LineId, in_sequence: bool) {
        let leads = self.pending.iter().all(|older| older.line != line);
        self.ready += usize::from(leads);
        self.pending.push_back(Pending { word, value, line, request: Request::Waits, leads, in_sequence });
    }

    /// Removes the oldest store. The next store to its line then leads.
    fn pop(&mut self) -> Option<Pending> {
        let oldest = self.pending.pop_front()?;
        self.ready -= usize::from(oldest.is_ready());
        if let Some(next) = self.pending.iter_mut().find(|store| store.line == oldest.line) {
            next.leads = true;
            self.ready += usize::from(next.is_ready());
        }
        Some(oldest)
    }

    /// Index of the oldest store whose request can leave: one in sequence, or any if fewer than `together` requests are
    /// under way, those of stores in sequence included.
    fn next(&self, together: usize) -> Option<usize> {
        if self.ready == 0 {
            return None;
        }
        let under_way = self.helpers.iter().filter(|helper| helper.is_under_way).count();
        let can = |store: &Pending| store.is_ready() && (store.in_sequence || under_way < together);
        self.pending.iter().position(can)
    }
}

impl Exec<'_> {
    /// True if the thread's buffer is empty and the store need not go through it: the core has the line, or another
    /// agent wants the line and the store is tried again at `time`.
    pub(super) fn stores_at_once(&mut self, now: Time, time: Time, agent: AgentId, need: Need) -> bool {
        self.agents[agent.index()].stores.is_empty()
            && (time > now && self.lines.is_wanted(need.line)
                || self.lines.is_hit(time, agent, need.line, Access::Own))
    }

    /// Puts a thread's store into its buffer. Returns the time at which the thread continues, or `None` if the thread
    /// will try again, because the buffer is full or another agent wants the line.
    pub(super) fn buffer(&mut self, now: Time, time: Time, agent: AgentId, need: Need) -> Option<Time> {
        let Need { line, .. } = need;
        let is_wanted = time > now && self.lines.is_wanted(line);
        let thread = &mut self.agents[agent.index()];
        let Op::Store { at, value, in_sequence } = self.ops[thread.at as usize] else { return None };
        let (word, value) = (word(&thread.registers, at), read(&thread.registers, value));
        if thread.stores.pending.len() >= self.store_buffers {
            self.operations -= 1;
            self.drain(agent, time);
            return None;
        }
        if is_wanted {
            // The line may be lost at `time`, when the store is tried again.
            self.operations -= 1;
            self.pause(agent, time);
            return None;
        }
        thread.stores.push(word, value, line, in_sequence);
        thread.at += 1;
        self.ask_for_stores(time, agent);
        Some(time + self.lines.hit())
    }

    /// Suspends a thread until its buffer has space, or is empty, as its operation requires.
    pub(super) fn drain(&mut self, agent: AgentId, time: Time) {
        let thread = &mut self.agents[agent.index()];
        thread.state = State::Draining;
        thread.ready = time;
    }

    /// Handles the arrival of a helper's line: stores become visible in order, and further requests leave.
    pub(super) fn store_answered(&mut self, now: Time, helper: AgentId, agent: AgentId) {
        let stores = &mut self.agents[agent.index()].stores;
        let left = Request::Left(helper);
        let Some(place) = stores.pending.iter().position(|store| store.request == left) else { return };
        stores.pending[place].request = Request::Answered;
        let line = stores.pending[place].line;
        if let Some(helper) = stores.helpers.iter_mut().find(|other| other.agent == helper) {
            helper.is_under_way = false;
        }
        let mut time = now;
        if place == 0 {
            time = self.show(now, time, agent);
            while !self.agents[agent.index()].stores.is_empty() && self.asks_oldest(now, agent) {
                time = self.show(now, time + self.lines.hit(), agent);
            }
        } else if self.memory.is_watched(line) {
            // The helper's store is not visible yet, but threads that spin on a copy have lost the line.
            self.take(now, agent, line, Access::Own);
        }
        self.ask_for_stores(now, agent);
        self.go_on(now, time, agent);
    }

    /// Requests the line of the oldest store, unless a request for it is under way; again, if an earlier request was
    /// answered. Returns true if the core has the line.
    fn asks_oldest(&mut self, now: Time, agent: AgentId) -> bool {
        if let Request::Waits | Request::Answered = self.agents[agent.index()].stores.pending[0].request {
            self.ask_for(now, agent, 0);
        }
        self.agents[agent.index()].stores.pending[0].request == Request::Answered
    }

    /// Makes the oldest store of a thread visible. Returns the time at which it is visible.
    fn show(&mut self, now: Time, time: Time, agent: AgentId) -> Time {
        let Some(oldest) = self.agents[agent.index()].stores.pop() else { return time };
        let Pending { word, value, line, .. } = oldest;
        let time = self.have(now, time, agent, Need { line, access: Access::Own, atomic: false });
        self.memory.set(word, value);
        time
    }

    /// Sends requests for waiting stores, as many as allowed.
    fn ask_for_stores(&mut self, time: Time, agent: AgentId) {
        while let Some(at) = self.agents[agent.index()].stores.next(self.store_requests) {
            if !self.ask_for(time, agent, at) {
                break;
            }
        }
    }

    /// Requests the line of a store. Returns false if all helpers are busy.
    fn ask_for(&mut self, time: Time, agent: AgentId, at: usize) -> bool {
        let Some(place) = self.idle_helper(agent) else { return false };
        let stores = &mut self.agents[agent.index()].stores;
        let (helper, store) = (&mut stores.helpers[place], &mut stores.pending[at]);
        stores.ready -= usize::from(store.is_ready());
        let hit = self.lines.request(time, helper.agent, store.line, Access::Own);
        helper.is_under_way = hit.is_none();
        let line = store.line;
        store.request = if hit.is_some() { Request::Answered } else { Request::Left(helper.agent) };
        if hit.is_some() {
            self.lines.race(line, false);
        }
        true
    }

    /// Index of an idle helper of a thread, added if none is idle; `None` if as many as allowed are busy.
    fn idle_helper(&mut self, agent: AgentId) -> Option<usize> {
        let helpers = &self.agents[agent.index()].stores.helpers;
        if let Some(idle) = helpers.iter().position(|helper| !helper.is_under_way) {
            return Some(idle);
        }
        let made = helpers.len();
        if made >= self.lines_in_flight {
            return None;
        }
        let helper = self.lines.add_helper(agent);
        self.helpers.push(agent);
        debug_assert_eq!(helper.index() + 1, self.agents.len() + self.helpers.len());
        let helpers = &mut self.agents[agent.index()].stores.helpers;
        helpers.push(Helper { agent: helper, is_under_way: false });
        Some(made)
    }

    /// Resumes a thread that waits for its buffer, if the buffer is empty, or has space and the thread wants to
    /// store.
    fn go_on(&mut self, now: Time, time: Time, agent: AgentId) {
        let thread = &self.agents[agent.index()];
        let stored = thread.stores.pending.len();
        let is_store = matches!(self.ops[thread.at as usize], Op::Store { .. });
        let can = stored == 0 || is_store && stored < self.store_buffers;
        if thread.state != State::Draining || !can {
            return;
        }
        let time = time.max(thread.ready);
        if time > now { self.pause(agent, time) } else { self.proceed(now, agent, false, false) }
    }
}
