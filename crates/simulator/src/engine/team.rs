//! Teams: threads with the processors that they are bound to, or start on, and the distances between threads.

use numalab_base::{ProcessorId, ThreadId};
use numalab_machine::{Closeness, CoreId, Fabric, Groups, Machine, NodeId, ReaderId};
use numalab_openmp::Proximity;
use numalab_openmp::places::{Location, Topology};
use numalab_workload::policy::Reach;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Thread of a team, with its position in the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// The operating system's processor number.
    pub processor: u32,
    pub core: CoreId,
    pub node: NodeId,
    /// End point of routes to the thread's core.
    pub reader: ReaderId,
    /// Number of threads of the team on the same core, this thread included. They share the core evenly.
    pub core_mates: u32,
}

// Glossary: team: Threads that execute a parallel region together.
/// Threads of a team, in the order of their numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Team {
    pub members: Vec<Member>,
    /// Processors among which the system moves the threads, ascending. `None` if no thread is moved: they are bound,
    /// each has a processor of its own, or there is only one processor.
    pub unbound: Option<Arc<[u32]>>,
}

impl Team {
    /// `threads` threads next to each other, as under `OMP_PLACES=cores OMP_PROC_BIND=close`: one on every core in
    /// the order of the hierarchy. Cores and hardware threads that are off line are left out. With more threads than cores, consecutive threads share a core, and the first
    /// cores take one more if needed. The threads of a core take its hardware threads in turn.
    pub fn close(fabric: &Fabric, threads: u32) -> Team {
        let online = (0..fabric.nodes()).flat_map(|node| fabric.online_cores(NodeId(node)));
        let cores: Vec<CoreId> = online.take(threads as usize).collect();
        let used = (cores.len() as u32).max(1);
        let processors = (0..).zip(&cores).flat_map(|(at, core)| {
            let on_core = (threads / used + u32::from(at < threads % used)) as usize;
            let processors: Vec<u32> = fabric.online_threads(*core).take(on_core).collect();
            processors.into_iter().cycle().take(on_core)
        });
        Team::on(fabric, processors)
    }

    /// One thread on each of the given processors, which exist; a repeated processor is shared.
    pub fn on(fabric: &Fabric, processors: impl IntoIterator<Item = u32>) -> Team {
        let mut mates = vec![0u32; fabric.cores() as usize];
        let mut members: Vec<Member> = processors
            .into_iter()
            .map(|number| {
                let member = Member::on(fabric, number);
                mates[member.core.0 as usize] += 1;
                member
            })
            .collect();
        for member in &mut members {
            member.core_mates = mates[member.core.0 as usize];
        }
        Team { members, unbound: None }
    }

    /// The last-level caches that the team's threads use; `None` if the machine has no caches.
    pub(crate) fn last_caches(&self, machine: &Machine, fabric: &Fabric) -> Option<LastCaches> {
        let last = machine.caches.last()?;
        let core = |number: &u32| fabric.processor(ProcessorId::new(*number)).core.0;
        let mut cores: Vec<u32> = match &self.unbound {
            Some(processors) => processors.iter().map(core).collect(),
            None => self.members.iter().map(|member| member.core.0).collect(),
        };
        cores.sort_unstable();
        cores.dedup();
        let shared_by = last.shared_by.max(1);
        let together = || cores.chunk_by(|one, other| one / shared_by == other / shared_by);
        let most = together().map(<[u32]>::len).max().unwrap_or(1);
        Some(LastCaches { size: last.size.0, number: together().count() as u64, most: most.max(1) as u64 })
    }

    /// The team with unbound threads: they start on their present processors and can run on any of `processors`. If
    /// each thread has a processor of its own, none is ever moved: its processor is idle whenever it wakes up, and no
    /// other thread waits for it.
    pub fn unbound(self, processors: impl IntoIterator<Item = u32>) -> Team {
        let allowed: BTreeSet<u32> = processors.into_iter().collect();
        let used: BTreeSet<u32> = self.members.iter().map(|member| member.processor).collect();
        let moves = used.len() < self.members.len() && allowed.len() > 1;
        Team { unbound: moves.then(|| allowed.into_iter().collect()), ..self }
    }
}

/// Last-level caches that the threads of a team use. Idle cores and caches do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LastCaches {
    /// Bytes of each cache.
    pub size: u64,
    pub number: u64,
    /// Largest number of the team's cores that share one of the caches.
    pub most: u64,
}

impl Member {
    /// A thread alone on the core of a processor.
    pub(crate) fn on(fabric: &Fabric, number: u32) -> Member {
        let processor = fabric.processor(ProcessorId::new(number));
        let (core, node) = (processor.core, processor.node);
        Member { processor: number, core, node, reader: fabric.reader_of(core), core_mates: 1 }
    }
}

/// Position of each processor in the hierarchy of the machine.
pub struct ProcessorTopology<'a> {
    fabric: &'a Fabric,
    groups: Groups,
}

impl<'a> ProcessorTopology<'a> {
    pub fn new(machine: &Machine, fabric: &'a Fabric) -> ProcessorTopology<'a> {
        ProcessorTopology { fabric, groups: Groups::of(machine) }
    }
}

impl Topology for ProcessorTopology<'_> {
    fn processors(&self) -> u32 {
        self.fabric.processors()
    }

