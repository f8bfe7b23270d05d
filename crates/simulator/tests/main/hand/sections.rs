//! Sections in which iterations exclude each other. Two cores without caches: each access to a line takes 100 ns, and
//! requests of both threads are served in turn.

use crate::builders::{NS, computing, iterations, machine, run_under, times};
use numalab_runtime::Profile;
use numalab_simulator::RunOutcome;
use numalab_workload::{Construct, LockKind, Phase, Section};

/// Loop whose iterations compute for 1000 ns and execute sections of these instructions this often.
fn with_section(construct: Construct, times: &[u32], instructions: &[f64]) -> Phase {
    let section = Section { construct, times: times.into(), instructions: instructions.into() };
    Phase { section: Some(section), ..computing(&vec![1000.0; times.len()]) }
}

fn run(threads: u32, phase: &Phase) -> RunOutcome {
    run_under(&Profile::free(), &machine("core:2"), threads, phase)
}

/// One thread computes four iterations, and adds to a variable in two of them, once and three times. Its line comes
/// from memory in 100 ns and stays in the core.
#[test]
fn atomic_additions_follow_their_iteration() {
    let run = run(1, &with_section(Construct::Atomic, &[0, 1, 0, 3], &[]));
    assert_eq!((run.transactions, iterations(&run)), (1, vec![4]));
    assert_eq!(times(&run), [(100, 4000, 0)]);
}

/// Both threads compute until 1000 and add to a variable. Thread 0 has its line at 1100, thread 1 at 1200.
#[test]
fn additions_of_two_threads_take_turns() {
    let run = run(2, &with_section(Construct::Atomic, &[1, 1], &[]));
    assert_eq!(times(&run), [(100, 1000, 100), (200, 1000, 0)]);
}

/// As many sections under a lock as a `critical` construct executes in `times` executions of its body: the same
/// programs, one after another.
#[test]
fn a_section_costs_what_its_construct_costs() {
    for construct in [Construct::Critical, Construct::Lock(Some(LockKind::Ticket)), Construct::Atomic] {
        let each = Phase { construct, times: 5, ..computing(&[300.0; 2]) };
        let inside = Phase { instructions: [].into(), ..with_section(construct, &[5, 5], &[300.0; 2]) };
        let (each, inside) = (run(2, &each), run(2, &inside));
        assert_eq!(
            (each.makespan_ps, each.transactions),
            (inside.makespan_ps, inside.transactions),
            "{construct:?}"
        );
        assert_eq!(times(&each), times(&inside));
    }
}

/// Sections of 1000 ns exclude each other: eight of them take at least 8000 ns, whatever the threads compute meanwhile.
#[test]
fn sections_exclude_each_other() {
    let phase = with_section(Construct::Critical, &[1; 8], &[1000.0; 8]);
    let run = run(2, &phase);
    assert!(run.makespan_ps >= (8 + 1) * 1000 * NS, "{} ps", run.makespan_ps);
    assert_eq!(run.team.iter().map(|member| member.compute_ps).sum::<u64>(), 16 * 1000 * NS);
    // Without the sections each thread has half of the work.
    let without = Phase { section: None, ..phase };
    assert_eq!(self::run(2, &without).makespan_ps, 4 * 1000 * NS);
}
