//! As test-and-test-and-set, but who fails stays away from the line for a while, twice as long each time.

use super::Locks;
use crate::code::{Arithmetic, Builder, Operand, Test};

/// What a thread stays away after its first failure, in picoseconds.
const FIRST: u64 = 100_000;

/// The longest that it stays away.
const LONGEST: u64 = FIRST << 7;

pub(super) fn acquire(locks: &Locks, code: &mut Builder, which: Operand) {
    let word = locks.locks.at(which);
    let taken = code.label();
    let patience = locks.patience(code);
    let away = code.register();
    code.set(away, FIRST);
    let again = code.here();
    let seen = code.wait_by(word, Test::equal(0u32), patience);
    let late = code.label();
    code.branch(seen, Test::not(0u32), late);
    code.swap_to(seen, word, 1u32);
    code.branch(seen, Test::equal(0u32), taken);
    code.delay(away);
    code.compute_to(away, away, Arithmetic::Multiply, 2u32);
    code.compute_to(away, away, Arithmetic::Min, LONGEST);
    code.jump(again);
    code.bind(late);
    locks.sleep_for_word(code, which);
    code.bind(taken);
}
