//! State of all programs, written down to recognise it when it returns, and the decisions of programs.
//!
//! Tickets and barrier numbers grow for ever, so values do not return. They need not: on a fixed course of operations
//! every value is a sum of earlier values and constants, or a constant multiple of one. If in two rounds with the
//! same course every counter grew by the same amount and every decision was about the same difference, then the next
//! round, and so every later one, decides in the same way.

use super::{AgentState, Exec, State};
use numalab_base::{Snapshot, Span};
use numalab_coherence::AgentId;

/// Hash (FNV-1a, 128 bits) of the differences that decided the course of programs, in order. Computed only on demand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Decisions(Option<u128>);

const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

impl Decisions {
    /// True if decisions are being recorded.
    #[inline]
    pub(super) fn are_noted(&self) -> bool {
        self.0.is_some()
    }

    /// Records the difference that determined a decision.
    #[inline]
    pub fn note(&mut self, difference: u64) {
        if let Some(hash) = &mut self.0 {
            *hash = (*hash ^ u128::from(difference)).wrapping_mul(PRIME);
        }
    }
}

impl Exec<'_> {
    /// Adds the state of all threads and words to a snapshot. Values of words and registers are counters, which may
    /// grow.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Exec {
            lines,
            memory,
            agents,
            helpers,
            ops,
            codes,
            alarms,
            ended,
            atomic: _,
            ahead: _,
            pause,
            beside: _,
            sight,
            sleep,
            store_buffers: _,
            lines_in_flight: _,
            store_requests: _,
            operations: _,
            present: _,
            reached: _,
            heads: _,
            decisions: _,
        } = self;
        lines.snapshot(into);
        let turn = *pause + lines.hit();
        memory.snapshot((*pause > Span::ZERO).then_some(turn), into);
        into.add(&(ops.len(), codes.len(), alarms.len(), ended.len(), helpers));
        if let Some(sleep) = sleep {
            sleep.snapshot(into);
        }
        for (number, agent) in (0..).map(AgentId::new).zip(agents) {
            let AgentState { at, state, ready, registers, stores, straight, atomics, computes_since } = agent;
            stores.snapshot(into);
            into.add(state);
            if *state != State::Idle {
                into.add(&(at, straight));
                if sight.is_known() {
                    into.add(atomics);
                    into.time(*computes_since);
                }
                into.not_before(*ready);
                if *pause > Span::ZERO && matches!(state, State::Watching(_)) {
                    // Time since the last poll of a thread that pauses between polls.
                    into.add(&(into.now().since(*ready).0 % turn.0));
                }
            }
            registers.iter().for_each(|value| into.counter(*value));
            if let Some(alarm) = alarms.get(number) {
                into.time(alarm);
            }
        }
    }

    /// Starts to record decisions anew. Returns the earlier record, to be restored later.
    pub fn note_decisions(&mut self) -> Decisions {
        std::mem::replace(&mut self.decisions, Decisions(Some(BASIS)))
    }

    /// Continues an earlier record with the decisions since [`Exec::note_decisions`]. Returns the hash of these
    /// decisions alone.
    pub fn take_decisions(&mut self, before: Decisions) -> u128 {
        let noted = std::mem::replace(&mut self.decisions, before).0.unwrap_or(BASIS);
        self.decisions.note(noted as u64);
        self.decisions.note((noted >> 64) as u64);
        noted
    }

    /// Records a decision of the caller that depends on a program's result. `difference` determined the decision.
    pub fn decided(&mut self, difference: u64) {
        self.decisions.note(difference);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{Arithmetic, CodeBuilder, Reg, Test, Word};
    use numalab_base::Time;
    use numalab_machine::{CoreId, Fabric, NodeId, synthetic};

    /// Runs a program several times, with the number of the round as its argument. Returns three flags: true if the
    /// states are equal; if counters grow evenly; and if the last two rounds made the same decisions.
    fn rounds(write: impl FnOnce(&mut CodeBuilder, Reg, Word)) -> [bool; 3] {
        rounds_beside(None, write)
    }

    /// The same beside another thread that waits until the word passes a test.
    fn rounds_beside(test: Option<Test>, write: impl FnOnce(&mut CodeBuilder, Reg, Word)) -> [bool; 3] {
        let machine = synthetic("socket:1 core:2").unwrap();
        let fabric = Fabric::new(&machine).unwrap();
        let mut exec = Exec::new(&machine, &fabric);
        let (agent, word) = (exec.add_agent(CoreId(0)), exec.add_word(NodeId(0)));
        if let Some(test) = test {
            let reader = exec.add_agent(CoreId(1));
            let mut code = CodeBuilder::new();
            code.wait_until(word, test);
            let code = exec.add_code(code.build());
            exec.start(Time::ZERO, reader, code, &[]);
        }
        let mut code = CodeBuilder::new();
        let number = code.argument();
        write(&mut code, number, word);
        let code = exec.add_code(code.build());
        let mut now = Time::ZERO;
        let mut states = Vec::new();
        let mut decisions = Vec::new();
        for number in 1..=4 {
            let before = exec.note_decisions();
            exec.start(now, agent, code, &[number]);
            let mut finished = Vec::new();
            exec.advance(Time::NEVER, &mut finished);
            now = finished[0].at;
            decisions.push(exec.take_decisions(before));
            states.push(Snapshot::new(now));
            exec.snapshot(states.last_mut().unwrap());
        }
        let [_, first, middle, last] = &states[..] else { panic!("four rounds") };
        [
            middle.is_like(first) && last.is_like(middle),
            last.counts_on(middle, first),
            decisions[2] == decisions[3],
        ]
    }

    #[test]
    fn a_number_that_is_stored_and_waited_for_counts_on() {
        let repeats = rounds(|code, number, word| {
            code.store(word, number);
            code.wait_until(word, Test::at_least(number));
        });
        assert_eq!(repeats, [true, true, true]);
    }

    /// A value may become the one that a thread waits for, unless no value passes.
    #[test]
    fn a_number_that_a_thread_reads_for_ever_counts_on() {
        for (test, decides_alike) in [(Test::Never, true), (Test::equal(u64::MAX), false)] {
            let repeats = rounds_beside(Some(test), |code, number, word| {
                code.store(word, number);
                code.delay(1_000_000u32);
            });
            assert_eq!(repeats, [true, true, decides_alike], "{test:?}");
        }
    }

    /// Law: Values that grow unevenly, and decisions about them, prevent counting.
    #[test]
    fn a_number_that_is_compared_with_a_constant_decides_anew() {
        let repeats = rounds(|code, number, _| {
            let small = code.label();
            code.branch(number, Test::below(100u32), small);
            code.bind(small);
        });
        assert_eq!(repeats, [true, true, false]);
    }

    /// Law: Values that grow unevenly, and decisions about them, prevent counting.
    #[test]
    fn a_value_that_doubles_does_not_count_on() {
        let repeats = rounds(|code, _, word| {
            code.add(word, 1u32);
            let value = code.load(word);
            code.compute_to(value, value, Arithmetic::Multiply, 2u32);
            code.store(word, value);
        });
        assert_eq!(repeats, [true, false, true]);
    }
}
