//! Automatic balancing. Two sockets of one core; 100 pages that thread 0 placed take 204.8 us over the link and 64 us
//! from local memory. A scan unmaps all pages every microsecond, so every pass over the pages has 100 hint faults of
//! 1 us.

use crate::builders::{NS, PAGE, US, computing, looped, machine, near, placed, run_placed, times};
use numalab_base::{Bytes, Span};
use numalab_machine::Machine;
use numalab_simulator::RunOutcome;
use numalab_workload::{Mode, Phase, Placement};

const ALL: u64 = 100 * PAGE;
const LINK: u64 = 204_800 * NS;
const LOCAL: u64 = 64 * US;

fn system() -> Machine {
    let mut machine = machine("socket:2 core:1");
    machine.os.page_migration = Span(US);
    let balancing = &mut machine.os.balancing;
    balancing.hint_fault = Span(US);
    balancing.scan_size = Bytes(1 << 30);
    (balancing.scan_period, balancing.scan_delay) = (Span(US), Span(US));
    machine
}

/// Outcome of one pass over all pages by each of `threads`, one after the other, after thread 0 placed the pages.
fn passes(machine: &Machine, placement: Placement, threads: &[usize]) -> RunOutcome {
    let by = |thread: usize| [0, if thread == 0 { ALL } else { 0 }, ALL];
    let mut phases = vec![placed(&by(0))];
    phases.extend(
        threads
            .iter()
            .enumerate()
            .map(|(at, &thread)| Phase { name: format!("{at}"), ..looped(Mode::Read, &by(thread)) }),
    );
    run_placed(machine, 2, placement, &phases)
}

fn moved(run: &RunOutcome) -> Vec<u64> {
    run.phases.iter().map(|phase| phase.pages_moved).collect()
}

/// Law: Scans happen at their own times.
///
/// The faults of the first pass only record the node: 100 us, and 204.8 us over the link. At the second fault from
/// the same node a page moves, 100 × (1 us + 200 ns for the other processor). Its bytes cross the link and are then
/// read locally. The third pass still has hint faults, and reads locally.
#[test]
fn the_second_hint_moves() {
    let run = passes(&system(), Placement::Balancing, &[1, 1, 1]);
    assert_eq!(moved(&run), [0, 100, 0]);
    near(run.phases[0].time_ps, 100 * US + LINK);
    near(run.phases[1].time_ps, 220 * US + LINK + LOCAL);
    near(run.phases[2].time_ps, 100 * US + LOCAL);
    assert_eq!(run.phases.iter().map(|phase| phase.remote_bytes).collect::<Vec<_>>(), [ALL, 0, 0]);
    near(run.team[1].overhead_ps, 420 * US + LINK);
}

#[test]
fn hints_must_come_in_a_row() {
    assert_eq!(moved(&passes(&system(), Placement::Balancing, &[1, 0, 1, 0, 1, 1])), [0, 0, 0, 0, 0, 100]);
}

/// Threads whose pages are local anyway pay for hint faults only: every pass takes 100 us, and 64 us to read.
#[test]
fn local_pages_stay() {
    let run = passes(&system(), Placement::Balancing, &[0, 0, 0]);
    assert_eq!(moved(&run), [0, 0, 0]);
    run.phases.iter().for_each(|phase| near(phase.time_ps, 100 * US + LOCAL));
}

/// Law: Scans happen at their own times.
///
/// Every 200 us from the start on, a scan unmaps the next 25 pages. Thread 0 needs 81.92 us to write all pages. A
/// pass over remote pages with 25 hint faults takes 229.8 us:
///
/// | pass | begins at | scans since the pass before | quarters unmapped | quarters moved |
/// |---|---|---|---|---|
/// | 1 | 81.92 us | 0 | first | none |
/// | 2 | 311.72 us | 200 us | second | none |
/// | 3 | 541.52 us | 400 us | third | none |
/// | 4 | 771.32 us | 600 us | fourth | none |
/// | 5 | 1001.12 us | 800 and 1000 us | first, second | first, second |
/// | 6 | 1347.92 us | 1200 us | third | third |
/// | 7 | 1553.32 us | 1400 us | fourth | fourth |
///
/// A quarter has hint faults of 25 us, is moved in 30 us and copied in 51.2 us; it is read in 51.2 us from remote and
/// in 16 us from local memory. Pass 5: 2 × (25 + 30 + 51.2 + 16) + 2 × 51.2 = 346.8 us; pass 6: 106.2 + 3 × 16 + 51.2
/// = 205.4 us; pass 7: 106.2 + 64 us.
#[test]
fn scans_go_round() {
    let mut machine = system();
    let balancing = &mut machine.os.balancing;
    balancing.scan_size = Bytes(ALL / 4);
    (balancing.scan_period, balancing.scan_delay) = (Span(200 * US), Span(1));
    let run = passes(&machine, Placement::Balancing, &[1; 7]);
    assert_eq!(moved(&run), [0, 0, 0, 0, 50, 25, 25]);
    let times = [229_800, 229_800, 229_800, 229_800, 346_800, 205_400, 170_200];
    run.phases.iter().zip(times).for_each(|(phase, time)| near(phase.time_ps, time * NS));
}

/// No scan happens before the delay of the first scan is over, or if no region has automatic balancing.
#[test]
fn without_scans_nothing_moves() {
    let mut late = system();
    late.os.balancing.scan_delay = Span(1_000_000 * US);
    for run in [
        passes(&late, Placement::Balancing, &[1, 1, 1]),
        passes(&system(), Placement::FirstTouch, &[1, 1, 1]),
    ] {
        assert_eq!(moved(&run), [0, 0, 0]);
        near(run.makespan_ps, 3 * LINK);
    }
}

/// Law: A service takes the processor from the thread that computes on it.
///
/// Unmapping a page takes 10 ns of a processor. The only scan, at 50 us, unmaps the 100 pages that thread 0 placed,
/// and takes 1 us of the first thread's processor. Thread 0, which computes for 100 us, ends 1 us later, with 1 us of
/// overhead. Thread 1 has another processor.
#[test]
fn a_scan_takes_the_processor_from_the_thread_that_computes_on_it() {
    let mut machine = system();
    let balancing = &mut machine.os.balancing;
    (balancing.scan_page, balancing.scan_period) = (Span(10 * NS), Span(1_000_000 * US));
    let phases = [placed(&[0, ALL, ALL]), computing(&[100_000.0, 100_000.0])];
    machine.os.balancing.scan_delay = Span(81_920 * NS + 50 * US);
    let run = run_placed(&machine, 2, Placement::Balancing, &phases);
    assert_eq!(times(&run), [(1000, 100_000, 0), (0, 100_000, 1000)]);
}

/// Law: A streaming thread makes up for a service afterwards.
///
/// A scan during a read from memory does not delay the read. The thread loses the scan's time after it.
#[test]
fn a_scan_beside_a_stream_is_made_up_for() {
    let mut machine = system();
    let balancing = &mut machine.os.balancing;
    balancing.hint_fault = Span::ZERO;
    (balancing.scan_page, balancing.scan_period) = (Span(10 * NS), Span(1_000_000 * US));
    balancing.scan_delay = Span(81_920 * NS + 50 * US);
    let phases = [placed(&[0, ALL, ALL]), looped(Mode::Read, &[0, ALL, ALL])];
    let run = run_placed(&machine, 2, Placement::Balancing, &phases);
    near(run.makespan_ps, LOCAL + US);
    near(run.team[0].overhead_ps, US);
}
