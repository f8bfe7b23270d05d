use crate::barriers::any_barrier;
use crate::lab::{Lab, places};
use crate::locks::any_lock;
use numalab_machine::{Fabric, NodeId, Os};
use numalab_runtime::profile::{BarrierKind, BarrierProfile, Fork, Nested, Reduction, TeamThreads};
use numalab_runtime::team::{Pool, polled_counters};
use numalab_runtime::{Exec, Finished, Profile, TeamMember, TeamSync};
use numalab_units::{Span, ThreadId};
use proptest::prelude::*;

fn any_profile() -> impl Strategy<Value = Profile> {
    let reductions = vec![Reduction::Tree, Reduction::Atomic, Reduction::Critical];
    let lines = (0u32..3, 0u32..3, 1u32..4, 0u32..3);
    let fork = (barrier_parts(), lines, any::<[bool; 2]>(), any::<[u16; 3]>()).prop_map(
        |((release, branching), lines, [pool_barrier, member_writes], times)| {
            let (team_lines, member_lines, line_stores, master_lines) = lines;
            let [enter, member_time, master_time] = times.map(|time| Span(u64::from(time) * 6));
            Fork {
                fixed: Span(300_000),
                open: Some(Span(100_000)),
                enter,
                team_lines,
                member_lines,
                line_stores,
                member_time,
                master_lines,
                master_time,
                member_writes,
                release,
                branching,
                pool_barrier,
                nested: Nested::default(),
            }
        },
    );
    (fork, barrier_parts(), any::<bool>(), any_lock(), prop::sample::select(reductions)).prop_map(
        |(fork, (kind, branching), atomic_flags, lock, reduction)| Profile {
            fork,
            barrier: BarrierProfile {
                kind,
                branching,
                atomic_flags,
                wake_call: Span(50_000),
                ..Profile::default().barrier
            },
            lock,
            reduction,
            ..Profile::default()
        },
    )
}

fn barrier_parts() -> impl Strategy<Value = (BarrierKind, Option<u32>)> {
    any_barrier().prop_map(|barrier| barrier.parts())
}

/// Runs regions in which each thread works and meets the others once.
struct Regions<'t, 'a> {
    exec: Exec<'a>,
    team: TeamSync,
    threads: u32,
    regions: u64,
    work: &'t [u64],
    /// Step of each thread: 0 enters, 1 works, 2 meets, 3 works, 4 closes.
    doing: Vec<u8>,
    region: Vec<u64>,
    inside: u64,
    met: u64,
    joined: u64,
    sums: Vec<u64>,
    end: u64,
}

impl Regions<'_, '_> {
    fn begin(&mut self) {
        self.team.start_fork(&mut self.exec, 0);
        for thread in 1..self.threads {
            self.team.start_dock(&mut self.exec, 0, ThreadId::new(thread));
        }
        let mut finished = Vec::new();
        // Threads that work come back here by themselves.
        let mut working: Vec<(u64, u32)> = Vec::new();
        loop {
            let work = working.iter().map(|(at, _)| *at).min().unwrap_or(u64::MAX);
            if work == u64::MAX && self.exec.next().is_none() {
                break;
            }
            finished.clear();
            self.exec.advance(work, &mut finished);
            if finished.is_empty() {
                let at = working.iter().position(|(at, _)| *at == work).expect("somebody works");
                let (now, thread) = working.remove(at);
                self.after_work(now, thread);
            }
            for end in &finished {
                self.after_program(*end, &mut working);
            }
        }
    }

    fn after_work(&mut self, now: u64, thread: u32) {
        let doing = &mut self.doing[thread as usize];
        *doing += 1;
        if *doing == 2 {
            self.inside += 1;
            self.team.start_barrier(&mut self.exec, now, ThreadId::new(thread));
        } else {
            self.joined += 1;
            if self.region[thread as usize].is_multiple_of(2) {
                self.team.start_reduction(&mut self.exec, now, ThreadId::new(thread), u64::from(thread) + 1);
            } else {
                self.team.start_join(&mut self.exec, now, ThreadId::new(thread));
            }
        }
    }

