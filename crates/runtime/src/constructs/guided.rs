//! `schedule(guided)`: the size of a chunk depends on the remaining iterations, so the counter is read, the chunk
//! computed, and the counter written by compare-and-swap.

use super::program;
use crate::code::CodeId;
use crate::exec::Exec;
use numalab_machine::NodeId;

/// Counter of the iterations that a loop has given out. The caller computes the counter's next value between `load`
/// and `advance`.
#[derive(Clone, Copy, Debug)]
pub struct GuidedCounter {
    load: CodeId,
    advance: CodeId,
}

impl GuidedCounter {
    /// Counter on a node; starts at 0.
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

    /// Program that reads the counter. Result: value of the counter.
    pub fn load(&self) -> CodeId {
        self.load
    }

    /// Program that writes its second argument if the counter holds the first. Result: old value, equal to the first
    /// argument on success, or else the value to continue from.
    pub fn advance(&self) -> CodeId {
        self.advance
    }
}
