//! `schedule(guided)`: the size of a chunk depends on what is left, so it is read, calculated, and written
//! if nobody was faster.

use super::program;
use crate::code::CodeId;
use crate::exec::Exec;
use numalab_machine::NodeId;

/// A loop's counter. What its next value is, the caller calculates between the two programs.
#[derive(Clone, Copy, Debug)]
pub struct GuidedCounter {
    load: CodeId,
    advance: CodeId,
}

impl GuidedCounter {
    /// On a node; it begins at 0.
    pub fn new(exec: &mut Exec<'_>, home: NodeId) -> GuidedCounter {
        let counter = exec.add_word(home);
        let load = program(exec, |code| {
            let now = code.load(counter);
            code.finish(now);
        });
        let advance = program(exec, |code| {
            let (expected, next) = (code.argument(), code.argument());
            let seen = code.compare_swap(counter, expected, next);
            code.finish(seen);
        });
        GuidedCounter { load, advance }
    }

    /// Results in what the counter holds.
    pub fn load(&self) -> CodeId {
        self.load
    }

    /// Writes its second argument if the counter holds the first; results in what it held, which is the
    /// first argument if it succeeded, and else what to calculate from next.
    pub fn advance(&self) -> CodeId {
        self.advance
    }
}
