//! Queue lock by Mellor-Crummey and Scott: every waiter spins on its own line, and the releaser writes the line of
//! the next waiter.

use super::Locks;
use crate::code::{Arithmetic, CodeBuilder, Operand, Test, Word, WordTable};
use crate::exec::Exec;
use numalab_machine::NodeId;

/// Value of a thread's flag: the thread holds the lock.
const GO: u32 = 0;
/// Value of a thread's flag: the thread spins.
const WAITING: u32 = 1;
/// Value of a thread's flag: the thread sleeps.
const SLEEPING: u32 = 2;

/// Records of threads: flag, and number of the next thread in the queue plus 1, in one line.
pub(super) fn add_nodes(exec: &mut Exec<'_>, home: NodeId, threads: u32) -> WordTable {
    let mut first = Word(0);
    for thread in 0..threads {
        let line = exec.add_line(home);
        let flag = exec.add_word_in(line);
        exec.add_word_in(line);
        if thread == 0 {
            first = flag;
        }
    }
    WordTable { first, stride: 2 }
}

pub(super) fn acquire(locks: &Locks, code: &mut CodeBuilder, which: Operand, thread: Operand) {
    let tail = locks.locks.at(which);
    let (flags, nexts) = (locks.nodes, locks.nodes.field(1));
    let taken = code.label();
    code.store(nexts.at(thread), 0u32);
    code.store(flags.at(thread), WAITING);
    let me = code.compute(thread, Arithmetic::Add, 1u32);
    let before = code.swap(tail, me);
    code.branch(before, Test::equal(0u32), taken);
    code.compute_to(before, before, Arithmetic::Subtract, 1u32);
    code.store(nexts.at(before), me);
    let sleep_deadline = locks.sleep_deadline(code);
    let flag = code.wait_by(flags.at(thread), Test::equal(GO), sleep_deadline);
    if sleep_deadline.is_some() {
        code.branch(flag, Test::equal(GO), taken);
        code.compare_swap_to(flag, flags.at(thread), WAITING, SLEEPING);
        code.branch(flag, Test::equal(GO), taken);
        let again = code.here();
        code.sleep(flags.at(thread), SLEEPING);
        code.load_to(flag, flags.at(thread));
        code.branch(flag, Test::not(GO), again);
    }
    code.bind(taken);
}

pub(super) fn release(locks: &Locks, code: &mut CodeBuilder, which: Operand, thread: Operand) {
    let tail = locks.locks.at(which);
    let (flags, nexts) = (locks.nodes, locks.nodes.field(1));
    let (successor, done) = (code.label(), code.label());
    let next = code.load(nexts.at(thread));
    code.branch(next, Test::not(0u32), successor);
    let me = code.compute(thread, Arithmetic::Add, 1u32);
    let last = code.compare_swap(tail, me, 0u32);
    code.branch(last, Test::equal(me), done);
    // Another thread has joined the queue, but has not written its number yet.
    code.wait_until(nexts.at(thread), Test::not(0u32));
    code.load_to(next, nexts.at(thread));
    code.bind(successor);
    code.compute_to(next, next, Arithmetic::Subtract, 1u32);
    if locks.spin.is_some() {
        let flag = code.swap(flags.at(next), GO);
        code.branch(flag, Test::not(SLEEPING), done);
        code.wake(flags.at(next), 1u32, locks.wake);
    } else {
        code.store(flags.at(next), GO);
    }
    code.bind(done);
}
