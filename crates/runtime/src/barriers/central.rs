//! One counter, and one word that all waiters spin on. The word is in another line, so that arrivals do not disturb
//! waiters.

use super::PerChild;
use crate::code::{Arithmetic, CodeBuilder, Reg, Test, Word};
use crate::exec::Exec;
use numalab_machine::NodeId;

#[derive(Clone, Debug)]
pub(super) struct Central {
    /// Number of arrivals so far, over all executions of the barrier.
    arrivals: Word,
    /// Number of the last complete execution of the barrier, counted from 1.
    complete: Word,
    /// Number of the last release that thread 0 wrote by itself, without a gathering; counted from 1.
    released: Word,
    threads: u32,
}

impl Central {
    pub fn new(exec: &mut Exec<'_>, home: NodeId, threads: u32) -> Central {
        let mut word = || exec.add_word(home);
        Central { arrivals: word(), complete: word(), released: word(), threads }
    }

    /// Barrier of the same algorithm and number of threads, with its own words.
    pub fn another(&self, exec: &mut Exec<'_>, home: NodeId) -> Central {
        Central::new(exec, home, self.threads)
    }

    /// Emits the arrival of a thread. The last thread to arrive writes `complete`; if `waits`, the other threads spin
    /// until it has done so.
    fn arrive(&self, code: &mut CodeBuilder, number: Reg, waits: bool) {
        let (last, done) = (code.label(), code.label());
        let all = code.compute(number, Arithmetic::Multiply, self.threads);
        code.compute_to(all, all, Arithmetic::Subtract, 1u32);
        let before = code.fetch_add(self.arrivals, 1u32);
        code.branch(before, Test::equal(all), last);
        if waits {
            code.sleep_until(self.complete, Test::at_least(number));
        }
        code.jump(done);
        code.bind(last);
        code.rouse(self.complete);
        code.store(self.complete, number);
        code.bind(done);
    }

    pub fn gather(&self, code: &mut CodeBuilder, thread: u32, number: Reg) {
        self.arrive(code, number, thread == 0);
    }

    pub fn whole(&self, code: &mut CodeBuilder, _: u32, number: Reg) {
        self.arrive(code, number, true);
    }

    pub fn release(&self, code: &mut CodeBuilder, thread: u32, number: Reg, per_child: PerChild<'_>) {
        if thread == 0 {
            (1..self.threads).for_each(|member| per_child(code, member));
            code.rouse(self.released);
            code.store(self.released, number);
        } else {
            code.sleep_until(self.released, Test::at_least(number));
        }
    }
}
