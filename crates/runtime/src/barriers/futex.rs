//! One counter, and one generation word that all spin on, as in GNU's runtime on Linux. Who arrives reads the
//! generation before it counts itself. The last one sets the counter again, in whose line it is, then the generation,
//! and calls the operating system to wake sleepers, whether there are any or not: the system takes the lock of the
//! bucket in which sleepers on this word would be, half-way through the call. To take that lock is an atomic operation, which
//! waits until all that its thread has stored is seen.

use super::PerChild;
use crate::code::{Arithmetic, CodeBuilder, Reg, Test, Word};
use crate::exec::Exec;
use numalab_base::Span;
use numalab_machine::NodeId;

#[derive(Clone, Debug)]
pub(super) struct Futex {
    /// Arrivals of all meetings, and what is set again with them.
    arrivals: Word,
    awaited: Word,
    /// The last meeting at which all have come, and a word beside it that only changes with the team.
    generation: Word,
    total: Word,
    /// The lock of the system's bucket.
    bucket: Word,
    threads: u32,
    call: u64,
}

impl Futex {
    pub fn new(exec: &mut Exec<'_>, home: NodeId, threads: u32, call: Span) -> Futex {
        let [counter, read_mostly] = [exec.add_line(home), exec.add_line(home)];
        let [arrivals, awaited] = [counter; 2].map(|line| exec.add_word_in(line));
        let [generation, total] = [read_mostly; 2].map(|line| exec.add_word_in(line));
        Futex { arrivals, awaited, generation, total, bucket: exec.add_word(home), threads, call: call.0 }
    }

    /// The same with lines of its own.
    pub fn another(&self, exec: &mut Exec<'_>, home: NodeId) -> Futex {
        Futex::new(exec, home, self.threads, Span(self.call))
    }

    /// Writes both lines, as whoever makes a team does with those of its barrier.
    pub fn initialise(&self, code: &mut CodeBuilder, number: Reg) {
        code.store(self.total, number);
        code.store(self.awaited, number);
    }

    pub fn whole(&self, code: &mut CodeBuilder, number: Reg) {
        self.arrive(code, number, true);
    }

    /// Writes an arrival; those who are not the last wait if they must.
    fn arrive(&self, code: &mut CodeBuilder, number: Reg, waits: bool) {
        let (last, done) = (code.label(), code.label());
        let all = code.compute(number, Arithmetic::Multiply, self.threads);
        code.compute_to(all, all, Arithmetic::Subtract, 1u32);
        code.touch(self.generation);
        let before = code.fetch_add(self.arrivals, 1u32);
        code.branch(before, Test::equal(all), last);
        if waits {
            code.wait_until(self.generation, Test::at_least(number));
        }
        code.jump(done);
        code.bind(last);
        code.store(self.awaited, number);
        self.open(code, self.generation, number);
        code.bind(done);
    }

    fn open(&self, code: &mut CodeBuilder, word: Word, number: Reg) {
        code.store(word, number);
        // Half of the call passes before the lock, while the store is on its way: getting in, and finding the bucket.
        code.delay(self.call / 2);
        code.add(self.bucket, 1u32);
        code.delay(self.call - self.call / 2);
    }

    pub fn gather(&self, code: &mut CodeBuilder, thread: u32, number: Reg) {
        self.arrive(code, number, thread == 0);
    }

    /// On its own, thread 0 opens by the word beside the generation.
    pub fn release(&self, code: &mut CodeBuilder, thread: u32, number: Reg, per_child: PerChild<'_>) {
        if thread == 0 {
            (1..self.threads).for_each(|member| per_child(code, member));
            self.open(code, self.total, number);
        } else {
            code.wait_until(self.total, Test::at_least(number));
        }
    }
}
