//! Teams: laws for any profile, and costs of opening and closing regions.

mod inner;
mod pools;

use crate::barriers::any_barrier;
use crate::lab::{Lab, places};
use crate::locks::any_lock;
use numalab_base::{Span, ThreadId, Time};
use numalab_coherence::AgentId;
use numalab_machine::NodeId;
use numalab_runtime::profile::{BarrierKind, BarrierProfile, Fork, Nested, Reduction};
use numalab_runtime::{Exec, Finished, Profile, TeamSync};
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
    (fork, barrier_parts(), any::<[bool; 3]>(), any_lock(), prop::sample::select(reductions)).prop_map(
        |(fork, (kind, branching), [atomic_flags, resets_flags, team_state], lock, reduction)| Profile {
            fork,
            barrier: BarrierProfile {
                kind,
                branching,
                atomic_flags,
                resets_flags,
                team_state,
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
        self.team.start_fork(&mut self.exec, Time::ZERO);
        for thread in 1..self.threads {
            self.team.start_dock(&mut self.exec, Time::ZERO, ThreadId::new(thread));
        }
        let mut finished = Vec::new();
        // Times at which working threads continue, outside of `exec`.
        let mut working: Vec<(u64, u32)> = Vec::new();
        loop {
            let work = working.iter().map(|(at, _)| *at).min().unwrap_or(u64::MAX);
            if work == u64::MAX && self.exec.next().is_none() {
                break;
            }
            finished.clear();
            self.exec.advance(Time(work), &mut finished);
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
            self.team.start_barrier(&mut self.exec, Time(now), ThreadId::new(thread));
        } else {
            self.joined += 1;
            if self.region[thread as usize].is_multiple_of(2) {
                self.team.start_reduction(
                    &mut self.exec,
                    Time(now),
                    ThreadId::new(thread),
                    u64::from(thread) + 1,
                );
            } else {
                self.team.start_join(&mut self.exec, Time(now), ThreadId::new(thread));
            }
        }
    }

    fn after_program(&mut self, end: Finished, working: &mut Vec<(u64, u32)>) {
        let (thread, at) = (end.agent.index(), end.at);
        let all = u64::from(self.threads) * (self.region[thread] + 1);
        match self.doing[thread] {
            0 => {
                if thread > 0 {
                    assert!(self.region[0] >= self.region[thread], "members follow the master");
                    assert!(self.doing[0] > 0 || self.region[0] == self.region[thread]);
                }
                self.doing[thread] = 1;
                working.push(((at + Span(self.work[thread])).0, end.agent.number()));
            }
            2 => {
                assert_eq!(self.inside, all, "nobody leaves the barrier before all have come");
                self.met += 1;
                self.doing[thread] = 3;
                working.push(((at + Span(self.work[thread] / 2)).0, end.agent.number()));
            }
            _ => {
                if thread == 0 {
                    assert_eq!(self.joined, all, "the region is over when all have come");
                    self.sums.push(end.result);
                }
                self.end = at.0;
                self.region[thread] += 1;
                self.doing[thread] = 0;
                if self.region[thread] < self.regions {
                    match end.agent.number() {
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

    /// Regions of any runtime open and close, one after another, and reductions give the right sums.
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
    team.start_fork(&mut exec, Time(5));
    (1..8).for_each(|thread| team.start_dock(&mut exec, Time(5), ThreadId::new(thread)));
    let finished = crate::lab::drain(&mut exec);
    assert!(finished.len() == 8 && finished.iter().all(|end| end.at == Time(5)));
    assert_eq!(exec.counts().transactions() + exec.counts().hits, 0);
}

/// Eight threads in a tree. Each thread has one flag for the release that opens a region, and one for the gathering
/// that closes it. The first arrival at a barrier adds two flags for each thread, the first reduction a line for each
/// value; both only once. A copy of the team adds its own lines.
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
        all().for_each(|thread| team.start_barrier(&mut exec, Time(now), thread));
        let ends = crate::lab::drain(&mut exec);
        assert_eq!((ends.len(), words(&mut exec)), (8, before + 1 + more));
        now = ends.last().map_or(now, |end| end.at.0);
    }
    all()
        .for_each(|thread| copy.start_reduction(&mut exec_of_copy, Time::ZERO, thread, 1 << thread.number()));
    let ends = crate::lab::drain(&mut exec_of_copy);
    assert_eq!(ends.iter().find(|end| end.agent == AgentId::new(0)).map(|end| end.result), Some(0xff));
    assert_eq!(words(&mut exec_of_copy), 18 + 8);
    let now = ends.last().map_or(Time::ZERO, |end| end.at);
    all().for_each(|thread| copy.start_barrier(&mut exec_of_copy, now, thread));
    assert_eq!(crate::lab::drain(&mut exec_of_copy).len(), 8);
    assert_eq!(words(&mut exec_of_copy), 27 + 16);
}

/// Seven members with 50 ns each delay a region by 350 ns, both as the time of the releasing thread and as the time
/// of the first thread before any release. In a tree the release overlaps with the transfer of flags, and parents
/// work in parallel.
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
