//! One counter, and one generation word that all waiters spin on, as in GNU's runtime on Linux. An arriving thread
//! reads the generation before it counts itself. The last thread to arrive resets the counter, whose line it owns,
//! advances the generation, and calls the operating system to wake sleepers, even if there are none. Half-way through
//! the call the system takes the lock of its hash bucket for the generation word. Taking the lock is an atomic
//! operation, which waits until all earlier stores of the thread are visible.

use super::PerChild;
use crate::code::{Arithmetic, CodeBuilder, Reg, Test, Word};
use crate::exec::Exec;
use numalab_base::Span;
use numalab_machine::NodeId;

#[derive(Clone, Debug)]
pub(super) struct Futex {
    /// Number of arrivals so far, over all executions of the barrier; and another word of the same line (`awaited`),
    /// which the last thread to arrive writes.
    arrivals: Word,
    awaited: Word,
    /// Number of the last complete execution; and another word of the same line (`total`), which a separate release
    /// writes.
    generation: Word,
    total: Word,
    /// Lock of the system's hash bucket with the sleepers on `generation`.
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

    /// Barrier of the same algorithm and number of threads, with its own lines.
    pub fn another(&self, exec: &mut Exec<'_>, home: NodeId) -> Futex {
        Futex::new(exec, home, self.threads, Span(self.call))
    }

    /// Emits a store to each of the two lines, as the creator of a team initialises its barrier.
    pub fn initialise(&self, code: &mut CodeBuilder, number: Reg) {
        code.store(self.total, number);
        code.store(self.awaited, number);
    }

    pub fn whole(&self, code: &mut CodeBuilder, number: Reg) {
        self.arrive(code, number, true);
    }

    /// Emits the arrival of a thread. If `waits`, threads other than the last one wait for the last arrival.
    fn arrive(&self, code: &mut CodeBuilder, number: Reg, waits: bool) {
        let (last, done) = (code.label(), code.label());
        let all = code.compute(number, Arithmetic::Multiply, self.threads);
        code.compute_to(all, all, Arithmetic::Subtract, 1u32);
        code.touch(self.generation);
        let before = code.fetch_add(self.arrivals, 1u32);
        code.branch(before, Test::equal(all), last);
        if waits {
            code.sleep_until(self.generation, Test::at_least(number));
        }
        code.jump(done);
        code.bind(last);
        code.store(self.awaited, number);
        self.open(code, self.generation, number);
        code.bind(done);
    }

    fn open(&self, code: &mut CodeBuilder, word: Word, number: Reg) {
        code.rouse(word);
        code.store(word, number);
        // Half of the call precedes the lock and overlaps with the store: system entry and search of the bucket.
        code.delay(self.call / 2);
        code.add(self.bucket, 1u32);
        code.delay(self.call - self.call / 2);
    }

    pub fn gather(&self, code: &mut CodeBuilder, thread: u32, number: Reg) {
        self.arrive(code, number, thread == 0);
    }

    /// Emits a release without a gathering. Threads wait for `total`, the word in the line of `generation`.
    pub fn release(&self, code: &mut CodeBuilder, thread: u32, number: Reg, per_child: PerChild<'_>) {
        if thread == 0 {
            (1..self.threads).for_each(|member| per_child(code, member));
            self.open(code, self.total, number);
        } else {
            code.sleep_until(self.total, Test::at_least(number));
        }
    }
}
