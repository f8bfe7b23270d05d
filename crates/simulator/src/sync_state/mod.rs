//! State of the OpenMP runtime: its teams, the words that constructs share, and the interpreter of its programs. It
//! outlives phases, since a thread may still be in a program of one phase when the next phase has begun.

mod shared;

use crate::engine::script::{Level, Program};
use crate::engine::setup::Setup;
use crate::engine::team::{Member, Team};
use crate::os::nodes::nearest_memory;
use crate::tasks::TaskWords;
use crate::work_source::{LoopSharing, LoopWords};
use numalab_base::{Snapshot, ThreadId, Time};
use numalab_coherence::AgentId;
use numalab_des::Domain;
use numalab_machine::{CoreId, Groups, NodeId};
use numalab_runtime::team::{Polled, Pool, TeamMember, TeamSync};
use numalab_runtime::{Exec, Finished};
use numalab_workload::{Construct, Phase, QueueKind, Schedule};
use shared::Shared;
use std::collections::BTreeMap;

// Glossary: meeting: A point of the program that the whole team has to reach: the opening or the end of a
//   region, or a barrier.
/// Point at which the whole team meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meeting {
    Open(Level),
    Close(Level),
    Barrier,
}

/// Synchronisation of the run's threads and their inner teams: programs of the OpenMP runtime, and the words that
/// constructs share.
#[derive(Clone, Debug)]
pub(crate) struct SyncState<'a> {
    pub exec: Exec<'a>,
    /// True for threads that are still inside a program of an earlier phase.
    pub busy: Vec<bool>,
    /// Programs that ended at the present instant.
    pub finished: Vec<Finished>,
    /// Lines of the pool from which inner teams get their threads, if waiting threads poll them.
    polled: Option<Polled>,
    /// Inner and outer teams with their words, by number of inner teams.
    nests: BTreeMap<u32, Nest>,
    /// Number of inner teams in the present phase.
    teams: u32,
}

/// Outer and inner teams of phases with one number of inner teams.
#[derive(Clone, Debug)]
struct Nest {
    /// Team of the threads that open the inner teams; `None` if there is only one inner team.
    outer: Option<TeamSync>,
    inner: Vec<Inner>,
    /// Words that the threads of all teams share.
    shared: Shared,
    /// All threads in thread order.
    members: Vec<TeamMember>,
}

/// An inner team and its shared words.
#[derive(Clone, Debug)]
struct Inner {
    sync: TeamSync,
    members: Vec<TeamMember>,
    loops: LoopWords,
    /// Lines of tasks, by the position of the phase in its region and by kind of queue.
    tasks: BTreeMap<(u32, QueueKind), TaskWords>,
    shared: Shared,
}

impl<'a> SyncState<'a> {
    /// Initial state: every thread is on its core, and no team exists yet.
    pub fn new(setup: &Setup<'a>, team: &Team) -> SyncState<'a> {
        let (machine, fabric) = setup.lines();
        let mut exec = Exec::new(machine, fabric);
        exec.vary(setup.streams().stream(Domain::Requests, 0));
        if let Some(sleep) = crate::os::sleep::of(setup) {
            exec.let_sleep(sleep);
        }
        exec.home_lines_at(nearest_memory(fabric));
        exec.reserve(team.members.len());
        for member in &team.members {
            exec.add_agent(member.core);
        }
        let polled = polled(setup, team, &mut exec);
        SyncState {
            exec,
            busy: vec![false; team.members.len()],
            finished: Vec::new(),
            polled,
            nests: BTreeMap::new(),
            teams: 1,
        }
    }

    /// Adds programs, lines and the threads' own counters to a snapshot.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let SyncState { exec, busy, finished: _, polled: _, nests, teams: _ } = self;
        exec.snapshot(into);
        into.add(&(busy, nests.len()));
        for nest in nests.values() {
            let Nest { outer, inner, shared, members: _ } = nest;
            outer.iter().for_each(|team| team.snapshot(into));
            shared.snapshot(into);
            for Inner { sync, members: _, loops: _, tasks, shared } in inner {
                sync.snapshot(into);
                shared.snapshot(into);
                into.add(&tasks.len());
                tasks.values().for_each(|words| words.snapshot(into));
            }
        }
    }

