//! Streams from the memory of another node.

use crate::builders::{MB, MS, NS, PAGE, looped, machine, near, placed, run_on};
use numalab_base::{Bandwidth, Span};
use numalab_machine::{Controller, Crowding, Duplex, LoadedLatency, Machine};
use numalab_simulator::RunOutcome;
use numalab_workload::{Mode, Pieces, Slice};

/// Thread 0 places `bytes` in its memory, and the last of `threads` threads accesses all of them.
fn last_reads_first(machine: &Machine, threads: usize, mode: Mode, bytes: u64) -> RunOutcome {
    let mut owned = vec![bytes; threads + 1];
    owned[0] = 0;
    let mut used = vec![0; threads + 1];
    used[threads] = bytes;
    run_on(machine, threads as u32, "static", &[placed(&owned), looped(mode, &used)])
}

fn two_sockets(link_bandwidth: f64) -> Machine {
    let mut machine = machine("socket:2 core:2");
    machine.links[0].bandwidth = Bandwidth(link_bandwidth);
    machine
}

/// A wide link leaves Little's law: 640 B / (100 + 2 × 50) ns = 3.2 GB/s, 1 ms for 3.2 MB.
#[test]
fn distance_slows_a_remote_stream() {
    let run = last_reads_first(&two_sockets(100e9), 3, Mode::Read, 3_200_000);
    near(run.makespan_ps, MS);
    assert_eq!((run.bytes_by_level.node, run.bytes_by_level.machine), (0, 3_200_000));
    assert_eq!(run.team[2].bytes_by_node.get(0), 3_200_000);
    near(run.team[0].idle_ps, MS);
    assert_eq!(run.resources[1].name, "socket-link socket 0 -> socket 1");
    assert_eq!(run.resources[1].bytes, 3_200_000);
}

/// A link of 2 GB/s: 1.6 ms for 3.2 MB.
#[test]
fn a_link_limits_a_remote_stream() {
    let run = last_reads_first(&two_sockets(2e9), 3, Mode::Read, 3_200_000);
    near(run.makespan_ps, 1_600_000_000);
    assert_eq!(run.resources[1].peak_utilisation, 1.0);
}

/// Plain stores to the other socket: every byte comes in over one direction and leaves over the other. With 2 GB/s
/// each way, 2 MB take 1 ms; if the directions share the 2 GB/s, 2 ms. Streaming stores cross the link once and take
/// 1 ms in both cases.
#[test]
fn a_half_duplex_link_carries_both_directions() {
    let mut machine = two_sockets(2e9);
    let full = last_reads_first(&machine, 3, Mode::Write, 2 * MB);
    near(full.makespan_ps, MS);
    let names: Vec<_> = full.resources[1..].iter().map(|resource| resource.name.as_str()).collect();
    assert_eq!(names, ["socket-link socket 0 -> socket 1", "socket-link socket 1 -> socket 0"]);

    machine.links[0].duplex = Duplex::Half;
    let half = last_reads_first(&machine, 3, Mode::Write, 2 * MB);
    near(half.makespan_ps, 2 * MS);
    assert_eq!(half.resources[1].name, "socket-link socket 0 <-> socket 1");
    assert_eq!(half.resources[1].bytes, 4 * MB);
    near(last_reads_first(&machine, 3, Mode::StreamingWrite, 2 * MB).makespan_ps, MS);
}

/// Boards of two sockets of one core. From socket 3 to socket 0 lines cross a controller link, the board link and a
/// controller link, 50 ns each: 100 + 2 × 150 = 400 ns, the nearest memory on the other board.
fn boards(requests: f64) -> Machine {
    let mut machine = machine("board:2 socket:2 core:1");
    for link in &mut machine.links {
        link.bandwidth = Bandwidth(100e9);
        link.latency = Span(50 * NS);
    }
    let level = &mut machine.levels[1];
    let link = level.controller.as_ref().expect("sockets leave a board through its controller").link;
    level.controller =
        Some(Controller { link, requests: Some(requests), bandwidth: None, crowding: Crowding::default() });
    machine
}

/// The core keeps 10 lines in flight, the controller 5 for its socket: 320 B / 400 ns = 0.8 GB/s,
/// 1 ms for 0.8 MB.
#[test]
fn a_controllers_requests_limit_a_fetch() {
    let run = last_reads_first(&boards(5.0), 4, Mode::Read, 800_000);
    near(run.makespan_ps, MS);
    let tracker = run.resources.iter().find(|resource| resource.name.starts_with("requests")).unwrap();
    assert_eq!(tracker.name, "requests of socket 3 beyond board 1");
    assert_eq!((tracker.bytes, tracker.peak_utilisation), (800_000, 1.0));
    assert!((tracker.capacity_bytes_per_s - 0.8e9).abs() < 1.0);
}

