//! Programs by which each thread of a team opens and closes regions, meets at barriers and sums values.

use super::inner::Inner;
use super::reduction::Values;
use super::timeslices::Timeslices;
use super::{Pool, TeamMember};
use crate::barriers::{BarrierLines, FlagStyle, Halves};
use crate::code::{Code, CodeBuilder, Reg, WordTable};
use crate::exec::Exec;
use crate::profile::{Barrier, Profile};
use numalab_machine::{NodeId, Os};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(super) struct Programs {
    threads: u32,
    /// Node of all lines of the team.
    home: NodeId,
    /// Picoseconds that the opening of a region takes the master, in addition to the time for lines.
    open: u64,
    enter: u64,
    /// Picoseconds that a barrier takes each thread, in addition to the time for lines.
    barrier_fixed: u64,
    /// Picoseconds of the system call by which a one-thread team ends a barrier; 0 if the algorithm makes no call.
    alone: u64,
    /// Table of the lines that describe the team.
    team: WordTable,
    team_lines: u32,
    /// Records of the lines that describe each member.
    members: WordTable,
    member_lines: u32,
    member_writes: bool,
    line_stores: u32,
    member_time: u64,
    /// Lines of each member that the master writes before it releases the team; their number; and the master's
    /// picoseconds for each member.
    listed: WordTable,
    master_lines: u32,
    master_time: u64,
    release: Barrier,
    fork: BarrierLines,
    join: BarrierLines,
    /// Lines of the explicit barrier; `None` before its first use.
    barrier: Option<BarrierLines>,
    /// Barrier at which members wait in a pool for the next region; `None` if members do not wait in a pool.
    pool: Option<BarrierLines>,
    /// Formation of the team for each region, and its dissolution; `None` if the team stays together.
    inner: Option<Inner>,
    /// Delays of the team's threads that share processors.
    timeslices: Timeslices,
    values: Values,
    /// True if waking sleepers takes time.
    rouses: bool,
}

impl Programs {
    pub fn new(
        profile: &Profile,
        os: &Os,
        exec: &mut Exec<'_>,
        members: &[TeamMember],
        pool_of_threads: Option<&Pool>,
    ) -> Programs {
        let home = members.first().map_or(NodeId(0), |master| master.node);
        let rouses = exec.rouses();
        let fork = &profile.fork;
        let free = profile.is_free();
        let or_free = |barrier| if free { Barrier::Free } else { barrier };
        let (release, barrier) =
            (or_free(fork.opening(profile.barrier.wake_call)), or_free(profile.barrier.algorithm()));
        let style = FlagStyle::of(&profile.barrier);
        let mut meeting =
            |barrier, halves| BarrierLines::of_halves((barrier, halves), style, exec, home, members);
        let dock = match profile.barrier.algorithm() {
            futex @ Barrier::Futex { .. } => futex,
            Barrier::Central
            | Barrier::Tree { .. }
            | Barrier::Hypercube { .. }
            | Barrier::Dissemination
            | Barrier::Hierarchical
            | Barrier::Free => Barrier::Central,
        };
        let pool = (fork.pool_barrier && !free).then(|| meeting(dock, Halves::Both));
        // If members go to a pool after a region, they wait at the closing barrier until all have arrived.
        let closing = if pool.is_some() { Halves::Both } else { Halves::Gathering };
        let (opens, join) = (meeting(release, Halves::Release), meeting(barrier, closing));
        Programs {
            rouses,
            threads: members.len() as u32,
            home,
            open: fork.open.filter(|_| members.len() > 1).unwrap_or(fork.fixed).0,
            enter: fork.enter.0,
            barrier_fixed: profile.barrier.fixed.0,
            alone: match barrier {
                Barrier::Futex { call } if members.len() == 1 => call.0,
                Barrier::Futex { .. }
                | Barrier::Central
                | Barrier::Tree { .. }
                | Barrier::Hypercube { .. }
                | Barrier::Dissemination
                | Barrier::Hierarchical
                | Barrier::Free => 0,
            },
            team: exec.add_table((0..fork.team_lines).map(|_| home), 1),
            team_lines: fork.team_lines,
            members: exec.add_table(members.iter().map(|_| home), fork.member_lines),
            member_lines: fork.member_lines,
            member_writes: fork.member_writes,
            line_stores: fork.line_stores,
            member_time: fork.member_time.0,
            listed: exec.add_table(members.iter().map(|_| home), fork.master_lines),
            master_lines: fork.master_lines,
            master_time: fork.master_time.0,
            release,
            values: Values::new(profile, exec, home, members.len() as u32, &join),
            fork: opens,
            join,
            barrier: None,
            pool,
            timeslices: if free {
                Timeslices::default()
            } else {
                Timeslices::new(&profile.barrier, os, members)
            },
            inner: pool_of_threads
                .filter(|_| !free)
                .zip(members.first())
                .map(|(pool, first)| pool.team(exec, home, first.agent.number(), members.len() as u32)),
        }
    }

    /// Adds the lines of the barrier inside a region. The barrier has the algorithm by which a region closes.
    pub fn add_barrier(this: &mut Arc<Programs>, exec: &mut Exec<'_>) {
        if this.barrier.is_none() {
            let barrier = this.join.another(exec, this.home);
            Arc::make_mut(this).barrier = Some(barrier);
        }
    }

    /// Adds the lines through which the values of a reduction go to the master.
    pub fn add_values(this: &mut Arc<Programs>, exec: &mut Exec<'_>) {
        if let Values::Tree(None) = this.values {
            let values = exec.add_table((0..this.threads).map(|_| this.home), 1);
            Arc::make_mut(this).values = Values::Tree(Some(values));
        }
    }