    fn after_program(&mut self, end: Finished, working: &mut Vec<(u64, u32)>) {
        let (thread, at) = (end.agent as usize, end.at);
        let all = u64::from(self.threads) * (self.region[thread] + 1);
        match self.doing[thread] {
            0 => {
                if thread > 0 {
                    assert!(self.region[0] >= self.region[thread], "members follow the master");
                    assert!(self.doing[0] > 0 || self.region[0] == self.region[thread]);
                }
                self.doing[thread] = 1;
                working.push((at + self.work[thread], end.agent));
            }
            2 => {
                assert_eq!(self.inside, all, "nobody leaves the barrier before all have come");
                self.met += 1;
                self.doing[thread] = 3;
                working.push((at + self.work[thread] / 2, end.agent));
            }
            _ => {
                if thread == 0 {
                    assert_eq!(self.joined, all, "the region is over when all have come");
                    self.sums.push(end.result);
                }
                self.end = at;
                self.region[thread] += 1;
                self.doing[thread] = 0;
                if self.region[thread] < self.regions {
                    match end.agent {
                        0 => self.team.start_fork(&mut self.exec, at),
                        member => self.team.start_dock(&mut self.exec, at, ThreadId::new(member)),
                    }
                }
            }
        }
    }
}

fn regions<'t, 'a>(
    lab: &'a Lab,
    profile: &Profile,
    threads: u32,
    stride: u32,
    regions: u64,
    work: &'t [u64],
) -> Regions<'t, 'a> {
    let (mut exec, members) = lab.exec(threads, stride);
    let team = TeamSync::new(profile, &mut exec, &members);
    let each = vec![0; threads as usize];
    let mut regions = Regions {
        exec,
        team,
        threads,
        regions,
        work,
        doing: vec![0; threads as usize],
        region: each,
        inside: 0,
        met: 0,
        joined: 0,
        sums: Vec::new(),
        end: 0,
    };
    regions.begin();
    regions
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// Regions of any runtime open and close, one after another, and reductions add up.
    #[test]
    fn regions_open_and_close(
        (spec, stride) in places(),
        profile in any_profile(),
        threads in 1u32..34,
        count in 1u64..5,
        work in prop::collection::vec(0u64..2_000_000, 34),
    ) {
        let lab = Lab::new(spec);
        let done = regions(&lab, &profile, threads, stride, count, &work);
        prop_assert!(done.region.iter().all(|region| *region == count));
        prop_assert_eq!(done.met, u64::from(threads) * count);
        let sum: u64 = (1..=u64::from(threads)).sum();
        for (region, result) in done.sums.iter().enumerate() {
            prop_assert_eq!(*result, if region % 2 == 0 { sum } else { 0 });
        }
    }
}

#[test]
fn a_team_of_one_costs_what_the_profile_says() {
    let lab = Lab::new("socket:2 core:4");
    for pool_barrier in [false, true] {
        let mut profile = Profile::default();
        profile.fork.fixed = Span(340_000);
        profile.fork.member_lines = 2;
        profile.fork.pool_barrier = pool_barrier;
        profile.barrier.kind = BarrierKind::Central;
        let done = regions(&lab, &profile, 1, 1, 3, &[0]);
        assert_eq!(done.end, 3 * 340_000);
        assert_eq!(done.exec.counts().transactions(), 0);
    }
}

#[test]
fn a_free_runtime_moves_no_line() {
    let lab = Lab::new("socket:2 core:4");
    let (mut exec, members) = lab.exec(8, 1);
    let mut team = TeamSync::new(&Profile::free(), &mut exec, &members);
    assert!(team.is_free());
    team.start_fork(&mut exec, 5);
    (1..8).for_each(|thread| team.start_dock(&mut exec, 5, ThreadId::new(thread)));
    let finished = crate::lab::drain(&mut exec);
    assert!(finished.len() == 8 && finished.iter().all(|end| end.at == 5));
    assert_eq!(exec.counts().transactions() + exec.counts().hits, 0);
}

