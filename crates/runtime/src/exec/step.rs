//! The interpreter.

use super::{Exec, Finished, RUN_AHEAD, State};
use crate::code::{Arithmetic, Op, Operand, Place, REGISTERS, Reg, Test, Word};
use numalab_coherence::{Access, LineId};

/// A thread's registers.
type Registers = [u64; REGISTERS];

fn read(registers: &Registers, operand: Operand) -> u64 {
    match operand {
        Operand::Value(value) => value,
        Operand::Reg(register) => get(registers, register),
    }
}

fn get(registers: &Registers, Reg(register): Reg) -> u64 {
    registers[register as usize % REGISTERS]
}

fn put(registers: &mut Registers, Reg(register): Reg, value: u64) {
    registers[register as usize % REGISTERS] = value;
}

fn word(registers: &Registers, at: Place) -> Word {
    let offset = if at.indexed { get(registers, Reg(at.index)) as u32 * at.stride } else { 0 };
    Word(at.first + offset)
}

fn passes(registers: &Registers, test: Test, value: u64) -> bool {
    match test {
        Test::Equal(other) => value == read(registers, other),
        Test::NotEqual(other) => value != read(registers, other),
        Test::AtLeast(least) => value >= read(registers, least),
        Test::Below(bound) => value < read(registers, bound),
    }
}

fn calculate(how: Arithmetic, left: u64, right: u64) -> u64 {
    match how {
        Arithmetic::Add => left.wrapping_add(right),
        Arithmetic::Subtract => left.wrapping_sub(right),
        Arithmetic::Multiply => left.wrapping_mul(right),
        Arithmetic::Min => left.min(right),
        Arithmetic::Max => left.max(right),
    }
}

/// What an operation needs of a word's line before it can take effect.
fn needs(op: Op) -> Option<(Place, Access)> {
    match op {
        Op::Load { at, .. } | Op::Wait { at, .. } | Op::Sleep { at, .. } => Some((at, Access::Read)),
        Op::Store { at, .. }
        | Op::FetchAdd { at, .. }
        | Op::Swap { at, .. }
        | Op::CompareSwap { at, .. }
        | Op::SwapUntil { at, .. } => Some((at, Access::Own)),
        _ => None,
    }
}

impl Exec<'_> {
    /// Runs a thread from now until it must wait for something. `granted`: it has the line of its
    /// operation. `starting`: an end right now is left for [`Exec::advance`] to report.
    pub(super) fn proceed(&mut self, now: u64, agent: u32, granted: bool, starting: bool) {
        let mut granted = granted;
        let mut time = now;
        loop {
            let thread = &mut self.agents[agent as usize];
            let op = self.ops[thread.at as usize];
            let Some((place, access)) = needs(op) else {
                match op {
                    Op::Delay(span) => time = time.saturating_add(read(&thread.registers, span)),
                    Op::Set { to, value } => {
                        let value = read(&thread.registers, value);
                        put(&mut thread.registers, to, value);
                    }
                    Op::Compute { to, how, left, right } => {
                        let registers = &mut thread.registers;
                        let value = calculate(how, read(registers, left), read(registers, right));
                        put(registers, to, value);
                    }
                    Op::Clock(to) => put(&mut thread.registers, to, time),
                    Op::Branch { value, test, to }
                        if passes(&thread.registers, test, get(&thread.registers, value)) =>
                    {
                        thread.at = to;
                        continue;
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
                        time = self.wake(word, count, cost, time);
                    }
                    _ => {}
                }
                let thread = &mut self.agents[agent as usize];
                thread.at += 1;
                if time - now > RUN_AHEAD {
                    return self.pause(agent, time);
                }
                continue;
            };
            let word = word(&thread.registers, place);
            let line = self.memory.line(word);
            if !granted {
                if access == Access::Own && time > now && self.lines.is_wanted(line) {
                    // It may be gone by then.
                    return self.pause(agent, time);
                }
                match self.lines.request(time, agent, line, access) {
                    Some(hit) => time = hit,
                    None => {
                        thread.state = State::Asked;
                        return;
                    }
                }
            }
            granted = false;
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
    fn pause(&mut self, agent: u32, at: u64) {
        self.agents[agent as usize].state = State::Due;
        self.lines.timer(at, agent);
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
                if old == read(registers, expected) {
                    self.memory.set(word, read(registers, value));
                }
                put(registers, to, old);
                None
            }
            Op::Wait { to, until, by, .. } => {
                put(registers, to, old);
                (!passes(registers, until, old)).then_some((Access::Read, by))
            }
            Op::SwapUntil { to, value, until, by, .. } => {
                self.memory.set(word, read(registers, value));
                put(registers, to, old);
                (!passes(registers, until, old)).then_some((Access::Own, by))
            }
            Op::Sleep { expected, .. } => {
                if old == read(registers, expected) {
                    thread.at += 1;
                    thread.state = State::Asleep;
                    thread.ready = time;
                    self.memory.waiting(line).sleepers.push((word, agent));
                    return false;
                }
                None
            }
            _ => None,
        };
        match spins {
            Some((access, by)) => !self.spin(time, agent, line, access, by),
            None => {
                thread.at += 1;
                true
            }
        }
    }

    /// The value did not pass: the thread spins (true), or it is too late and the thread goes on.
    fn spin(&mut self, time: u64, agent: u32, line: LineId, access: Access, by: Option<Reg>) -> bool {
        let thread = &mut self.agents[agent as usize];
        if let Some(by) = by {
            let by = get(&thread.registers, by);
            if by <= time {
                thread.at += 1;
                return false;
            }
            self.alarms.set(agent, by);
        }
        thread.ready = time;
        thread.state = State::Watching(line);
        self.memory.watch(line, access, agent);
        true
    }

    /// A thread has a line: those that spun on it lose it, and ask again.
    fn take(&mut self, time: u64, agent: u32, line: LineId, access: Access) {
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
            if let Some(hit) = self.lines.request(time, other, line, access) {
                // On the same core as the one that has the line now.
                self.lines.timer(hit, other);
            }
        }
    }

    /// Wakes sleepers one after another; returns when the last one is awake.
    fn wake(&mut self, word: Word, count: u64, cost: u64, time: u64) -> u64 {
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
