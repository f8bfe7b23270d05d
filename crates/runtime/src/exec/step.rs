//! The interpreter: one operation after another.

use super::registers::{calculate, choice, distance, get, passes, put, read, word};
use super::{Exec, Finished, RUN_AHEAD, State};
use crate::code::{Address, Op, Word};
use numalab_coherence::{Access, AgentId, LineId};

/// Access to a word's line that an operation needs before it can take effect.
fn needs(op: Op) -> Option<(Address, Access)> {
    match op {
        Op::Load { at, .. } | Op::Wait { at, .. } | Op::Sleep { at, .. } => Some((at, Access::Read)),
        Op::Store { at, .. }
        | Op::FetchAdd { at, .. }
        | Op::Swap { at, .. }
        | Op::CompareSwap { at, .. }
        | Op::SwapUntil { at, .. } => Some((at, Access::Own)),
        Op::Delay(_)
        | Op::Clock(_)
        | Op::Wake { .. }
        | Op::Set { .. }
        | Op::Compute { .. }
        | Op::Branch { .. }
        | Op::Jump(_)
        | Op::Finish(_) => None,
    }
}

/// Whether it reads and writes in one.
fn is_atomic(op: Op) -> bool {
    matches!(op, Op::FetchAdd { .. } | Op::Swap { .. } | Op::CompareSwap { .. } | Op::SwapUntil { .. })
}

impl Exec<'_> {
    /// Runs a thread from now until it must wait for something. `granted`: it has the line of its
    /// operation. `starting`: an end right now is left for [`Exec::advance`] to report.
    pub(super) fn proceed(&mut self, now: u64, agent: u32, granted: bool, starting: bool) {
        let mut granted = granted;
        let mut time = now;
        loop {
            if !granted && !self.decisions.are_noted() {
                time = self.run_quietly(now, agent, time);
                if time - now > RUN_AHEAD {
                    return self.pause(agent, time);
                }
            }
            self.operations += 1;
            let thread = &mut self.agents[agent as usize];
            let op = self.ops[thread.at as usize];
            let Some((address, access)) = needs(op) else {
                match op {
                    Op::Delay(span) => {
                        let span = read(&thread.registers, span);
                        self.decisions.note(span);
                        time = time.saturating_add(span);
                    }
                    Op::Set { to, value } => {
                        let value = read(&thread.registers, value);
                        put(&mut thread.registers, to, value);
                    }
                    Op::Compute { to, how, left, right } => {
                        let registers = &mut thread.registers;
                        let (first, second) = (read(registers, left), read(registers, right));
                        choice(how, first, second, right).into_iter().for_each(|by| self.decisions.note(by));
                        put(registers, to, calculate(how, first, second));
                    }
                    Op::Clock(to) => put(&mut thread.registers, to, time),
                    Op::Branch { value, test, to } => {
                        let value = get(&thread.registers, value);
                        self.decisions.note(distance(&thread.registers, test, value));
                        if passes(&thread.registers, test, value) {
                            thread.at = to;
                            continue;
                        }
                    }
                    Op::Jump(to) => {
                        thread.at = to;
                        continue;
                    }
                    Op::Finish(result) => {
                        if time > now || starting {
                            return self.pause(agent, time);
                        }
                        let result = read(&thread.registers, result);
                        thread.state = State::Idle;
                        return self.ended.push(Finished { at: now, agent, result });
                    }
                    Op::Wake { at, count, cost } => {
                        let (word, count) = (word(&thread.registers, at), read(&thread.registers, count));
                        let cost = read(&thread.registers, cost);
                        self.decisions.note(u64::from(word.0));
                        self.decisions.note(count);
                        self.decisions.note(cost);
                        time = self.wake(word, count, cost, time);
                    }
                    Op::Load { .. }
                    | Op::Store { .. }
                    | Op::FetchAdd { .. }
                    | Op::Swap { .. }
                    | Op::CompareSwap { .. }
                    | Op::Wait { .. }
                    | Op::SwapUntil { .. }
                    | Op::Sleep { .. } => {}
                }
                let thread = &mut self.agents[agent as usize];
                thread.at += 1;
                if time - now > RUN_AHEAD {
                    return self.pause(agent, time);
                }
                continue;
            };
            let word = word(&thread.registers, address);
            if address.indexed {
                self.decisions.note(u64::from(word.0));
            }
            let line = self.memory.line(word);
            if !granted {
                if access == Access::Own && time > now && self.lines.is_wanted(line) {
                    // It may be gone by then.
                    return self.pause(agent, time);
                }
                match self.lines.request(time, AgentId::new(agent), line, access) {
                    Some(hit) => time = hit,
                    None => {
                        thread.state = State::Asked;
                        return;
                    }
                }
            }
            granted = false;
            if is_atomic(op) {
                time += self.atomic;
            }
            if self.memory.is_watched(line) {
                self.take(time, agent, line, access);
            }
            if access == Access::Own && time > now {
                self.lines.hold(line, time);
            }
            if !self.apply(time, agent, op, word, line) {
                return;
            }
            if time - now > RUN_AHEAD {
                return self.pause(agent, time);
            }
        }
    }

    /// The thread goes on at a time.
    pub(super) fn pause(&mut self, agent: u32, at: u64) {
        self.agents[agent as usize].state = State::Due;
        self.lines.timer(at, AgentId::new(agent));
    }

    /// An operation takes effect; false if the thread waits after that.
    fn apply(&mut self, time: u64, agent: u32, op: Op, word: Word, line: LineId) -> bool {
        let thread = &mut self.agents[agent as usize];
        let registers = &mut thread.registers;
        let old = self.memory.value(word);
        let spins = match op {
            Op::Load { to, .. } => {
                put(registers, to, old);
                None
            }
            Op::Store { value, .. } => {
                self.memory.set(word, read(registers, value));
                None
            }
            Op::FetchAdd { to, value, .. } => {
                self.memory.set(word, old.wrapping_add(read(registers, value)));
                put(registers, to, old);
                None
            }
            Op::Swap { to, value, .. } => {
                self.memory.set(word, read(registers, value));
                put(registers, to, old);
                None
            }
            Op::CompareSwap { to, expected, value, .. } => {
                let difference = old.wrapping_sub(read(registers, expected));
                self.decisions.note(difference);
                if difference == 0 {
                    self.memory.set(word, read(registers, value));
                }
                put(registers, to, old);
                None
            }
            Op::Wait { to, until, by, .. } => {
                put(registers, to, old);
                self.decisions.note(distance(registers, until, old));
                (!passes(registers, until, old)).then_some((Access::Read, by))
            }
            Op::SwapUntil { to, value, until, by, .. } => {
                self.memory.set(word, read(registers, value));
                put(registers, to, old);
                self.decisions.note(distance(registers, until, old));
                (!passes(registers, until, old)).then_some((Access::Own, by))
            }
            Op::Sleep { expected, .. } => {
                let difference = old.wrapping_sub(read(registers, expected));
                self.decisions.note(difference);
                if difference == 0 {
                    thread.at += 1;
                    thread.state = State::Asleep;
                    thread.ready = time;
                    self.memory.waiting(line).sleepers.push((word, agent));
                    return false;
                }
                None
            }
            Op::Delay(_)
            | Op::Clock(_)
            | Op::Wake { .. }
            | Op::Set { .. }
            | Op::Compute { .. }
            | Op::Branch { .. }
            | Op::Jump(_)
            | Op::Finish(_) => None,
        };
        match spins {
            Some((access, by)) => !self.spin(time, agent, line, access, by),
            None => {
                thread.at += 1;
                true
            }
        }
    }
}
