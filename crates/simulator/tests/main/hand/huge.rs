//! Larger pages: fewer faults, each of which zeroes more. A fault of a base page takes 2 us, zeroing included. A
//! larger page zeroes the bytes beyond a base page at 1 ns each: 2 093 056 ns for 2 MiB less 4096 bytes.

use crate::builders::{NS, PAGE, US, looped, machine, near, try_run, workload};
use numalab_base::{Bandwidth, Bytes, Span};
use numalab_machine::Fabric;
use numalab_simulator::RunOutcome;
use numalab_simulator::Team;
use numalab_workload::{Mode, PageKind, Schedule};

const HUGE: u64 = 2 << 20;

/// Time in picoseconds for zeroing a huge page, less that for a base page.
const MORE: u64 = (HUGE - PAGE) * NS;

/// One thread reads all bytes, twice.
fn touch(page: PageKind, bytes: u64) -> RunOutcome {
    let mut machine = machine("core:1");
    machine.os.page_fault = Span(2 * US);
    machine.os.zeroing = Bandwidth(1e9);
    let fabric = Fabric::new(&machine).expect("a sound machine");
    let mut phase = looped(Mode::Read, &[0, bytes]);
    phase.repeat = 2;
    let mut workload = workload(&[phase]);
    workload.regions[0].page = page;
    let team = Team::close(&fabric, 1);
    try_run(&machine, &fabric, &team, &workload, Schedule::Static { chunk: None }, (0, 0)).expect("it fits")
}

/// Asserts the number of faulted pages and the operating system's time.
#[track_caller]
fn faults(page: PageKind, bytes: u64, pages: u64, overhead: u64) {
    let run = touch(page, bytes);
    assert_eq!(run.phases[0].pages_faulted, pages);
    near(run.team[0].overhead_ps, overhead);
    // Reading at 6.4 GB/s is 0.15625 ns for each byte, as with any page.
    near(run.team[0].stall_ps, 2 * bytes * 625 / 4);
}

/// 4 MiB are 1024 base pages or 2 huge ones.
#[test]
fn a_huge_page_is_one_fault() {
    faults(PageKind::Base, 2 * HUGE, 1024, 2048 * US);
    faults(PageKind::Fixed(Bytes(HUGE)), 2 * HUGE, 2, 2 * (2 * US + MORE));
    faults(PageKind::Transparent, 2 * HUGE, 2, 2 * (2 * US + MORE));
}

/// Three more base pages do not fill another huge page: explicit huge pages take a whole huge page for them,
/// transparent huge pages three base pages.
#[test]
fn what_is_left_over_stays_small_if_it_may() {
    faults(PageKind::Transparent, HUGE + 3 * PAGE, 4, 2 * US + MORE + 6 * US);
    faults(PageKind::Fixed(Bytes(HUGE)), HUGE + 3 * PAGE, 2, 2 * (2 * US + MORE));
}

/// Each page of 64 KiB takes 61 440 ns more than a base page.
#[test]
fn pages_between_the_two() {
    faults(PageKind::Fixed(Bytes(64 << 10)), HUGE, 32, 32 * (2 * US + 61_440 * NS));
}