    /// Program by which the master opens a region, or by which another member waits for the opening and enters.
    pub fn enter(&self, thread: u32) -> Code {
        self.program(|code, number, _| {
            if thread == 0 {
                self.fork(code, number);
            } else {
                self.dock(code, thread, number);
            }
            None
        })
    }

    fn fork(&self, code: &mut CodeBuilder, number: Reg) {
        code.delay(self.open);
        if self.threads > 1 {
            self.inner.iter().for_each(|inner| inner.form(code, number));
            (0..self.team_lines).for_each(|line| code.store(self.team.word(line), number));
            if self.pool.is_some() {
                self.join.initialise(code, number);
            }
            for member in 1..self.threads {
                code.delay(self.master_time);
                let listed = |line| self.listed.field(line).word(member);
                (0..self.master_lines).for_each(|line| code.store(listed(line), number));
            }
            self.release(code, 0, number);
        }
    }

    fn dock(&self, code: &mut CodeBuilder, thread: u32, number: Reg) {
        self.release(code, thread, number);
        code.delay(self.timeslices.back);
        self.inner.iter().for_each(|inner| inner.enter(code, thread, number));
        (0..self.team_lines).for_each(|line| code.touch(self.team.word(line)));
        (0..self.master_lines).for_each(|line| code.touch(self.listed.field(line).word(thread)));
        for line in 0..self.member_lines {
            let word = self.members.field(line).word(thread);
            if self.member_writes { code.store(word, number) } else { code.touch(word) }
        }
        code.delay(self.enter);
    }

    /// Emits the release half: writes each member's lines, then releases the member. If members wait in a pool, all
    /// threads first gather at the pool's barrier. If one word releases all members, that barrier also releases them.
    fn release(&self, code: &mut CodeBuilder, thread: u32, number: Reg) {
        let write = |code: &mut CodeBuilder, member: u32| {
            code.delay(self.member_time);
            for line in 0..self.member_lines {
                let word = self.members.field(line).word(member);
                (0..self.line_stores).for_each(|_| code.store(word, number));
            }
        };
        match &self.pool {
            Some(pool) if matches!(self.release, Barrier::Central | Barrier::Futex { .. }) => {
                if thread == 0 {
                    (1..self.threads).for_each(|member| write(code, member));
                }
                pool.whole(code, thread, number);
            }
            pool => {
                if let Some(pool) = pool {
                    pool.gather(code, thread, number);
                }
                self.fork.release(code, thread, number, &write);
            }
        }
    }

    /// Program by which a thread arrives at the end of a region.
    pub fn join(&self, thread: u32) -> Code {
        self.program(|code, number, _| {
            code.delay(self.timeslices.before(thread));
            self.close(code, thread, number);
            self.back_at_the_end(code, thread);
            self.dissolve(code, thread, number);
            None
        })
    }

    /// Emits the gathering, or the whole barrier if members go to a pool after a region.
    fn close(&self, code: &mut CodeBuilder, thread: u32, number: Reg) {
        match self.pool {
            None => self.join.gather(code, thread, number),
            Some(_) => self.join.whole(code, thread, number),
        }
    }

    /// Emits the time until thread 0, which has slept, is back on its processor at the end of a region. Other threads
    /// spend this time when the next region opens.
    fn back_at_the_end(&self, code: &mut CodeBuilder, thread: u32) {
        if thread == 0 {
            code.delay(self.timeslices.back);
        }
    }

    /// Emits the dissolution of an inner team, by the team's first thread.
    fn dissolve(&self, code: &mut CodeBuilder, thread: u32, number: Reg) {
        if thread == 0 && self.threads > 1 {
            self.inner.iter().for_each(|inner| inner.dissolve(code, number));
        }
    }

    /// As `join`; also sums a value of each thread.
    pub fn reduction(&self, thread: u32) -> Code {
        self.program(|code, number, value| {
            if self.threads == 1 {
                return Some(value);
            }
            code.delay(self.timeslices.before(thread));
            match self.values {
                Values::Tree(values) => {
                    let values = values.expect("added before the first reduction");
                    self.join.gather_sum(code, thread, number, value, values);
                    if self.pool.is_some() {
                        self.join.release(code, thread, number, &|_, _| {});
                    }
                }
                Values::Shared(ref shared) => {
                    shared.add(code, thread, value);
                    self.close(code, thread, number);
                    if thread == 0 {
                        shared.take(code, value);
                    }
                }
            }
            self.back_at_the_end(code, thread);
            self.dissolve(code, thread, number);
            Some(value)
        })
    }

    /// Program of the barrier inside a region.
    pub fn barrier(&self, thread: u32) -> Code {
        self.program(|code, number, _| {
            code.delay(self.barrier_fixed + self.alone + self.timeslices.before(thread));
            let barrier = self.barrier.as_ref().expect("added before anybody comes to it");
            barrier.whole(code, thread, number);
            code.delay(self.timeslices.back);
            None
        })
    }

    /// Builds a program whose arguments are the number of its executions and a value.
    fn program(&self, write: impl FnOnce(&mut CodeBuilder, Reg, Reg) -> Option<Reg>) -> Code {
        let mut code = CodeBuilder::rousing(self.rouses);
        let (number, value) = (code.argument(), code.argument());
        if let Some(result) = write(&mut code, number, value) {
            code.finish(result);
        }
        code.build()
    }
}