/// With 20 requests the core's own 10 lines are the limit: 640 B / 400 ns = 1.6 GB/s, 1 ms for 1.6 MB.
#[test]
fn many_requests_leave_the_core_as_the_limit() {
    near(last_reads_first(&boards(20.0), 4, Mode::Read, 1_600_000).makespan_ps, MS);
}

/// A streaming store fetches nothing, so it needs no request of the controller: 1.6 GB/s, as with 20 requests.
#[test]
fn streaming_stores_take_no_requests() {
    let run = last_reads_first(&boards(5.0), 4, Mode::StreamingWrite, 1_600_000);
    near(run.makespan_ps, MS);
    assert!(run.resources.iter().all(|resource| !resource.name.starts_with("requests")));
}

/// Within a board no controller is involved: 100 + 2 × 50 ns, 3.2 GB/s, 1 ms for 3.2 MB.
#[test]
fn requests_are_for_what_lies_beyond_the_board() {
    let run = last_reads_first(&boards(1.0), 2, Mode::Read, 3_200_000);
    near(run.makespan_ps, MS);
    assert_eq!(run.bytes_by_level.board, 3_200_000);
}

/// Sockets 0 and 1 are one board, 2 and 3 the other; thread t reads the 800 pages (3.2768 MB) of
/// thread `from[t]`.
fn reading(machine: &Machine, from: [u64; 4]) -> RunOutcome {
    const EACH: u64 = 800 * PAGE;
    let bounds = [0, EACH, 2 * EACH, 3 * EACH, 4 * EACH];
    let mut phase = looped(Mode::Read, &bounds);
    let piece = |owner: u64| (owner * EACH, EACH);
    phase.accesses[0].slice = Slice::Explicit(Pieces::new(from.map(piece).into()));
    run_on(machine, 4, "static", &[placed(&bounds), phase])
}

/// Law: Both directions of a controller are crowded by the lesser of the two.
///
/// A board's controller moves 4 GB/s each way, and half of that when 20 lines are outstanding in both directions. If
/// only the cores of board 1 read from the other board, 2 times 10 lines, nothing is lost: each core reads its part
/// at 640 B / 400 ns = 1.6 GB/s, in 2.048 ms. If both boards read from each other, a direction of 2 GB/s serves two
/// cores: 3.2768 ms.
#[test]
fn a_controller_that_serves_and_asks_at_once_loses() {
    let mut machine = boards(1000.0);
    let controller = machine.levels[1].controller.as_mut().unwrap();
    controller.bandwidth = Some(Bandwidth(4e9));
    controller.crowding = Crowding(vec![(10.0, 1.0), (20.0, 0.5)]);
    let run = reading(&machine, [0, 1, 0, 1]);
    near(run.makespan_ps, 2_048_000_000);
    near(reading(&machine, [2, 3, 0, 1]).makespan_ps, 3_276_800_000);
    let busiest = run.resources.iter().find(|resource| resource.name == "out of board 0").unwrap();
    assert_eq!((busiest.bytes, busiest.capacity_bytes_per_s), (1600 * PAGE, 4e9));
}

/// The links of a board's two sockets carry 2 × 1 GB/s; a controller without a bandwidth of its own carries as much.
#[test]
fn a_controller_moves_what_its_links_do() {
    let mut machine = boards(1000.0);
    let controller = machine.levels[1].controller.as_mut().unwrap();
    controller.crowding = Crowding(vec![(10.0, 1.0), (20.0, 0.5)]);
    let link = controller.link;
    machine.links[link.0].bandwidth = Bandwidth(1e9);
    let run = reading(&machine, [2, 3, 0, 1]);
    let into = run.resources.iter().find(|resource| resource.name == "into board 1").unwrap();
    assert_eq!(into.capacity_bytes_per_s, 2e9);
    // Crowding leaves half of this bandwidth: two parts at 1 GB/s.
    near(run.makespan_ps, 6_553_600_000);
}

/// Two cores read from the other board over a link whose latency rises once more than a quarter of its bandwidth is
/// in use, and doubles at three quarters. Both together load the link with u × 4 GB/s, half of which is the other
/// core's, so a line takes 400 ns + (u - 0.5) × 50 ns. From 2 × 640 B / (375 + 50 u) ns = u × 4 GB/s follows 50 u² +
/// 375 u = 320, u = 0.773549: each part takes 2.118029 ms.
#[test]
fn a_line_waits_longer_at_a_loaded_link() {
    let mut machine = boards(1000.0);
    let board = machine.levels[0].interconnect.as_ref().unwrap().link;
    machine.links[board.0].bandwidth = Bandwidth(4e9);
    machine.links[board.0].loaded_latency = LoadedLatency(vec![(0.25, 1.0), (0.75, 2.0)]);
    near(reading(&machine, [0, 1, 0, 1]).makespan_ps, 2_118_028_670);
}
