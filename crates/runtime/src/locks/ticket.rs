//! Ticket lock: waiters draw numbers, which are served in order, and all spin on the number being served.

use super::Locks;
use crate::code::{CodeBuilder, Operand, Test};

pub(super) fn acquire(locks: &Locks, code: &mut CodeBuilder, which: Operand) {
    let (next, serving) = (locks.locks.at(which), locks.locks.field(1).at(which));
    let mine = code.fetch_add(next, 1u32);
    let sleep_deadline = locks.sleep_deadline(code);
    let served = code.wait_by(serving, Test::equal(mine), sleep_deadline);
    if sleep_deadline.is_some() {
        let sleepers = locks.locks.field(2).at(which);
        let (taken, awake) = (code.label(), code.label());
        code.branch(served, Test::equal(mine), taken);
        code.add(sleepers, 1u32);
        let again = code.here();
        code.load_to(served, serving);
        code.branch(served, Test::equal(mine), awake);
        code.sleep(serving, served);
        code.jump(again);
        code.bind(awake);
        code.add(sleepers, u64::MAX);
        code.bind(taken);
    }
}

/// Emits a release. All sleepers are woken, since the kernel does not know whose ticket is served next.
pub(super) fn release(locks: &Locks, code: &mut CodeBuilder, which: Operand) {
    let serving = locks.locks.field(1).at(which);
    code.add(serving, 1u32);
    if locks.spin.is_some() {
        let sleeping = code.load(locks.locks.field(2).at(which));
        let nobody = code.label();
        code.branch(sleeping, Test::equal(0u32), nobody);
        code.wake(serving, u64::MAX, locks.wake);
        code.bind(nobody);
    }
}
