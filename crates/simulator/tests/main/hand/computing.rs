//! Computing: beside streams, instead of them, and two threads on one core.

use crate::builders::{
    MB, MS, NS, US, computing, iterations, looped, machine, near, placed, run_on, setup, workload,
};
use numalab_base::Bandwidth;
use numalab_machine::{Fabric, Machine};
use numalab_runtime::Profile;
use numalab_simulator::{Progress, RunOutcome, Team, prepare};
use numalab_workload::{Mode, Phase, Schedule};
use std::sync::Mutex;

/// Computing for 1 / 6.4 ns on each byte, as long as memory takes to deliver it: 1 ms for 6.4 MB.
fn half_computing(overlap: f64) -> RunOutcome {
    let bounds = [0, 6_400_000];
    let mut phase = looped(Mode::Read, &bounds);
    phase.instructions_per_byte = 1.0 / 6.4;
    phase.overlap = overlap;
    run_on(&machine("core:1"), 1, "static", &[placed(&bounds), phase])
}

/// Full overlap: 1 ms, and the thread never waits.
#[test]
fn perfect_overlap_hides_waiting() {
    let run = half_computing(1.0);
    near(run.makespan_ps, MS);
    near(run.team[0].compute_ps, MS);
    near(run.team[0].stall_ps, 0);
}

/// No overlap: 1 ms of computing, then 1 ms of waiting.
#[test]
fn without_overlap_computing_and_waiting_alternate() {
    let run = half_computing(0.0);
    near(run.makespan_ps, 2 * MS);
    near(run.team[0].compute_ps, MS);
    near(run.team[0].stall_ps, MS);
}

/// Half overlap hides half of the waiting: 1 ms + 0.5 ms.
#[test]
fn overlap_is_a_number_between() {
    near(half_computing(0.5).makespan_ps, 3 * MS / 2);
}

/// Iterations of 3000, 1000, 500 and 2500 instructions, one instruction each nanosecond; thread 0 has the first two.
/// In each of two loops thread 0 computes 4 us, thread 1 computes 3 us and waits 1 us at the barrier.
#[test]
fn the_barrier_waits_for_the_last() {
    let mut phase = computing(&[3000.0, 1000.0, 500.0, 2500.0]);
    phase.repeat = 2;
    let run = run_on(&machine("core:2"), 2, "static", &[phase]);
    assert_eq!(run.makespan_ps, 8 * US);
    let times: Vec<_> = run.team.iter().map(|member| (member.compute_ps, member.idle_ps)).collect();
    assert_eq!(times, [(8 * US, 0), (6 * US, 2 * US)]);
    assert_eq!(run.team[0].iterations, 4);
    assert!(run.resources.is_empty(), "nothing was moved");
}

/// Progress that keeps every report.
#[derive(Default)]
struct Reports(Mutex<Vec<u64>>);

impl Progress for Reports {
    fn advance(&self, iterations: u64) {
        self.0.lock().unwrap().push(iterations);
    }
}

/// Two threads have 2000 iterations each from the start, one with half as much data in each iteration. The progress
/// of a thread is reported when it has finished its share.
#[test]
fn progress_is_what_is_through_and_not_what_was_handed_out() {
    let size = |iteration: u64| if iteration < 2000 { 64_000 } else { 32_000 };
    let bounds: Vec<u64> = std::iter::once(0)
        .chain((0..4000).scan(0, |end, iteration| {
            *end += size(iteration);
            Some(*end)
        }))
        .collect();
    let (machine, phase) = (machine("core:2"), looped(Mode::Read, &bounds));
    let fabric = Fabric::new(&machine).unwrap();
    let (team, workload, runtime) = (Team::close(&fabric, 2), workload(&[phase]), Profile::free());
    let setup = setup((&machine, &fabric), (&workload, &runtime), &team);
    let reports = Reports::default();
    prepare(&setup, &reports).unwrap().run(Schedule::Static { chunk: None }, &reports).unwrap();
    let reports: Vec<u64> = reports.0.into_inner().unwrap().into_iter().filter(|more| *more > 0).collect();
    assert_eq!(reports, [2000, 2000]);
}

/// A core with two hardware threads.
fn threaded() -> Machine {
    let mut machine = machine("core:1");
    machine.core.threads = 2;
    machine
}

/// Each of two threads on a core has 5 lines in flight: 3.2 GB/s, 1 ms for 3.2 MB. Both together need less than
/// memory delivers.
#[test]
fn mates_halve_what_the_core_keeps_in_flight() {
    let bounds = [0, 3_200_000, 6_400_000];
    let run = run_on(&threaded(), 2, "static", &[placed(&bounds), looped(Mode::Read, &bounds)]);
    near(run.makespan_ps, MS);
    near(run.team[1].stall_ps, MS);
}

/// Each of two threads on a core gets half of the 1.6 GB/s that the core copies: 5 ms for 4 MB.
#[test]
fn mates_halve_what_the_core_copies() {
    let mut machine = threaded();
    machine.core.copy_bandwidth = Some(Bandwidth(1.6e9));
    let bounds = [0, 4 * MB, 8 * MB];
    let run = run_on(&machine, 2, "static", &[placed(&bounds), looped(Mode::Read, &bounds)]);
    near(run.makespan_ps, 5 * MS);
}

