//! Cost of reading the counters of all threads.
//!
//! The loads are independent, and a core keeps many of them in flight; a program of loads would wait for one load
//! after the other.

use crate::engine::team::Team;
use numalab_base::Span;
use numalab_machine::{Fabric, Machine, NodeId};

#[derive(Clone)]
pub(crate) struct Scan<'a> {
    fabric: &'a Fabric,
    /// Node of each thread of the team.
    nodes: Vec<NodeId>,
    /// Independent loads that a core keeps in flight.
    in_flight: f64,
    threads: Vec<(NodeId, u32)>,
    /// Memoised time of a scan, by the reader's node.
    known: Vec<Option<Span>>,
}

impl<'a> Scan<'a> {
    pub fn new(machine: &Machine, fabric: &'a Fabric, team: &Team) -> Scan<'a> {
        let mut count = vec![0; fabric.nodes() as usize];
        for member in &team.members {
            count[member.node.0 as usize] += 1;
        }
        Scan {
            fabric,
            nodes: team.members.iter().map(|member| member.node).collect(),
            in_flight: machine.core.outstanding.max(1.0),
            threads: (0..fabric.nodes()).map(NodeId).zip(count).filter(|entry| entry.1 > 0).collect(),
            known: vec![None; fabric.nodes() as usize],
        }
    }

    /// Time in which a thread reads one line of every thread of the team.
    pub fn of(&mut self, thread: u32) -> Span {
        let node = self.nodes[thread as usize];
        *self.known[node.0 as usize].get_or_insert_with(|| {
            let latency = |other: NodeId| self.fabric.line_latency(node, other);
            let sum: u64 =
                self.threads.iter().map(|(other, threads)| latency(*other).0 * u64::from(*threads)).sum();
            let longest = self.threads.iter().map(|(other, _)| latency(*other)).max();
            Span((sum as f64 / self.in_flight).ceil() as u64).max(longest.unwrap_or_default())
        })
    }
}
