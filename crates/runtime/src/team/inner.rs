//! Inner teams that do not stay together: their threads come from a pool of the whole program, or are created for
//! each region.
//!
//! Under the lock of the pool, whoever opens a region takes the record of a team (the one that was given back last,
//! so its lines may be with the primary thread of another team), then one member after the other. Whoever closes
//! it gives all back under the same lock.

use crate::Arithmetic;
use crate::code::{CodeBuilder, Reg, Word, WordTable};
use crate::exec::Exec;
use crate::locks::Locks;
use crate::profile::{LockProfile, Nested, TeamThreads};
use numalab_machine::{NodeId, Os};

/// State that all inner teams of a program share.
#[derive(Clone, Debug)]
pub struct Pool {
    nested: Nested,
    os: Os,
    locks: Locks,
    /// Number of records that are taken.
    taken: Word,
    /// Numbers of records in the order in which they are taken, less the place in that order.
    order: WordTable,
    /// Records: so many lines for each member.
    records: WordTable,
}

impl Pool {
    /// The pool of `teams` inner teams of at most `size` threads; `None` if they stay together. What is shared lies
    /// on a node.
    pub fn new(
        nested: &Nested,
        os: &Os,
        exec: &mut Exec<'_>,
        home: NodeId,
        (teams, size): (u32, u32),
    ) -> Option<Pool> {
        let fields = match nested.threads {
            TeamThreads::Kept => return None,
            TeamThreads::Pool => size * nested.team_lines,
            TeamThreads::Created => 0,
        };
        let on_home = || (0..teams).map(|_| home);
        Some(Pool {
            nested: nested.clone(),
            os: os.clone(),
            locks: Locks::new(&LockProfile::new(nested.lock), exec, [home], teams * size),
            taken: exec.add_word(home),
            order: exec.add_table(on_home(), 1),
            records: exec.add_table(on_home(), fields),
        })
    }

    /// Part of one team.
    pub(super) fn team(&self, exec: &mut Exec<'_>, home: NodeId, first: u32, threads: u32) -> Inner {
        let lines = self.nested.member_lines.max(self.nested.return_lines);
        Inner {
            pool: self.clone(),
            members: exec.add_table((0..threads).map(|_| home), lines),
            own: exec.add_word(home),
            first,
            threads,
        }
    }
}

/// Opening and closing of one inner team.
#[derive(Debug)]
pub(super) struct Inner {
    pool: Pool,
    /// Lines of each member.
    members: WordTable,
    /// The first thread's note of the record that it took.
    own: Word,
    /// Number of the first thread in the program.
    first: u32,
    threads: u32,
}

impl Inner {
    /// The first thread gets the others, before it tells them.
    pub fn form(&self, code: &mut CodeBuilder, number: Reg) {
        match self.pool.nested.threads {
            TeamThreads::Kept => {}
            TeamThreads::Created => (1..self.threads).for_each(|_| code.delay(self.pool.os.create_thread.0)),
            TeamThreads::Pool => self.under_the_lock(code, &|code| {
                let Pool { nested, taken, order, records, .. } = &self.pool;
                let place = code.load(*taken);
                let which = code.load(order.at(place));
                code.compute_to(which, which, Arithmetic::Add, place);
                code.compute_to(place, place, Arithmetic::Add, 1u32);
                code.store(*taken, place);
                for member in 1..self.threads {
                    self.write(code, member, nested.member_lines, number);
                    for line in member * nested.team_lines..(member + 1) * nested.team_lines {
                        code.store(records.field(line).at(which), number);
                    }
                }
                code.store(self.own, which);
            }),
        }
    }

    /// The first thread lets the others go, after they have arrived.
    pub fn dissolve(&self, code: &mut CodeBuilder, number: Reg) {
        match self.pool.nested.threads {
            TeamThreads::Kept | TeamThreads::Created => {}
            TeamThreads::Pool => self.under_the_lock(code, &|code| {
                let Pool { nested, taken, order, .. } = &self.pool;
                (1..self.threads).for_each(|member| self.write(code, member, nested.return_lines, number));
                let place = code.load(*taken);
                code.compute_to(place, place, Arithmetic::Add, u64::MAX);
                let which = code.load(self.own);
                code.compute_to(which, which, Arithmetic::Subtract, place);
                code.store(order.at(place), which);
                code.store(*taken, place);
            }),
        }
    }

    /// Another member comes to a region.
    pub fn enter(&self, code: &mut CodeBuilder, member: u32, number: Reg) {
        let Pool { nested, os, .. } = &self.pool;
        match nested.threads {
            TeamThreads::Kept => {}
            TeamThreads::Created => code.delay(os.start_thread.0),
            TeamThreads::Pool => self.write(code, member, nested.member_lines, number),
        }
        code.delay(os.system_call.0 * u64::from(nested.calls));
    }

    fn under_the_lock(&self, code: &mut CodeBuilder, part: &dyn Fn(&mut CodeBuilder)) {
        code.scope(|code| {
            self.pool.locks.acquire(code, 0u32, self.first);
            part(code);
            self.pool.locks.release(code, 0u32, self.first);
        });
    }

    /// Writes so many lines of a member.
    fn write(&self, code: &mut CodeBuilder, member: u32, lines: u32, number: Reg) {
        (0..lines).for_each(|line| code.store(self.members.field(line).word(member), number));
    }
}
