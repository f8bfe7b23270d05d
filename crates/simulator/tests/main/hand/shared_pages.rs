//! Memory that two boards of one core share by pages. A page fault takes 28 us, a daemon serves a message in 17 us
//! and a message with a page in 53 us, a waiting thread wakes in 21 us. Links have a latency of 64 us and carry 90
//! MB/s: 0.711112 us for a header of 64 bytes, 46.222223 us for a page with its header.

use crate::builders::{NS, PAGE, US, computing, looped, machine, placed, run_on, setup, workload};
use numalab_base::{Bandwidth, Bytes, Span};
use numalab_machine::{Consistency, Daemon, Dsm, Fabric, Machine, Technique};
use numalab_runtime::Profile;
use numalab_simulator::{
    MessageKind, Observer, PageFaults, Part, RunOutcome, SimulationError, Team, observe, prepare,
};
use numalab_workload::{Access, Construct, Context, Mode, Phase, RegionId, Schedule, Slice, Workload};

pub(super) const HEADER: u64 = 711_112;
pub(super) const WITH_PAGE: u64 = 46_222_223;

pub(super) fn boards(count: u32) -> Machine {
    let mut machine = machine(&format!("board:{count} core:1"));
    machine.dsm = Some(Dsm::default());
    for link in &mut machine.links {
        link.latency = Span(64 * US);
        link.bandwidth = Bandwidth(90e6);
    }
    machine
}

/// Thread 0 has written a page, thread 1 reads it. Thread 1 learns of the region after 64 + 17 us and a header, and
/// wakes in 21 us. Its read stops it for 28 + (64 + 17) + (64 + 53) + 21 us, a header and a page; it streams 4096
/// bytes at 6.4 GB/s in 640 ns. The message of its arrival takes 64 + 17 us and a header, and thread 0 wakes.
#[test]
fn a_read_stops_for_a_page() {
    let run = run_on(&boards(2), 2, "static", &[placed(&[0, PAGE, PAGE]), looped(Mode::Read, &[0, 0, PAGE])]);
    let stop = 247 * US + HEADER + WITH_PAGE;
    assert_eq!(run.makespan_ps, 2 * (81 * US + HEADER + 21 * US) + stop + 640 * NS);
    let faults = run.phases[0].page_faults;
    assert_eq!((faults.read, faults.write, faults.upgrade), (1, 0, 0));
    let pages = run.pages.unwrap();
    assert_eq!((pages.stops[0].total(), pages.stops[1].total()), (Span::ZERO, Span(stop)));
    assert_eq!(pages.stops[1].0[Part::Trap as usize], Span(28 * US));
    assert_eq!(run.team[1].stall_ps, stop + 640 * NS);
}

/// Law: A daemon takes time from the thread that computes on its processor.
///
/// Thread 1 reads a page of thread 0, which computes for 1000 us meanwhile. The daemon of node 0 serves the request
/// and the message of arrival at the join, 17 us each. Without a processor of its own the daemon lengthens the
/// computing of thread 0 by as much. All other messages are served while the thread on the daemon's node is stopped
/// or waits, at no thread's cost.
#[test]
fn a_daemon_takes_the_time_of_who_computes() {
    let run = |daemon| {
        let mut machine = boards(2);
        machine.dsm = Some(Dsm { daemon, ..Dsm::default() });
        let work = Phase { instructions: vec![1e6, 0.0].into(), ..looped(Mode::Read, &[0, 0, PAGE]) };
        run_on(&machine, 2, "static", &[placed(&[0, PAGE, PAGE]), work])
    };
    let (own, shared) = (run(Daemon::Own), run(Daemon::Shared));
    assert_eq!(shared.team[0].compute_ps, own.team[0].compute_ps);
    assert_eq!(shared.team[0].overhead_ps, own.team[0].overhead_ps + 34 * US);
    assert_eq!(shared.team[1].stall_ps, own.team[1].stall_ps);
    assert_eq!(shared.makespan_ps, own.makespan_ps + 34 * US);
}

