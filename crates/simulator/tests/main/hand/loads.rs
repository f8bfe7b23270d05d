//! Latency of lines that cross resources full of flows. A controller moves 10 GB/s and a link 2 GB/s; each of a
//! socket's cores keeps 10 lines of 64 bytes in flight.

use crate::builders::{MB, NS, looped, machine, near, placed, run_on};
use numalab_simulator::RunOutcome;
use numalab_workload::{Mode, Phase};

/// Overhead of each thread.
fn overheads(run: &RunOutcome) -> Vec<u64> {
    run.team.iter().map(|member| member.overhead_ps).collect()
}

/// Three threads, two of them on socket 0, under `dynamic`; the data is where `owner` is.
fn asking(owner: usize) -> RunOutcome {
    let bytes = 64_000;
    let owned: Vec<u64> = (0..4).map(|thread| if thread > owner { bytes } else { 0 }).collect();
    let mut phase = looped(Mode::Read, &[0, bytes, bytes, bytes, bytes, bytes]);
    phase.instructions = [0.0, 1000.0, 3000.0, 10_000.0, 10_000.0].into();
    run_on(&machine("socket:2 core:2"), 3, "dynamic", &[placed(&owned), phase])
}

/// Thread 0 reads its own socket's memory at 6.4 GB/s, which fills nothing. No line waits:
///
/// | thread 0 | thread 1 | thread 2, 50 ns away |
/// |---|---|---|
/// | 0 asks, 100: #0 | 0 asks, served after thread 0, 200: #1 | 0 asks, arrives, is served at 200, 350: #2 |
/// | until 10 100, then asks: 10 200 | 1200 asks, 1300: #3 | 3350 asks, 3550: #4 |
/// | | 11 300 asks, 11 400 | 13 550 asks, 13 750 |
#[test]
fn flows_that_fill_nothing_let_lines_pass() {
    let run = asking(0);
    assert_eq!(overheads(&run), [200 * NS, (200 + 100 + 100) * NS, (350 + 200 + 200) * NS]);
}

/// The same with the data on socket 1. The link from there is full: of the 640 B / 200 ns = 3.2 GB/s that thread 0
/// could have alone, it gets 2 GB/s, so 10 × (1 - 2 / 3.2) = 3.75 lines wait: 120 ns for every other line on that
/// link.
///
/// | thread 0 | thread 1 | thread 2 |
/// |---|---|---|
/// | 100: #0 | 200: #1 | 350: #2 |
/// | until 32 100 | 1200 asks: 50 to thread 2, 120 + 50 for the line from there, 1420: #3 | 3350 asks: 120 + 50 until it is there, 100 + 50, 3670: #4 |
/// | | 11 420 asks, 11 640 | 13 670 asks, 13 990 |
///
/// When thread 0 asks, the link is free again: 50 to thread 2 and 50 back.
#[test]
fn lines_wait_at_a_link_that_flows_fill() {
    let run = asking(2);
    for (actual, expected) in overheads(&run).into_iter().zip([100 + 100, 200 + 220 + 220, 350 + 320 + 320]) {
        near(actual, expected * NS);
    }
    near(run.makespan_ps, 32_200 * NS);
}

/// Four threads of a socket whose controller moves 10 GB/s. Two that read could do so at 6.4 GB/s, and get 5:
/// 10 × (1 - 5 / 6.4) lines of each wait, 4.375 together, which is 28 ns. Without caches every request reads
/// memory. Both read for longer than the others do anything.
///
/// | thread 0 | thread 1 | thread 2 | thread 3 |
/// |---|---|---|---|
/// | 0 asks, 100: #0 | 0 asks, 200: #1 | 0 asks, served at 200, when thread 1 has not begun yet, 300: #2 | 0 asks, served at 300, 428: #3 |
/// | | | 1300 asks, 1428: #4 | 1428 asks, 1556 |
/// | | | 6428 asks, 6556 | |
///
/// The readers ask when they have ended, and nothing flows that fills the memory: 100 each.
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
