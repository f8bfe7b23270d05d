//! `schedule(dynamic)`: the loop's counter, to which everybody adds a chunk.

use super::program;
use crate::code::CodeId;
use crate::exec::Exec;
use numalab_machine::NodeId;

/// A loop's counter.
#[derive(Clone, Copy, Debug)]
pub struct DynamicCounter {
    next: CodeId,
}

impl DynamicCounter {
    /// On a node; it begins at 0 and goes on from loop to loop.
    pub fn new(exec: &mut Exec<'_>, home: NodeId) -> DynamicCounter {
        let counter = exec.add_word(home);
        let next = program(exec, |code| {
            let chunk = code.argument();
            let first = code.fetch_add(counter, chunk);
            code.finish(first);
        });
        DynamicCounter { next }
    }

    /// Adds its argument, the chunk; results in the first iteration of it.
    pub fn next(&self) -> CodeId {
        self.next
    }
}
