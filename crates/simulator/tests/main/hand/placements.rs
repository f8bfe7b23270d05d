//! Placements of a whole run. Two sockets of one core; 100 pages are 409 600 bytes: 64 us from local memory
//! at 6.4 GB/s, 204.8 us over the link of 2 GB/s.

use crate::builders::{NS, PAGE, US, charging, looped, near, placed, run_placed, try_placed};
use numalab_base::{Bandwidth, Bytes, Span};
use numalab_machine::{LevelKind, Machine, MemoryOnly};
use numalab_simulator::RunOutcome;
use numalab_workload::{Mode, NodeSet, Phase, Pieces, Placement, Slice};

const ALL: u64 = 100 * PAGE;
const HALF: u64 = ALL / 2;

/// Thread 0 touches all pages first; then each thread reads its half.
fn halves(machine: &Machine, placement: Placement) -> RunOutcome {
    run_placed(machine, 2, placement, &[placed(&[0, ALL, ALL]), looped(Mode::Read, &[0, HALF, ALL])])
}

/// Names, times and moved pages of the measured phases.
fn phases(run: &RunOutcome) -> Vec<(&str, u64, u64)> {
    let phases = run.phases.iter();
    phases.map(|phase| (phase.name.as_str(), phase.time_ps, phase.pages_moved)).collect()
}

#[track_caller]
fn went(run: &RunOutcome, expected: &[(&str, u64, u64)]) {
    let actual = phases(run);
    assert_eq!(actual.len(), expected.len(), "{actual:?}");
    for (actual, expected) in actual.iter().zip(expected) {
        assert_eq!((actual.0, actual.2), (expected.0, expected.2));
        near(actual.1, expected.1);
    }
    near(run.makespan_ps, expected.iter().map(|phase| phase.1).sum());
}

/// All pages stay with thread 0, so thread 1 reads its half over the link: 102.4 us.
#[test]
fn first_touch_stays() {
    went(&halves(&charging(), Placement::FirstTouch), &[("loop", 102_400 * NS, 0)]);
}

/// Before the loop each thread fetches its half. Thread 1 moves 50 pages, 50 × (1 us + 200 ns for the other
/// processor), and copies for 102.4 us. Then each reads 32 us.
#[test]
fn fetch_brings_each_thread_its_part() {
    let run = halves(&charging(), Placement::Fetch);
    went(&run, &[("fetch data", 162_400 * NS, 50), ("loop", 32 * US, 0)]);
    assert_eq!(run.bytes_by_level.node, ALL);
}

/// The first thread moves all pages to its node. Thread 1 had placed them: 100 × 1.2 us, 204.8 us. In the loop thread
/// 1 has to read its half over the link.
#[test]
fn migrate_brings_all_to_one_node() {
    let loops = [placed(&[0, 0, ALL]), looped(Mode::Read, &[0, HALF, ALL])];
    let run = run_placed(&charging(), 2, Placement::Migrate(0), &loops);
    went(&run, &[("migrate:0 data", 324_800 * NS, 100), ("loop", 102_400 * NS, 0)]);
    assert_eq!(run.team[1].bytes_by_node.get(0), HALF);
}

/// Thread 1 copies all pages to its node, 100 faults of 1 us and 204.8 us over the link; thread 0 has them already. Then
/// both read all bytes from their own node, twice: 128 us.
#[test]
fn replicas_are_read_at_home() {
    let mut machine = charging();
    machine.os.page_fault = Span(US);
    machine.os.zeroing = Bandwidth(f64::MAX);
    let mut read = looped(Mode::Read, &[0, ALL, ALL]);
    let all = Slice::Explicit(Pieces::new([(0, ALL), (0, ALL)].into()));
    read.accesses[0].slice = all;
    read.repeat = 2;
    let run = run_placed(&machine, 2, Placement::Replicate, &[placed(&[0, ALL, ALL]), read]);
    went(&run, &[("replicate data", 304_800 * NS, 0), ("loop", 128 * US, 0)]);
    assert_eq!((run.phases[0].pages_faulted, run.bytes_by_level.node), (100, 4 * ALL));
}

