//! Test-and-test-and-set with back-off: after a failure a thread stays away from the line, each time twice as long,
//! up to a limit.

use super::{Locks, test_and_test_and_set};
use crate::code::{Arithmetic, CodeBuilder, Operand};

/// First back-off, in picoseconds.
const FIRST: u64 = 100_000;

/// Longest back-off, in picoseconds.
const LONGEST: u64 = FIRST << 7;

pub(super) fn acquire(locks: &Locks, code: &mut CodeBuilder, which: Operand) {
    let away = code.register();
    code.set(away, FIRST);
    test_and_test_and_set::trying(locks, code, which, |code| {
        code.delay(away);
        code.compute_to(away, away, Arithmetic::Multiply, 2u32);
        code.compute_to(away, away, Arithmetic::Min, LONGEST);
    });
}
