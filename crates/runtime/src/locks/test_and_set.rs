//! Every waiter exchanges continuously: the line moves between waiters, and the releaser queues behind all of them.

use super::Locks;
use crate::code::{CodeBuilder, Operand, Test};

pub(super) fn acquire(locks: &Locks, code: &mut CodeBuilder, which: Operand) {
    let word = locks.locks.at(which);
    let sleep_deadline = locks.sleep_deadline(code);
    let before = code.swap_until(word, 1u32, Test::equal(0u32), sleep_deadline);
    if sleep_deadline.is_some() {
        let taken = code.label();
        code.branch(before, Test::equal(0u32), taken);
        locks.sleep_for_word(code, which);
        code.bind(taken);
    }
}
