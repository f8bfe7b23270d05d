//! Bytes over each resource are those of the flows routed over it, computed again from the bytes that each thread
//! accessed on each node.
//!
//! A result does not say how each byte was accessed, only the workload does. Where all measured accesses have one
//! mode the traffic follows exactly. Where modes differ, the traffic lies between the amounts of the modes that move
//! least and most, and only the sum over all memories is known. The simulator rounds the mix of one flow to 256ths of
//! its bytes in each direction.

use crate::random::Case;
use numalab_machine::{Fabric, NodeId, ResourceId, Route};
use numalab_simulator::RunOutcome;
use numalab_workload::{Access, Mode};

/// Transfers of a byte: toward the reader, toward its home, and the part of both in random order.
fn transfers(access: &Access) -> [u64; 3] {
    let (fills, write_backs) = match access.mode {
        Mode::Read => (1, 0),
        Mode::StreamingWrite => (0, 1),
        Mode::Write | Mode::Update => (1, 1),
        Mode::Fetch | Mode::Migrate(_) | Mode::NextTouch | Mode::Replicate => (0, 0),
    };
    let scattered = access.is_scattered();
    [fills, write_backs, if scattered { fills + write_backs } else { 0 }]
}

const LOOPS: f64 = 4.0;
/// Largest rounding error of a resource's bytes, which are rounded once each time that a loop runs.
pub const ROUNDING: f64 = 0.5 * LOOPS + 1e-3;

pub fn is_that_of_the_flows(case: &Case, fabric: &Fabric, run: &RunOutcome) {
    let measured = || case.workload.phases.iter().filter(|phase| phase.measured && phase.iterations > 0);
    let modes = || measured().flat_map(|phase| &phase.accesses).map(transfers);
    let least = Flow::new([0, 1, 2].map(|way| modes().map(|mode| mode[way]).min()));
    let most = Flow::new([0, 1, 2].map(|way| modes().map(|mode| mode[way]).max()));
    let mixed = least != most;

    let mut bounds = vec![(0.0, 0.0, 0.0); fabric.resources() as usize];
    for (member, outcome) in case.team.members.iter().zip(&run.team) {
        for (home, bytes) in outcome.bytes_by_node.iter() {
            let bytes = bytes as f64;
            least.each(fabric, NodeId(home), member, |at, part| bounds[at.0 as usize].0 += bytes * part);
            most.each(fabric, NodeId(home), member, |at, part| bounds[at.0 as usize].1 += bytes * part);
            if mixed {
                let both = Flow { fills: 1.0, write_backs: 1.0, random: 1.0 };
                both.each(fabric, NodeId(home), member, |at, part| {
                    bounds[at.0 as usize].2 += bytes * part / 512.0;
                });
            }
        }
    }
    // Bytes of homes that alternate are rounded for each node, at each access of an iteration and in both directions.
    let divided: u64 =
        measured().map(|p| 2 * u64::from(p.repeat) * p.iterations * p.accesses.len() as u64).sum();
    let costs = case.machine.memory.write_cost.unwrap_or(1.0);
    let mut named = run.resources.iter().peekable();
    for (at, (low, high, mix)) in (0..).map(ResourceId).zip(bounds) {
        let name = fabric.name(at);
        // Resources are in the machine's order, without those that carried nothing.
        let bytes =
            named.next_if(|resource| resource.name == name).map_or(0, |resource| resource.bytes) as f64;
        // On a resource that counts time, a byte that is rounded in both directions counts as its time.
        let weight = if name.ends_with("(turning round)") { 1.0 + costs } else { 1.0 };
        let slack = mix + (ROUNDING + divided as f64) * weight + high * 1e-9;
        assert!(low - slack <= bytes && bytes <= high + slack, "{name}: {bytes} is not in {low} .. {high}");
    }
    assert!(named.next().is_none(), "a resource that the machine does not have, or out of order");

    memories_move_what_the_workload_asks(case, fabric, run);
}

/// Asserts that all memory controllers together moved the bytes that the workload accesses, whichever thread accessed
/// them.
fn memories_move_what_the_workload_asks(case: &Case, fabric: &Fabric, run: &RunOutcome) {
    let (mut bytes, mut moved) = (0u64, 0u64);
    for phase in case.workload.phases.iter().filter(|phase| phase.measured) {
        for access in &phase.accesses {
            let [fills, write_backs, _] = transfers(access);
            let pieces = (0..phase.iterations).filter_map(|i| access.slice.piece(i, i + 1));
            let total =
                u64::from(phase.repeat) * pieces.map(|piece| piece.touched + piece.again).sum::<u64>();
            bytes += total;
            moved += total * (fills + write_backs);
        }
    }
    let names: Vec<String> =
        (0..fabric.nodes()).map(|node| fabric.name(fabric.memory(NodeId(node)).total)).collect();
    let served: u64 =
        run.resources.iter().filter(|resource| names.contains(&resource.name)).map(|r| r.bytes).sum();
    let slack = bytes as f64 / 256.0 + ROUNDING * names.len() as f64;
    assert!(served.abs_diff(moved) as f64 <= slack, "memories moved {served}, the workload asks for {moved}");
}

/// Transfers between memory and core per accessed byte.
#[derive(Clone, Copy, PartialEq)]
struct Flow {
    fills: f64,
    write_backs: f64,
    random: f64,
}

impl Flow {
    fn new(transfers: [Option<u64>; 3]) -> Flow {
        let [fills, write_backs, random] = transfers.map(|way| way.unwrap_or(0) as f64);
        Flow { fills, write_backs, random }
    }

    /// Calls `visit` with every resource that the flow between `home` and `member` crosses, and the number of
    /// crossings per accessed byte.
    fn each(
        self,
        fabric: &Fabric,
        home: NodeId,
        member: &numalab_simulator::Member,
        mut visit: impl FnMut(ResourceId, f64),
    ) {
        let ports = fabric.memory(home);
        visit(ports.total, self.fills + self.write_backs);
        ports.read.into_iter().for_each(|read| visit(read, self.fills));
        ports.write.into_iter().for_each(|write| visit(write, self.write_backs));
        ports.random.into_iter().for_each(|random| visit(random, self.random));
        if let Some(turning) = ports.turning {
            visit(turning.resource, self.fills + turning.write_cost * self.write_backs);
        }
        let mut route = Route::default();
        fabric.route(home, member.reader, &mut route);
        for hop in route.toward_reader.iter().chain(&route.requests) {
            visit(hop.resource, hop.share * self.fills);
        }
        for hop in &route.toward_home {
            visit(hop.resource, hop.share * self.write_backs);
        }
    }
}
