//! Operations of a thread that nobody disturbs: calculations, and accesses to lines that its core has for itself.
//! Nearly all operations are of this kind, and they need next to nothing of what the interpreter in `step` does for
//! the others.

use super::registers::{calculate, get, passes, put, read, word};
use super::{Exec, RUN_AHEAD};
use crate::code::Op;
use numalab_coherence::{Access, AgentId};

impl Exec<'_> {
    /// Executes operations of a thread as long as nobody else has anything to do with them, and it is not yet too far
    /// ahead of the others; the thread's time after that. Nobody may want to know what decides their course.
    #[inline]
    pub(super) fn run_quietly(&mut self, now: u64, agent: u32, from: u64) -> u64 {
        let Exec { lines, memory, agents, ops, atomic, operations, .. } = self;
        let owner = lines.owner(AgentId::new(agent));
        let thread = &mut agents[agent as usize];
        let registers = &mut thread.registers;
        let mut at = thread.at as usize;
        let mut time = from;
        let mut executed = 0;
        while time - now <= RUN_AHEAD {
            let mut access = |address, access, takes| {
                let word = word(registers, address);
                let line = memory.line(word);
                lines.quiet_hit(time, owner, line, access, takes).map(|end| (word, end))
            };
            match &ops[at] {
                Op::Load { to, at } => {
                    let Some((word, end)) = access(*at, Access::Read, 0) else { break };
                    time = end;
                    put(registers, *to, memory.value(word));
                }
                Op::Store { at, value } => {
                    let Some((word, end)) = access(*at, Access::Own, 0) else { break };
                    time = end;
                    memory.set(word, read(registers, *value));
                }
                Op::FetchAdd { to, at, value } => {
                    let Some((word, end)) = access(*at, Access::Own, *atomic) else { break };
                    time = end;
                    let old = memory.value(word);
                    memory.set(word, old.wrapping_add(read(registers, *value)));
                    put(registers, *to, old);
                }
                Op::Swap { to, at, value } => {
                    let Some((word, end)) = access(*at, Access::Own, *atomic) else { break };
                    time = end;
                    let old = memory.value(word);
                    memory.set(word, read(registers, *value));
                    put(registers, *to, old);
                }
                Op::CompareSwap { to, at, expected, value } => {
                    let Some((word, end)) = access(*at, Access::Own, *atomic) else { break };
                    time = end;
                    let old = memory.value(word);
                    if old == read(registers, *expected) {
                        memory.set(word, read(registers, *value));
                    }
                    put(registers, *to, old);
                }
                Op::Wait { to, at, until, by: _ } => {
                    let value = memory.value(word(registers, *at));
                    if !passes(registers, *until, value) {
                        break;
                    }
                    let Some((_, end)) = access(*at, Access::Read, 0) else { break };
                    time = end;
                    put(registers, *to, value);
                }
                Op::Delay(span) => time = time.saturating_add(read(registers, *span)),
                Op::Clock(to) => put(registers, *to, time),
                Op::Set { to, value } => {
                    let value = read(registers, *value);
                    put(registers, *to, value);
                }
                Op::Compute { to, how, left, right } => {
                    let value = calculate(*how, read(registers, *left), read(registers, *right));
                    put(registers, *to, value);
                }
                Op::Branch { value, test, to } if passes(registers, *test, get(registers, *value)) => {
                    executed += 1;
                    at = *to as usize;
                    continue;
                }
                Op::Branch { .. } => {}
                Op::Jump(to) => {
                    executed += 1;
                    at = *to as usize;
                    continue;
                }
                Op::SwapUntil { .. } | Op::Sleep { .. } | Op::Wake { .. } | Op::Finish(_) => break,
            }
            executed += 1;
            at += 1;
        }
        thread.at = at as u32;
        *operations += executed;
        time
    }
}
