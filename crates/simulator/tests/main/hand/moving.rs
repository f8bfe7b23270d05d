//! Page operations in a loop: pages move one by one under the lock of the address space, then their bytes cross the
//! links. Two sockets of one core. The 100 pages that thread 0 placed are 409 600 bytes: 204.8 us over the link of 2
//! GB/s, 64 us from local memory at 6.4 GB/s.

use crate::builders::{NS, PAGE, US, charging, looped, near, placed, run_on};
use numalab_base::Bytes;
use numalab_machine::Machine;
use numalab_simulator::RunOutcome;
use numalab_workload::{Mode, Phase, Pieces, Slice};

const ALL: u64 = 100 * PAGE;
const LINK: u64 = 204_800 * NS;
const LOCAL: u64 = 64 * US;

/// Outcome of a run in which thread 0 places all pages, and then one loop per entry of `loops` follows: the entry's
/// thread applies the entry's operation to all bytes.
fn after_placing(machine: &Machine, loops: &[(usize, Mode)]) -> RunOutcome {
    let by = |thread: usize| [0, if thread == 0 { ALL } else { 0 }, ALL];
    let named = |(at, &(thread, mode)): (usize, &(usize, Mode))| Phase {
        name: format!("{at}"),
        ..looped(mode, &by(thread))
    };
    let mut phases = vec![placed(&by(0))];
    phases.extend(loops.iter().enumerate().map(named));
    run_on(machine, 2, "static", &phases)
}

/// Thread 1 fetches the pages: 100 × (1 us + 200 ns for the acknowledgement of the other processor), then 204.8 us
/// over the link. The pages are local afterwards.
#[test]
fn fetched_pages_come_over_the_link() {
    let run = after_placing(&charging(), &[(1, Mode::Fetch), (1, Mode::Read)]);
    near(run.phases[0].time_ps, 120 * US + LINK);
    near(run.phases[1].time_ps, LOCAL);
    assert_eq!((run.phases[0].pages_moved, run.phases[1].pages_moved), (100, 0));
    assert_eq!((run.phases[0].bytes, run.phases[1].bytes), (0, ALL), "moving is no access");
    near(run.team[1].overhead_ps, 120 * US + LINK);
    assert_eq!(run.team[1].bytes_by_node.get(1), ALL);
    let link = run.resources.iter().find(|resource| resource.name.contains("0 -> socket 1")).unwrap();
    assert_eq!(link.bytes, ALL);
}

/// Moves of pages that are already on the target, or not yet on any node, cost nothing.
#[test]
fn what_needs_no_move_is_free() {
    let run = after_placing(&charging(), &[(0, Mode::Fetch)]);
    assert_eq!((run.makespan_ps, run.phases[0].pages_moved), (0, 0));
    let fetch = looped(Mode::Fetch, &[0, 0, ALL]);
    assert_eq!(run_on(&charging(), 2, "static", &[fetch]).makespan_ps, 0);
}

/// Migration to a node by number: thread 1 moves all pages to its own node, as a fetch does; then thread 0 moves them
/// back.
#[test]
fn pages_migrate_to_a_node() {
    let run = after_placing(&charging(), &[(1, Mode::Migrate(1)), (1, Mode::Read), (0, Mode::Migrate(0))]);
    near(run.phases[0].time_ps, 120 * US + LINK);
    near(run.phases[1].time_ps, LOCAL);
    near(run.phases[2].time_ps, 120 * US + LINK);
    assert_eq!(run.phases.iter().map(|phase| phase.pages_moved).collect::<Vec<_>>(), [100, 0, 100]);
}

/// A target with room for 40 pages gets 40 pages, in 40 × 1.2 us and two fifths of the bytes; the other 60 pages
/// stay, at no cost. Then 40 pages are read locally and 60 over the link.
#[test]
fn a_full_target_refuses() {
    let mut machine = charging();
    machine.memory.capacity = Bytes(ALL);
    let mut own = looped(Mode::Write, &[ALL, ALL, ALL + 60 * PAGE]);
    (own.measured, own.schedule) = (false, "static".parse().ok());
    let fetch = looped(Mode::Fetch, &[0, 0, ALL]);
    let read = Phase { name: "read".to_owned(), ..looped(Mode::Read, &[0, 0, ALL]) };
    let run = run_on(&machine, 2, "static", &[placed(&[0, ALL, ALL]), own, fetch, read]);
    assert_eq!(run.phases[0].pages_moved, 40);
    near(run.phases[0].time_ps, 48 * US + LINK * 2 / 5);
    near(run.phases[1].time_ps, LOCAL * 2 / 5 + LINK * 3 / 5);
}

/// Thread 0 marks the pages: 4 us, and 200 ns for the other processor. The next thread to touch the pages, thread 1,
/// pays for 100 faults of 10 us, the moves of 1.2 us and the copy, then reads locally. In the next loop it only
/// reads.
#[test]
fn the_next_touch_moves() {
    let run = after_placing(&charging(), &[(0, Mode::NextTouch), (1, Mode::Read), (1, Mode::Read)]);
    near(run.phases[0].time_ps, 4_200 * NS);
    near(run.phases[1].time_ps, 1_120 * US + LINK + LOCAL);
    near(run.phases[2].time_ps, LOCAL);
    assert_eq!(run.phases.iter().map(|phase| phase.pages_moved).collect::<Vec<_>>(), [0, 100, 0]);
    near(run.team[1].overhead_ps, 1_120 * US + LINK);
    near(run.team[1].stall_ps, 2 * LOCAL);
}

/// If the next thread to touch the pages is on their node, each page faults and does not move: 100 × 10 us. Marking
/// marked pages changes nothing and interrupts no processor.
#[test]
fn a_next_touch_at_home_only_faults() {
    let loops = [(0, Mode::NextTouch), (1, Mode::NextTouch), (0, Mode::Read), (1, Mode::Read)];
    let run = after_placing(&charging(), &loops);
    assert_eq!(run.phases[1].time_ps, 0);
    near(run.phases[2].time_ps, 1_000 * US + LOCAL);
    near(run.phases[3].time_ps, LINK);
    assert!(run.phases.iter().all(|phase| phase.pages_moved == 0));
}

/// Each thread fetches 100 pages that the other thread placed. Thread 0 has the lock for 120 us and copies; thread 1
/// waits, is woken in 5 us and has the lock for 120 us. The copies cross the link in opposite directions and do not
/// slow each other.
#[test]
fn moves_queue_for_the_address_space() {
    let bounds = [0, ALL, 2 * ALL];
    let mut swap = looped(Mode::Fetch, &bounds);
    // Iteration 0, which thread 0 executes, fetches the upper half, and iteration 1 the lower half.
    swap.accesses[0].slice = Slice::Explicit(Pieces::new([(ALL, ALL), (0, ALL)].into()));
    let run = run_on(&charging(), 2, "static", &[placed(&bounds), swap]);
    near(run.makespan_ps, 245 * US + LINK);
    near(run.team[0].idle_ps, 125 * US);
    assert_eq!(run.phases[0].pages_moved, 200);
}
