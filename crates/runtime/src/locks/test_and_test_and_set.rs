//! Waiters spin on a copy; all that see the lock free try an exchange.

use super::Locks;
use crate::code::{CodeBuilder, Operand, Test};

pub(super) fn acquire(locks: &Locks, code: &mut CodeBuilder, which: Operand) {
    trying(locks, code, which, |_| {});
}

/// Emits an acquisition. `failed` emits code after each exchange that came too late, before spinning again.
pub(super) fn trying(
    locks: &Locks,
    code: &mut CodeBuilder,
    which: Operand,
    failed: impl FnOnce(&mut CodeBuilder),
) {
    let word = locks.locks.at(which);
    let taken = code.label();
    let sleep_deadline = locks.sleep_deadline(code);
    let again = code.here();
    let seen = code.wait_by(word, Test::equal(0u32), sleep_deadline);
    let late = code.label();
    code.branch(seen, Test::not(0u32), late);
    code.swap_to(seen, word, 1u32);
    code.branch(seen, Test::equal(0u32), taken);
    failed(code);
    code.jump(again);
    code.bind(late);
    locks.sleep_for_word(code, which);
    code.bind(taken);
}
