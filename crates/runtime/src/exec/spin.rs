//! Waiting threads: they spin on a copy, possibly for a limited time, or sleep.

use super::memory::Reader;
use super::registers::{distance, get, passes, word};
use super::{Exec, State};
use crate::code::{Op, Polls, Reg, Word};
use numalab_base::{Span, Time};
use numalab_coherence::{Access, AgentId, LineId};

/// Minimum time between two polls by threads of one core that spin on the same line: each poll is an iteration of a
/// wait loop, even if a hit takes no time.
pub(super) const LOOK: Span = Span(1000);

impl Exec<'_> {
    /// Handles the first alarm: the alarm's thread gives up spinning, with the value that it read last. Only threads
    /// that spin on a copy have alarms; a thread that lost its copy polls once more.
    pub(super) fn ring(&mut self) {
        let Some((now, agent)) = self.alarms.pop() else { return };
        let thread = &mut self.agents[agent.index()];
        if let State::Watching(line) = thread.state {
            self.memory.waiting(line).forget(agent);
            thread.at += 1;
            thread.state = State::Due;
            self.lines.timer(now, agent);
        }
    }

    /// Handles a failed poll. Returns true if the thread spins; false if its time limit (the time in register `by`)
    /// is reached and it continues.
    pub(super) fn spin(
        &mut self,
        time: Time,
        agent: AgentId,
        line: LineId,
        access: Access,
        by: Option<Reg>,
    ) -> bool {
        self.begin_wait(time, agent);
        let thread = &mut self.agents[agent.index()];
        thread.straight = false;
        if let Some(by) = by {
            let by = Time(get(&thread.registers, by));
            self.decisions.note(by.0.wrapping_sub(time.0));
            if by <= time {
                thread.at += 1;
                return false;
            }
            self.alarms.set(agent, by);
        }
        thread.ready = time;
        thread.state = State::Watching(line);
        // A thread with pending stores may lose the line to them, so its polls are not predicted.
        let lasting = by.is_none() && thread.stores.is_empty();
        let reader = Reader { seen: self.present, agent, foreseen: false, lasting };
        self.memory.watch(line, access, reader);
        self.lines.listen(line);
        true
    }

    /// Called when a thread gets a line. Other threads that spin on the line and thereby lose their copies request it
    /// again.
    pub(super) fn take(&mut self, time: Time, agent: AgentId, line: LineId, access: Access) {
        let waiting = self.memory.waiting(line);
        if !waiting.owners.is_empty() {
            let mut spinning = std::mem::take(&mut waiting.owners);
            for other in spinning.drain(..) {
                debug_assert_ne!(other, agent, "a spinning thread does nothing else");
                if self.rests(other) {
                    let last = self.agents[other.index()].ready;
                    self.look_later(time, other, last);
                    continue;
                }
                self.ask_again(time, other, line, Access::Own);
            }
            self.memory.waiting(line).owners = spinning;
        }
        let waiting = self.memory.waiting(line);
        if access == Access::Own && !waiting.readers.is_empty() {
            let mut spinning = std::mem::take(&mut waiting.readers);
            self.ask_readers(time, line, &mut spinning);
            self.memory.waiting(line).readers = spinning;
        }
        self.memory.look_again(line);
    }

    fn ask_again(&mut self, time: Time, other: AgentId, line: LineId, access: Access) {
        if !self.alarms.is_empty() {
            self.alarms.remove(other);
        }
        let thread = &mut self.agents[other.index()];
        thread.state = State::Asked;
        let time = time.max(thread.ready);
        let hit = self.lines.request(time, other, line, access);
        self.look_beside(time, other, hit);
    }

    /// True if a spinning thread pauses between polls, so that it notices a lost copy only at its next poll.
    #[inline]
    fn rests(&self, agent: AgentId) -> bool {
        let op = self.ops[self.agents[agent.index()].at as usize];
        self.pause > Span::ZERO && !matches!(op, Op::Wait { how: Polls::Watching, .. })
    }

    /// Schedules the next poll of a pausing thread that has lost its line, as it notices only then. `last`: time of
    /// its last poll.
    fn look_later(&mut self, time: Time, other: AgentId, last: Time) {
        if !self.alarms.is_empty() {
            self.alarms.remove(other);
        }
        let turn = self.pause + self.lines.hit();
        let looks = time.since(last).0.div_ceil(turn.0).max(1);
        self.pause(other, last + looks * turn);
    }

    /// Schedules the next poll of a thread whose request was a hit, since another thread of its core has the line.
    fn look_beside(&mut self, time: Time, other: AgentId, hit: Option<Time>) {
        if let Some(hit) = hit {
            self.lines.timer(hit.max(time + self.beside), other);
        }
    }

    /// Requests a line again for all threads that have lost their copies while spinning on it, in the order of their
    /// last polls.
    fn ask_readers(&mut self, time: Time, line: LineId, readers: &mut Vec<Reader>) {
        let follow = self.pause == Span::ZERO && readers.len() > 1 && self.ask_by_groups(time, line, readers);
        if !follow {
            readers.sort_by_key(|reader| reader.seen);
        }
        for reader in readers.drain(..) {
            let state = &mut self.agents[reader.agent.index()].state;
            if *state == State::Asked {
                continue;
            }
            if follow && reader.lasting && self.lines.follow(reader.agent, line) {
                *state = State::Asked;
            } else {
                self.ask_reader(time, line, reader);
            }
        }
    }

    /// Requests the line for the first reader of every group of cores. Returns true if the order of the other readers
    /// is irrelevant, since they follow the first reader of their group; otherwise the caller requests the line for
    /// each remaining reader.
    fn ask_by_groups(&mut self, time: Time, line: LineId, readers: &[Reader]) -> bool {
        let heads = &mut self.heads;
        heads.begin(self.lines.groups());
        for reader in readers {
            let late = reader.foreseen && reader.seen > self.present;
            let group = self.lines.group_of(reader.agent);
            let ahead = !reader.foreseen && self.agents[reader.agent.index()].ready > time;
            if late || ahead || !heads.add(group, reader) {
                return false;
            }
        }
        let mut firsts = std::mem::take(&mut heads.firsts);
        firsts.sort_unstable_by_key(|reader| reader.seen);
        let mut are_free = true;
        for (place, reader) in firsts.iter().enumerate() {
            self.ask_reader(time, line, *reader);
            are_free =
                self.lines.is_under_way(reader.agent) && (place > 0 || self.lines.is_queued_for(time, line));
            if !are_free {
                break;
            }
        }
        self.heads.firsts = firsts;
        are_free
    }

    #[inline]
    fn ask_reader(&mut self, time: Time, line: LineId, reader: Reader) {
        let Reader { seen, agent, foreseen, lasting } = reader;
        if foreseen && seen > self.present {
            // The poll is at the same instant but after this event, so it sees the new value.
            debug_assert_eq!(seen.0, self.present.0, "no thread owns a line before all have their copies");
            self.operations -= 1;
            self.agents[agent.index()].state = State::Asked;
            self.lines.see(seen.0, agent);
        } else if self.rests(agent) {
            let last = if foreseen { seen.0 } else { self.agents[agent.index()].ready };
            self.look_later(time, agent, last);
        } else if lasting {
            self.agents[agent.index()].state = State::Asked;
            let time = if foreseen { time } else { time.max(self.agents[agent.index()].ready) };
            let hit = self.lines.look(time, agent, line);
            self.look_beside(time, agent, hit);
        } else {
            self.ask_again(time, agent, line, Access::Read);
        }
    }

    /// Predicts polls: no thread writes a line before all requested copies have arrived, so the value of a poll is
    /// known earlier. A thread whose condition will be false keeps spinning and causes no event.
    #[inline]
    pub(super) fn foresee(&mut self) {
        if self.lines.has_looks() {
            self.look_all();
        }
    }

    fn look_all(&mut self) {
        let looks = self.lines.take_looks();
        for (at, agent) in &looks {
            self.look(*at, *agent);
        }
        self.lines.give_back_looks(looks);
    }

    fn look(&mut self, at: Time, agent: AgentId) {
        let thread = &mut self.agents[agent.index()];
        let Op::Wait { at: address, until, .. } = self.ops[thread.at as usize] else {
            return self.lines.see(at, agent);
        };
        let word = word(&thread.registers, address);
        let value = self.memory.value(word);
        if passes(&thread.registers, until, value) {
            return self.lines.see(at, agent);
        }
        self.operations += 1;
        self.decisions.note(distance(&thread.registers, until, value));
        let line = self.memory.line(word);
        thread.state = State::Watching(line);
        let reader = Reader { seen: (at, agent), agent, foreseen: true, lasting: true };
        self.memory.watch(line, Access::Read, reader);
        self.lines.listen(line);
    }

    /// Wakes at most `count` sleepers one after another. Returns the time at which the last one is awake.
    pub(super) fn wake(&mut self, word: Word, count: u64, cost: Span, time: Time) -> Time {
        let line = self.memory.line(word);
        let mut time = time;
        for _ in 0..count {
            let Some(other) = self.memory.waiting(line).wake(word) else { break };
            time += cost;
            let at = time.max(self.agents[other.index()].ready);
            self.pause(other, at);
        }
        time
    }
}
