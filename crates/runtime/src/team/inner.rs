//! Inner teams that do not stay together: their threads come from a pool of the program, or are created for each
//! region.
//!
//! Under the lock of the pool, the thread that opens a region takes the record of a team (the one that was returned
//! last, whose lines may be at another team's primary thread), then one member after the other. The thread that
//! closes the region returns record and members under the same lock.

use crate::Arithmetic;
use crate::code::{CodeBuilder, Reg, Test, Word, WordTable};
use crate::exec::Exec;
use crate::locks::Locks;
use crate::profile::{LockProfile, Nested, TeamThreads};
use crate::team::Polled;
use numalab_machine::{NodeId, Os};

/// Pool of threads and team records that all inner teams of a program share.
#[derive(Clone, Debug)]
pub struct Pool {
    nested: Nested,
    os: Os,
    locks: Locks,
    /// Number of team records in use.
    taken: Word,
    /// Records in the order in which they are taken: number of each, minus its index in this order.
    order: WordTable,
    /// Lines of each team record, several for each member.
    records: WordTable,
    /// List of threads: a line for each thread of each record, which links the thread to the next thread.
    links: WordTable,
    /// Word of the counters of working threads; `None` unless waiting threads poll the counters.
    counters: Option<Word>,
    /// True if each waiting thread polls its own line of the list.
    watched: bool,
    /// Number of team records, and maximum number of threads of a record.
    teams: u32,
    size: u32,
}

impl Pool {
    /// Pool of `teams` inner teams of at most `size` threads; `None` if threads stay in their teams. Shared lines are
    /// on node `home`.
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
        let linked = if nested.is_a_list() { teams * size } else { 0 };
        Some(Pool {
            nested: nested.clone(),
            os: os.clone(),
            locks: Locks::new(&LockProfile::new(nested.lock), exec, [home], teams * size),
            taken: exec.add_word(home),
            order: exec.add_table(on_home(), 1),
            records: exec.add_table(on_home(), fields),
            links: exec.add_table((0..linked).map(|_| home), 1),
            counters: None,
            watched: false,
            teams,
            size,
        })
    }

    /// Makes the pool use the lines that waiting threads poll.
    pub fn polled(self, polled: Option<Polled>) -> Pool {
        let Some(Polled { counters, links }) = polled else { return self };
        let watched = links.is_some();
        Pool { counters: Some(counters), watched, links: links.unwrap_or(self.links), ..self }
    }

    /// Lines of one inner team. `first`: number of the team's first thread in the program.
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

/// Programs that open and close the regions of one inner team.
#[derive(Clone, Debug)]
pub(super) struct Inner {
    pool: Pool,
    members: WordTable,
    /// Word in which the team's first thread keeps the number of the team's record.
    own: Word,
    /// Number of the team's first thread in the program.
    first: u32,
    threads: u32,
}

impl Inner {
    /// Emits the formation of the team, by its first thread, before the release.
    pub fn form(&self, code: &mut CodeBuilder, number: Reg) {
        match self.pool.nested.threads {
            TeamThreads::Kept => {}
            TeamThreads::Created => (1..self.threads).for_each(|_| code.delay(self.pool.os.create_thread.0)),
            TeamThreads::Pool => self.under_the_lock(code, &|code| {
                let Pool { nested, taken, order, records, links, .. } = &self.pool;
                let place = code.load(*taken);
                let which = code.load(order.at(place));
                code.compute_to(which, which, Arithmetic::Add, place);
                code.compute_to(place, place, Arithmetic::Add, 1u32);
                code.store(*taken, place);
                let link = self.first_link(code, which);
                for member in 1..self.threads {
                    if let Some(link) = link {
                        code.touch(links.at(link));
                        code.store(links.at(link), number);
                    }
                    // The thread leaves the list here; the pool counts it as working once it is set up.
                    self.count(code, 0);
                    self.come_back(code, (link, 0), number);
                    self.write(code, member, nested.member_lines, number);
                    self.come_back(code, (link, 1), number);
                    let lines = member * nested.team_lines..(member + 1) * nested.team_lines;
                    let at = |line: u32| records.field(line).at(which);
                    lines.clone().take(nested.team_reads as usize).for_each(|line| code.touch(at(line)));
                    for line in lines {
                        (0..nested.line_stores).for_each(|_| code.store_in_sequence(at(line), number));
                    }
                    self.come_back(code, (link, 2), number);
                    if let Some(link) = link {
                        code.compute_to(link, link, Arithmetic::Add, 1u32);
                    }
                    self.count(code, 1);
                }
                code.store(self.own, which);
            }),
        }
    }

