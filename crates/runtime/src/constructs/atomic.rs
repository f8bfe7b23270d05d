//! `atomic`: one addition to a shared variable.

use super::program;
use crate::code::CodeId;
use crate::exec::Exec;
use numalab_machine::NodeId;

/// Variable that threads add to.
#[derive(Clone, Copy, Debug)]
pub struct Atomic {
    add: CodeId,
}

impl Atomic {
    /// Variable on a node; starts at 0.
    pub fn new(exec: &mut Exec<'_>, home: NodeId) -> Atomic {
        let word = exec.add_word(home);
        let add = program(exec, |code| {
            let value = code.argument();
            let before = code.fetch_add(word, value);
            code.finish(before);
        });
        Atomic { add }
    }

    /// Program that adds its argument to the variable. Result: old value.
    pub fn add(&self) -> CodeId {
        self.add
    }
}
