//! Several constructs in one region. Regions and barriers are free unless a test says otherwise; a line takes 100 ns.

use crate::builders::{MB, NS, computing, iterations, looped, machine, times, try_under, workload};
use crate::hand::regions::tree;
use numalab_base::Span;
use numalab_machine::Fabric;
use numalab_runtime::Profile;
use numalab_runtime::profile::Worksharing;
use numalab_simulator::{RunOutcome, Team};
use numalab_workload::{Construct, Mode, Phase, Schedule};

const NOWAIT: Construct = Construct::For { nowait: true };
const BARRIER: Construct = Construct::For { nowait: false };

/// Phase that is the construct `name` of a region.
fn part(name: &str, construct: Construct, instructions: &[f64]) -> Phase {
    Phase { name: name.to_owned(), construct, ..computing(instructions) }
}

/// The phases in one region.
fn region(phases: Vec<Phase>) -> Vec<Phase> {
    (0..).zip(phases).map(|(place, phase)| Phase { continues: place > 0, ..phase }).collect()
}

/// Outcome on two threads of a machine.
fn run(runtime: &Profile, spec: &str, phases: Vec<Phase>) -> RunOutcome {
    let machine = machine(spec);
    let fabric = Fabric::new(&machine).expect("a sound machine");
    let team = Team::close(&fabric, 2);
    let policy = Schedule::Static { chunk: None };
    try_under(runtime, &machine, &fabric, &team, &workload(&phases), policy, (0, 0)).expect("it fits")
}

fn free(phases: Vec<Phase>) -> RunOutcome {
    run(&Profile::free(), "core:2", phases)
}

/// Time of each phase in nanoseconds.
fn parts(run: &RunOutcome) -> Vec<(&str, u64)> {
    run.phases.iter().map(|phase| (phase.name.as_str(), phase.time_ps / NS)).collect()
}

/// A region costs 1600 ns and each loop 100 ns, as in `loops_open_once_or_every_time`. Ten loops in one region take as
/// long as one loop ten times; each in a region of its own takes 1700 ns.
#[test]
fn ten_loops_share_the_cost_of_a_region() {
    let ten =
        || (0..10).map(|number| part(&format!("loop{number}"), NOWAIT, &[100.0; 2])).collect::<Vec<_>>();
    let sockets = |phases| run(&tree(), "socket:2 core:1", phases);
    let together = sockets(region(ten()));
    assert_eq!(together.makespan_ps, (1600 + 10 * 100) * NS);
    let once = sockets(vec![Phase { times: 10, ..part("loop", NOWAIT, &[100.0; 2]) }]);
    assert_eq!((once.makespan_ps, once.transactions), (together.makespan_ps, together.transactions));
    assert_eq!(times(&once), times(&together));
    let apart = sockets(
        ten().into_iter().map(|phase| Phase { construct: Construct::ParallelFor, ..phase }).collect(),
    );
    assert_eq!(apart.makespan_ps, 10 * 1700 * NS);
    // Thread 0 enters at 1100, thread 1 at 1300. The region ends at 1100 + 1500.
    let last = together.phases.last().map(|phase| phase.time_ps / NS);
    assert_eq!((parts(&together)[0], last), (("loop0", 1300 + 100), Some(100 + 300)));
    assert_eq!(together.phases.iter().map(|phase| phase.time_ps).sum::<u64>(), together.makespan_ps);
}

/// Loops with barriers: ten in a region take as long as one loop with its barrier ten times.
#[test]
fn equal_loops_with_barriers_are_one_loop_repeated() {
    let sockets = |phases| run(&tree(), "socket:2 core:1", phases);
    let ten = (0..10).map(|number| part(&format!("loop{number}"), BARRIER, &[100.0; 2])).collect();
    let together = sockets(region(ten));
    let once = sockets(vec![Phase { times: 10, ..part("loop", BARRIER, &[100.0; 2]) }]);
    assert_eq!((together.makespan_ps, together.transactions), (once.makespan_ps, once.transactions));
}

/// Thread 0 has the work of the first loop, thread 1 that of the second. Without a barrier both work at the same time;
/// the first loop is over at 1000, when thread 0 leaves it, and the second takes no more time.
#[test]
fn different_loops_overlap_without_a_barrier() {
    let both = |construct| {
        region(vec![part("one", construct, &[1000.0, 0.0]), part("other", NOWAIT, &[0.0, 1000.0])])
    };
    let (overlapped, apart) = (free(both(NOWAIT)), free(both(BARRIER)));
    assert_eq!(parts(&overlapped), [("one", 1000), ("other", 0)]);
    assert_eq!(times(&overlapped), [(0, 1000, 0); 2]);
    assert_eq!(parts(&apart), [("one", 1000), ("other", 1000)]);
    assert_eq!(times(&apart), [(0, 1000, 1000); 2]);
}

