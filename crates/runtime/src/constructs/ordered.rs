//! `ordered`: all spin on the number of the one whose turn it is, as the threads of core-to-core tools do, which look
//! without a rest.

use super::program;
use crate::code::{CodeId, Test};
use crate::exec::Exec;
use numalab_machine::NodeId;

/// A turn that goes round.
#[derive(Clone, Copy, Debug)]
pub struct Ordered {
    wait: CodeId,
    pass: CodeId,
}

impl Ordered {
    /// The turn is number 0's.
    pub fn new(exec: &mut Exec<'_>, home: NodeId) -> Ordered {
        let turn = exec.add_word(home);
        let wait = program(exec, |code| {
            let mine = code.argument();
            code.watch_until(turn, Test::equal(mine));
        });
        let pass = program(exec, |code| {
            let next = code.argument();
            code.store(turn, next);
        });
        Ordered { wait, pass }
    }

    /// Ends when the turn is that of its argument.
    pub fn wait(&self) -> CodeId {
        self.wait
    }

    /// Gives the turn to its argument.
    pub fn pass(&self) -> CodeId {
        self.pass
    }
}
