//! Words that a construct's threads share inside a region.

use crate::engine::script::Program;
use crate::work_source::pipeline::{Flag, flag};
use numalab_base::{Bytes, Snapshot, ThreadId, Time};
use numalab_coherence::AgentId;
use numalab_runtime::constructs::{Atomic, Flags, Ordered, Single, Update};
use numalab_runtime::{CodeId, Exec, Lock, Profile, TeamMember};
use numalab_workload::{Construct, ConstructWords};

/// Words of the constructs that a team has met so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shared {
    known: Vec<(Construct, Words)>,
}

#[derive(Clone, Debug)]
enum Words {
    /// Single construct, with the number of executions by each thread.
    Single(Single, Vec<u64>),
    Lock(Lock),
    Atomic(Atomic),
    /// Ordered construct, with the number of each thread's next turn, which goes on from execution to execution.
    Ordered(Ordered, Vec<u64>),
    Update(Update),
    /// Flags of a pipeline, with the number of threads.
    Flags(Flags, u32),
}

/// Construct with the words of `construct`: a team counts its `single` constructs in one word.
fn named(construct: Construct) -> Construct {
    if construct.facts().words == ConstructWords::Claim {
        Construct::Single { nowait: false }
    } else {
        construct
    }
}

impl Shared {
    /// Adds the threads' own counters to a snapshot.
    pub fn snapshot(&self, into: &mut Snapshot) {
        into.add(&self.known.len());
        for (_, words) in &self.known {
            match words {
                Words::Single(_, counts) | Words::Ordered(_, counts) => {
                    counts.iter().for_each(|count| into.counter(*count));
                }
                Words::Lock(_) | Words::Atomic(_) | Words::Update(_) | Words::Flags(..) => {}
            }
        }
    }

    /// Adds the words of a construct, unless they exist. Flags lie on the nodes of their threads, all other words on
    /// the node of the team's first thread.
    pub fn prepare(
        &mut self,
        construct: Construct,
        runtime: &Profile,
        line: Bytes,
        exec: &mut Exec<'_>,
        members: &[TeamMember],
    ) {
        let construct = named(construct);
        if self.known.iter().any(|known| known.0 == construct) {
            return;
        }
        let (home, threads) = (members[0].node, members.len() as u32);
        let words = match construct.facts().words {
            ConstructWords::Claim => {
                Words::Single(Single::new(exec, home, runtime.worksharing.single), vec![0; members.len()])
            }
            ConstructWords::Lock(None) => Words::Lock(Lock::new(&runtime.lock, exec, home, threads)),
            ConstructWords::Lock(Some(kind)) => {
                let lock = numalab_runtime::profile::LockProfile { kind, ..runtime.lock.clone() };
                Words::Lock(Lock::new(&lock, exec, home, threads))
            }
            ConstructWords::Atomic => Words::Atomic(Atomic::new(exec, home)),
            ConstructWords::Ordered => {
                Words::Ordered(Ordered::new(exec, home), (0..u64::from(threads)).collect())
            }
            ConstructWords::Flags => {
                Words::Flags(Flags::new(exec, members.iter().map(|member| member.node)), threads)
            }
            ConstructWords::Elements { spacing, atomic } => {
                Words::Update(Update::new(exec, home, threads, spacing, line, atomic))
            }
            ConstructWords::None => return,
        };
        self.known.push((construct, words));
    }

    /// Starts a program of a construct on a thread.
    pub fn start(
        &mut self,
        program: Program,
        construct: Construct,
        exec: &mut Exec<'_>,
        agent: AgentId,
        rank: u32,
        now: Time,
    ) {
        let name = named(construct);
        let Some((_, words)) = self.known.iter_mut().find(|known| known.0 == name) else { return };
        let mut start = |code: CodeId, arguments: &[u64]| exec.start(now, agent, code, arguments);
        let at = rank as usize;
        match words {
            Words::Single(single, encounters) => {
                encounters[at] += 1;
                start(single.claim(), &Single::arguments(encounters[at] - 1));
            }
            Words::Lock(lock) if program == Program::Acquire => start(lock.acquire(ThreadId::new(rank)), &[]),
            Words::Lock(lock) => start(lock.release(ThreadId::new(rank)), &[]),
            Words::Atomic(atomic) => start(atomic.add(), &[1]),
            Words::Ordered(ordered, turns) if program == Program::Await => {
                start(ordered.wait(), &[turns[at]])
            }
            Words::Ordered(ordered, turns) => {
                let mine = turns[at];
                turns[at] += turns.len() as u64;
                start(ordered.pass(), &[mine + 1]);
            }
            Words::Flags(flags, threads) => {
                if let Some(Some(Flag { of, raised, .. })) = flag(construct, program, rank, *threads) {
                    start(flags.turn(raised), &[u64::from(of)]);
                }
            }
            Words::Update(update) => start(update.store(), &[u64::from(rank), 1]),
        }
    }
}