/// Thread 0 claims the `single` construct at 100 and executes it until 1100; thread 1 learns at 200 that its claim has
/// failed. Without a barrier it executes its 500 ns of the loop at once, otherwise from 1100 on.
#[test]
fn single_without_a_barrier_lets_others_go_on() {
    let first = |nowait| {
        let single = part("swap", Construct::Single { nowait }, &[1000.0, 1000.0]);
        free(region(vec![single, part("next", NOWAIT, &[0.0, 500.0])]))
    };
    assert_eq!((first(true).makespan_ps, first(false).makespan_ps), (1100 * NS, 1600 * NS));
    assert_eq!(times(&first(true)), [(100, 1000, 0), (200, 500, 400)]);
    assert_eq!(iterations(&first(true)), [2, 1]);
}

/// The first thread executes a `master` construct without asking, and no thread waits for it.
#[test]
fn only_the_first_thread_is_master() {
    let run = free(region(vec![
        part("master", Construct::Master, &[1000.0, 5000.0]),
        part("all", Construct::Parallel, &[10.0, 20.0]),
    ]));
    assert_eq!(times(&run), [(0, 1010, 0), (0, 20, 990)]);
    assert_eq!((run.makespan_ps, run.transactions), (1010 * NS, 0));
}

/// Three sections of 1000 ns. From a shared counter thread 0 takes the first at 100 and thread 1 the second at 200;
/// thread 0 asks again at 1100, takes the third at 1200, and learns at 2300 that none is left. If the compiler deals the
/// sections out, thread 0 has two of them.
#[test]
fn the_runtime_deals_out_sections() {
    let took = |static_sections| {
        let runtime = Profile {
            worksharing: Worksharing { static_sections, ..Worksharing::default() },
            ..Profile::free()
        };
        let sections = part("sections", Construct::Sections { nowait: true }, &[1000.0; 3]);
        let run = run(&runtime, "core:2", vec![sections]);
        (run.makespan_ps / NS, iterations(&run))
    };
    assert_eq!(took(false), (2300, vec![2, 1]));
    assert_eq!(took(true), (2000, vec![2, 1]));
}

/// Bytes belong to the loop that reads them, also where a thread is in the second loop before the first is over. A
/// region three times takes three times as long as once.
#[test]
fn bytes_belong_to_their_loop() {
    let loops = |repeat| {
        let one = Phase {
            name: "one".to_owned(),
            repeat,
            construct: NOWAIT,
            ..looped(Mode::Read, &[0, MB, 4 * MB])
        };
        let other = Phase { name: "other".to_owned(), ..looped(Mode::Read, &[0, 2 * MB, 3 * MB]) };
        region(vec![one.clone(), Phase { repeat, construct: NOWAIT, ..other }])
    };
    let (once, thrice) = (free(loops(1)), free(loops(3)));
    let bytes = |run: &RunOutcome| run.phases.iter().map(|phase| phase.bytes / MB).collect::<Vec<_>>();
    assert_eq!((bytes(&once), bytes(&thrice)), (vec![4, 3], vec![12, 9]));
    let within = |one: u64, other: u64| one.abs_diff(other) < one / 1000;
    assert!(within(3 * once.makespan_ps, thrice.makespan_ps), "{} {}", once.makespan_ps, thrice.makespan_ps);
}

/// Both constructs twice: a region of 1600 ns without work, and 2 · (100 + 200) ns.
#[test]
fn constructs_of_a_region_go_round() {
    let twice = |phase| Phase { times: 2, ..phase };
    let parts = region(vec![
        twice(part("one", Construct::Parallel, &[100.0; 2])),
        twice(part("other", NOWAIT, &[200.0; 2])),
    ]);
    let run = run(&tree(), "socket:2 core:1", parts);
    assert_eq!(run.makespan_ps, (1600 + 2 * 300) * NS);
    assert_eq!(iterations(&run), [4, 4]);
}

/// A second runtime's costs appear in the construct in which they arise: 20 ns for `single`, 70 for a loop.
#[test]
fn calls_belong_to_their_construct() {
    let worksharing =
        Worksharing { static_loop: Span(70 * NS), single: Span(20 * NS), ..Worksharing::default() };
    let runtime = Profile { worksharing, ..Profile::free() };
    let phases = region(vec![
        part("single", Construct::Single { nowait: true }, &[0.0; 2]),
        part("loop", NOWAIT, &[10.0; 2]),
    ]);
    let run = run(&runtime, "core:2", phases);
    // Thread 1 has its claim back at 220, and computes from 290 to 300.
    assert_eq!(parts(&run), [("single", 220), ("loop", 80)]);
}
