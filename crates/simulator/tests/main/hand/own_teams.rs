//! Phases with teams of their own: other threads than the run's, or the same threads on other processors.

use crate::builders::{MB, NS, PAGE, US, computing, looped, machine, near, placed, setup, times, workload};
use numalab_base::Span;
use numalab_machine::{Fabric, Machine};
use numalab_runtime::Profile;
use numalab_runtime::profile::{BarrierKind, BarrierProfile, Fork};
use numalab_simulator::{RunOutcome, Team, prepare};
use numalab_workload::{BindingText, Construct, Mode, Phase, RegionTeam, Schedule};

/// `phase` with a team of its own, on `processors`.
fn on(processors: impl IntoIterator<Item = u32>, phase: Phase) -> Phase {
    let processors: Vec<u32> = processors.into_iter().collect();
    let threads = processors.len() as u32;
    Phase {
        team: Some(RegionTeam { threads, binding: BindingText::default(), processors: processors.into() }),
        ..phase
    }
}

/// Outcome of `rounds` rounds of the phases, with the run's own team on the processors `all`.
fn run(runtime: &Profile, machine: &Machine, all: &[u32], rounds: u32, phases: &[Phase]) -> RunOutcome {
    let fabric = Fabric::new(machine).expect("a sound machine");
    let team = Team::on(&fabric, all.iter().copied());
    let workload = numalab_workload::Workload { rounds, ..workload(phases) };
    let setup = setup((machine, &fabric), (&workload, runtime), &team);
    prepare(&setup, &())
        .and_then(|ready| ready.run_last(Schedule::Static { chunk: None }, &()))
        .expect("it fits")
}

/// Two sockets of eight cores. Eight threads, four on each socket, read 2500 pages each, 10.24 MB. Four threads of
/// the first socket touched all pages. The link brings 2 GB/s to the other socket, 0.5 GB/s to each of its threads,
/// which read for 20.48 ms. The memory has 8 GB/s left, 2 GB/s for each thread on its own socket; these threads read
/// for 5.12 ms and wait for 15.36 ms. If the readers touch the pages themselves, each has 2.5 GB/s and reads for
/// 4.096 ms.
#[test]
fn a_small_team_touches_what_a_spread_one_reads() {
    let machine = machine("socket:2 core:8");
    let all = [0, 1, 2, 3, 8, 9, 10, 11];
    let halves: Vec<u64> = (0..=4).map(|part| part * 5000 * PAGE).collect();
    let parts: Vec<u64> = (0..=8).map(|part| part * 2500 * PAGE).collect();
    let read = looped(Mode::Read, &parts);
    let far = run(&Profile::free(), &machine, &all, 1, &[on(0..4, placed(&halves)), read.clone()]);
    near(far.makespan_ps, 20_480 * US);
    assert_eq!((far.bytes_by_level.node, far.bytes_by_level.machine), (10_000 * PAGE, 10_000 * PAGE));
    for (thread, member) in far.team.iter().enumerate() {
        near(member.idle_ps, if thread < 4 { 15_360 * US } else { 0 });
    }
    let near_by = run(&Profile::free(), &machine, &all, 1, &[placed(&parts), read]);
    near(near_by.makespan_ps, 4096 * US);
}

/// A measured loop of two threads on the other socket, in a run of four threads on the first socket. The bytes that
/// the two threads touched themselves are local, whatever nodes the run's own threads are on. The two threads of the
/// run that are not in this team are idle.
#[test]
fn who_is_left_out_is_idle() {
    let machine = machine("socket:2 core:4");
    let parts = [0, 32 * MB, 64 * MB];
    let (touch, read) = (on([4, 5], placed(&parts)), on([4, 5], looped(Mode::Read, &parts)));
    let run = run(&Profile::free(), &machine, &[0, 1, 2, 3], 1, &[touch, read]);
    // 32 MB at 5 GB/s: half of the memory's 10.
    let took = 6_400_000 * NS;
    near(run.makespan_ps, took);
    assert_eq!((run.bytes_by_level.node, run.bytes_by_level.total()), (64 * MB, 64 * MB));
    assert_eq!(run.phases.iter().map(|phase| phase.remote_bytes).sum::<u64>(), 0);
    let idle: Vec<u64> = run.team.iter().map(|member| member.idle_ps).collect();
    assert_eq!(idle, [0, 0, run.makespan_ps, run.makespan_ps]);
}

/// Law: Teams of one phase have their own lines, and their repetitions are counted.
///
/// A region costs 1600 ns for two threads of two sockets, and six lines (see `regions`). Another team that comes next
/// has lines of its own: again six. The same team would move four lines, since it has copies of the flags.
#[test]
fn every_team_has_lines_of_its_own() {
    let machine = machine("socket:2 core:2");
    let (kind, branching) = (BarrierKind::Tree, Some(2));
    let fork = Fork { fixed: Span(1000 * NS), release: kind, branching, ..Profile::free().fork };
    let barrier = BarrierProfile { kind, branching, ..Profile::default().barrier };
    let runtime = Profile { fork, barrier, ..Profile::default() };
    let region = Phase { construct: Construct::Parallel, ..computing(&[0.0, 0.0]) };
    let once = run(&runtime, &machine, &[0, 2], 1, std::slice::from_ref(&region));
    assert_eq!((once.makespan_ps, once.transactions), (1600 * NS, 6));
    let both = run(&runtime, &machine, &[0, 2], 1, &[region.clone(), on([1, 3], region.clone())]);
    assert_eq!((both.makespan_ps, both.transactions), (2 * 1600 * NS, 2 * 6));
    // In later rounds each team finds copies of its own flags: four lines, in the same time.
    let often = run(&runtime, &machine, &[0, 2], 1000, &[region.clone(), on([1, 3], region)]);
    assert_eq!((often.makespan_ps, often.transactions), (2000 * 1600 * NS, 2 * (6 + 999 * 4)));
    assert_eq!(times(&often).len(), 2);
}

/// A phase whose own team has the processors of the run's team gives the result of a phase without its own team.
#[test]
fn the_same_places_are_the_same_team() {
    let machine = machine("socket:2 core:2");
    let loops = |own: bool| {
        let read = looped(Mode::Read, &[0, MB, 2 * MB]);
        let read = if own { on([0, 2], read) } else { read };
        run(&Profile::default(), &machine, &[0, 2], 3, &[placed(&[0, MB, 2 * MB]), read])
    };
    assert_eq!(loops(true), loops(false));
}
