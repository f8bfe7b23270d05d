//! Rounds of the measured phases, and more threads than processors.

use crate::builders::{MS, US, add_cache, computing, looped, machine, near, placed, try_run, workload};
use numalab_machine::{Fabric, Machine};
use numalab_simulator::RunOutcome;
use numalab_simulator::Team;
use numalab_workload::{Mode, Phase, Schedule, Workload};

const STATIC: Schedule = Schedule::Static { chunk: None };

fn run(machine: &Machine, processors: &[u32], workload: &Workload) -> RunOutcome {
    let fabric = Fabric::new(machine).expect("a sound machine");
    let team = Team::on(&fabric, processors.iter().copied());
    try_run(machine, &fabric, &team, workload, STATIC, (0, 0)).expect("it fits")
}

fn named(name: &str, phase: Phase) -> Phase {
    Phase { name: name.to_owned(), ..phase }
}

/// A phase of 2 us and a phase of 3 us that is repeated twice, in three rounds: one sum for each phase, over all
/// rounds. An unmeasured phase is executed once and does not count.
#[test]
fn rounds_repeat_all_measured_phases() {
    let before = Phase { measured: false, ..named("before", computing(&[9000.0])) };
    let first = named("first", computing(&[2000.0]));
    let second = Phase { repeat: 2, ..named("second", computing(&[3000.0])) };
    let mut work = workload(&[before, first, second]);
    work.rounds = 3;
    let run = run(&machine("core:1"), &[0], &work);
    assert_eq!(run.makespan_ps, 24 * US);
    let phases: Vec<_> = run.phases.iter().map(|phase| (phase.name.as_str(), phase.time_ps)).collect();
    assert_eq!(phases, [("first", 6 * US), ("second", 18 * US)]);
    assert_eq!(run.team[0].iterations, 9);
}

/// Law: Some measured phases run once, before or after all rounds.
///
/// Phases of 5 us (once), 2 us (in each of three rounds), and 7 us (once) take 18 us, all of it measured.
#[test]
fn some_measured_phases_run_once() {
    let once = |name, cost| Phase { once: true, ..named(name, computing(&[cost])) };
    let mut work =
        workload(&[once("first", 5000.0), named("again", computing(&[2000.0])), once("last", 7000.0)]);
    work.rounds = 3;
    let run = run(&machine("core:1"), &[0], &work);
    assert_eq!(run.makespan_ps, 18 * US);
    let phases: Vec<_> = run.phases.iter().map(|phase| (phase.name.as_str(), phase.time_ps)).collect();
    assert_eq!(phases, [("first", 5 * US), ("again", 6 * US), ("last", 7 * US)]);
    assert_eq!(run.team[0].iterations, 5);
}

/// Two phases alternate. `a` fits the cache and would stay there if it were repeated by itself, but `b`, of twice the
/// cache's size, evicts it in every round. 640 kB and 2560 kB at 6.4 GB/s, three times.
#[test]
fn phases_of_a_round_come_one_after_the_other() {
    let mut machine = machine("core:1");
    add_cache(&mut machine, 1 << 20, 1, 10, 32e9);
    let (a, b) = (looped(Mode::Read, &[0, 640_000]), looped(Mode::Read, &[640_000, 3_200_000]));
    let mut work = workload(&[named("a", a.clone()), named("b", b.clone())]);
    work.rounds = 3;
    let turns = run(&machine, &[0], &work);
    assert_eq!(turns.cached_bytes, 0);
    near(turns.makespan_ps, 3 * 500 * US);
    let each = workload(&[Phase { repeat: 3, ..named("a", a) }, Phase { repeat: 3, ..named("b", b) }]);
    assert_eq!(run(&machine, &[0], &each).cached_bytes, 2 * 640_000);
}

/// Threads on one processor share its time: with two, 1000 instructions take 2 us, with three 3 us; a
/// thread on the next core takes 1 us.
#[test]
fn a_shared_processor_computes_for_each_in_turn() {
    let on = |processors: &[u32]| {
        let work = workload(&[computing(&vec![1000.0; processors.len()])]);
        run(&machine("core:2"), processors, &work)
    };
    assert_eq!(on(&[0]).makespan_ps, US);
    assert_eq!(on(&[0, 0]).makespan_ps, 2 * US);
    assert_eq!(on(&[1, 1, 1]).makespan_ps, 3 * US);
    let mixed = on(&[0, 0, 1]);
    let times: Vec<_> = mixed.team.iter().map(|member| (member.compute_ps, member.idle_ps)).collect();
    assert_eq!(times, [(2 * US, 0), (2 * US, 0), (US, US)]);
    // A thread that is not scheduled is not working: alone, its work takes 1 us.
    assert_eq!(mixed.ideal_work_ps, 3 * US);
}

/// Threads on one processor share the core's lines in flight, too: two threads read at 3.2 GB/s each, 6.4 MB in 1 ms;
/// a lone thread also reads them in 1 ms.
#[test]
fn a_shared_processor_streams_no_faster() {
    let parts = |count: u64| (0..=count).map(|part| 6_400_000 * part / count).collect::<Vec<_>>();
    for threads in [1, 2, 4] {
        let bounds = parts(threads);
        let work = workload(&[placed(&bounds), looped(Mode::Read, &bounds)]);
        near(run(&machine("core:2"), &vec![0; threads as usize], &work).makespan_ps, MS);
    }
}
