//! Loops whose ranges other threads can steal from: one word for each thread, in a line of its own.

use super::program;
use crate::code::{Arithmetic, CodeId, Test, WordTable};
use crate::exec::Exec;
use numalab_machine::NodeId;

/// For each thread a word that stands for the range of its remaining iterations. The word counts the takes from the
/// range.
#[derive(Clone, Copy, Debug)]
pub struct StealRanges {
    ranges: WordTable,
    take: CodeId,
    look: CodeId,
    scan: CodeId,
}

impl StealRanges {
    /// Ranges of all threads, each on its thread's node.
    pub fn new(exec: &mut Exec<'_>, homes: impl IntoIterator<Item = NodeId>) -> StealRanges {
        let mut threads = 0u32;
        let ranges = exec.add_table(homes.into_iter().inspect(|_| threads += 1), 1);
        let take = program(exec, |code| {
            let victim = code.argument();
            let range = ranges.at(victim);
            // Without a lock: the range is read, and written back by compare-and-swap.
            let seen = code.load(range);
            let again = code.here();
            let next = code.compute(seen, Arithmetic::Add, 1u32);
            let before = code.compare_swap(range, seen, next);
            let taken = code.label();
            code.branch(before, Test::equal(seen), taken);
            code.set(seen, before);
            code.jump(again);
            code.bind(taken);
            code.finish(seen);
        });
        let look = program(exec, |code| {
            let victim = code.argument();
            let seen = code.load(ranges.at(victim));
            code.finish(seen);
        });
        let scan = program(exec, |code| {
            let victim = code.register();
            code.set(victim, 0u32);
            let (again, done) = (code.here(), code.label());
            code.branch(victim, Test::at_least(threads), done);
            code.touch(ranges.at(victim));
            code.compute_to(victim, victim, Arithmetic::Add, 1u32);
            code.jump(again);
            code.bind(done);
        });
        StealRanges { ranges, take, look, scan }
    }

    /// Program that takes from the range of the thread given as argument: the caller or a victim. Result: number of
    /// earlier takes from that range.
    pub fn take(&self) -> CodeId {
        self.take
    }

    /// Program that reads the range of the thread given as argument.
    pub fn look(&self) -> CodeId {
        self.look
    }

    /// Program that reads the ranges of all threads, one after another.
    pub fn scan(&self) -> CodeId {
        self.scan
    }

    pub fn ranges(&self) -> WordTable {
        self.ranges
    }
}