/// Two messages of 4096 bytes go to the other node and back, one at a time: twice 64 + 17 us, a header and a page in
/// each direction; then the first thread wakes. Without another node that shares memory by pages there is no
/// receiver.
#[test]
fn messages_go_to_other_nodes_and_come_back() {
    let construct = Construct::Echo { size: Bytes(4096), in_flight: 1, count: 2 };
    let phase = Phase { construct, ..computing(&[0.0; 2]) };
    let run = run_on(&boards(2), 2, "static", std::slice::from_ref(&phase));
    assert_eq!(run.makespan_ps, 4 * (81 * US + WITH_PAGE) + 21 * US);
    let sent = |node: usize| run.pages.as_ref().unwrap().nodes[node].messages[MessageKind::Echo as usize];
    assert_eq!((sent(0), sent(1)), (2, 2));
    for (machine, threads) in [(boards(2), 1), (Machine { dsm: None, ..boards(2) }, 2)] {
        let fabric = Fabric::new(&machine).unwrap();
        let (team, workload, runtime) =
            (Team::close(&fabric, threads), workload(std::slice::from_ref(&phase)), Profile::free());
        let setup = setup((&machine, &fabric), (&workload, &runtime), &team);
        let error = prepare(&setup, &())
            .and_then(|prepared| prepared.run(Schedule::Static { chunk: None }, &()))
            .err();
        assert!(matches!(error, Some(SimulationError::NoPeerNode { .. })), "{error:?}");
    }
}

/// Steps of a pipeline whose flags are in a page. Thread 1 learns of the region at 102 us and a header, and requests
/// the page of flags at once. So thread 0, which has computed for 1000 us, only has a copy of the page: it reads the
/// flag and requests ownership, 28 + 2 * (64 + 17) + 21 us, and so on. Asserted: thread 1's first step follows thread
/// 0's first, no step is lost, the page moves at least once for each toggle of a flag, and steps overlap.
#[test]
fn flags_of_a_pipeline_are_in_a_page() {
    let body = 1000.0 * 1000.0;
    let pipeline = |descending| Phase {
        construct: Construct::Pipeline { steps: 4, descending },
        ..computing(&[body; 8])
    };
    let [up, down] = [false, true].map(|descending| run_on(&boards(2), 2, "static", &[pipeline(descending)]));
    // Under lazy consistency a turn of a flag is a message, and no page moves.
    for consistency in [Consistency::Lazy, Consistency::HomeBased] {
        let mut machine = boards(2);
        machine.dsm = Some(Dsm { consistency, ..Dsm::default() });
        for (descending, paged) in [(false, &up), (true, &down)] {
            let run = run_on(&machine, 2, "static", &[pipeline(descending)]);
            assert_eq!(run.team.iter().map(|member| member.iterations).collect::<Vec<_>>(), [4, 4]);
            assert!((5000 * US..paged.makespan_ps).contains(&run.makespan_ps), "{}", run.makespan_ps);
            assert_eq!(run.phases[0].page_faults, PageFaults::default());
        }
    }
    for run in [&up, &down] {
        assert_eq!(run.team.iter().map(|member| member.iterations).collect::<Vec<_>>(), [4, 4]);
        // 4 + 1 bodies one after another at least, fewer than 8.
        assert!((5000 * US..8000 * US).contains(&run.makespan_ps), "{}", run.makespan_ps);
        let faults = run.phases[0].page_faults;
        // Each flag is raised and lowered four times, and the other looks at it between two turns.
        assert!(faults.write + faults.upgrade >= 7 && faults.read >= 6, "{faults:?}");
    }
    assert!(up.team[0].overhead_ps < up.team[1].overhead_ps);
    assert!(down.team[1].overhead_ps < down.team[0].overhead_ps + 200 * US);
}

