//! Flags that neighbours in a pipeline raise and lower, one for each thread in a line of its own.

use super::program;
use crate::code::{CodeBuilder, CodeId, Test, Word, WordTable};
use crate::exec::Exec;
use numalab_machine::NodeId;

/// One flag for each thread, initially lowered.
#[derive(Clone, Copy, Debug)]
pub struct Flags {
    raise: CodeId,
    lower: CodeId,
}

impl Flags {
    /// Flags of all threads, each on its thread's node.
    pub fn new(exec: &mut Exec<'_>, homes: impl Iterator<Item = NodeId>) -> Flags {
        let words: Vec<Word> = homes.map(|home| exec.add_word(home)).collect();
        let flags = WordTable { first: words[0], stride: 1 };
        let turn = |from: u64, exec: &mut Exec<'_>| {
            program(exec, |code: &mut CodeBuilder| {
                let of = code.argument();
                code.wait_until(flags.at(of), Test::equal(from));
                code.store(flags.at(of), 1 - from);
            })
        };
        Flags { lower: turn(1, exec), raise: turn(0, exec) }
    }

    /// Program that waits until the flag of the thread given as argument has the state `raised`, and toggles the
    /// flag.
    pub fn turn(&self, raised: bool) -> CodeId {
        if raised { self.lower } else { self.raise }
    }
}
