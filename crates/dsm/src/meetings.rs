//! Forks, barriers and joins: messages to and from the daemon of the first worker's node. The workers of a node meet
//! on their own node first.

use crate::engine::Dsm;
use crate::network::Content;
use numalab_base::{Snapshot, Time};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// All workers wait until all have arrived.
    Barrier,
    /// The first worker waits until all others have arrived; the others continue immediately.
    Join,
}

/// Workers of the team, and the state of forks and of the present meeting.
#[derive(Clone, Debug)]
pub(crate) struct Meetings {
    nodes: Vec<u32>,
    /// Number of workers on each node.
    on_node: Vec<u32>,
    /// Number of nodes with workers.
    populated: u32,
    /// Number of forks that each node has heard of (`forks`), and number that each worker has followed (`followed`).
    forks: Vec<u64>,
    followed: Vec<u64>,
    awaiting_fork: Vec<Vec<u32>>,
    /// By node: number of workers that have arrived at the present meeting (`come`), and the workers among them that
    /// wait (`waiting`).
    come: Vec<u32>,
    waiting: Vec<Vec<u32>>,
    /// Number of nodes whose workers have all arrived at the present meeting.
    complete: u32,
    meeting: Meeting,
}

impl Meetings {
    pub fn new(workers: Vec<u32>, nodes: u32) -> Meetings {
        let mut on_node = vec![0; nodes as usize];
        workers.iter().for_each(|node| on_node[*node as usize] += 1);
        Meetings {
            populated: on_node.iter().filter(|workers| **workers > 0).count() as u32,
            followed: vec![0; workers.len()],
            nodes: workers,
            on_node,
            forks: vec![0; nodes as usize],
            awaiting_fork: vec![Vec::new(); nodes as usize],
            come: vec![0; nodes as usize],
            waiting: vec![Vec::new(); nodes as usize],
            complete: 0,
            meeting: Meeting::Join,
        }
    }

    pub fn node(&self, worker: u32) -> u32 {
        self.nodes[worker as usize]
    }

    /// Nodes with workers.
    pub fn populated(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.on_node).filter(|(_, workers)| **workers > 0).map(|(node, _)| node)
    }

    pub fn first_on(&self, node: u32) -> Option<u32> {
        self.nodes.iter().position(|of| *of == node).map(|worker| worker as u32)
    }

    pub fn workers(&self) -> u32 {
        self.nodes.len() as u32
    }

    pub fn snapshot(&self, into: &mut Snapshot) {
        let Meetings {
            nodes,
            on_node: _,
            populated: _,
            forks,
            followed,
            awaiting_fork,
            come,
            waiting,
            complete,
            meeting,
        } = self;
        for (followed, node) in followed.iter().zip(nodes) {
            // A worker that enters a region before the fork's message arrives is one fork ahead of its node.
            into.add(&forks[*node as usize].wrapping_sub(*followed));
        }
        into.add(&(awaiting_fork, come, waiting, complete, *meeting == Meeting::Join));
    }
}

impl Dsm {
    /// The first worker opens a parallel region: sends a fork to every node with workers.
    pub fn fork(&mut self, now: Time) {
        let starter = self.meetings.node(0);
        self.meetings.followed[0] += 1;
        let until = self.close_interval(starter, now);
        for node in 0..self.meetings.on_node.len() as u32 {
            if self.meetings.on_node[node as usize] > 0 {
                self.send_clock(Content::Fork, (starter, node), now, until);
            }
        }
    }

    /// A worker other than the first enters a parallel region. Returns false if the fork has not reached its node;
    /// the worker is woken when the fork does.
    pub fn follow(&mut self, worker: u32) -> bool {
        let Meetings { nodes, forks, followed, awaiting_fork, .. } = &mut self.meetings;
        let node = nodes[worker as usize] as usize;
        followed[worker as usize] += 1;
        let open = forks[node] >= followed[worker as usize];
        if !open {
            awaiting_fork[node].push(worker);
        }
        open
    }

    /// A worker arrives at a meeting. Returns true if the worker waits.
    pub fn meet(&mut self, worker: u32, meeting: Meeting, now: Time) -> bool {
        let starter = self.meetings.node(0);
        let node = self.meetings.node(worker);
        let waits = meeting == Meeting::Barrier || worker == 0;
        let all = &mut self.meetings;
        all.meeting = meeting;
        all.come[node as usize] += 1;
        if waits {
            all.waiting[node as usize].push(worker);
        }
        if all.come[node as usize] == all.on_node[node as usize] {
            all.come[node as usize] = 0;
            if meeting == Meeting::Join {
                self.release(node, now);
            }
            let until = self.close_interval(node, now);
            self.send_clock(Content::Arrive, (node, starter), now, until);
        }
        waits
    }

    pub(crate) fn forked(&mut self, node: u32, clock: u64, now: Time) {
        let now = self.take_clock(node, clock, now);
        self.meetings.forks[node as usize] += 1;
        for worker in std::mem::take(&mut self.meetings.awaiting_fork[node as usize]) {
            self.wake(worker, now);
        }
    }

    pub(crate) fn arrived(&mut self, clock: u64, now: Time) {
        self.note_met(clock);
        let all = &mut self.meetings;
        all.complete += 1;
        if all.complete < all.populated {
            return;
        }
        all.complete = 0;
        let starter = all.node(0);
        if all.meeting == Meeting::Join {
            let now = self.acquire_met(starter, now);
            return self.departed(starter, 0, now);
        }
        for node in 0..self.meetings.on_node.len() as u32 {
            if self.meetings.on_node[node as usize] > 0 {
                self.send_met(Content::Depart, starter, node, now);
            }
        }
    }

    pub(crate) fn departed(&mut self, node: u32, clock: u64, now: Time) {
        let now = self.take_clock(node, clock, now);
        for worker in std::mem::take(&mut self.meetings.waiting[node as usize]) {
            self.wake(worker, now);
        }
    }
}
