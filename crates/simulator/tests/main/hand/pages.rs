//! First touch: its cost, and the nodes of pages.

use crate::builders::{PAGE, US, looped, machine, near, placed, run_on, try_run, workload};
use numalab_base::{Bytes, Span};
use numalab_machine::{Edge, Fabric, Interconnect, LinkId, Machine, Shape};
use numalab_memory::MemoryFull;
use numalab_simulator::{SimulationError, Team};
use numalab_workload::Mode;

/// 100 pages of 4096 bytes, 2 us each: 200 us of overhead, then 409 600 B at 6.4 GB/s in 64 us. The second repetition
/// takes only the 64 us.
#[test]
fn first_touch_pays_for_its_faults() {
    let mut machine = machine("core:1");
    machine.os.page_fault = Span(2 * US);
    let mut phase = looped(Mode::Read, &[0, 100 * PAGE]);
    near(run_on(&machine, 1, "static", &[phase.clone()]).makespan_ps, 264 * US);
    phase.repeat = 2;
    let run = run_on(&machine, 1, "static", &[phase]);
    near(run.makespan_ps, 328 * US);
    assert_eq!(run.team[0].overhead_ps, 200 * US);
}

/// A page belongs to the thread that runs its first iteration. The border at 1.5 pages cuts a page, which belongs to
/// thread 0, since thread 0 begins first. Thread 1 pays for one page only.
#[test]
fn a_page_belongs_to_its_first_toucher() {
    let mut machine = machine("socket:2 core:1");
    machine.os.page_fault = Span(2 * US);
    let run = run_on(&machine, 2, "static", &[looped(Mode::Read, &[0, PAGE * 3 / 2, PAGE * 3])]);
    near(run.team[0].overhead_ps, 4 * US);
    near(run.team[1].overhead_ps, 2 * US);
    assert_eq!(run.team[1].bytes_by_node.get(0), PAGE / 2);
    assert_eq!(run.team[1].bytes_by_node.get(1), PAGE);
}

/// Sockets on a line 0 - 1 - 2 - 3 with room for four pages each.
fn line() -> Machine {
    let mut machine = machine("socket:4 core:1");
    let edge = |from| Edge { from, to: from + 1, link: LinkId(0) };
    machine.levels[0].interconnect =
        Some(Interconnect { shape: Shape::Edges((0..3).map(edge).collect()), link: LinkId(0) });
    machine.memory.capacity = Bytes(4 * PAGE);
    machine
}

/// A thread on socket 1 touches 10 pages: 4 stay, 4 go to socket 2 (as near as socket 0, and Linux takes
/// the higher number first), 2 to socket 0.
#[test]
fn a_full_node_spills_to_the_nearest() {
    let bounds = [0, 0, 10 * PAGE];
    let run = run_on(&line(), 2, "static", &[placed(&bounds), looped(Mode::Read, &bounds)]);
    let homes: Vec<_> = run.team[1].bytes_by_node.iter().collect();
    assert_eq!(homes, [(0, 2 * PAGE), (1, 4 * PAGE), (2, 4 * PAGE)]);
}

/// 16 pages fit exactly; of 18 pages, two do not fit.
#[test]
fn a_machine_can_be_full() {
    let machine = line();
    let fabric = Fabric::new(&machine).unwrap();
    let team = Team::close(&fabric, 2);
    let touch = |pages| {
        let mut phase = looped(Mode::Read, &[0, pages * PAGE]);
        phase.name = "build".to_owned();
        try_run(&machine, &fabric, &team, &workload(&[phase]), "dynamic".parse().unwrap(), (0, 0))
    };
    assert!(touch(16).is_ok());
    let error = touch(18).unwrap_err();
    let full = MemoryFull { pages: 2 };
    assert_eq!(error, SimulationError::MemoryFull { phase: "build".to_owned(), full });
    assert_eq!(
        error.to_string(),
        "phase \"build\": the memory that may hold its data is full with 2 pages still to be placed"
    );
}

/// 2^50 bytes at 1 us of computing each take 36 years.
#[test]
fn the_clock_can_run_out() {
    let mut machine = machine("core:1");
    machine.memory.capacity = Bytes(1 << 50);
    machine.memory.page = Bytes(1 << 30);
    let fabric = Fabric::new(&machine).unwrap();
    let team = Team::close(&fabric, 1);
    let mut phase = looped(Mode::Read, &[0, 1 << 50]);
    phase.instructions_per_byte = 1e3;
    let error = try_run(&machine, &fabric, &team, &workload(&[phase]), "static".parse().unwrap(), (0, 0))
        .unwrap_err();
    assert_eq!(error.to_string(), "phase \"loop\" takes more than 50 days of simulated time");
}
