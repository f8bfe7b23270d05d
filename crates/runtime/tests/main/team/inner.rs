//! Hand-calculated regions of inner teams of two: teams that stay together; threads from a pool, created, or sharing
//! a processor.

use crate::lab::Lab;
use numalab_base::{Span, ThreadId, Time};
use numalab_machine::{Fabric, Os};
use numalab_runtime::profile::{BarrierKind, BarrierProfile, Fork, Nested, TeamThreads};
use numalab_runtime::team::Pool;
use numalab_runtime::{Exec, Profile, TeamSync};

/// Runs two regions of a team of two on one node without caches, where each fetch of a line takes 100 ns. Returns for
/// each region, in nanoseconds since its begin, when each thread is inside and when the region is over.
fn inner_regions(nested: Nested) -> [[u64; 3]; 2] {
    regions_of_two(nested, (1, 1), Span::ZERO)
}

/// As `inner_regions`. Thread 0 is the first of `first` threads on its processor, thread 1 the last of `all` threads
/// on its processor. Threads spin for `crowded_spin` before they sleep.
fn regions_of_two(nested: Nested, (first, all): (u32, u32), crowded_spin: Span) -> [[u64; 3]; 2] {
    let mut machine = Lab::new("core:2").machine;
    machine.caches.clear();
    // Threads wait for every store, so times add up.
    machine.core.store_buffers = 0;
    machine.memory.latency = Span(100_000);
    let lab = Lab { fabric: Fabric::new(&machine).unwrap(), machine };
    let mut profile = Profile::default();
    let (kind, branching) = (BarrierKind::Tree, Some(2));
    profile.fork = Fork { release: kind, branching, nested, ..Fork::new(Span(1_000_000), kind) };
    profile.barrier = BarrierProfile { kind, branching, crowded_spin, ..profile.barrier };
    let (mut exec, mut members) = lab.exec(2, 1);
    (members[0].sharing, members[1].sharing) = ((0, first), (all - 1, all));
    let os = Os::default();
    let pool = Pool::new(&profile.fork.nested, &os, &mut exec, members[0].node, (1, 2));
    let mut team = TeamSync::inner(&profile, &os, &mut exec, &members, pool.as_ref());
    let mut begin = 0;
    [(); 2].map(|()| {
        let ends = |exec: &mut Exec<'_>| {
            let mut ends = crate::lab::drain(exec);
            ends.sort_by_key(|end| end.agent);
            [ends[0].at, ends[1].at]
        };
        team.start_fork(&mut exec, Time(begin));
        team.start_dock(&mut exec, Time(begin), ThreadId::new(1));
        let [first, second] = ends(&mut exec);
        let met = first.max(second);
        team.start_join(&mut exec, met, ThreadId::new(0));
        team.start_join(&mut exec, met, ThreadId::new(1));
        let [over, gone] = ends(&mut exec);
        let times = [first, second, over].map(|at| (at.0 - begin) / 1000);
        begin = over.max(gone).0;
        times
    })
}

/// A team that stays together. Thread 0 begins to set the flag of thread 1 after 1000 ns and needs 100 ns for its
/// line; thread 1 reads the flag, 100 ns. At the end thread 1 sets its own flag, 100 ns, and thread 0 reads it, 100
/// ns. (In the first region thread 0 polls this flag together with thread 1's store: 100 ns more.)
#[test]
fn a_team_that_stays_together_pays_for_its_flags() {
    assert_eq!(inner_regions(Nested::default()), [[1100, 1200, 1500], [1100, 1200, 1400]]);
}

/// Threads from a pool. For the first region thread 0 takes the lock (two lines), reads the number of used records
/// and the next record (two), writes two lines of thread 1, three of the record and its own note (six), and releases
/// the lock through a line that it has: 1000 ns before the flag. Thread 1 writes its two lines and makes a system
/// call: 700 ns. At the end thread 0 has all lines except the line of thread 1 that it writes: 100 ns. For the second
/// region thread 0 lacks only the other line of thread 1: 100 ns. Thread 1 fetches both of its lines back, 200 ns.
#[test]
fn a_team_from_a_pool_pays_for_its_records() {
    let threads = TeamThreads::Pool;
    let nested =
        Nested { threads, member_lines: 2, team_lines: 3, return_lines: 1, calls: 1, ..Nested::default() };
    assert_eq!(inner_regions(nested), [[2100, 2900, 3300], [1200, 2000, 2300]]);
}

/// Threads that are created for each region: thread 0 needs 10 us, and thread 1 runs 20 us later.
#[test]
fn created_threads_are_paid_for_every_time() {
    let nested = Nested { threads: TeamThreads::Created, ..Nested::default() };
    assert_eq!(inner_regions(nested), [[11_100, 31_200, 31_500], [11_100, 31_200, 31_400]]);
}

/// Two threads share a processor. Each spins until its time slice of 12 ms is over, and a switch takes 2 us. Thread 1
/// arrives 12.002 ms later at the end of the region, sets its flag, and thread 0 reads it.
#[test]
fn who_spins_uses_up_its_slice() {
    let over = 1200 + 12_002_000 + 200;
    assert_eq!(regions_of_two(Nested::default(), (2, 2), Span(1_000_000_000_000)), [[1100, 1200, over]; 2]);
}

/// Two threads share a processor. A waiting thread goes to sleep after 10 us, the other thread runs after 12 us, and
/// a sleeper takes 7 us to return: thread 1 at the begin of the region, thread 0 at its end.
#[test]
fn who_sleeps_gives_its_processor_away_and_is_woken() {
    let over = 8200 + 12_000 + 200 + 7000;
    let spin = Span(10_000_000);
    assert_eq!(regions_of_two(Nested::default(), (2, 2), spin), [[1100, 8200, over]; 2]);
    // A thread alone on its processor continues to spin.
    assert_eq!(regions_of_two(Nested::default(), (1, 1), spin), inner_regions(Nested::default()));
}
