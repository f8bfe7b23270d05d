//! Costs of regions. Two sockets of one core without caches: a request is served at the home of the line in the 100
//! ns that memory takes. From the other socket the request takes 50 ns on its way there, and the line 50 ns on its
//! way back. All lines of the team are on the node of thread 0.

use crate::builders::{NS, add_cache, computing, machine, run_under, times};
use numalab_base::Span;
use numalab_machine::Machine;
use numalab_runtime::Profile;
use numalab_runtime::profile::{BarrierKind, BarrierProfile, Fork};
use numalab_simulator::RunOutcome;
use numalab_workload::{Construct, Phase};

/// Runtime profile: opening a region costs 1000 ns and the lines of a tree, closing it only the lines.
pub fn tree() -> Profile {
    let (kind, branching) = (BarrierKind::Tree, Some(2));
    let fork = Fork { fixed: Span(1000 * NS), release: kind, branching, ..Profile::free().fork };
    let barrier = BarrierProfile { kind, branching, ..Profile::default().barrier };
    Profile { fork, barrier, ..Profile::default() }
}

/// Phase with a construct in which thread `i` executes `instructions[i]`, one each nanosecond.
fn construct(construct: Construct, times: u32, instructions: &[f64]) -> Phase {
    Phase { construct, times, ..computing(instructions) }
}

fn sockets(threads: u32, phase: &Phase) -> RunOutcome {
    run_under(&tree(), &machine("socket:2 core:1"), threads, phase)
}

/// One region of two threads. Times in ns:
///
/// | thread 0 | thread 1 |
/// |---|---|
/// | | 0: reads its flag, which is not set: 200 |
/// | 1000: sets the flag of thread 1: 1100 | 1100: loses its copy, reads: 1300, and is in the region |
/// | 1100: reads the flag by which thread 1 reports: 1200 | 1300: sets this flag: 1500 |
/// | 1500: loses its copy, reads: 1600 | |
///
/// From 1300 on thread 0 waits for no late thread, so it is not idle.
#[test]
fn a_region_costs_six_lines() {
    let run = sockets(2, &construct(Construct::Parallel, 1, &[0.0, 0.0]));
    assert_eq!((run.makespan_ps, run.transactions), (1600 * NS, 6));
    assert_eq!(times(&run), [(1400, 0, 200), (1600, 0, 0)]);
    assert_eq!(run.team.iter().map(|member| member.iterations).collect::<Vec<_>>(), [1, 1]);
}

/// In the next region each thread has a copy of the flag that it spins on. Four lines move: those on the critical
/// path of the first region.
#[test]
fn more_regions_cost_four_lines_each() {
    let run = sockets(2, &construct(Construct::Parallel, 3, &[0.0, 0.0]));
    assert_eq!((run.makespan_ps, run.transactions), (3 * 1600 * NS, 6 + 4 + 4));
    assert_eq!(times(&run), [(3 * 1400, 0, 3 * 200), (3 * 1600, 0, 0)]);
    let again = Phase { repeat: 3, ..construct(Construct::Parallel, 1, &[0.0, 0.0]) };
    assert_eq!(sockets(2, &again).makespan_ps, run.makespan_ps);
}

/// A lone thread pays only the fixed cost of opening a region.
#[test]
fn a_team_of_one_moves_no_line() {
    let run = sockets(1, &construct(Construct::Barrier, 2, &[10.0]));
    assert_eq!((run.makespan_ps, run.transactions), (1020 * NS, 0));
    assert_eq!(times(&run), [(1000, 20, 0)]);
}

/// Thread 1 computes for 1000 ns, so that thread 0 is idle from 1100 to 2300.
#[test]
fn who_waits_for_a_late_thread_is_idle() {
    let run = sockets(2, &construct(Construct::Parallel, 1, &[0.0, 1000.0]));
    assert_eq!(times(&run), [(1400, 0, 1200), (1600, 1000, 0)]);
}

/// Thread 0 arrives at 2100, reads the flag that thread 1 set at 1300, and continues at 2200. Thread 1 is idle from
/// 1300 to 2100.
#[test]
fn a_late_master_only_has_to_look() {
    let run = sockets(2, &construct(Construct::Parallel, 1, &[1000.0, 0.0]));
    assert_eq!(times(&run), [(1100 + 100, 1000, 0), (1300 + 100, 0, 800)]);
}

/// At 1300 thread 1 requests two lines: the line of its value and the line of its flag. The second request is 4 ns
/// behind the first on the link, so thread 1 has both lines at 1504. Thread 0 then reads the flag (until 1604) and
/// the value (until 1704).
#[test]
fn a_reduction_costs_two_lines_more() {
    let run = sockets(2, &construct(Construct::Reduction, 1, &[0.0, 0.0]));
    assert_eq!((run.makespan_ps, run.transactions), (1704 * NS, 8));
}

/// The threads enter the region at 1100 and 1300. The barrier inside it is like the end of the region and the
/// beginning of another region, without the 1000 ns. Times in ns:
///
/// | thread 0 | thread 1 |
/// |---|---|
/// | 1100: reads thread 1's arrival flag: 1200 | 1300: sets its arrival flag: 1500 |
/// | 1500: reads it again: 1600 | 1300: reads its release flag meanwhile, 4 ns behind on the link: 1504 |
/// | 1600: sets thread 1's release flag: 1700 | 1700: reads it: 1900 |
/// | 1700: arrives at the end of the region, reads a flag: 1800 | 1900: arrives, sets this flag: 2100 |
/// | 2100: reads it: 2200 | |
#[test]
fn a_barrier_is_both_halves() {
    let run = sockets(2, &construct(Construct::Barrier, 1, &[0.0, 0.0]));
    assert_eq!((run.makespan_ps, run.transactions), (2200 * NS, 12));
    assert_eq!(times(&run), [(1100 + 400 + 300, 0, 200 + 200), (1300 + 600 + 300, 0, 0)]);
}

