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

/// As `inner_regions`. Each thread has as many threads before it, and in all, on its processor, and spins for
/// `crowded_spin`.
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

/// A team that stays together. Thread 0 sets the flag of thread 1 after 1000 ns, which fetches the line, 100 ns, and
/// thread 1 reads it, 100 ns. At the end thread 1 sets its own flag, 100 ns, and thread 0 reads it, 100 ns. (In the
/// first region thread 0 has polled it together with thread 1's store: 100 ns more.)
#[test]
fn a_team_that_stays_together_pays_for_its_flags() {
    assert_eq!(inner_regions(Nested::default()), [[1100, 1200, 1500], [1100, 1200, 1400]]);
}

/// From a pool. The first time thread 0 takes the lock (two lines), reads the number of used records and the next
/// record (two), writes two lines of thread 1, three of the record and its own note (six), and releases the lock
/// through a line that it has: 1000 ns before the flag. Thread 1 writes its two lines and makes a system call: 700
/// ns. At the end thread 0 has all lines but the one of thread 1 that it writes: 100 ns. The second time it lacks
/// only the other of these two: 100 ns for thread 0; thread 1 fetches both back, 200 ns.
#[test]
fn a_team_from_a_pool_pays_for_its_records() {
    let threads = TeamThreads::Pool;
    let nested =
        Nested { threads, member_lines: 2, team_lines: 3, return_lines: 1, calls: 1, ..Nested::default() };
    assert_eq!(inner_regions(nested), [[2100, 2900, 3300], [1200, 2000, 2300]]);
}

/// Created for each region: 10 us of thread 0, then 20 us until thread 1 runs.
#[test]
fn created_threads_are_paid_for_every_time() {
    let nested = Nested { threads: TeamThreads::Created, ..Nested::default() };
    assert_eq!(inner_regions(nested), [[11_100, 31_200, 31_500], [11_100, 31_200, 31_400]]);
}

/// Two threads of one processor spin until their time slice of 12 ms is over, and a switch takes 2 us. Thread 1
/// arrives that much later at the end of the region, sets its flag, and thread 0 reads it.
#[test]
fn who_spins_uses_up_its_slice() {
    let over = 1200 + 12_002_000 + 200;
    assert_eq!(regions_of_two(Nested::default(), (2, 2), Span(1_000_000_000_000)), [[1100, 1200, over]; 2]);
}

/// Threads that sleep after 10 us let the other run after 12 us, and take 7 us to return themselves: thread 1 at the
/// begin, thread 0 at the end.
#[test]
fn who_sleeps_gives_its_processor_away_and_is_woken() {
    let over = 8200 + 12_000 + 200 + 7000;
    let spin = Span(10_000_000);
    assert_eq!(regions_of_two(Nested::default(), (2, 2), spin), [[1100, 8200, over]; 2]);
    // A thread alone on its processor continues to spin.
    assert_eq!(regions_of_two(Nested::default(), (1, 1), spin), inner_regions(Nested::default()));
}
