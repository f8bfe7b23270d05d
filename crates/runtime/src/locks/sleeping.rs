//! Sleep of waiters at locks that consist of one word.

use super::Locks;
use crate::code::{CodeBuilder, Operand, Test};

impl Locks {
    /// Emits the sleep of a waiter. The waiter counts itself as a sleeper, and sleeps until an exchange finds the
    /// word free. If the releaser read the number of sleepers before the waiter counted itself, the first exchange
    /// finds the word free.
    pub(super) fn sleep_for_word(&self, code: &mut CodeBuilder, which: Operand) {
        let (word, sleepers) = (self.locks.at(which), self.locks.field(2).at(which));
        code.add(sleepers, 1u32);
        let again = code.here();
        let before = code.swap(word, 1u32);
        let taken = code.label();
        code.branch(before, Test::equal(0u32), taken);
        code.sleep(word, 1u32);
        code.jump(again);
        code.bind(taken);
        code.add(sleepers, u64::MAX);
    }

    /// Emits code that frees the word and wakes a sleeper, if there is one.
    pub(super) fn release_word(&self, code: &mut CodeBuilder, which: Operand) {
        let (word, sleepers) = (self.locks.at(which), self.locks.field(2).at(which));
        if self.spin.is_none() {
            return code.store(word, 0u32);
        }
        // An exchange and not a plain store, which could wait in the store buffer while sleepers are counted.
        code.scope(|code| {
            code.swap(word, 0u32);
            let sleeping = code.load(sleepers);
            let nobody = code.label();
            code.branch(sleeping, Test::equal(0u32), nobody);
            code.wake(word, 1u32, self.wake);
            code.bind(nobody);
        });
    }
}
