//! Latency of lines that cross resources full of flows. A controller moves 10 GB/s and a link 2 GB/s; each of a
//! socket's cores keeps 10 lines of 64 bytes in flight.

use crate::builders::{MB, NS, looped, machine, near, placed, run_on};
use numalab_simulator::RunOutcome;
use numalab_workload::{Mode, Phase};

/// Overhead of each thread, in picoseconds.
fn overheads(run: &RunOutcome) -> Vec<u64> {
    run.team.iter().map(|member| member.overhead_ps).collect()
}

/// Three threads, two of them on socket 0, under `dynamic`; the data is in the memory of thread `owner`.
fn asking(owner: usize) -> RunOutcome {
    let bytes = 64_000;
    let owned: Vec<u64> = (0..4).map(|thread| if thread > owner { bytes } else { 0 }).collect();
    let mut phase = looped(Mode::Read, &[0, bytes, bytes, bytes, bytes, bytes]);
    phase.instructions = [0.0, 1000.0, 3000.0, 10_000.0, 10_000.0].into();
    run_on(&machine("socket:2 core:2"), 3, "dynamic", &[placed(&owned), phase])
}

/// The data is on socket 0. Thread 0 reads it at 6.4 GB/s, which fills no resource, so no line waits. Times in ns; #n
/// is iteration n:
///
/// | thread 0 | thread 1 | thread 2, 50 ns away |
/// |---|---|---|
/// | asks at 0: #0 from 100 | asks at 0, served after thread 0: #1 from 200 | asks at 0, served at the home at 200: #2 from 350 |
/// | asks at 10 100: ends at 10 200 | asks at 1200: #3 from 1300 | asks at 3350: #4 from 3550 |
/// | | asks at 11 300: ends at 11 400 | asks at 13 550: ends at 13 750 |
#[test]
fn flows_that_fill_nothing_let_lines_pass() {
    let run = asking(0);
    assert_eq!(overheads(&run), [200 * NS, (200 + 100 + 100) * NS, (350 + 200 + 200) * NS]);
}

/// The threads of `flows_that_fill_nothing_let_lines_pass`, with the data on socket 1. The link from there is full:
/// thread 0 alone could have 640 B / 200 ns = 3.2 GB/s and gets 2 GB/s, so 10 × (1 - 2 / 3.2) = 3.75 lines wait: 120
/// ns for every other line on that link.
///
/// | thread 0 | thread 1 | thread 2 |
/// |---|---|---|
/// | #0 from 100 | #1 from 200 | #2 from 350 |
/// | #0 until 32 100 | asks at 1200, 50 to thread 2, 120 + 50 for the line back: #3 from 1420 | asks at 3350, 120 + 50 to the home, 100 there, 50 back: #4 from 3670 |
/// | | asks at 11 420: ends at 11 640 | asks at 13 670: ends at 13 990 |
///
/// When thread 0 requests work, the link is free again: 50 to thread 2 and 50 back.
#[test]
fn lines_wait_at_a_link_that_flows_fill() {
    let run = asking(2);
    for (actual, expected) in overheads(&run).into_iter().zip([100 + 100, 200 + 220 + 220, 350 + 320 + 320]) {
        near(actual, expected * NS);
    }
    near(run.makespan_ps, 32_200 * NS);
}

/// Four threads of a socket whose controller moves 10 GB/s. Two threads read; each could read at 6.4 GB/s, and gets 5
/// GB/s: 10 × (1 - 5 / 6.4) lines of each wait, 4.375 together, which takes 28 ns. Without caches every request for
/// work reads memory. Both threads read for longer than the other threads do anything. Times in ns; #n is iteration
/// n:
///
/// | thread 0 | thread 1 | thread 2 | thread 3 |
/// |---|---|---|---|
/// | asks at 0: #0 from 100 | asks at 0: #1 from 200 | asks at 0, served at 200, when thread 1 does not read yet: #2 from 300 | asks at 0, served at 300: #3 from 428 |
/// | | | asks at 1300: #4 from 1428 | asks at 1428: ends at 1556 |
/// | | | asks at 6428: ends at 6556 | |
///
/// The readers request work again when both flows have ended, and no flow fills the memory: 100 ns each.
#[test]
fn lines_wait_at_a_memory_that_flows_fill() {
    let bytes = MB;
    let phase = Phase {
        instructions: [0.0, 0.0, 1000.0, 1000.0, 5000.0].into(),
        ..looped(Mode::Read, &[0, bytes, 2 * bytes, 2 * bytes, 2 * bytes, 2 * bytes])
    };
    let owned = [0, 2 * bytes, 2 * bytes, 2 * bytes, 2 * bytes];
    let run = run_on(&machine("core:4"), 4, "dynamic", &[placed(&owned), phase]);
    for (actual, expected) in overheads(&run).into_iter().zip([200, 300, 300 + 128 + 128, 428 + 128]) {
        near(actual, expected * NS);
    }
}