/// Three loops of 100 ns, inside one region (until 1900), or each in a region of its own (1700 each).
#[test]
fn loops_open_once_or_every_time() {
    let inside = sockets(2, &construct(Construct::For { nowait: true }, 3, &[100.0, 100.0]));
    assert_eq!(inside.makespan_ps, 1900 * NS);
    let each = sockets(2, &construct(Construct::ParallelFor, 3, &[100.0, 100.0]));
    assert_eq!(each.makespan_ps, 3 * 1700 * NS);
    assert_eq!(each.team.iter().map(|member| member.iterations).collect::<Vec<_>>(), [3, 3]);
}

/// A serial phase has no region: thread 0 works alone, and the other thread is idle.
#[test]
fn a_serial_phase_costs_what_it_computes() {
    let run = sockets(2, &construct(Construct::Serial, 2, &[500.0]));
    assert_eq!(times(&run), [(0, 1000, 0), (0, 0, 1000)]);
    assert_eq!(run.transactions, 0);
}

/// Two cores under a cache of 10 ns, each with a cache of 1 ns. A line of the other core takes 20 ns, a line from
/// memory 100 ns.
fn cached() -> Machine {
    let mut machine = machine("core:2");
    add_cache(&mut machine, 1 << 15, 1, 1, 640e9);
    add_cache(&mut machine, 1 << 20, 2, 10, 640e9);
    machine
}

/// Opening a region in the plain runtime takes 200 ns. Thread 0 writes two lines that describe the team, and sets a
/// flag; thread 1 reads all three lines, and sets a flag at the end. The first region, times in ns:
///
/// | thread 0 | thread 1 |
/// |---|---|
/// | 200 and 201: requests two lines from memory: 300, 301 | 0: reads its flag from memory: 100 |
/// | 202: requests the flag: 222, too early to write it | 222: loses the flag and reads it again, in vain: 242 |
/// | 301: requests the flag again: 321 | 321: reads the flag: 341, and the two lines: 381 |
/// | 321: reads the flag of thread 1 from memory: 421 | 381: sets its own flag from 421, when thread 0 has the line, to 431 |
/// | 431: reads it: 451 | |
///
/// In later regions the lines are in the cache, and thread 0 spins on its copy before thread 1 arrives: 200 ns, a
/// flag that is requested 2 ns after the first line, and six times 20 ns one after another.
#[test]
fn a_region_of_the_plain_runtime() {
    let phase = |times| construct(Construct::Parallel, times, &[0.0, 0.0]);
    let run = |times| run_under(&Profile::default(), &cached(), 2, &phase(times));
    assert_eq!((run(1).makespan_ps, run(1).transactions), (451 * NS, 12));
    assert_eq!((run(3).makespan_ps, run(3).transactions), ((451 + 2 * 322) * NS, 12 + 2 * 8));
}

/// Two sockets of two cores. The first threads of both inner teams, 0 and 2, are in the outer region at 1100 and at
/// 1300, as in `a_region_costs_six_lines`. They open inner regions, whose lines are on their own nodes:
///
/// | team of thread 0 | team of thread 2 |
/// |---|---|
/// | 1000 ns, flag set: 2200; thread 1 enters: 2300 | flag set: 2400; thread 3 enters: 2500 |
/// | thread 1 reports its arrival: 2400; read: 2500 | thread 3 reports: 2600; read: 2700 |
/// | thread 0 waits for the outer flag | thread 2 sets the outer flag from the other socket: 2900 |
/// | thread 0 reads it: 3000 | |
///
/// The last threads arrive at the ends of the inner regions at 2300 and 2500, at the end of the outer region at 2700.
#[test]
fn teams_open_teams() {
    let phase = Phase { teams: 2, ..construct(Construct::Parallel, 1, &[0.0; 4]) };
    let run = run_under(&tree(), &machine("socket:2 core:2"), 4, &phase);
    assert_eq!(run.makespan_ps, 3000 * NS);
    assert_eq!(times(&run), [(2700, 0, 300), (2600, 0, 400), (2900, 0, 100), (2800, 0, 200)]);
}

#[test]
fn a_free_runtime_costs_nothing() {
    let constructs = [
        Construct::ParallelFor,
        Construct::Parallel,
        Construct::Reduction,
        Construct::For { nowait: false },
        Construct::Barrier,
    ];
    for construct in constructs {
        for teams in [1, 2] {
            let phase = Phase { construct, times: 3, teams, ..computing(&[7.0; 4]) };
            let run = run_under(&Profile::free(), &machine("socket:2 core:2"), 4, &phase);
            let iterations = if teams == 2 && construct.is_loop() { 2 } else { 1 };
            assert_eq!(run.makespan_ps, iterations * 3 * 7 * NS, "{construct:?} in {teams}");
            assert_eq!(run.transactions, 0, "{construct:?}");
        }
    }
}
