//! Barriers, each in a file of its own.
//!
//! A barrier has two halves: all threads **gather** at thread 0, and thread 0 **releases** all. A region opens with a
//! release and closes with a gathering. Executions (meetings) are counted from 1, and flags are set to the number of
//! the meeting, so nothing needs resetting.

mod central;
mod dissemination;
mod flags;
mod futex;
mod hierarchical;
mod hypercube;
mod order;
mod tree;

use crate::code::{CodeBuilder, Reg, WordTable};
use crate::exec::Exec;
use crate::profile::Barrier;
use crate::team::TeamMember;
use central::Central;
use dissemination::Dissemination;
pub(crate) use flags::FlagStyle;
use flags::TreeFlags;
use futex::Futex;
use numalab_machine::NodeId;
use std::sync::Arc;

/// Lines of one barrier. Gatherings and releases are numbered separately; a whole barrier counts as one of both.
#[derive(Clone, Debug)]
pub struct BarrierLines(Algorithm);

#[derive(Clone, Debug)]
enum Algorithm {
    Free,
    Central(Central),
    Futex(Futex),
    Flags(TreeFlags),
    Dissemination(Dissemination),
}

/// Halves of a barrier that the caller uses. An unused half needs no lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halves {
    /// Half in which all threads arrive at thread 0.
    Gathering,
    /// Half in which thread 0 lets all other threads continue.
    Release,
    /// Gathering, release, and whole barrier.
    Both,
}

/// Emits the code that a parent executes for a child before it sets the child's flag. Argument: number of the child.
pub type PerChild<'a> = &'a dyn Fn(&mut CodeBuilder, u32);

impl BarrierLines {
    /// Lines for the members of a team. All lines are on the node `home`.
    pub fn new(barrier: Barrier, exec: &mut Exec<'_>, home: NodeId, members: &[TeamMember]) -> BarrierLines {
        BarrierLines::of_halves((barrier, Halves::Both), FlagStyle::default(), exec, home, members)
    }

    /// Lines for the given halves. `style`: treatment of the flags of trees.
    pub(crate) fn of_halves(
        (barrier, halves): (Barrier, Halves),
        style: FlagStyle,
        exec: &mut Exec<'_>,
        home: NodeId,
        members: &[TeamMember],
    ) -> BarrierLines {
        let threads = members.len() as u32;
        if threads < 2 {
            return BarrierLines(Algorithm::Free);
        }
        let mut flags = |order| Algorithm::Flags(TreeFlags::new(exec, home, Arc::new(order), halves, style));
        BarrierLines(match barrier {
            Barrier::Free => Algorithm::Free,
            Barrier::Central => Algorithm::Central(Central::new(exec, home, threads)),
            Barrier::Futex { call } => Algorithm::Futex(Futex::new(exec, home, threads, call)),
            Barrier::Tree { branching } => flags(tree::order(threads, branching)),
            Barrier::Hypercube { branching } => flags(hypercube::order(threads, branching)),
            Barrier::Hierarchical => flags(hierarchical::order(members)),
            Barrier::Dissemination => Algorithm::Dissemination(Dissemination::new(exec, home, threads)),
        })
    }

    /// Lines for both halves of another barrier with the same algorithm and members.
    pub(crate) fn another(&self, exec: &mut Exec<'_>, home: NodeId) -> BarrierLines {
        BarrierLines(match &self.0 {
            Algorithm::Free => Algorithm::Free,
            Algorithm::Central(central) => Algorithm::Central(central.another(exec, home)),
            Algorithm::Futex(futex) => Algorithm::Futex(futex.another(exec, home)),
            Algorithm::Flags(flags) => Algorithm::Flags(flags.another(exec, home)),
            Algorithm::Dissemination(rounds) => Algorithm::Dissemination(rounds.another(exec, home)),
        })
    }

    /// Emits the gathering half of `thread`'s program. Thread 0 continues when all threads have arrived. The others
    /// continue immediately, in trees after the threads below them, and in dissemination when all threads have
    /// arrived.
    pub fn gather(&self, code: &mut CodeBuilder, thread: u32, number: Reg) {
        code.scope(|code| match &self.0 {
            Algorithm::Free => {}
            Algorithm::Central(central) => central.gather(code, thread, number),
            Algorithm::Futex(futex) => futex.gather(code, thread, number),
            Algorithm::Flags(flags) => flags.gather(code, thread, number, None),
            Algorithm::Dissemination(rounds) => rounds.whole(code, thread, number),
        });
    }

    /// Emits the initialisation of the barrier, for a runtime that makes the barrier anew for each region. Only
    /// `Futex` needs one.
    pub fn initialise(&self, code: &mut CodeBuilder, number: Reg) {
        match &self.0 {
            Algorithm::Futex(futex) => futex.initialise(code, number),
            Algorithm::Free | Algorithm::Central(_) | Algorithm::Flags(_) | Algorithm::Dissemination(_) => {}
        }
    }

    /// True if children report to parents, which can sum the children's values.
    pub fn has_parents(&self) -> bool {
        matches!(self.0, Algorithm::Flags(_))
    }

    /// Emits a gathering with a value of each thread, for algorithms with parents. Each child writes the sum of
    /// its own value and of those below it to its word of the table `values`. Thread 0 gets the total in `value`.
    pub fn gather_sum(
        &self,
        code: &mut CodeBuilder,
        thread: u32,
        number: Reg,
        value: Reg,
        values: WordTable,
    ) {
        if let Algorithm::Flags(flags) = &self.0 {
            code.scope(|code| flags.gather(code, thread, number, Some((value, values))));
        }
    }

    /// Emits the release half of `thread`'s program: threads continue when thread 0 has arrived, and in dissemination
    /// when all threads have arrived. `per_child` emits code before each child that `thread` itself releases.
    pub fn release(&self, code: &mut CodeBuilder, thread: u32, number: Reg, per_child: PerChild<'_>) {
        code.scope(|code| match &self.0 {
            Algorithm::Free => {}
            Algorithm::Central(central) => central.release(code, thread, number, per_child),
            Algorithm::Futex(futex) => futex.release(code, thread, number, per_child),
            Algorithm::Flags(flags) => flags.release(code, thread, number, per_child),
            Algorithm::Dissemination(rounds) => rounds.release(code, thread, number, per_child),
        });
    }

    /// Emits the whole barrier: no thread continues before all threads have arrived.
    pub fn whole(&self, code: &mut CodeBuilder, thread: u32, number: Reg) {
        code.scope(|code| match &self.0 {
            Algorithm::Free => {}
            Algorithm::Central(central) => central.whole(code, thread, number),
            Algorithm::Futex(futex) => futex.whole(code, number),
            Algorithm::Flags(flags) => {
                flags.gather(code, thread, number, None);
                flags.release(code, thread, number, &|_, _| {});
            }
            Algorithm::Dissemination(rounds) => rounds.whole(code, thread, number),
        });
    }
}