/// Ten iterations of a quarter of a page. `static` cuts the loop at iteration 5, inside the page of iterations 4 to
/// 7, which then moves between the nodes in every repetition. Of the iterations 0, 4 and 8, where pages begin, 4 is
/// nearest to 5. If the loop is cut at 4, no page has two writers, and after training no thread faults.
#[test]
fn aligned_loops_are_cut_where_pages_begin() {
    let bounds: Vec<u64> = (0..=10).map(|at| at * PAGE / 4).collect();
    let run = |policy: &str, repeat: u32| {
        let update = Phase { instructions: [1e7; 10].into(), ..looped(Mode::Update, &bounds) };
        run_on(&boards(2), 2, policy, &[placed(&bounds), Phase { repeat, ..update }])
    };
    let faults = |run: &RunOutcome| {
        let faults = run.phases[0].page_faults;
        faults.read + faults.write + faults.upgrade
    };
    let [few, many] = [20, 40].map(|repeat| [run("static", repeat), run("align", repeat)]);
    assert!(faults(&many[0]) >= faults(&few[0]) + 20);
    assert_eq!(faults(&many[1]), faults(&few[1]));
    // Aligned loops take longer: one thread has six iterations of 4 ms or more where `static` has five, and the
    // faults that are avoided take less time than that.
    assert!(many[1].makespan_ps > many[0].makespan_ps);
    // In the two rounds of the first training both threads have five iterations, as under `static`.
    let shares: Vec<u64> = few[1].team.iter().map(|member| member.iterations).collect();
    assert_eq!(shares, [2 * 5 + 18 * 4, 2 * 5 + 18 * 6]);
    // On one node no page is shared.
    let alone = ["static", "align"].map(|policy| {
        run_on(&boards(2), 1, policy, &[placed(&bounds), looped(Mode::Update, &bounds)]).makespan_ps
    });
    assert_eq!(alone[0], alone[1]);
}

/// Two threads write halves of one page, in twenty rounds. If only one node may write at a time, thread 0 reads the
/// page, which thread 1 wrote last, 247 us, and requests the right to write, 211 us; thread 1 still has the page when
/// it learns of the round. If both nodes may write, each fetches the bytes that the other wrote, 228 us for half of a
/// page, and makes a twin, 32 us, at the same time.
#[test]
fn several_writers_win_where_they_share_a_page() {
    let bounds = [0, PAGE / 2, PAGE];
    let took = |consistency| {
        let mut machine = boards(2);
        machine.dsm = Some(Dsm { consistency, ..Dsm::default() });
        let update = Phase { repeat: 20, ..looped(Mode::Update, &bounds) };
        run_on(&machine, 2, "static", &[placed(&bounds), update])
    };
    let [one, lazy, at_home] = [Consistency::Sequential, Consistency::Lazy, Consistency::HomeBased].map(took);
    assert!(one.makespan_ps > 20 * 458 * US, "{}", one.makespan_ps);
    for several in [&lazy, &at_home] {
        assert!(several.makespan_ps * 10 < one.makespan_ps * 9, "{}", several.makespan_ps);
    }
}

/// A loop writes three shares of pages and another loop reads them shifted, twice in a round. Pages of a loop without
/// a context are neither learned nor sent ahead. If two loops share one context, they learn together, so that pages
/// are sent ahead to the second loop in the same round. If each loop has its own context, pages are sent ahead only
/// in the next round.
#[test]
fn loops_learn_as_the_places_that_they_are() {
    let bounds = [0, 3 * PAGE, 7 * PAGE, 9 * PAGE];
    let shifted = [0, 4 * PAGE, 5 * PAGE, 9 * PAGE];
    let run = |technique, contexts: [Option<Context>; 4]| {
        let mut machine = boards(3);
        machine.dsm = Some(Dsm { technique, ..Dsm::default() });
        let [write, read] =
            [(Mode::Write, bounds), (Mode::Read, shifted)].map(|(mode, at)| looped(mode, &at));
        let loops = [write.clone(), read.clone(), write, read];
        let loops = loops.into_iter().zip(contexts).map(|(phase, context)| Phase { context, ..phase });
        let phases: Vec<Phase> = [placed(&bounds)].into_iter().chain(loops).collect();
        let run = run_on(&machine, 3, "static", &phases);
        let ahead: u64 = run.pages.iter().flat_map(|pages| &pages.nodes).map(|node| node.ahead).sum();
        (run.makespan_ps, ahead)
    };
    let (presend, none) = (Technique::Presend, Some(Context::None));
    assert_eq!(run(presend, [none; 4]), run(Technique::None, [None; 4]));
    let apart = run(presend, [None; 4]);
    let together = run(presend, [None, None, Some(Context::Of(1)), Some(Context::Of(2))]);
    assert_eq!(apart.1, 0, "nothing is known of what follows before it has run");
    assert!(together.1 > 0 && together.0 < apart.0, "{together:?} {apart:?}");
}

struct Looks;

impl Observer for Looks {}

