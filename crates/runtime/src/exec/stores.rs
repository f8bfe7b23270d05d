//! Store buffers: a store waits there for its line, and its thread goes on.
//!
//! Requests for ownership leave at once, as many together as the core has buffers for lines on their way. Each is made
//! by a helper, an agent of its own on the thread's core. Stores become visible in the order of the program: who has its
//! line before its turn may lose it again, and then asks once more. Loads pass them, and see what their own thread
//! has stored. Atomic operations, sleeping, waking and the end of a program wait until the buffer is empty.

use super::registers::{read, word};
use super::step::Need;
use super::{Exec, State};
use crate::code::{Op, Word};
use numalab_base::{Snapshot, Time};
use numalab_coherence::{Access, AgentId, LineId};

// Glossary: store buffer: Stores of a thread that wait for their lines while the thread goes on.
/// The stores of a thread that are not visible yet, the oldest first, and those who ask for their lines.
#[derive(Clone, Debug, Default)]
pub(super) struct StoreBuffer {
    pending: Vec<Pending>,
    helpers: Vec<Helper>,
}

#[derive(Clone, Copy, Debug)]
struct Pending {
    word: Word,
    value: u64,
    line: LineId,
    request: Request,
}

/// Progress of the request for the line of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Request {
    /// It has not left: all helpers are under way, or an older store wants the same line.
    Waits,
    /// This helper is under way.
    Left(AgentId),
    /// It was answered. The line may be gone again.
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

    /// Value that the thread itself sees in a word: the last of its stores that others do not see yet.
    #[inline]
    pub fn newest(&self, word: Word) -> Option<u64> {
        self.pending.iter().rev().find(|store| store.word == word).map(|store| store.value)
    }

    /// Writes down what it holds; values count on.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let StoreBuffer { pending, helpers } = self;
        into.add(&(pending.len(), helpers));
        for Pending { word, value, line, request } in pending {
            into.add(&(word, line, request));
            into.counter(*value);
        }
    }

    /// A store whose request can leave: the oldest of those that wait, unless an older one has asked for its line.
    fn next(&self) -> Option<usize> {
        let may_leave = |at: &usize| {
            let line = self.pending[*at].line;
            self.pending[..*at].iter().all(|older| older.line != line)
        };
        (0..self.pending.len()).filter(|at| self.pending[*at].request == Request::Waits).find(may_leave)
    }
}

impl Exec<'_> {
    /// Whether a store need not go through the buffer: nothing is in it, and the core has the line, or it is to be
    /// tried again later.
    pub(super) fn stores_at_once(&mut self, now: Time, time: Time, agent: AgentId, need: Need) -> bool {
        self.agents[agent.index()].stores.is_empty()
            && (time > now && self.lines.is_wanted(need.line)
                || self.lines.is_hit(time, agent, need.line, Access::Own))
    }

    /// Puts the store that a thread is at into its buffer; the time at which the thread goes on. `None` if it cannot
    /// now: it is seen to that it tries again.
    pub(super) fn buffer(&mut self, now: Time, time: Time, agent: AgentId, need: Need) -> Option<Time> {
        let Need { line, .. } = need;
        let is_wanted = time > now && self.lines.is_wanted(line);
        let thread = &mut self.agents[agent.index()];
        let Op::Store { at, value } = self.ops[thread.at as usize] else { return None };
        let (word, value) = (word(&thread.registers, at), read(&thread.registers, value));
        if thread.stores.pending.len() >= self.store_buffers {
            self.operations -= 1;
            self.drain(agent, time);
            return None;
        }
        if is_wanted {
            // It may be gone by then.
            self.operations -= 1;
            self.pause(agent, time);
            return None;
        }
        thread.stores.pending.push(Pending { word, value, line, request: Request::Waits });
        thread.at += 1;
        self.ask_for_stores(time, agent);
        Some(time + self.lines.hit())
    }

    /// The thread goes on when its buffer has room, or is empty, as what it is at asks for.
    pub(super) fn drain(&mut self, agent: AgentId, time: Time) {
        let thread = &mut self.agents[agent.index()];
        thread.state = State::Draining;
        thread.ready = time;
    }

    /// A helper has the line that it asked for: stores become visible whose turn it is, and others are asked for.
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
            // Its turn is still to come, but who spun on a copy has lost it.
            self.take(now, agent, line, Access::Own);
        }
        self.ask_for_stores(now, agent);
        self.go_on(now, time, agent);
    }

    /// Asks for the line of the oldest store again, unless its request is under way; whether its core has it still.
    fn asks_oldest(&mut self, now: Time, agent: AgentId) -> bool {
        if let Request::Waits | Request::Answered = self.agents[agent.index()].stores.pending[0].request {
            self.ask_for(now, agent, 0);
        }
        self.agents[agent.index()].stores.pending[0].request == Request::Answered
    }

    /// The oldest store of a thread, which has its line, becomes visible at a time.
    fn show(&mut self, now: Time, time: Time, agent: AgentId) -> Time {
        let Pending { word, value, line, .. } = self.agents[agent.index()].stores.pending.remove(0);
        let time = self.have(now, time, agent, Need { line, access: Access::Own, atomic: false });
        self.memory.set(word, value);
        time
    }

    /// Requests leave for stores that wait, as many as there may be.
    fn ask_for_stores(&mut self, time: Time, agent: AgentId) {
        while let Some(at) = self.agents[agent.index()].stores.next() {
            if !self.ask_for(time, agent, at) {
                break;
            }
        }
    }

    /// Asks for the line of a store; false if all helpers are under way.
    fn ask_for(&mut self, time: Time, agent: AgentId, at: usize) -> bool {
        let Some(place) = self.idle_helper(agent) else { return false };
        let stores = &mut self.agents[agent.index()].stores;
        let (helper, store) = (&mut stores.helpers[place], &mut stores.pending[at]);
        let hit = self.lines.request(time, helper.agent, store.line, Access::Own);
        helper.is_under_way = hit.is_none();
        store.request = if hit.is_some() { Request::Answered } else { Request::Left(helper.agent) };
        true
    }

    /// A helper of a thread that can ask for a line, made when it is first needed.
    fn idle_helper(&mut self, agent: AgentId) -> Option<usize> {
        let helpers = &self.agents[agent.index()].stores.helpers;
        if let Some(idle) = helpers.iter().position(|helper| !helper.is_under_way) {
            return Some(idle);
        }
        let made = helpers.len();
        if made >= self.requests_together {
            return None;
        }
        let helper = self.lines.add_helper(agent);
        self.helpers.push(agent);
        debug_assert_eq!(helper.index() + 1, self.agents.len() + self.helpers.len());
        let helpers = &mut self.agents[agent.index()].stores.helpers;
        helpers.push(Helper { agent: helper, is_under_way: false });
        Some(made)
    }

    /// A thread that waits for its buffer goes on if it can.
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