/// The threads of a node share the copying: two threads copy 50 pages each. The link of 2 GB/s is full: 204.8 us.
#[test]
fn threads_of_a_node_copy_together() {
    let machine = crate::builders::machine("socket:2 core:2");
    let read = looped(Mode::Read, &[0, 0, 0, HALF, ALL]);
    let run = run_placed(&machine, 4, Placement::Replicate, &[placed(&[0, ALL, ALL, ALL, ALL]), read]);
    near(run.phases[0].time_ps, 204_800 * NS);
    assert_eq!(run.bytes_by_level.node, ALL);
}

#[test]
fn only_data_that_is_read_has_replicas() {
    let written = try_placed(&charging(), 2, Placement::Replicate, &[looped(Mode::Update, &[0, HALF, ALL])]);
    let error = written.unwrap_err().to_string();
    assert!(
        error.contains("region \"data\" has copies") && error.contains("phase \"loop\" writes it"),
        "{error}"
    );
}

/// The second node has room for 40 of 100 pages, and the first for none.
#[test]
fn replicas_need_memory() {
    let mut machine = charging();
    machine.memory.capacity = Bytes(ALL + 40 * PAGE);
    let mut more = looped(Mode::Write, &[ALL, ALL, ALL + 100 * PAGE]);
    (more.measured, more.schedule) = (false, "static".parse().ok());
    let loops = [placed(&[0, ALL, ALL]), more, looped(Mode::Read, &[0, HALF, ALL])];
    let error = try_placed(&machine, 2, Placement::Replicate, &loops).unwrap_err().to_string();
    assert!(error.contains("replicate data"), "{error}");
}

/// One thread marks all pages: 4 us + 200 ns. In the loop both threads arrive at the lock of the address space.
/// Thread 0 has the lock for 50 faults of 10 us, then reads for 32 us. Thread 1 waits for 500 us and 5 us more to
/// wake, faults and moves for 50 × 11.2 us, copies for 102.4 us, and reads for 32 us.
#[test]
fn next_touch_brings_pages_to_their_users() {
    let run = halves(&charging(), Placement::NextTouch);
    let second = (500 + 5 + 560 + 32) * US + 102_400 * NS;
    went(&run, &[("next-touch data", 4_200 * NS, 0), ("loop", second, 50)]);
    near(run.team[0].idle_ps, second - 532 * US);
    assert_eq!(run.bytes_by_level.node, ALL);
}

/// Bound to node 1: thread 1 reads locally, 32 us, and thread 0 over the link, 102.4 us.
#[test]
fn bound_pages_are_where_they_are_bound() {
    let run = halves(&charging(), Placement::Bind(NodeSet::List(vec![1])));
    went(&run, &[("loop", 102_400 * NS, 0)]);
    near(run.team[1].stall_ps, 32 * US);
    assert_eq!([0, 1].map(|thread| run.team[thread].bytes_by_node.get(1)), [HALF; 2]);
}

/// A node has room for 60 of the 100 pages. If the pages are bound to the node, 40 find no room; if the node is
/// preferred, 40 go to the other node.
#[test]
fn bound_pages_never_spill_and_preferred_ones_do() {
    let mut machine = charging();
    machine.memory.capacity = Bytes(60 * PAGE);
    let read = looped(Mode::Read, &[0, ALL, ALL]);
    let bound = Placement::Bind(NodeSet::List(vec![1]));
    let error = try_placed(&machine, 2, bound, std::slice::from_ref(&read)).unwrap_err();
    assert!(error.to_string().starts_with("phase \"loop\": the memory that may hold its data"), "{error}");
    let run = run_placed(&machine, 2, Placement::Preferred(1), &[read]);
    assert_eq!(run.phases[0].pages_faulted, 100);
    let homes: Vec<_> = run.team[0].bytes_by_node.iter().collect();
    assert_eq!(homes, [(0, 40 * PAGE), (1, 60 * PAGE)]);
}