/// 1000 instructions take 2 us on half a core, even if no thread moves data.
#[test]
fn mates_halve_computing() {
    let run = run_on(&threaded(), 2, "static", &[computing(&[1000.0, 1000.0])]);
    assert_eq!(run.makespan_ps, 2 * US);
    let alone = run_on(&threaded(), 1, "static", &[computing(&[1000.0, 1000.0])]);
    assert_eq!(alone.makespan_ps, 2 * US);
}

/// Two threads on a core also halve its speed on instructions per byte: 1 ns for each of 10^6 bytes takes 1 ms alone
/// and 2 ms with a second thread, with full overlap.
#[test]
fn mates_halve_computing_on_each_byte() {
    let bounds = [0, MB, 2 * MB];
    let mut phase = looped(Mode::Read, &bounds);
    phase.instructions_per_byte = 1.0;
    let run = run_on(&threaded(), 2, "static", &[placed(&bounds), phase]);
    near(run.makespan_ps, 2 * MS);
    near(run.team[0].compute_ps, 2 * MS);
}

/// Threads 0 and 1 share core 0, thread 2 has core 1 for itself: 3.2, 3.2 and 6.4 GB/s, though all three
/// read from the same node.
#[test]
fn only_mates_share() {
    let mut machine = machine("core:2");
    machine.core.threads = 2;
    machine.memory.bandwidth = Bandwidth(100e9);
    let bounds = [0, 3_200_000, 6_400_000, 12_800_000];
    let run = run_on(&machine, 3, "static", &[placed(&bounds), looped(Mode::Read, &bounds)]);
    near(run.makespan_ps, MS);
    run.team.iter().for_each(|member| near(member.stall_ps, MS));
}

/// A copy makes one transfer for each byte that it reads, and two for each byte that it writes (fetch and
/// write-back): 3 transfers for 2 accessed bytes. A core that moves 2.4 GB/s copies 1.6 GB/s of accessed bytes: 10 ms
/// for 16 MB. It reads the full 2.4 GB/s.
#[test]
fn a_core_moves_so_much_in_both_directions_together() {
    let mut machine = threaded();
    machine.core.copy_bandwidth = Some(Bandwidth(2.4e9));
    let bounds = [0, 8 * MB];
    let mut copy = looped(Mode::Read, &bounds);
    copy.accesses.push(looped(Mode::Write, &[8 * MB, 16 * MB]).accesses[0].clone());
    let run = run_on(&machine, 1, "static", &[placed(&[0, 16 * MB]), copy]);
    near(run.makespan_ps, 10 * MS);
    let read = run_on(&machine, 1, "static", &[placed(&bounds), looped(Mode::Read, &bounds)]);
    near(read.makespan_ps, 8 * MB * MS / 2_400_000);
}

/// 5 lines of 64 bytes in 100 ns are 3.2 GB/s for one stream. Two streams of the same length have 6.4 GB/s, which all
/// 10 lines of the core allow. A second stream with a hundredth of the bytes adds a hundredth: 8.08 MB at 3.232 GB/s.
#[test]
fn a_stream_has_its_own_lines_in_flight() {
    let mut machine = machine("core:1");
    machine.core.stream_outstanding = Some(5.0);
    let read = |bounds: &[u64]| looped(Mode::Read, bounds);
    let both = |first: u64, second: u64| {
        let mut phase = read(&[0, first]);
        phase.accesses.push(read(&[first, first + second]).accesses[0].clone());
        run_on(&machine, 1, "static", &[placed(&[0, first + second]), phase]).makespan_ps
    };
    let one = run_on(&machine, 1, "static", &[placed(&[0, 8 * MB]), read(&[0, 8 * MB])]);
    near(one.makespan_ps, 8 * MB * MS / 3_200_000);
    near(both(8 * MB, 8 * MB), 16 * MB * MS / 6_400_000);
    near(both(8 * MB, 80_000), 8_080_000 * MS / 3_232_000);
}

/// Iterations of 1, 2, 3 and 6 us for two threads. Split by number of iterations, the threads compute 3 and 9 us;
/// split by cost, 6 and 6 us.
#[test]
fn a_loop_is_split_by_cost() {
    let even = computing(&[1e3, 2e3, 3e3, 6e3]);
    let by_cost = Phase { costs: Some([0, 1, 3, 6, 12].into()), ..even.clone() };
    let run = |phase: &Phase| run_on(&machine("core:2"), 2, "static", std::slice::from_ref(phase));
    near(run(&even).makespan_ps, 9_000 * NS);
    near(run(&by_cost).makespan_ps, 6_000 * NS);
    assert_eq!(iterations(&run(&by_cost)), [3, 1]);
    // Other schedules ignore costs.
    assert_eq!(
        run_on(&machine("core:2"), 2, "dynamic", &[by_cost]),
        run_on(&machine("core:2"), 2, "dynamic", &[even])
    );
}