    /// Emits the return of all threads but the first to the pool. The team's first thread executes it after their
    /// arrival.
    pub fn dissolve(&self, code: &mut CodeBuilder, number: Reg) {
        match self.pool.nested.threads {
            TeamThreads::Kept | TeamThreads::Created => {}
            TeamThreads::Pool => self.under_the_lock(code, &|code| {
                let Pool { nested, taken, order, links, .. } = &self.pool;
                (1..self.threads).for_each(|member| self.write(code, member, nested.return_lines, number));
                let place = code.load(*taken);
                code.compute_to(place, place, Arithmetic::Add, u64::MAX);
                let which = code.load(self.own);
                self.walk(code, place);
                let link = self.first_link(code, which);
                for _ in 1..self.threads {
                    if let Some(link) = link {
                        code.store(links.at(link), number);
                        // The predecessor is linked to the thread, and then the thread is marked as listed.
                        if self.comes_back(nested.return_revisits, 0) {
                            code.scope(|code| {
                                let before = code.compute(link, Arithmetic::Subtract, 1u32);
                                code.store(links.at(before), number);
                            });
                        }
                        if self.comes_back(nested.return_revisits, 1) {
                            code.store(links.at(link), number);
                        }
                        code.compute_to(link, link, Arithmetic::Add, 1u32);
                    }
                    self.count(code, u64::MAX);
                }
                code.compute_to(which, which, Arithmetic::Subtract, place);
                code.store(order.at(place), which);
                code.store(*taken, place);
            }),
        }
    }

    /// Emits the entry of a member other than the first thread into a region.
    pub fn enter(&self, code: &mut CodeBuilder, member: u32, number: Reg) {
        let Pool { nested, os, .. } = &self.pool;
        match nested.threads {
            TeamThreads::Kept => {}
            TeamThreads::Created => code.delay(os.start_thread.0),
            TeamThreads::Pool => self.write(code, member, nested.member_lines, number),
        }
        code.delay(os.system_call.0 * u64::from(nested.calls));
    }

    /// True if the holder of the pool's lock has to fetch a list line once more, since the line's thread polls it.
    /// `times`: number of fetches that the profile states; `time`: number of fetches so far.
    fn comes_back(&self, times: u32, time: u32) -> bool {
        self.pool.watched && time < times
    }

    /// Emits fetch number `time`, from 0, of the list line of a taken thread, if the pool needs that many fetches.
    fn come_back(&self, code: &mut CodeBuilder, (link, time): (Option<Reg>, u32), number: Reg) {
        let Pool { nested, links, .. } = &self.pool;
        if let Some(link) = link.filter(|_| self.comes_back(nested.revisits, time)) {
            code.store(links.at(link), number);
        }
    }

    /// Register with the index in `links` of the line of a record's second member; `None` if the pool is no list.
    fn first_link(&self, code: &mut CodeBuilder, record: Reg) -> Option<Reg> {
        let size = self.pool.size;
        self.pool.nested.is_a_list().then(|| {
            let link = code.compute(record, Arithmetic::Multiply, size);
            code.compute_to(link, link, Arithmetic::Add, 1u32);
            link
        })
    }

    /// Emits reads of the list lines of all threads in unused records: the records after index `place` of the order.
    /// Threads that are taken and returned alternately spread over all numbers, so nearly all unused threads precede
    /// a returned thread in the list.
    fn walk(&self, code: &mut CodeBuilder, place: Reg) {
        let Pool { order, links, teams, size, .. } = &self.pool;
        if !self.pool.nested.is_a_list() {
            return;
        }
        code.scope(|code| {
            let (last, behind) = (code.label(), code.compute(place, Arithmetic::Add, 1u32));
            let more = code.here();
            code.branch(behind, Test::at_least(*teams), last);
            let link = code.load(order.at(behind));
            code.compute_to(link, link, Arithmetic::Add, behind);
            code.compute_to(link, link, Arithmetic::Multiply, *size);
            let end = code.compute(link, Arithmetic::Add, *size);
            code.compute_to(link, link, Arithmetic::Add, 1u32);
            let (over, next) = (code.label(), code.here());
            code.branch(link, Test::at_least(end), over);
            code.touch(links.at(link));
            code.compute_to(link, link, Arithmetic::Add, 1u32);
            code.jump(next);
            code.bind(over);
            code.compute_to(behind, behind, Arithmetic::Add, 1u32);
            code.jump(more);
            code.bind(last);
        });
    }

    /// Emits the addition of `by` to the pool's counters. With 0 it is a write to other counters in the same line.
    fn count(&self, code: &mut CodeBuilder, by: u64) {
        let Some(counters) = self.pool.counters else { return };
        code.scope(|code| {
            let counted = code.load(counters);
            code.compute_to(counted, counted, Arithmetic::Add, by);
            code.store(counters, counted);
        });
    }

    fn under_the_lock(&self, code: &mut CodeBuilder, part: &dyn Fn(&mut CodeBuilder)) {
        code.scope(|code| {
            self.pool.locks.acquire(code, 0u32, self.first);
            part(code);
            self.pool.locks.release(code, 0u32, self.first);
        });
    }

    fn write(&self, code: &mut CodeBuilder, member: u32, lines: u32, number: Reg) {
        for word in (0..lines).map(|line| self.members.field(line).word(member)) {
            (0..self.pool.nested.line_stores).for_each(|_| code.store(word, number));
        }
    }
}
