//! `ordered`: all threads spin on the number of the thread whose turn it is. They do not pause between polls, as in
//! tools that measure core-to-core latency.

use super::program;
use crate::code::{CodeId, Test};
use crate::exec::Exec;
use numalab_machine::NodeId;

/// Number of the thread whose turn it is; the turn passes from thread to thread.
#[derive(Clone, Copy, Debug)]
pub struct Ordered {
    wait: CodeId,
    pass: CodeId,
}

impl Ordered {
    /// Shared word on `home` that holds the number of the thread whose turn it is, initially 0.
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

    /// Program that waits until the thread given as argument has the turn.
    pub fn wait(&self) -> CodeId {
        self.wait
    }

    /// Program that passes the turn to the thread given as argument.
    pub fn pass(&self) -> CodeId {
        self.pass
    }
}