/// Eight threads in a tree: a flag each for the release that opens a region, and one for the gathering that closes it.
/// Whoever comes to a barrier first adds two each for that, a reduction a line each for values, and nobody does so twice.
/// A copy of the team has nothing of this, and adds its own.
#[test]
fn lines_are_added_when_somebody_needs_them() {
    let lab = Lab::new("socket:2 core:4");
    let (mut exec, members) = lab.exec(8, 1);
    let mut profile = Profile::default();
    (profile.fork.team_lines, profile.fork.member_lines, profile.fork.master_lines) = (0, 0, 0);
    (profile.fork.release, profile.barrier.kind) = (BarrierKind::Tree, BarrierKind::Tree);
    profile.fork.pool_barrier = false;
    profile.reduction = Reduction::Tree;
    // Each word has a line of its own.
    let words = |exec: &mut Exec| exec.add_word(NodeId(0)).0;
    assert_eq!(words(&mut exec), 0);
    let mut team = TeamSync::new(&profile, &mut exec, &members);
    assert_eq!(words(&mut exec), 1 + 8 + 8);
    let (mut exec_of_copy, mut copy) = (exec.clone(), team.clone());
    let all = || ThreadId::first(8);
    let mut now = 0;
    for more in [16, 0] {
        let before = words(&mut exec);
        all().for_each(|thread| team.start_barrier(&mut exec, now, thread));
        let ends = crate::lab::drain(&mut exec);
        assert_eq!((ends.len(), words(&mut exec)), (8, before + 1 + more));
        now = ends.last().map_or(now, |end| end.at);
    }
    all().for_each(|thread| copy.start_reduction(&mut exec_of_copy, 0, thread, 1 << thread.number()));
    let ends = crate::lab::drain(&mut exec_of_copy);
    assert_eq!(ends.iter().find(|end| end.agent == 0).map(|end| end.result), Some(0xff));
    assert_eq!(words(&mut exec_of_copy), 18 + 8);
    let now = ends.last().map_or(0, |end| end.at);
    all().for_each(|thread| copy.start_barrier(&mut exec_of_copy, now, thread));
    assert_eq!(crate::lab::drain(&mut exec_of_copy).len(), 8);
    assert_eq!(words(&mut exec_of_copy), 27 + 16);
}

/// A team of two on one node without caches, where every line that moves takes 100 ns: when each thread is in the
/// region and when the region is over, for two regions, in nanoseconds from the begin of each.
fn inner_regions(nested: Nested) -> [[u64; 3]; 2] {
    regions_of_two(nested, (1, 1), Span::ZERO)
}

/// The same; the threads share processors with so many of both, and spin for so long.
fn regions_of_two(nested: Nested, (first, all): (u32, u32), crowded_spin: Span) -> [[u64; 3]; 2] {
    let mut machine = Lab::new("core:2").machine;
    machine.caches.clear();
    // Every store is waited for, so that times add up.
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
        team.start_fork(&mut exec, begin);
        team.start_dock(&mut exec, begin, ThreadId::new(1));
        let [first, second] = ends(&mut exec);
        let met = first.max(second);
        team.start_join(&mut exec, met, ThreadId::new(0));
        team.start_join(&mut exec, met, ThreadId::new(1));
        let [over, gone] = ends(&mut exec);
        let times = [first, second, over].map(|at| (at - begin) / 1000);
        begin = over.max(gone);
        times
    })
}

/// A team that stays together. Thread 0 sets the flag of thread 1 after 1000 ns, which takes the line from it, 100 ns,
/// and thread 1 reads it, 100 ns. At the end thread 1 sets its own flag, 100 ns, and thread 0 reads that, 100 ns.
/// (In the first region thread 0 looks at it before, together with thread 1's store: 100 ns more.)
#[test]
fn a_team_that_stays_together_pays_for_its_flags() {
    assert_eq!(inner_regions(Nested::default()), [[1100, 1200, 1500], [1100, 1200, 1400]]);
}

/// From a pool. The first time thread 0 takes the lock (two lines), reads how many records are taken and which
/// is next (two), writes two lines of thread 1, three of the record and its note (six), and gives the lock back
/// by a line that it has: 1000 ns before the flag. Thread 1 writes its two lines and calls the system: 700 ns.
/// At the end thread 0 has all lines but the one of thread 1 that it writes: 100 ns. The second time it has all but
/// the other of these two: thread 0 gives 100 ns to it, and thread 1 takes both back, 200 ns.
#[test]
fn a_team_from_a_pool_pays_for_its_records() {
    let threads = TeamThreads::Pool;
    let nested =
        Nested { threads, member_lines: 2, team_lines: 3, return_lines: 1, calls: 1, ..Nested::default() };
    assert_eq!(inner_regions(nested), [[2100, 2900, 3300], [1200, 2000, 2300]]);
}

/// Created for each region: 10 us for thread 0, then 20 us until thread 1 runs.
#[test]
fn created_threads_are_paid_for_every_time() {
    let nested = Nested { threads: TeamThreads::Created, ..Nested::default() };
    assert_eq!(inner_regions(nested), [[11_100, 31_200, 31_500], [11_100, 31_200, 31_400]]);
}

