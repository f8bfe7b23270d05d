//! Interpreter of single operations.
//!
//! `run` executes operations that need no other thread, and returns the reason of its stop. Nearly all accesses are
//! to lines that the thread's core owns; these take the fast path.

use super::registers::{calculate, choice, distance, get, passes, put, read, word};
use super::{Exec, Finished, State};
use crate::code::{Address, Op, Operand, Reg};
use numalab_base::{Span, Time};
use numalab_coherence::{Access, AgentId, LineId};

/// Reason for which a thread stops.
#[derive(Clone, Copy, Debug)]
enum Stop {
    Needs(Need),
    /// The value of a word failed the test of a wait. The thread spins, until the time in register `by` if given.
    Spins {
        line: LineId,
        access: Access,
        by: Option<Reg>,
    },
    /// A store has to go through the store buffer.
    Stores(Need),
    /// The thread waits until its store buffer is empty.
    Drains,
    Sleeps,
    Wakes {
        at: Address,
        count: Operand,
        cost: Operand,
    },
    /// Wakes threads that sleep while they wait for a word.
    Rouses(Address),
    /// The thread is as far ahead of other threads as allowed.
    Ahead,
    /// The program has ended, with this operand as its result.
    Ends(Operand),
}

/// Line that an operation needs, the access to the line, and true for an atomic operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Need {
    pub line: LineId,
    pub access: Access,
    pub atomic: bool,
}