/// Interleaving places pages one by one on all nodes of the set in turn, whichever thread touches first.
#[test]
fn interleaved_pages_alternate() {
    let read = looped(Mode::Read, &[0, ALL, ALL]);
    let homes = |set| {
        let run = run_placed(&charging(), 2, Placement::Interleave(set), std::slice::from_ref(&read));
        assert_eq!(run.phases[0].pages_faulted, 100);
        run.team[0].bytes_by_node.iter().collect::<Vec<_>>()
    };
    assert_eq!(homes(NodeSet::All), [(0, HALF), (1, HALF)]);
    assert_eq!(homes(NodeSet::List(vec![1])), [(1, ALL)]);
}

#[test]
fn placements_name_nodes_that_exist() {
    let read: [Phase; 1] = [looped(Mode::Read, &[0, ALL, ALL])];
    for placement in ["bind:0-2", "preferred:2", "interleave:0,2", "migrate:2"] {
        let error = try_placed(&charging(), 2, placement.parse().unwrap(), &read).unwrap_err();
        assert_eq!(
            error.to_string(),
            "region \"data\" is placed on node 2, and the machine has nodes 0 to 1",
            "{placement}"
        );
    }
    assert!(try_placed(&charging(), 2, "bind:0-1".parse().unwrap(), &read).is_ok());
}

/// Pages count if their first touch is measured, also if only a part of a page is touched.
#[test]
fn measured_first_touches_are_counted() {
    let loops = [placed(&[0, HALF, HALF]), looped(Mode::Write, &[0, HALF, ALL - PAGE / 2])];
    let run = run_placed(&charging(), 2, Placement::FirstTouch, &loops);
    assert_eq!((run.phases[0].pages_faulted, run.phases[0].pages_moved), (50, 0));
}

/// A memory-only node 2 of 3.2 GB/s beside socket 0, with room for 200 pages. Threads read their own memory at twice
/// this rate.
fn with_memory_alone() -> Machine {
    let mut machine = charging();
    let latency = machine.memory.latency;
    machine.memory_only = vec![MemoryOnly {
        name: "cxl".to_owned(),
        near: LevelKind::Socket,
        only_at: Some(0),
        ..MemoryOnly::new(Bytes(200 * PAGE), latency, Bandwidth(3.2e9))
    }];
    machine
}

/// 409 600 bytes at 3.2 GB/s take 128 us for the thread on the same socket; over the link of 2 GB/s they take 204.8
/// us.
#[test]
fn memory_alone_has_a_bandwidth_of_its_own() {
    let alone = Placement::Bind(NodeSet::List(vec![2]));
    for (chunks, time) in [([0, ALL, ALL], 128 * US), ([0, 0, ALL], 204_800 * NS)] {
        let run = run_placed(
            &with_memory_alone(),
            2,
            alone.clone(),
            &[placed(&chunks), looped(Mode::Read, &chunks)],
        );
        went(&run, &[("loop", time, 0)]);
        assert_eq!(run.bytes_by_level.node, 0);
        assert_eq!(run.team.iter().map(|thread| thread.bytes_by_node.get(2)).sum::<u64>(), ALL);
    }
}

/// Weights 3 and 1: of 100 pages 75 are on node 0 and 25 on node 2.
#[test]
fn weights_deal_out_pages() {
    let weighted: Placement = "weighted-interleave:0:3,2:1".parse().unwrap();
    let loops = [placed(&[0, ALL, ALL]), looped(Mode::Read, &[0, ALL, ALL])];
    let run = run_placed(&with_memory_alone(), 2, weighted, &loops);
    let bytes = [0, 1, 2].map(|node| run.team[0].bytes_by_node.get(node));
    assert_eq!(bytes, [75 * PAGE, 0, 25 * PAGE]);
}

/// A node has room for 60 pages. The 40 other pages go to memory without processors, which is preferred among nodes
/// of equal distance (and is nearer than socket 1 here).
#[test]
fn pages_spill_to_memory_alone() {
    let mut machine = with_memory_alone();
    machine.memory.capacity = Bytes(60 * PAGE);
    let run = run_placed(&machine, 2, Placement::FirstTouch, &[looped(Mode::Read, &[0, ALL, ALL])]);
    assert_eq!([0, 1, 2].map(|node| run.team[0].bytes_by_node.get(node)), [60 * PAGE, 0, 40 * PAGE]);
}