/// Two threads of one processor that spin until their slice of 12 ms is over, and 2 us to change: thread 1 comes that
/// much later to the end of the region, sets its flag, and thread 0 reads it.
#[test]
fn who_spins_uses_up_its_slice() {
    let over = 1200 + 12_002_000 + 200;
    assert_eq!(regions_of_two(Nested::default(), (2, 2), Span(1_000_000_000_000)), [[1100, 1200, over]; 2]);
}

/// Threads that sleep after 10 us let the other in after 12 us, and take 7 us to be back themselves: thread 1 at the
/// begin, thread 0 at the end.
#[test]
fn who_sleeps_gives_its_processor_away_and_is_woken() {
    let over = 8200 + 12_000 + 200 + 7000;
    let spin = Span(10_000_000);
    assert_eq!(regions_of_two(Nested::default(), (2, 2), spin), [[1100, 8200, over]; 2]);
    // Alone on their processors they go on spinning.
    assert_eq!(regions_of_two(Nested::default(), (1, 1), spin), inner_regions(Nested::default()));
}

/// Four cores without caches: a line comes from memory after 100 ns, and every store is waited for, so that times add up.
fn lab_without_caches() -> Lab {
    let mut machine = Lab::new("core:4").machine;
    machine.caches.clear();
    machine.core.store_buffers = 0;
    machine.memory.latency = Span(100_000);
    Lab { fabric: Fabric::new(&machine).unwrap(), machine }
}

/// Teams of two threads that share a pool.
fn inner_teams<'a>(lab: &'a Lab, nested: Nested) -> (Exec<'a>, Vec<TeamSync>) {
    let (kind, branching) = (BarrierKind::Tree, Some(2));
    let mut profile = Profile::default();
    profile.fork = Fork { release: kind, branching, nested, ..Fork::new(Span(1_000_000), kind) };
    profile.barrier = BarrierProfile { kind, branching, ..profile.barrier };
    let (mut exec, members) = lab.exec(4, 1);
    let os = Os::default();
    let (nested, home) = (&profile.fork.nested, members[0].node);
    let counters = polled_counters(nested, &mut exec, home, [members[1].core]);
    let pool = Pool::new(nested, &os, &mut exec, home, (2, 2)).map(|pool| pool.counted(counters));
    let inner = |pair: &[TeamMember]| TeamSync::inner(&profile, &os, &mut exec, pair, pool.as_ref());
    let teams = members.chunks(2).map(inner).collect();
    (exec, teams)
}

/// Two teams of two take turns with the same pool. The record that the other gave back last comes first, so its three
/// lines are with the other's first thread when team 0 opens its second region, and so are those of the lock and
/// of the pool's lists: two reads of the lock, two of the lists, one written back, the line of thread 1 that it
/// wrote, three of the record, one to give the lock back: 1000 ns, and 1100 ns as for any region.
#[test]
fn records_pass_from_team_to_team() {
    let nested = Nested {
        threads: TeamThreads::Pool,
        member_lines: 2,
        team_lines: 3,
        return_lines: 1,
        ..Nested::default()
    };
    let lab = lab_without_caches();
    let (mut exec, mut teams) = inner_teams(&lab, nested);
    let mut now = 0;
    let opened = [0, 1, 0].map(|team| {
        let sync = &mut teams[team];
        sync.start_fork(&mut exec, now);
        sync.start_dock(&mut exec, now, ThreadId::new(1));
        let entered = crate::lab::drain(&mut exec);
        let first = entered.iter().find(|end| end.agent == 2 * team as u32).unwrap().at - now;
        let met = entered.iter().map(|end| end.at).max().unwrap();
        sync.start_join(&mut exec, met, ThreadId::new(0));
        sync.start_join(&mut exec, met, ThreadId::new(1));
        now = crate::lab::drain(&mut exec).iter().map(|end| end.at).max().unwrap();
        first / 1000
    });
    assert_eq!(opened[2], 2100);
}

