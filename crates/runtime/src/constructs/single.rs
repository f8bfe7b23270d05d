//! `single`: the first thread to arrive claims the execution.

use super::program;
use crate::code::{CodeId, Test};
use crate::exec::Exec;
use numalab_base::Span;
use numalab_machine::NodeId;

/// Counter of claimed executions.
#[derive(Clone, Copy, Debug)]
pub struct Single {
    claim: CodeId,
}

impl Single {
    /// Counter for one team. A claim takes `call` in addition to the time for the counter's line.
    pub fn new(exec: &mut Exec<'_>, home: NodeId, call: Span) -> Single {
        let claimed = exec.add_word(home);
        let claim = program(exec, |code| {
            let (before, number) = (code.argument(), code.argument());
            code.delay(call.0);
            let seen = code.compare_swap(claimed, before, number);
            let lost = code.label();
            code.branch(seen, Test::not(before), lost);
            code.finish(1u32);
            code.bind(lost);
        });
        Single { claim }
    }

    /// Program by which a thread claims an execution. Result: 1 for the thread that executes the body, 0 for all
    /// others. Between two executions all threads meet, or each thread claims the executions in order.
    pub fn claim(&self) -> CodeId {
        self.claim
    }

    /// Arguments of [`Single::claim`] for execution number `encounter`, from 0.
    pub fn arguments(encounter: u64) -> [u64; 2] {
        [encounter, encounter + 1]
    }
}
