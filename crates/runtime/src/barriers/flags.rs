//! Barriers in which children report to parents. Every thread has a line in which it says that it has
//! come (with all below it), and one in which it is told to go on.

use super::PerChild;
use super::order::ParentOrder;
use crate::code::{Arithmetic, CodeBuilder, Reg, Test, Word, WordTable};
use crate::exec::Exec;
use numalab_machine::NodeId;

#[derive(Clone, Debug)]
pub(super) struct TreeFlags {
    order: ParentOrder,
    come: WordTable,
    go: WordTable,
    /// Flags are written by atomic operations.
    is_atomic: bool,
}

impl TreeFlags {
    pub fn new(exec: &mut Exec<'_>, home: NodeId, order: ParentOrder, is_atomic: bool) -> TreeFlags {
        let come = exec.add_table((0..order.threads()).map(|_| home), 2);
        TreeFlags { order, come, go: come.field(1), is_atomic }
    }

    fn signal(&self, code: &mut CodeBuilder, flag: Word, number: Reg) {
        if self.is_atomic {
            code.scope(|code| code.swap(flag, number));
        } else {
            code.store(flag, number);
        }
    }

    /// With a value to add up, a child writes the sum of all below it before its flag.
    pub fn gather(&self, code: &mut CodeBuilder, thread: u32, number: Reg, sum: Option<(Reg, WordTable)>) {
        for &child in self.order.gather(thread) {
            code.wait_until(self.come.word(child), Test::at_least(number));
            if let Some((sum, values)) = sum {
                code.scope(|code| {
                    let theirs = code.load(values.word(child));
                    code.compute_to(sum, sum, Arithmetic::Add, theirs);
                });
            }
        }
        if thread > 0 {
            if let Some((sum, values)) = sum {
                code.store(values.word(thread), sum);
            }
            self.signal(code, self.come.word(thread), number);
        }
    }

    pub fn release(&self, code: &mut CodeBuilder, thread: u32, number: Reg, per_child: PerChild<'_>) {
        if thread > 0 {
            code.wait_until(self.go.word(thread), Test::at_least(number));
        }
        for child in self.order.release(thread) {
            per_child(code, child);
            self.signal(code, self.go.word(child), number);
        }
    }
}