/// Two teams of two open and close in turn: how much longer it takes the first thread with the second pool than with the
/// first, in nanoseconds.
fn longer(plain: &Nested, changed: &Nested) -> Vec<i64> {
    let lab = lab_without_caches();
    let times = |nested: &Nested| {
        let (mut exec, mut teams) = inner_teams(&lab, nested.clone());
        let mut now = 0;
        [(0, true), (1, true), (0, false), (1, false)].map(|(team, opens)| {
            let begin = now;
            if opens {
                teams[team].start_fork(&mut exec, begin);
                teams[team].start_dock(&mut exec, begin, ThreadId::new(1));
            } else {
                teams[team].start_join(&mut exec, begin, ThreadId::new(0));
                teams[team].start_join(&mut exec, begin, ThreadId::new(1));
            }
            let ended = crate::lab::drain(&mut exec);
            now = ended.iter().map(|end| end.at).max().unwrap();
            let first = ended.iter().find(|end| end.agent == 2 * team as u32).unwrap();
            (first.at - begin) as i64 / 1000
        })
    };
    let (plain, changed) = (times(plain), times(changed));
    changed.iter().zip(plain).map(|(changed, plain)| changed - plain).collect()
}

fn pool_of_threads() -> Nested {
    Nested { threads: TeamThreads::Pool, member_lines: 2, return_lines: 1, ..Nested::default() }
}

/// A pool that is a list. Who takes a thread reads where the next one is, a line of 100 ns that is then its own to write:
/// 100 ns for each of two teams of two. The first to give its thread back finds no other in the pool. The second reads
/// which record came back, and walks past its thread: two lines that the other has written, 200 ns.
#[test]
fn who_gives_threads_back_walks_past_those_of_others() {
    let sorted = Nested { sorted: true, ..pool_of_threads() };
    assert_eq!(longer(&pool_of_threads(), &sorted), [100, 100, 0, 200]);
}

/// Counters that somebody on another core reads whenever they have changed. Who takes a thread reads them, 100 ns, writes
/// them, 100 ns, and when the thread is set up writes them again, 100 ns. Who gives one back reads and writes them once.
#[test]
fn counters_that_are_looked_at_have_to_be_taken_back() {
    let polled = Nested { polled: true, ..pool_of_threads() };
    assert_eq!(longer(&pool_of_threads(), &polled), [300, 300, 200, 200]);
}

/// Fifteen members with 20 lines each and 32 stores that wait: with one store for a line all ten requests of a core are
/// under way at a time; eight stores for a line leave room for four, and take longer.
#[test]
fn stores_to_a_members_lines_take_room() {
    let lab = Lab::new("socket:2 core:8");
    let opened = |line_stores: u32| {
        let nested =
            Nested { threads: TeamThreads::Pool, member_lines: 20, line_stores, ..Nested::default() };
        let mut profile = Profile::default();
        profile.fork.nested = nested;
        let (mut exec, members) = lab.exec(16, 1);
        let os = Os::default();
        let pool = Pool::new(&profile.fork.nested, &os, &mut exec, members[0].node, (1, 16));
        let mut team = TeamSync::inner(&profile, &os, &mut exec, &members, pool.as_ref());
        team.start_fork(&mut exec, 0);
        (1..16).for_each(|thread| team.start_dock(&mut exec, 0, ThreadId::new(thread)));
        crate::lab::drain(&mut exec).iter().map(|end| end.at).max().unwrap()
    };
    assert!(opened(8) as f64 > 1.5 * opened(1) as f64, "{} {}", opened(8), opened(1));
    assert!(opened(3) <= opened(1) + opened(1) / 10, "{} {}", opened(3), opened(1));
}

/// Seven members, 50 ns for each: 350 ns later, whether it is the one that releases them who takes that time, or the
/// first thread before it releases any. In a tree the lines of flags come meanwhile, and parents work side by side.
#[test]
fn members_take_time_one_after_another() {
    let lab = Lab::new("socket:1 core:8");
    let end = |change: &dyn Fn(&mut Fork), kind, branching| {
        let mut fork = Fork { branching, ..Fork::new(Span(10_000_000), kind) };
        fork.pool_barrier = kind == BarrierKind::Central;
        change(&mut fork);
        let barrier = BarrierProfile { branching, ..BarrierProfile::new(kind) };
        let profile = Profile { fork, barrier, ..Profile::default() };
        regions(&lab, &profile, 8, 1, 1, &[5_000_000; 8]).end
    };
    for (kind, branching) in [(BarrierKind::Central, None), (BarrierKind::Tree, Some(2))] {
        let without = end(&|_| {}, kind, branching);
        let each = end(&|fork| fork.member_time = Span(50_000), kind, branching) - without;
        let first = end(&|fork| fork.master_time = Span(50_000), kind, branching) - without;
        assert_eq!(first, 350_000, "{kind:?}");
        if kind == BarrierKind::Central {
            assert_eq!(each, 350_000);
        } else {
            assert!(each > 0 && each < 350_000, "{each}");
        }
    }
}
