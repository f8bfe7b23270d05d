//! Nodes without memory. Two sockets of one core; 100 pages are 409 600 bytes: 64 us from local memory at 6.4 GB/s,
//! 204.8 us over the link of 2 GB/s.

use crate::builders::{NS, PAGE, US, charging, looped, machine, near, placed, run_placed, try_placed};
use numalab_base::{Bandwidth, Bytes};
use numalab_machine::{Machine, MemoryAt};
use numalab_simulator::RunOutcome;
use numalab_workload::{Mode, NodeSet, Placement};

const ALL: u64 = 100 * PAGE;
const HALF: u64 = ALL / 2;

/// The machine with another memory of node 1.
fn with_node_1(mut machine: Machine, capacity: u64, bandwidth: Option<f64>) -> Machine {
    let (capacity, bandwidth) = (Some(Bytes(capacity)), bandwidth.map(Bandwidth));
    machine.memory_at = vec![MemoryAt { nodes: "1".to_owned(), capacity, bandwidth }];
    machine
}

fn memoryless(machine: Machine) -> Machine {
    with_node_1(machine, 0, None)
}

/// Each thread touches its half first, and reads it.
fn own_halves(machine: &Machine, placement: Placement) -> RunOutcome {
    run_placed(machine, 2, placement, &[placed(&[0, HALF, ALL]), looped(Mode::Read, &[0, HALF, ALL])])
}

/// Law: What missing modules cost is the way to the nearest node that has some.
///
/// With memory on both nodes each thread reads its half in 32 us. Without memory on node 1 the pages of thread 1 are on
/// node 0, and it reads them over the link: 204 800 bytes at 2 GB/s are 102.4 us.
#[test]
fn first_touch_falls_to_the_nearest_memory() {
    near(own_halves(&machine("socket:2 core:1"), Placement::FirstTouch).makespan_ps, 32 * US);
    let run = own_halves(&memoryless(machine("socket:2 core:1")), Placement::FirstTouch);
    near(run.makespan_ps, 102_400 * NS);
    assert_eq!(run.team[1].bytes_by_node.get(0), HALF);
    assert_eq!((run.bytes_by_level.node, run.bytes_by_level.total()), (HALF, ALL));
}

/// All pages are on node 0, as without a choice: thread 1 reads its half in 102.4 us.
#[test]
fn interleave_leaves_out_nodes_without_memory() {
    let machine = memoryless(machine("socket:2 core:1"));
    for placement in [Placement::Interleave(NodeSet::All), Placement::WeightedInterleave(Vec::new())] {
        let run = own_halves(&machine, placement);
        near(run.makespan_ps, 102_400 * NS);
        assert_eq!(run.team[1].bytes_by_node.get(0), HALF);
    }
}

/// Node 1 has 2 GB/s of the 10 GB/s of the others: thread 1 reads its half in 102.4 us from its own memory.
#[test]
fn fewer_modules_are_slower() {
    let machine = with_node_1(machine("socket:2 core:1"), 1 << 30, Some(2e9));
    let run = own_halves(&machine, Placement::FirstTouch);
    near(run.makespan_ps, 102_400 * NS);
    assert_eq!(run.bytes_by_level.node, ALL);
}

/// Node 1 has room for 10 pages; the other 40 of thread 1 go to node 0.
#[test]
fn smaller_nodes_fill_earlier() {
    let machine = with_node_1(machine("socket:2 core:1"), 10 * PAGE, None);
    let run = own_halves(&machine, Placement::FirstTouch);
    assert_eq!(run.team[1].bytes_by_node.get(1), 10 * PAGE);
    assert_eq!(run.team[1].bytes_by_node.get(0), 40 * PAGE);
}

/// Pages are on node 0 already, which is as near as can be: fetching and next touch move none. Balancing leaves them, too.
#[test]
fn pages_do_not_move_to_a_node_without_memory() {
    for placement in [Placement::Fetch, Placement::NextTouch, Placement::Balancing] {
        let run = own_halves(&memoryless(charging()), placement.clone());
        let moved: u64 = run.phases.iter().map(|phase| phase.pages_moved).sum();
        assert_eq!((moved, run.team[1].bytes_by_node.get(0)), (0, HALF), "{placement}");
    }
}

#[test]
fn a_placement_on_it_is_refused() {
    let machine = memoryless(machine("socket:2 core:1"));
    let list = || NodeSet::List(vec![0, 1]);
    for placement in [Placement::Bind(list()), Placement::Preferred(1), Placement::Interleave(list())] {
        let loops = [looped(Mode::Read, &[0, HALF, ALL])];
        let error = try_placed(&machine, 2, placement, &loops).unwrap_err().to_string();
        assert!(error.contains("node 1, which has no memory; nodes with memory: 0"), "{error}");
    }
}
