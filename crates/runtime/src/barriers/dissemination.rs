//! In round `r` thread `t` signals `t + 2^r` and waits for `t - 2^r`, modulo the number of threads. After log2 rounds
//! every thread has heard of all; no thread is the last.

use super::PerChild;
use crate::code::{CodeBuilder, Reg, Test, WordTable};
use crate::exec::Exec;
use numalab_machine::NodeId;

#[derive(Clone, Debug)]
pub(super) struct Dissemination {
    /// Flags of each thread, one field for each round.
    flags: WordTable,
    threads: u32,
    rounds: u32,
}

impl Dissemination {
    pub fn new(exec: &mut Exec<'_>, home: NodeId, threads: u32) -> Dissemination {
        let rounds = threads.next_power_of_two().trailing_zeros();
        Dissemination { flags: exec.add_table((0..threads).map(|_| home), rounds), threads, rounds }
    }

    /// Barrier of the same algorithm and number of threads, with its own flags.
    pub fn another(&self, exec: &mut Exec<'_>, home: NodeId) -> Dissemination {
        Dissemination::new(exec, home, self.threads)
    }

    pub fn whole(&self, code: &mut CodeBuilder, thread: u32, number: Reg) {
        for round in 0..self.rounds {
            let flags = self.flags.field(round);
            let next = flags.word((thread + (1 << round)) % self.threads);
            code.rouse(next);
            code.store(next, number);
            code.sleep_until(flags.word(thread), Test::at_least(number));
        }
    }

    /// Emits the whole barrier, also for threads that only wait for a release: dissemination has no halves.
    pub fn release(&self, code: &mut CodeBuilder, thread: u32, number: Reg, per_child: PerChild<'_>) {
        if thread == 0 {
            (1..self.threads).for_each(|member| per_child(code, member));
        }
        self.whole(code, thread, number);
    }
}
