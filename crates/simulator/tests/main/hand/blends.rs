//! Interleaved data comes from all of its nodes at the same time: one flow, of which each node sends a part. 1000
//! pages of 4096 bytes are on two sockets. Half of a flow crosses the link; half of its lines take 100 ns and half
//! 200 ns.

use crate::builders::{NS, PAGE, US, looped, machine, near, run_placed};
use numalab_base::{Bandwidth, Span};
use numalab_machine::Machine;
use numalab_simulator::RunOutcome;
use numalab_workload::{Mode, NodeSet, Phase, Placement};

const ALL: u64 = 1000 * PAGE;

fn sockets(spec: &str, link_bandwidth: f64) -> Machine {
    let mut machine = machine(spec);
    machine.links[0].bandwidth = Bandwidth(link_bandwidth);
    machine
}

fn interleaved(machine: &Machine, phases: &[Phase], threads: u32) -> RunOutcome {
    run_placed(machine, threads, Placement::Interleave(NodeSet::All), phases)
}

/// Outcome of `threads` threads that each access their part of all pages.
fn shared(machine: &Machine, threads: u32, mode: Mode) -> RunOutcome {
    let bounds: Vec<u64> = (0..=u64::from(threads)).map(|part| ALL * part / u64::from(threads)).collect();
    interleaved(machine, &[looped(mode, &bounds)], threads)
}

/// One thread has 10 lines of 64 bytes every 150 ns: 4.267 GB/s, 960 us for 4 096 000 bytes, half from each node.
#[test]
fn latency_is_the_mean_over_the_nodes() {
    let run = shared(&sockets("socket:2 core:1", 100e9), 1, Mode::Read);
    near(run.makespan_ps, 960 * US);
    let homes: Vec<_> = run.team[0].bytes_by_node.iter().collect();
    assert_eq!(homes, [(0, ALL / 2), (1, ALL / 2)]);
    near(run.team[0].time_by_node_ps.get(0), 480 * US);
    assert_eq!((run.bytes_by_level.node, run.bytes_by_level.machine), (ALL / 2, ALL / 2));
    let carried: Vec<_> =
        run.resources.iter().map(|resource| (resource.name.as_str(), resource.bytes)).collect();
    assert_eq!(
        carried,
        [
            ("memory of node 0", ALL / 2),
            ("memory of node 1", ALL / 2),
            ("socket-link socket 1 -> socket 0", ALL / 2)
        ]
    );
}

/// The link carries 2 GB/s, half of the flow, so the flow has 4 GB/s: 1024 us. With a thread on each socket there is
/// one such flow in each direction, each over half of the pages: 512 us.
#[test]
fn a_link_limits_its_half() {
    let machine = sockets("socket:2 core:1", 2e9);
    near(shared(&machine, 1, Mode::Read).makespan_ps, 1024 * US);
    let both = shared(&machine, 2, Mode::Read);
    near(both.makespan_ps, 512 * US);
    assert_eq!(both.team[1].bytes_by_node.get(0), ALL / 4);
}

/// Eight threads, each with half of its flow on each of two controllers of 10 GB/s: 2.5 GB/s each, 20 GB/s in all,
/// 204.8 us. One node alone would deliver 10 GB/s. Plain stores move every byte twice: 409.6 us.
#[test]
fn all_controllers_serve() {
    let machine = sockets("socket:2 core:4", 100e9);
    let run = shared(&machine, 8, Mode::Read);
    near(run.makespan_ps, 204_800 * NS);
    assert!(run.resources[..2].iter().all(|memory| memory.peak_utilisation == 1.0));
    near(shared(&machine, 8, Mode::Write).makespan_ps, 409_600 * NS);
}

/// Four threads on node 0 share the link of 2 GB/s: 0.5 GB/s each. Half of each flow crosses the link, so a flow has
/// 1 GB/s: 1024 us, although its local half could come faster.
#[test]
fn the_slowest_part_holds_the_others_up() {
    let machine = sockets("socket:2 core:4", 2e9);
    let run = shared(&machine, 4, Mode::Read);
    near(run.makespan_ps, 1024 * US);
    assert_eq!(run.resources[2].peak_utilisation, 1.0);
}

/// Three quarters of the nodes are 200 ns away: 640 B / 175 ns = 3.657 GB/s, 1120 us.
#[test]
fn four_nodes_serve_a_quarter_each() {
    let run = shared(&sockets("socket:4 core:1", 100e9), 1, Mode::Read);
    near(run.makespan_ps, 1120 * US);
    let homes: Vec<_> = run.team[0].bytes_by_node.iter().collect();
    assert_eq!(homes, [0, 1, 2, 3].map(|node| (node, ALL / 4)));
}

/// Faults come page by page with the data: 1000 × 2 us in addition to 960 us of reading.
#[test]
fn interleaved_pages_fault_too() {
    let mut machine = sockets("socket:2 core:1", 100e9);
    machine.os.page_fault = Span(2 * US);
    let mut phase = looped(Mode::Read, &[0, ALL]);
    phase.repeat = 2;
    let run = interleaved(&machine, &[phase], 1);
    near(run.makespan_ps, 2000 * US + 2 * 960 * US);
    near(run.team[0].overhead_ps, 2000 * US);
}
