//! `schedule(dynamic)`: a counter to which every thread adds a chunk.

use super::program;
use crate::code::CodeId;
use crate::exec::Exec;
use numalab_machine::NodeId;

/// Counter of the iterations that a loop has given out.
#[derive(Clone, Copy, Debug)]
pub struct DynamicCounter {
    next: CodeId,
}

impl DynamicCounter {
    /// Counter on a node. It starts at 0 and is not reset between loops.
    pub fn new(exec: &mut Exec<'_>, home: NodeId) -> DynamicCounter {
        let counter = exec.add_word(home);
        let next = program(exec, |code| {
            let chunk = code.argument();
            let first = code.fetch_add(counter, chunk);
            code.finish(first);
        });
        DynamicCounter { next }
    }

    /// Program that adds its argument, the chunk size, to the counter. Result: first iteration of the chunk.
    pub fn next(&self) -> CodeId {
        self.next
    }
}