    /// Runs all programs to their ends. Returns the instant at which the last one ends.
    pub fn come_through(&mut self, now: Time) -> Time {
        let mut last = now;
        while let Some(at) = self.exec.next() {
            self.finished.clear();
            self.exec.advance(at, &mut self.finished);
            for end in &self.finished {
                if let Some(busy) = self.busy.get_mut(end.agent.index()) {
                    *busy = false;
                }
                last = last.max(end.at);
            }
        }
        self.finished.clear();
        last
    }

    /// Adds the teams and words that the phases of a region need and that do not exist yet. Returns true if the
    /// meetings of the phases' inner teams cost nothing.
    pub fn prepare(&mut self, setup: &Setup<'a>, team: &Team, phases: &[Phase]) -> bool {
        let teams = phases[0].teams;
        self.teams = teams;
        let (exec, polled) = (&mut self.exec, self.polled);
        let new = || Nest::new(setup, team, exec, teams, polled);
        let nest = self.nests.entry(teams).or_insert_with(new);
        let line = setup.machine.memory.line;
        let sections = phases.iter().filter_map(|phase| phase.section.as_ref());
        let constructs = phases.iter().map(|phase| phase.construct);
        for construct in constructs.chain(sections.map(|section| section.construct)) {
            let mut prepare = |shared: &mut Shared, members: &[TeamMember]| {
                shared.prepare(construct, setup.runtime, line, exec, members);
            };
            if program_wide(construct) {
                prepare(&mut nest.shared, &nest.members);
            } else {
                nest.inner.iter_mut().for_each(|inner| prepare(&mut inner.shared, &inner.members));
            }
        }
        nest.inner.first().is_none_or(|inner| inner.sync.is_free())
    }

    fn nest(&mut self) -> (&mut Nest, &mut Exec<'a>) {
        let nest = self.nests.get_mut(&self.teams).expect("prepared before the phase began");
        (nest, &mut self.exec)
    }

    /// A thread arrives at a meeting of its team. At the outer level the thread's rank is the number of its inner
    /// team.
    pub fn meet(&mut self, meeting: Meeting, team: usize, rank: u32, now: Time) {
        let (nest, exec) = self.nest();
        let outer = matches!(meeting, Meeting::Open(Level::Outer) | Meeting::Close(Level::Outer));
        let sync = match &mut nest.outer {
            Some(sync) if outer => sync,
            Some(_) | None => &mut nest.inner[team].sync,
        };
        match meeting {
            Meeting::Open(_) if rank == 0 => sync.start_fork(exec, now),
            Meeting::Open(_) => sync.start_dock(exec, now, ThreadId::new(rank)),
            Meeting::Close(Level::Reducing) => sync.start_reduction(exec, now, ThreadId::new(rank), 1),
            Meeting::Close(_) => sync.start_join(exec, now, ThreadId::new(rank)),
            Meeting::Barrier => sync.start_barrier(exec, now, ThreadId::new(rank)),
        }
    }

    /// Starts a program of a construct on a thread.
    pub fn run(&mut self, (program, construct): (Program, Construct), team: usize, rank: u32, now: Time) {
        let (nest, exec) = self.nest();
        let inner = &mut nest.inner[team];
        let agent = inner.members[rank as usize].agent;
        if program_wide(construct) {
            nest.shared.start(program, construct, exec, agent, agent.number(), now);
        } else {
            inner.shared.start(program, construct, exec, agent, rank, now);
        }
    }

