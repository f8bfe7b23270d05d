//! Many threads faulting at once: the lock of a node's free pages. A fault takes 2 us, of which the lock is held for
//! 1 us, and a page of 4096 bytes takes 0.64 us to use at 6.4 GB/s: a round of a lone thread takes 2.64 us. A thread
//! passes the lock in `1 + q` us, where `q` is the mean number of threads at the lock if there is one thread less.

use crate::builders::{PAGE, US, looped, machine, run_on};
use numalab_base::{Bandwidth, Span};
use numalab_machine::Machine;
use numalab_simulator::RunOutcome;
use numalab_workload::Mode;

/// Number of pages that each thread touches.
const PAGES: u64 = 100;

fn system(spec: &str) -> Machine {
    let mut machine = machine(spec);
    machine.os.page_fault = Span(2 * US);
    machine.os.page_lock = Span(US);
    machine.memory.bandwidth = Bandwidth(1e12);
    machine
}

fn touch(machine: &Machine, threads: u32) -> RunOutcome {
    let bounds: Vec<u64> = (0..=u64::from(threads)).map(|part| part * PAGES * PAGE).collect();
    run_on(machine, threads, "static", &[looped(Mode::Write, &bounds)])
}

/// Asserts a makespan in microseconds, up to a millionth, since the solver counts waiting lines in thousandths.
#[track_caller]
fn takes(run: &RunOutcome, us: f64) {
    let actual = run.makespan_ps as f64 / US as f64;
    assert!((actual / us - 1.0).abs() < 1e-6, "{actual} us instead of {us} us");
}

/// A lone thread takes 2.64 us for each of 100 pages.
#[test]
fn a_lonely_thread_finds_the_lock_free() {
    takes(&touch(&system("core:1"), 1), 264.0);
}

/// Two threads: `q` = 1 / 2.64, so a round takes 1.64 + 1 + 1 / 2.64 = 3.01879 us, and each thread has 100 rounds.
#[test]
fn two_threads_meet_at_the_lock() {
    takes(&touch(&system("core:2"), 2), 100.0 * (2.64 + 1.0 / 2.64));
}

/// Three threads: with two, each passes the lock in 1.37879 of 3.01879 us, so `q` = 2 × 1.37879 / 3.01879 = 0.913470,
/// and a round takes 1.64 + 1.913470 us.
#[test]
fn the_third_waits_longer() {
    takes(&touch(&system("core:3"), 3), 100.0 * (1.64 + 1.0 + 2.0 * 1.378_787_878_8 / 3.018_787_878_8));
}

/// Microseconds of one round of each of `threads` threads, by the recursion of mean value analysis.
fn round(threads: u32) -> f64 {
    (1..=threads)
        .fold((0.0, 0.0), |(queue, _): (f64, f64), n| {
            let passing = 1.0 + queue;
            let round = passing + 1.64;
            (f64::from(n) * passing / round, round)
        })
        .1
}

/// Each page holds the lock for 1 us, so a round of sixteen threads takes hardly more than 16 us.
#[test]
fn a_crowd_gets_one_page_for_each_time_the_lock_is_held() {
    for threads in [4, 8, 16] {
        let run = touch(&system("core:16"), threads);
        takes(&run, 100.0 * round(threads));
        assert!(run.makespan_ps >= u64::from(threads) * PAGES * US);
    }
    assert!(round(16) < 16.001);
}

/// Every node has a lock of its own: on two nodes, twice as many threads touch twice as many pages in the same time.
#[test]
fn nodes_do_not_wait_for_each_other() {
    for threads in [2, 4, 8] {
        let one = touch(&system("socket:2 core:8"), threads);
        takes(&one, 100.0 * round(threads));
        let bounds: Vec<u64> = (0..=u64::from(2 * threads)).map(|part| part * PAGES * PAGE).collect();
        let spec = format!("socket:2 core:{threads}");
        let both = run_on(&system(&spec), 2 * threads, "static", &[looped(Mode::Write, &bounds)]);
        assert_eq!(both.phases[0].pages_faulted, 2 * one.phases[0].pages_faulted);
        takes(&both, 100.0 * round(threads));
    }
}

/// A lock that is held for no time delays no thread: 264 us for any number of threads.
#[test]
fn without_a_lock_nobody_waits() {
    let mut machine = system("core:8");
    machine.os.page_lock = Span::ZERO;
    takes(&touch(&machine, 8), 264.0);
}