impl Exec<'_> {
    /// Runs a thread from now until it has to wait. `granted`: true if the thread has the line of its present
    /// operation. `starting`: true if a program that ends at this instant is left for [`Exec::advance`] to report.
    pub(super) fn proceed(&mut self, now: Time, agent: AgentId, granted: bool, starting: bool) {
        let mut time = now;
        let mut granted = granted;
        if let Some(need) = granted.then(|| self.need(agent)).flatten() {
            time = self.have(now, time, agent, need);
        }
        loop {
            let stop = match self.decisions.are_noted() {
                true => self.run::<true>(now, agent, &mut time, granted),
                false => self.run::<false>(now, agent, &mut time, granted),
            };
            granted = false;
            match stop {
                Stop::Stores(need) if !self.stores_at_once(now, time, agent, need) => {
                    match self.buffer(now, time, agent, need) {
                        Some(after) if after - now > self.ahead => return self.pause(agent, after),
                        Some(after) => time = after,
                        None => return,
                    }
                }
                Stop::Drains => {
                    self.operations -= 1;
                    return self.drain(agent, time);
                }
                Stop::Needs(need) | Stop::Stores(need) => {
                    if need.access == Access::Own && time > now && self.lines.is_wanted(need.line) {
                        // The thread requests the line at `time`; it may have lost the line by then.
                        return self.pause(agent, time);
                    }
                    let earlier = self.earlier(time, agent, need);
                    match self.lines.request_earlier(time, earlier, agent, need.line, need.access) {
                        Some(hit) => {
                            if need.access == Access::Own {
                                self.lines.race(need.line, need.atomic);
                            }
                            time = self.have(now, hit, agent, need);
                        }
                        None => {
                            self.agents[agent.index()].state = State::Asked;
                            self.expect(agent, need.line);
                            return;
                        }
                    }
                    granted = true;
                    // The operation is counted again when it is executed.
                    self.operations -= 1;
                }
                Stop::Spins { line, access, by } => {
                    if self.spin(time, agent, line, access, by) {
                        return;
                    }
                    if time - now > self.ahead {
                        return self.pause(agent, time);
                    }
                }
                Stop::Sleeps => return,
                Stop::Wakes { at, count, cost } => {
                    let thread = &mut self.agents[agent.index()];
                    thread.at += 1;
                    let (word, count) = (word(&thread.registers, at), read(&thread.registers, count));
                    let cost = read(&thread.registers, cost);
                    [u64::from(word.0), count, cost].into_iter().for_each(|by| self.decisions.note(by));
                    time = self.wake(word, count, Span(cost), time);
                    if time - now > self.ahead {
                        return self.pause(agent, time);
                    }
                }
                Stop::Rouses(at) => {
                    self.operations -= 1;
                    let thread = &mut self.agents[agent.index()];
                    thread.at += 1;
                    let word = word(&thread.registers, at);
                    let takes = self.rouse(word, time);
                    if takes > Span::ZERO {
                        self.decisions.note(takes.0);
                        time += takes;
                        if time - now > self.ahead {
                            return self.pause(agent, time);
                        }
                    }
                }
                Stop::Ahead => return self.pause(agent, time),
                Stop::Ends(_) if !self.agents[agent.index()].stores.is_empty() => {
                    self.operations -= 1;
                    return self.drain(agent, time);
                }
                Stop::Ends(result) => {
                    if time > now || starting {
                        return self.pause(agent, time);
                    }
                    return self.end(now, agent, result);
                }
            }
        }
    }

    #[inline]
    pub(super) fn end(&mut self, now: Time, agent: AgentId, result: Operand) {
        let thread = &mut self.agents[agent.index()];
        let result = read(&thread.registers, result);
        thread.state = State::Idle;
        self.rest(now, agent);
        self.ended.push(Finished { at: now, agent, result });
    }

    /// Continues a thread at the time `at`.
    pub(super) fn pause(&mut self, agent: AgentId, at: Time) {
        self.agents[agent.index()].state = State::Due;
        self.lines.timer(at, agent);
    }

    /// Line that a thread's present operation needs; `None` if the operation needs no line.
    fn need(&self, agent: AgentId) -> Option<Need> {
        let thread = &self.agents[agent.index()];
        let (at, access, atomic) = match self.ops[thread.at as usize] {
            Op::Load { at, .. } | Op::Wait { at, .. } | Op::Sleep { at, .. } => (at, Access::Read, false),
            Op::Store { at, .. } => (at, Access::Own, false),
            Op::FetchAdd { at, .. }
            | Op::Swap { at, .. }
            | Op::CompareSwap { at, .. }
            | Op::SwapUntil { at, .. } => (at, Access::Own, true),
            Op::Delay(_)
            | Op::Clock(_)
            | Op::Wake { .. }
            | Op::Rouse { .. }
            | Op::Set { .. }
            | Op::Compute { .. }
            | Op::Branch { .. }
            | Op::Jump(_)
            | Op::Finish(_) => return None,
        };
        let line = self.memory.line(word(&thread.registers, at));
        Some(Need { line, access, atomic })
    }

    /// Grants a thread the line of its operation; threads that spin on the line and thereby lose it request it again.
    /// Returns the time at which the operation takes effect.
    pub(super) fn have(&mut self, now: Time, time: Time, agent: AgentId, need: Need) -> Time {
        let Need { line, access, atomic } = need;
        let time = if atomic { time + self.atomic } else { time };
        if atomic {
            *self.agents[agent.index()].atomics.get_or_insert_default() += self.atomic;
        }
        if self.memory.is_watched(line) {
            self.take(time, agent, line, access);
        }
        if access == Access::Own && time > now {
            self.lines.hold(line, time);
        }
        time
    }

    /// Executes operations of a thread until one needs more than registers and lines that the thread's core owns, and
    /// returns the reason. `granted`: true if the thread has the line of the first operation. `NOTED`: true if
    /// decisions are recorded.
    #[inline]
    fn run<const NOTED: bool>(&mut self, now: Time, agent: AgentId, time: &mut Time, granted: bool) -> Stop {
        let Exec {
            lines,
            memory,
            agents,
            ops,
            atomic,
            operations,
            decisions,
            store_buffers,
            ahead,
            sleep,
            ..
        } = self;
        let ahead = *ahead;
        let owner = lines.owner(agent);
        let buffers_stores = *store_buffers > 0;
        let thread = &mut agents[agent.index()];
        let registers = &mut thread.registers;
        // This function adds no stores to the buffer.
        let stores = &thread.stores;
        let has_stores = !stores.is_empty();
        let (mut at, mut granted) = (thread.at as usize, granted);
        let mut note = |by: u64| {
            if NOTED {
                decisions.note(by);
            }
        };
        // Word of an operation, once the thread has its line; otherwise stops.
        macro_rules! have {
            ($address:expr, $access:expr, $atomic:expr) => {{
                let address = $address;
                let word = word(registers, address);
                if address.indexed {
                    note(word.0.into());
                }
                let line = memory.line(word);
                if !std::mem::replace(&mut granted, false) {
                    let need = Need { line, access: $access, atomic: $atomic };
                    let is_store = $access == Access::Own && !$atomic;
                    if has_stores && $access == Access::Own {
                        break if is_store { Stop::Stores(need) } else { Stop::Drains };
                    }
                    let takes = if $atomic { *atomic } else { Span::ZERO };

                    match lines.exclusive_hit(*time, owner, line, $access, takes) {
                        Some(end) => {
                            *time = end;
                            if $atomic {
                                *thread.atomics.get_or_insert_default() += takes;
                            }
                        }
                        None if is_store && buffers_stores => break Stop::Stores(need),
                        None => break Stop::Needs(need),
                    }
                }
                word
            }};
        }
        let stop = loop {
            *operations += 1;
            match &ops[at] {
                Op::Load { to, at: address } if has_stores && !granted => {
                    let passed = word(registers, *address);
                    match stores.newest(passed) {
                        Some(value) => {
                            *time += lines.hit();
                            put(registers, *to, value);
                        }
                        None => {
                            let word = have!(*address, Access::Read, false);
                            put(registers, *to, memory.value(word));
                        }
                    }
                }
                Op::Load { to, at } => {
                    let word = have!(*at, Access::Read, false);
                    put(registers, *to, memory.value(word));
                }
                Op::Store { at, value, in_sequence: _ } => {
                    let word = have!(*at, Access::Own, false);
                    memory.set(word, read(registers, *value));
                }
                Op::FetchAdd { to, at, value } => {
                    let word = have!(*at, Access::Own, true);
                    let old = memory.value(word);
                    memory.set(word, old.wrapping_add(read(registers, *value)));
                    put(registers, *to, old);
                }
                Op::Swap { to, at, value } => {
                    let word = have!(*at, Access::Own, true);
                    let old = memory.value(word);
                    memory.set(word, read(registers, *value));
                    put(registers, *to, old);
                }
                Op::CompareSwap { to, at, expected, value } => {
                    let word = have!(*at, Access::Own, true);
                    let old = memory.value(word);
                    let difference = old.wrapping_sub(read(registers, *expected));
                    note(difference);
                    if difference == 0 {
                        memory.set(word, read(registers, *value));
                    }
                    put(registers, *to, old);
                }
                Op::Wait { at, .. } if has_stores && stores.newest(word(registers, *at)).is_some() => {
                    break Stop::Drains;
                }
                Op::Sleep { .. } | Op::Wake { .. } if has_stores => break Stop::Drains,
                Op::Wait { to, at, until, by, how: _ } => {
                    let word = have!(*at, Access::Read, false);
                    let value = memory.value(word);
                    put(registers, *to, value);
                    note(distance(registers, *until, value));
                    if !passes(registers, *until, value) {
                        break Stop::Spins { line: memory.line(word), access: Access::Read, by: *by };
                    }
                    if let Some(since) = sleep.as_mut().and_then(|sleep| sleep.end_wait(agent)) {
                        let slept = since.has_ended(*time);
                        note(slept.is_some().into());
                        *time += slept.unwrap_or_default();
                    }
                }
                Op::SwapUntil { to, at, value, until, by } => {
                    let word = have!(*at, Access::Own, true);
                    let old = memory.value(word);
                    memory.set(word, read(registers, *value));
                    put(registers, *to, old);
                    note(distance(registers, *until, old));
                    if !passes(registers, *until, old) {
                        break Stop::Spins { line: memory.line(word), access: Access::Own, by: *by };
                    }
                }
                Op::Sleep { at: address, expected } => {
                    let word = have!(*address, Access::Read, false);
                    let difference = memory.value(word).wrapping_sub(read(registers, *expected));
                    note(difference);
                    if difference == 0 {
                        at += 1;
                        thread.state = State::Asleep;
                        thread.straight = false;
                        thread.ready = *time;
                        memory.sleep(word, agent);
                        break Stop::Sleeps;
                    }
                }
                Op::Delay(span) => {
                    let span = read(registers, *span);
                    note(span);
                    *time += Span(span);
                }
                Op::Clock(to) => put(registers, *to, time.0),
                Op::Set { to, value } => {
                    let value = read(registers, *value);
                    put(registers, *to, value);
                }
                Op::Compute { to, how, left, right } => {
                    let (first, second) = (read(registers, *left), read(registers, *right));
                    if NOTED {
                        choice(*how, first, second, *right).into_iter().for_each(&mut note);
                    }
                    put(registers, *to, calculate(*how, first, second));
                }
                Op::Branch { value, test, to } => {
                    let value = get(registers, *value);
                    if NOTED {
                        note(distance(registers, *test, value));
                    }
                    if passes(registers, *test, value) {
                        at = *to as usize;
                        continue;
                    }
                }
                Op::Jump(to) => {
                    at = *to as usize;
                    continue;
                }
                Op::Wake { at, count, cost } => {
                    break Stop::Wakes { at: *at, count: *count, cost: *cost };
                }
                Op::Rouse { at } => break Stop::Rouses(*at),
                Op::Finish(result) => break Stop::Ends(*result),
            }
            at += 1;
            if *time - now > ahead {
                break Stop::Ahead;
            }
        };
        thread.at = at as u32;
        stop
    }
}
