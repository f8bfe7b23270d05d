//! Threads that take turns where two boards share memory by pages. A message takes 64 + 17 us and a header, a thread
//! wakes in 21 us.

use super::shared_pages::{HEADER, WITH_PAGE, boards};
use crate::builders::{PAGE, US, computing, placed, run_on, setup, workload};
use numalab_machine::{Consistency, Dsm, Fabric, Machine, Reductions};
use numalab_runtime::Profile;
use numalab_simulator::{SimulationError, Team, prepare};
use numalab_workload::{Construct, Phase, RegionId, Schedule};

/// Law: Critical sections over shared pages, and turns at a reduction's page, are queues of messages.
///
/// Both threads compute for 1000 us in the critical section. The lock is at thread 0's daemon. Thread 0 gets the lock
/// at once, wakes in 21 us, and releases it at 1021 us. Thread 1 has requested the lock by then, gets it after 81 us
/// and a header, and wakes. Its release and its arrival at the end are two messages in a row, which the daemon serves
/// one after the other, 17 us each.
#[test]
fn a_critical_section_is_a_queue_of_messages() {
    let phase = Phase { construct: Construct::Critical, ..computing(&[1e6; 2]) };
    let run = run_on(&boards(2), 2, "static", &[phase]);
    let second = (1021 + 81 + 21 + 1000) * US + HEADER;
    assert_eq!(run.makespan_ps, second + (64 + 17 + 17 + 21) * US + HEADER);
}

/// Law: Critical sections over shared pages, and turns at a reduction's page, are queues of messages.
///
/// The page of the variables is thread 0's. If the reduction uses messages, the threads meet at once: 81 us and a
/// header there and back, and a wake-up at each end. If it uses the page, thread 1 learns of the region, requests the
/// lock and gets it, 81 us and a header each, and wakes twice; it reads the page, 247 us, a header and the page,
/// requests ownership, 28 + 2 * 81 + 21 us and two headers, and arrives at the end as in
/// `a_critical_section_is_a_queue_of_messages`. Under lazy consistency, and on a machine whose nodes do not share
/// memory by pages, the reduction makes no difference.
#[test]
fn a_reduction_adds_to_a_page_in_turns() {
    let run = |reductions, consistency, named: bool| {
        let mut machine = boards(2);
        machine.dsm = Some(Dsm { reductions, consistency, ..Dsm::default() });
        let reduction = named.then_some(RegionId(0));
        run_on(
            &machine,
            2,
            "static",
            &[placed(&[0, PAGE, PAGE]), Phase { reduction, ..computing(&[0.0; 2]) }],
        )
    };
    let (page, sequential) = (Reductions::Page, Consistency::Sequential);
    let met = 2 * (81 + 21) * US + 2 * HEADER;
    assert_eq!(run(Reductions::Message, sequential, true).makespan_ps, met);
    assert_eq!(run(page, sequential, false).makespan_ps, met);
    for lazy in [Consistency::Lazy, Consistency::HomeBased] {
        assert_eq!(run(page, lazy, true).makespan_ps, run(page, lazy, false).makespan_ps);
    }
    let turns = run(page, sequential, true);
    let locked = (3 * 81 + 2 * 21) * US + 3 * HEADER;
    let added = (247 + 28 + 2 * 81 + 21) * US + 3 * HEADER + WITH_PAGE;
    assert_eq!(turns.makespan_ps, locked + added + (64 + 17 + 17 + 21) * US + HEADER);
    // Pages at which threads take turns are shared on purpose, and do not count.
    assert_eq!(turns.phases[0].sharing.written_by_several, 0);
    let elsewhere = Machine { dsm: None, ..boards(2) };
    let run = |reduction| run_on(&elsewhere, 2, "static", &[Phase { reduction, ..computing(&[1e6; 2]) }]);
    assert_eq!(run(Some(RegionId(0))).makespan_ps, run(None).makespan_ps);
}

/// Constructs that need coherent cache lines are refused, and the error names the construct. Critical sections are
/// refused under lazy consistency, where copies may differ until nodes meet.
#[test]
fn what_needs_lines_is_refused() {
    let refused = |construct, consistency| {
        let mut machine = boards(2);
        machine.dsm = Some(Dsm { consistency, ..Dsm::default() });
        let fabric = Fabric::new(&machine).unwrap();
        let phases = [Phase { construct, ..computing(&[1.0; 2]) }];
        let (team, workload, runtime) = (Team::close(&fabric, 2), workload(&phases), Profile::free());
        let setup = setup((&machine, &fabric), (&workload, &runtime), &team);
        let schedule = Schedule::Static { chunk: None };
        match prepare(&setup, &()).and_then(|prepared| prepared.run(schedule, &())).err() {
            Some(SimulationError::NotOverPages { needs, .. }) => Some(needs),
            _ => None,
        }
    };
    let sequential = Consistency::Sequential;
    assert_eq!(refused(Construct::Lock(None), sequential), Some("lock"));
    assert_eq!(refused(Construct::Atomic, sequential), Some("atomic"));
    assert_eq!(refused(Construct::Critical, sequential), None);
    assert_eq!(refused(Construct::Critical, Consistency::Lazy), Some("critical under lazy consistency"));
}