/// Law: Rounds over shared pages are counted while pages are in flight.
///
/// Counted rounds give the same result as simulated rounds. With an observer all rounds are simulated.
#[test]
fn rounds_over_pages_that_come_back_are_counted() {
    let sequential = Technique::ALL.map(|technique| (technique, Consistency::Sequential));
    let lazy = [Consistency::Lazy, Consistency::HomeBased].map(|consistency| (Technique::None, consistency));
    // `align` learns in the first rounds, which are simulated.
    let aligned = Technique::ALL.map(|technique| (technique, Consistency::Sequential, Schedule::Align));
    let fixed = sequential.into_iter().chain(lazy);
    let fixed =
        fixed.map(|(technique, consistency)| (technique, consistency, Schedule::Static { chunk: None }));
    let fixed = fixed
        .chain(aligned)
        .map(|(technique, consistency, schedule)| (technique, consistency, schedule, None));
    let moving = (Technique::None, Consistency::Sequential, Schedule::Static { chunk: None }, Some(2));
    for (technique, consistency, schedule, migrate) in fixed.chain([moving]) {
        let mut machine = boards(3);
        machine.dsm = Some(Dsm { technique, consistency, migrate, ..Dsm::default() });
        let bounds = [0, 3 * PAGE, 7 * PAGE + 8, 9 * PAGE];
        let shifted = [0, 4 * PAGE, 5 * PAGE, 9 * PAGE];
        let phases = [placed(&bounds), looped(Mode::Update, &bounds), looped(Mode::Read, &shifted)];
        let workload = Workload { rounds: 60, ..workload(&phases) };
        let fabric = Fabric::new(&machine).unwrap();
        let (team, runtime) = (Team::close(&fabric, 3), Profile::free());
        let setup = setup((&machine, &fabric), (&workload, &runtime), &team);
        let counted: RunOutcome = prepare(&setup, &()).unwrap().run(schedule, &()).unwrap();
        let simulated = observe(&setup, schedule, &(), &mut Looks).unwrap();
        assert_eq!(counted.makespan_ps, simulated.makespan_ps, "{technique}");
        assert_eq!(counted.pages, simulated.pages, "{technique}");
        // The page that is cut at byte 7 * PAGE + 8 is written by two nodes. The loops have the same name, so they
        // are one phase.
        let several: Vec<u64> = counted.phases.iter().map(|phase| phase.sharing.written_by_several).collect();
        assert!(several == [1] || schedule == Schedule::Align, "{technique} {several:?}");
        let diffs: u64 = counted.pages.iter().flat_map(|pages| &pages.nodes).map(|node| node.diffs).sum();
        assert_eq!(diffs > 0, consistency != Consistency::Sequential);
        let stops = |run: &RunOutcome| {
            let nodes = run.phases.iter().flat_map(|phase| &phase.sharing.nodes);
            nodes.fold(Span::ZERO, |sum, node| sum + Span(node.stop_ps))
        };
        let all =
            counted.pages.as_ref().unwrap().stops.iter().fold(Span::ZERO, |sum, stop| sum + stop.total());
        assert_eq!(stops(&counted), all, "{technique}");
        assert_eq!((counted.team, counted.phases), (simulated.team, simulated.phases), "{technique}");
        // Pages that are sent ahead are still under way when a round ends, and the next round begins with them.
        let few = counted.engine.solver_visits < simulated.engine.solver_visits / 2;
        assert!(few, "{technique} {consistency}");
    }
}

/// Two workers of each node read four pages in sections of different numbers, in a loop that is chopped at the
/// iterations 0, 15 and 30 and executed twice. The loop ends. In the first execution each node's two own pages are
/// marked once, and the point at iteration 15 marks all four pages of node 0 again; the other points are passed before
/// the pages are used.
#[test]
fn chopped_loops_with_several_workers_on_a_node_end() {
    let mut machine = boards(2);
    machine.levels[1].count = 2;
    machine.dsm = Some(Dsm { technique: Technique::Chopper, ..Dsm::default() });
    let reads = Access::new(RegionId(0), Slice::Whole(4 * PAGE), Mode::Read);
    let chopped = Phase {
        accesses: vec![reads],
        instructions: vec![1e4; 40].into(),
        vsp: Some(15),
        repeat: 2,
        ..Phase::new("chopped", 40)
    };
    let run = run_on(&machine, 4, "static", &[placed(&[0, PAGE, 2 * PAGE, 3 * PAGE, 4 * PAGE]), chopped]);
    let marked: Vec<u64> = run.pages.unwrap().nodes.iter().map(|node| node.marked_faults).collect();
    assert_eq!(marked, [2 + 4, 2]);
}
