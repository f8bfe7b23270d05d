//! Threads that wait: spin on a copy, for a limited time perhaps, or sleep.

use super::registers::get;
use super::{Exec, State};
use crate::code::{Reg, Word};
use numalab_coherence::{Access, AgentId, LineId};

/// Threads of one core that spin on the same line look at it this far apart at least, in picoseconds: each
/// look is a turn of a loop, even where a hit takes no time.
const LOOK: u64 = 1000;

impl Exec<'_> {
    /// The first alarm: its thread gives up spinning, with the value that it read last. Only threads that
    /// spin on a copy have one; who lost the copy looks at the line once more.
    pub(super) fn ring(&mut self) {
        let Some((now, agent)) = self.alarms.pop() else { return };
        let thread = &mut self.agents[agent as usize];
        if let State::Watching(line) = thread.state {
            self.memory.waiting(line).forget(agent);
            thread.at += 1;
            thread.state = State::Due;
            self.lines.timer(now, AgentId::new(agent));
        }
    }

    /// The value did not pass: the thread spins (true), or it is too late and the thread goes on.
    pub(super) fn spin(
        &mut self,
        time: u64,
        agent: u32,
        line: LineId,
        access: Access,
        by: Option<Reg>,
    ) -> bool {
        let thread = &mut self.agents[agent as usize];
        if let Some(by) = by {
            let by = get(&thread.registers, by);
            self.decisions.note(by.wrapping_sub(time));
            if by <= time {
                thread.at += 1;
                return false;
            }
            self.alarms.set(agent, by);
        }
        thread.ready = time;
        thread.state = State::Watching(line);
        self.memory.watch(line, access, agent);
        self.lines.listen(line);
        true
    }

    /// A thread has a line: those that spun on it lose it, and ask again.
    pub(super) fn take(&mut self, time: u64, agent: u32, line: LineId, access: Access) {
        let waiting = self.memory.waiting(line);
        if !waiting.owners.is_empty() {
            let mut spinning = std::mem::take(&mut waiting.owners);
            self.ask_again(time, agent, line, Access::Own, &mut spinning);
            self.memory.waiting(line).owners = spinning;
        }
        let waiting = self.memory.waiting(line);
        if access == Access::Own && !waiting.readers.is_empty() {
            let mut spinning = std::mem::take(&mut waiting.readers);
            self.ask_again(time, agent, line, Access::Read, &mut spinning);
            self.memory.waiting(line).readers = spinning;
        }
        self.memory.look_again(line);
    }

    fn ask_again(&mut self, time: u64, agent: u32, line: LineId, access: Access, spinning: &mut Vec<u32>) {
        for other in spinning.drain(..) {
            debug_assert_ne!(other, agent, "who spins does nothing else");
            if !self.alarms.is_empty() {
                self.alarms.remove(other);
            }
            let thread = &mut self.agents[other as usize];
            thread.state = State::Asked;
            let time = time.max(thread.ready);
            if let Some(hit) = self.lines.request(time, AgentId::new(other), line, access) {
                // On the same core as the one that has the line now.
                self.lines.timer(hit.max(time + LOOK), AgentId::new(other));
            }
        }
    }

    /// Wakes sleepers one after another; returns when the last one is awake.
    pub(super) fn wake(&mut self, word: Word, count: u64, cost: u64, time: u64) -> u64 {
        let line = self.memory.line(word);
        let mut time = time;
        for _ in 0..count {
            let Some(other) = self.memory.waiting(line).wake(word) else { break };
            time = time.saturating_add(cost);
            let at = time.max(self.agents[other as usize].ready);
            self.pause(other, at);
        }
        time
    }
}