    fn location(&self, processor: ProcessorId) -> Location {
        let processor = self.fabric.processor(processor);
        let core = processor.core.0;
        Location {
            board: core / self.groups.board,
            socket: core / self.groups.socket,
            node: processor.node.0,
            cache: core / self.groups.cache,
            core,
        }
    }
}

/// Distances between the threads of a team, for steal policies. A domain is a node; distances are line latencies in
/// picoseconds.
pub(crate) struct Neighbourhood<'a> {
    pub fabric: &'a Fabric,
    pub team: &'a Team,
}

impl Proximity for Neighbourhood<'_> {
    fn domains(&self) -> u32 {
        self.fabric.nodes()
    }

    fn domain(&self, thread: ThreadId) -> u32 {
        self.team.members[thread.index()].node.0
    }

    fn reach(&self, from: u32, to: u32) -> Reach {
        match self.fabric.closest(NodeId(from), NodeId(to)) {
            Closeness::Node => Reach::Node,
            Closeness::Socket => Reach::Socket,
            Closeness::Board => Reach::Board,
            Closeness::Machine => Reach::Machine,
        }
    }

    fn distance(&self, from: u32, to: u32) -> u64 {
        self.fabric.line_latency(NodeId(from), NodeId(to)).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_machine::synthetic;

    fn locations(spec: &str, change: impl FnOnce(&mut Machine)) -> Vec<Location> {
        let mut machine = synthetic(spec).expect("a machine");
        change(&mut machine);
        let fabric = Fabric::new(&machine).expect("a sound machine");
        let topology = ProcessorTopology::new(&machine, &fabric);
        ProcessorId::first(topology.processors()).map(|processor| topology.location(processor)).collect()
    }

    #[test]
    fn groups_lie_within_groups() {
        // 2 boards × 2 sockets × 2 nodes × 2 cores: core 11 is 8 + 3, so board 1, socket 2, node 5.
        let all = locations("board:2 socket:2 node:2 core:2 thread:2", |machine| machine.caches.clear());
        assert_eq!(all[11], Location { board: 1, socket: 2, node: 5, cache: 5, core: 11 });
        // First hardware threads of all 16 cores come first.
        assert_eq!(all[16 + 11], all[11]);
    }

    #[test]
    fn levels_that_are_missing_are_those_within() {
        let all = locations("socket:2 core:3", |machine| machine.caches.clear());
        assert_eq!(all[4], Location { board: 1, socket: 1, node: 1, cache: 1, core: 4 });
        let all = locations("socket:2 cluster:2 core:3", |machine| machine.caches.clear());
        assert_eq!(all[10], Location { board: 1, socket: 1, node: 1, cache: 3, core: 10 });
    }

    #[test]
    fn the_outermost_cache_is_the_last() {
        let all = locations("socket:2 core:4", |machine| {
            let [first, .., last] = &mut machine.caches[..] else { panic!("several caches") };
            (first.shared_by, last.shared_by) = (1, 2);
        });
        assert_eq!(all.iter().map(|location| location.cache).collect::<Vec<_>>(), [0, 0, 1, 1, 2, 2, 3, 3]);
    }

    /// Six cores share a cache. Two threads of a core count once, and unbound threads may use all cores.
    #[test]
    fn idle_cores_share_no_cache() {
        let mut machine = synthetic("socket:3 core:6 thread:2").expect("a machine");
        machine.caches.last_mut().expect("a cache").shared_by = 6;
        let fabric = Fabric::new(&machine).expect("a sound machine");
        let used = |team: &Team| {
            let LastCaches { number, most, .. } = team.last_caches(&machine, &fabric).expect("caches");
            (number, most)
        };
        // Processor 18 is the second thread of core 0.
        let team = Team::on(&fabric, [0, 18, 5, 12, 0]);
        assert_eq!(used(&team), (2, 2));
        assert_eq!(used(&team.unbound(0..18)), (3, 6));
    }

    /// Four cores of two hardware threads: the first ones are processors 0-3, the second ones 4-7. Core 0 is off line, and
    /// so is the first hardware thread of core 2.
    #[test]
    fn processors_that_are_off_line_are_left_out() {
        let mut machine = synthetic("socket:1 core:4 thread:2").expect("a machine");
        machine.offline = "0,2,4".parse().expect("a list");
        let fabric = Fabric::new(&machine).expect("a sound machine");
        let close = |threads| {
            Team::close(&fabric, threads).members.iter().map(|one| one.processor).collect::<Vec<_>>()
        };
        assert_eq!(close(2), [1, 6]);
        // Three cores; the first takes the thread that is left over.
        assert_eq!(close(4), [1, 5, 6, 3]);
        // Six threads on five hardware threads: core 2 has one, which is shared.
        assert_eq!(close(6), [1, 5, 6, 6, 3, 7]);
    }

    #[test]
    fn threads_beyond_the_processors_share_cores_evenly() {
        let machine = synthetic("socket:1 core:2 thread:2").expect("a machine");
        let fabric = Fabric::new(&machine).expect("a sound machine");
        // Five on two cores: three and two. Core 0 has processors 0 and 2.
        let team = Team::close(&fabric, 5);
        let processors: Vec<u32> = team.members.iter().map(|member| member.processor).collect();
        assert_eq!(processors, [0, 2, 0, 1, 3]);
        assert_eq!(team.members.iter().map(|member| member.core_mates).collect::<Vec<_>>(), [3, 3, 3, 2, 2]);
    }
}