    /// Lines of the tasks of team `team`, for the position of a phase in its region and a kind of queue, created if missing. `keep_words` takes the lines back
    /// at the end of the phase.
    pub fn task_words(
        &mut self,
        setup: &Setup<'a>,
        (place, kind): (u32, QueueKind),
        team: usize,
        members: &[Member],
    ) -> TaskWords {
        let (nest, exec) = self.nest();
        nest.inner[team].tasks.remove(&(place, kind)).unwrap_or_else(|| {
            TaskWords::new(kind, setup.runtime, setup.machine, setup.fabric, members, exec)
        })
    }

    pub fn keep_words(&mut self, words: TaskWords, place: u32, team: usize) {
        let (nest, _) = self.nest();
        nest.inner[team].tasks.insert((place, words.kind()), words);
    }

    /// Shared words of a loop of team `team` under `policy`, created if missing.
    pub fn loop_words(&mut self, policy: Schedule, team: usize) -> LoopSharing {
        let (nest, exec) = self.nest();
        let inner = &mut nest.inner[team];
        inner.loops.of(policy, exec, &inner.members)
    }
}

/// Lines of the thread pool of inner teams that waiting threads poll. `None` if threads do not poll such lines, if no
/// phase has inner teams, or if the team's programs cost nothing.
fn polled(setup: &Setup, team: &Team, exec: &mut Exec<'_>) -> Option<Polled> {
    if setup.runtime.is_free() || setup.workload.phases.iter().all(|phase| phase.teams < 2) {
        return None;
    }
    let (groups, members) = (Groups::of(setup.machine), &team.members);
    let by_cache: BTreeMap<u32, CoreId> =
        members.iter().map(|member| (member.core.0 / groups.cache, member.core)).collect();
    let home = members.first().map_or(NodeId(0), |first| setup.fabric.node_of(first.core));
    let threads: Vec<CoreId> = members.iter().map(|member| member.core).collect();
    Polled::new(&setup.runtime.fork.nested, exec, home, by_cache.into_values(), &threads)
}

/// True if the threads of all inner teams share a construct's words: an unnamed critical section excludes every other
/// one in the program, and so does one lock.
fn program_wide(construct: Construct) -> bool {
    matches!(construct, Construct::Critical | Construct::Lock(_))
}

impl Nest {
    fn new(setup: &Setup, team: &Team, exec: &mut Exec<'_>, teams: u32, polled: Option<Polled>) -> Nest {
        let os = &setup.machine.os;
        let groups = Groups::of(setup.machine);
        let mut on_processor: BTreeMap<u32, u32> = BTreeMap::new();
        let on_core = |(agent, member): (usize, &Member)| {
            let all = on_processor.entry(member.processor).or_insert(0);
            *all += 1;
            let before = *all - 1;
            let member = TeamMember::new(&groups, setup.fabric, AgentId::new(agent as u32), member.core);
            TeamMember { sharing: (before, 1), ..member }
        };
        let mut members: Vec<TeamMember> = team.members.iter().enumerate().map(on_core).collect();
        for (member, at) in members.iter_mut().zip(&team.members) {
            member.sharing.1 = on_processor.get(&at.processor).copied().unwrap_or(1);
        }
        let size = members.len() / teams as usize;
        let primaries: Vec<TeamMember> = members.iter().step_by(size).copied().collect();
        let outer = (teams > 1).then(|| TeamSync::inner(setup.runtime, os, exec, &primaries, None));
        let home = members.first().map_or(NodeId(0), |first| first.node);
        let pool = (teams > 1).then_some((teams, size as u32));
        let pool = pool
            .and_then(|sizes| Pool::new(&setup.runtime.fork.nested, os, exec, home, sizes))
            .map(|pool| pool.polled(polled));
        let inner = members.chunks(size).map(|members| Inner {
            sync: TeamSync::inner(setup.runtime, os, exec, members, pool.as_ref()),
            members: members.to_vec(),
            loops: LoopWords::default(),
            tasks: BTreeMap::new(),
            shared: Shared::default(),
        });
        let inner = inner.collect();
        Nest { outer, inner, shared: Shared::default(), members }
    }
}
