//! Barriers in which children report to parents. Every thread has two lines: one in which it reports that it and all
//! threads below it have arrived, and one in which it is released.

use super::order::ParentOrder;
use super::{Halves, PerChild};
use crate::code::{Arithmetic, CodeBuilder, Reg, Test, Word, WordTable};
use crate::exec::Exec;
use crate::profile::BarrierProfile;
use numalab_machine::NodeId;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(super) struct TreeFlags {
    order: Arc<ParentOrder>,
    halves: Halves,
    /// Flags by which each thread reports (`come`), and by which it is released (`go`); equal if only one half is
    /// used.
    come: WordTable,
    go: WordTable,
    style: FlagStyle,
    /// Word in which thread 0 counts gatherings, if parents read it.
    state: Option<Word>,
}

/// Treatment of flags.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FlagStyle {
    /// True if flags are written by atomic operations.
    atomic: bool,
    /// True if a released thread writes its flag back.
    resets: bool,
    /// True if parents read the number of the meeting in a line of the team.
    team_state: bool,
}

impl FlagStyle {
    pub fn of(barrier: &BarrierProfile) -> FlagStyle {
        FlagStyle {
            atomic: barrier.atomic_flags,
            resets: barrier.resets_flags,
            team_state: barrier.team_state,
        }
    }
}

impl TreeFlags {
    pub fn new(
        exec: &mut Exec<'_>,
        home: NodeId,
        order: Arc<ParentOrder>,
        halves: Halves,
        style: FlagStyle,
    ) -> TreeFlags {
        let fields = match halves {
            Halves::Gathering | Halves::Release => 1,
            Halves::Both => 2,
        };
        let come = exec.add_table((0..order.threads()).map(|_| home), fields);
        let state = (style.team_state && halves != Halves::Release).then(|| exec.add_word(home));
        TreeFlags { order, halves, come, go: come.field(fields - 1), style, state }
    }

    /// Barrier with both halves and the same order of threads, with its own flags.
    pub fn another(&self, exec: &mut Exec<'_>, home: NodeId) -> TreeFlags {
        TreeFlags::new(exec, home, self.order.clone(), Halves::Both, self.style)
    }

    fn signal(&self, code: &mut CodeBuilder, flag: Word, number: Reg) {
        code.rouse(flag);
        if self.style.atomic {
            code.scope(|code| code.swap(flag, number));
        } else {
            code.store(flag, number);
        }
    }

    /// Emits the gathering. `sum`: value of the thread, and the table to which each child, before it sets its flag,
    /// writes the sum of its own value and those of all threads below it.
    pub fn gather(&self, code: &mut CodeBuilder, thread: u32, number: Reg, sum: Option<(Reg, WordTable)>) {
        debug_assert_ne!(self.halves, Halves::Release, "it has no flags to gather with");
        if !self.order.gather(thread).is_empty() {
            self.state.iter().for_each(|state| code.touch(*state));
        }
        for &child in self.order.gather(thread) {
            code.sleep_until(self.come.word(child), Test::at_least(number));
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
        } else {
            self.state.iter().for_each(|state| code.store(*state, number));
        }
    }

    pub fn release(&self, code: &mut CodeBuilder, thread: u32, number: Reg, per_child: PerChild<'_>) {
        debug_assert_ne!(self.halves, Halves::Gathering, "it has no flags to release with");
        if thread > 0 {
            code.sleep_until(self.go.word(thread), Test::at_least(number));
            if self.style.resets {
                // The value stays, since flags are compared with the number of the meeting.
                code.store(self.go.word(thread), number);
            }
        }
        for child in self.order.release(thread) {
            per_child(code, child);
            self.signal(code, self.go.word(child), number);
        }
    }
}
