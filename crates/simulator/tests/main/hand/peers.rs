//! Data that the cache of another socket holds. Sockets of one core and a cache of 1 MiB each.

use crate::builders::{US, add_cache, looped, machine, near, run_on};
use numalab_base::{Bandwidth, Span};
use numalab_machine::Machine;
use numalab_simulator::RunOutcome;
use numalab_workload::{Mode, Phase};

const BYTES: u64 = 320_000;

fn sockets(count: u32, link_bandwidth: f64) -> Machine {
    let mut machine = machine(&format!("socket:{count} core:1"));
    machine.links[0].bandwidth = Bandwidth(link_bandwidth);
    add_cache(&mut machine, 1 << 20, 1, 10, 32e9);
    machine
}

/// Loop in which thread `thread` accesses all bytes and the other threads access nothing.
fn by(thread: usize, threads: usize, mode: Mode) -> Phase {
    let bounds: Vec<u64> = (0..=threads).map(|part| if part > thread { BYTES } else { 0 }).collect();
    looped(mode, &bounds)
}

/// Outcome of the last loop; the loops before it are not measured.
fn last_of(machine: &Machine, threads: usize, loops: &[(usize, Mode)]) -> RunOutcome {
    let mut phases: Vec<Phase> = loops.iter().map(|&(thread, mode)| by(thread, threads, mode)).collect();
    let (_, before) = phases.split_last_mut().expect("a loop");
    for phase in before {
        (phase.measured, phase.schedule) = (false, "static".parse().ok());
    }
    run_on(machine, threads as u32, "static", &phases)
}

fn crossed(run: &RunOutcome) -> Vec<&str> {
    run.resources.iter().map(|resource| resource.name.as_str()).collect()
}

/// Thread 0 wrote the data, so its cache has the only copy. The data comes over the link at 640 B / 200 ns = 3.2
/// GB/s, in 100 us; the memory of node 0 is not involved.
#[test]
fn what_is_dirty_elsewhere_comes_from_there() {
    let run = last_of(&sockets(2, 100e9), 2, &[(0, Mode::Write), (1, Mode::Read)]);
    near(run.makespan_ps, 100 * US);
    assert_eq!(crossed(&run), ["socket-link socket 0 -> socket 1"]);
    assert_eq!((run.cached_bytes, run.bytes_by_level.machine), (0, BYTES));
    assert_eq!(run.team[1].bytes_by_node.get(0), BYTES);
}

/// Law: A line that another socket wrote takes the measured core-to-core latency.
///
/// The machine states 400 ns for a line that another socket has written: 640 B / 400 ns = 1.6 GB/s, 200 us. Once a
/// line is clean, memory serves a third socket in 200 ns: 100 us.
#[test]
fn what_is_dirty_elsewhere_takes_what_was_measured_between_cores() {
    let mut machine = sockets(3, 100e9);
    machine.levels[0].core_to_core = Some(Span(400_000));
    let written = [(0, Mode::Write), (1, Mode::Read), (2, Mode::Read)];
    near(last_of(&machine, 3, &written[..2]).makespan_ps, 200 * US);
    near(last_of(&machine, 3, &written).makespan_ps, 100 * US);
}

/// The link carries 2 GB/s: 160 us for data from the other socket's cache.
#[test]
fn a_link_limits_what_comes_from_a_cache() {
    let run = last_of(&sockets(2, 2e9), 2, &[(0, Mode::Write), (1, Mode::Read)]);
    near(run.makespan_ps, 160 * US);
    assert_eq!(run.resources[0].peak_utilisation, 1.0);
}

/// A stored line moves to the writer's cache over the same link, and is not written back yet: 160 us. A plain store
/// to memory would load the opposite direction as well.
#[test]
fn a_store_takes_what_is_dirty_elsewhere() {
    let run = last_of(&sockets(2, 2e9), 2, &[(0, Mode::Write), (1, Mode::Update)]);
    near(run.makespan_ps, 160 * US);
    assert_eq!(crossed(&run), ["socket-link socket 0 -> socket 1"]);
}

/// The pages are on node 0, but the dirty copy is in thread 1's cache: thread 2 gets the data from socket 1.
#[test]
fn the_holder_serves_and_not_the_home() {
    let run = last_of(&sockets(3, 2e9), 3, &[(0, Mode::Write), (1, Mode::Update), (2, Mode::Read)]);
    near(run.makespan_ps, 160 * US);
    assert_eq!(crossed(&run), ["socket-link socket 1 -> socket 2"]);
    assert_eq!(run.team[2].bytes_by_node.get(1), BYTES);
}

/// Once read, a line is clean in both caches: both threads get it from their own caches at 32 GB/s, in 10 us, and a
/// third thread gets it from memory.
#[test]
fn what_is_read_is_shared() {
    let shared = [(0, Mode::Write), (1, Mode::Read)];
    let machine = sockets(3, 2e9);
    for thread in [0, 1] {
        let run = last_of(&machine, 3, &[&shared[..], &[(thread, Mode::Read)]].concat());
        near(run.makespan_ps, 10 * US);
        assert_eq!(run.cached_bytes, BYTES);
    }
    let third = last_of(&machine, 3, &[&shared[..], &[(2, Mode::Read)]].concat());
    near(third.makespan_ps, 160 * US);
    assert_eq!(crossed(&third), ["memory of node 0", "socket-link socket 0 -> socket 2"]);
}

/// A write invalidates other copies: after thread 0 read and thread 1 wrote, thread 0 gets the data from socket 1.
#[test]
fn a_copy_is_lost_to_a_writer() {
    let run = last_of(&sockets(2, 2e9), 2, &[(0, Mode::Read), (1, Mode::Update), (0, Mode::Read)]);
    near(run.makespan_ps, 160 * US);
    assert_eq!(crossed(&run), ["socket-link socket 1 -> socket 0"]);
}

/// Data that was never written is clean: memory serves it to each socket, although another socket has a copy.
#[test]
fn clean_copies_elsewhere_do_not_count() {
    let run = last_of(&sockets(2, 2e9), 2, &[(0, Mode::Read), (1, Mode::Read)]);
    near(run.makespan_ps, 160 * US);
    assert_eq!(crossed(&run), ["memory of node 0", "socket-link socket 0 -> socket 1"]);
}

/// Two cores under one last-level cache: core 1 gets the data that core 0 wrote from the cache that both share, at 16
/// GB/s: 20 us.
#[test]
fn neighbours_share_the_last_cache() {
    let mut machine = machine("socket:2 core:2");
    add_cache(&mut machine, 512 << 10, 1, 10, 32e9);
    add_cache(&mut machine, 1 << 20, 2, 40, 16e9);
    let run = last_of(&machine, 2, &[(0, Mode::Write), (1, Mode::Read)]);
    near(run.makespan_ps, 20 * US);
    assert_eq!((run.cached_bytes, run.bytes_by_level.total()), (BYTES, 0));
    let own = last_of(&machine, 2, &[(0, Mode::Write), (0, Mode::Read)]);
    near(own.makespan_ps, 10 * US);
}
