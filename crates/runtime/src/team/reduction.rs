//! Lines in which the values of a reduction are combined.

use crate::barriers::BarrierLines;
use crate::code::{Arithmetic, CodeBuilder, Reg, Word, WordTable};
use crate::exec::Exec;
use crate::locks::Locks;
use crate::profile::{Profile, Reduction};
use numalab_machine::NodeId;

#[derive(Clone, Debug)]
pub(super) enum Values {
    /// Summed during the gathering, from children to parents: a line for each thread's value, added at the first
    /// reduction.
    Tree(Option<WordTable>),
    /// Summed in one word before the gathering.
    Shared(SharedSum),
}

#[derive(Clone, Debug)]
pub(super) struct SharedSum {
    sum: Word,
    /// Lock around each addition; `None` if additions are atomic.
    lock: Option<Locks>,
}

impl Values {
    /// Lines for sums. Values are summed in a tree only if the closing barrier has parents; otherwise they are added
    /// to one word.
    pub fn new(
        profile: &Profile,
        exec: &mut Exec<'_>,
        home: NodeId,
        threads: u32,
        join: &BarrierLines,
    ) -> Values {
        match profile.reduction {
            Reduction::Tree if join.has_parents() => Values::Tree(None),
            Reduction::Tree | Reduction::Atomic => {
                Values::Shared(SharedSum { sum: exec.add_word(home), lock: None })
            }
            Reduction::Critical => {
                let lock = Some(Locks::new(&profile.lock, exec, [home], threads));
                Values::Shared(SharedSum { sum: exec.add_word(home), lock })
            }
        }
    }
}

impl SharedSum {
    pub fn add(&self, code: &mut CodeBuilder, thread: u32, value: Reg) {
        let Some(lock) = &self.lock else { return code.add(self.sum, value) };
        lock.acquire(code, 0u32, thread);
        code.scope(|code| {
            let sum = code.load(self.sum);
            code.compute_to(sum, sum, Arithmetic::Add, value);
            code.store(self.sum, sum);
        });
        lock.release(code, 0u32, thread);
    }

    /// Emits the master's read of the sum, and its reset to 0 for the next reduction.
    pub fn take(&self, code: &mut CodeBuilder, value: Reg) {
        code.swap_to(value, self.sum, 0u32);
    }
}
