//! Barriers, each in a file of its own.
//!
//! A barrier has two halves: everybody **gathers** at thread 0, and thread 0 **releases** everybody. A region
//! opens with a release and closes with a gathering. Meetings are counted from 1: the number of the
//! meeting is what flags are set to, so that nothing needs resetting.

mod central;
mod dissemination;
mod flags;
mod hierarchical;
mod hypercube;
mod order;
mod tree;

use crate::code::{Builder, Reg, Table};
use crate::exec::Exec;
use crate::profile::Barrier;
use crate::team::Seat;
use central::Central;
use dissemination::Dissemination;
use flags::Flags;
use numalab_machine::NodeId;

/// The lines of one barrier. Its gatherings and its releases are each counted on their own; a program with
/// the whole barrier counts as one of both.
#[derive(Clone, Debug)]
pub struct Meeting(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Free,
    Central(Central),
    Flags(Flags),
    Dissemination(Dissemination),
}

/// What a parent does for a child besides setting its flag, or a child for its parent.
pub type Besides<'a> = &'a dyn Fn(&mut Builder, u32);

impl Meeting {
    /// For threads on these seats; all lines are on one node.
    pub fn new(barrier: Barrier, exec: &mut Exec<'_>, home: NodeId, seats: &[Seat]) -> Meeting {
        let threads = seats.len() as u32;
        if threads < 2 {
            return Meeting(Kind::Free);
        }
        Meeting(match barrier {
            Barrier::Free => Kind::Free,
            Barrier::Central => Kind::Central(Central::new(exec, home, threads)),
            Barrier::Tree { branching } => {
                Kind::Flags(Flags::new(exec, home, tree::order(threads, branching)))
            }
            Barrier::Hypercube { branching } => {
                Kind::Flags(Flags::new(exec, home, hypercube::order(threads, branching)))
            }
            Barrier::Hierarchical => Kind::Flags(Flags::new(exec, home, hierarchical::order(seats))),
            Barrier::Dissemination => Kind::Dissemination(Dissemination::new(exec, home, threads)),
        })
    }

    /// Writes the gathering: thread 0 goes on when all have come. Others go on at once, except where
    /// nobody is the last (dissemination).
    pub fn gather(&self, code: &mut Builder, thread: u32, number: Reg) {
        code.scope(|code| match &self.0 {
            Kind::Free => {}
            Kind::Central(central) => central.gather(code, thread, number),
            Kind::Flags(flags) => flags.gather(code, thread, number, None),
            Kind::Dissemination(rounds) => rounds.whole(code, thread, number),
        });
    }

    /// Whether children report to parents, which could add up.
    pub fn has_parents(&self) -> bool {
        matches!(self.0, Kind::Flags(_))
    }

    /// The gathering with a value of each thread, where there are parents: each child writes the sum of
    /// all below it to its word of a table. Thread 0 ends up with the whole sum in `value`.
    pub fn gather_sum(&self, code: &mut Builder, thread: u32, number: Reg, value: Reg, values: Table) {
        if let Kind::Flags(flags) = &self.0 {
            code.scope(|code| flags.gather(code, thread, number, Some((value, values))));
        }
    }

    /// Writes the release: the others go on when thread 0 has come, which does `besides` for each that it
    /// releases itself.
    pub fn release(&self, code: &mut Builder, thread: u32, number: Reg, besides: Besides<'_>) {
        code.scope(|code| match &self.0 {
            Kind::Free => {}
            Kind::Central(central) => central.release(code, thread, number, besides),
            Kind::Flags(flags) => flags.release(code, thread, number, besides),
            Kind::Dissemination(rounds) => rounds.release(code, thread, number, besides),
        });
    }

    /// Writes the whole barrier: nobody goes on before all have come.
    pub fn whole(&self, code: &mut Builder, thread: u32, number: Reg) {
        code.scope(|code| match &self.0 {
            Kind::Free => {}
            Kind::Central(central) => central.whole(code, thread, number),
            Kind::Flags(flags) => {
                flags.gather(code, thread, number, None);
                flags.release(code, thread, number, &|_, _| {});
            }
            Kind::Dissemination(rounds) => rounds.whole(code, thread, number),
        });
    }
}
