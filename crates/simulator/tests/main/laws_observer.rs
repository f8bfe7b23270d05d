//! Laws of an observer: its reports add up to the outcome, and its presence changes nothing.

use crate::random::{Case, POLICIES, RuntimeCase, Sizes, cases, runtime_cases};
use numalab_base::{ThreadId, Time};
use numalab_machine::{Fabric, ResourceId};
use numalab_runtime::Profile;
use numalab_simulator::{
    Activity, BookedSpan, EngineCounts, GrantedWork, Observer, Portion, RunOutcome, Served, Setup, observe,
    prepare,
};
use numalab_workload::Schedule;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Observer that sums all reports.
#[derive(Default)]
struct Seen {
    /// End of each thread's last reported span.
    ends: BTreeMap<ThreadId, Time>,
    /// Picoseconds by thread and account in measured phases.
    times: BTreeMap<(ThreadId, Activity), u64>,
    gaps: u32,
    measured: bool,
    /// Bytes that crossed resources in measured phases.
    bytes: BTreeMap<ResourceId, f64>,
    /// Number of reported intervals that begin before the phase, or that go beyond a multiple of `STRETCH` without
    /// beginning at one.
    uneven: u32,
    began: Time,
    iterations: u64,
    stolen: u64,
    moved: u64,
    /// Bytes of the portions in measured phases, by thread and home; the home of cached bytes is `None`.
    portions: BTreeMap<(ThreadId, Option<u32>), u64>,
    /// Threads whose wait was ended by another thread at this instant, and whose next span is not reported yet.
    released: BTreeMap<ThreadId, Time>,
    /// Number of waits whose span ends before the instant of their release, and of threads released by themselves.
    early: u32,
    /// Bytes of streams in measured phases, by thread and home.
    served: BTreeMap<(ThreadId, u32), u64>,
    /// Number of steals without a victim, and of tasks without a creator.
    nobody: u32,
    outside: u32,
}

impl Seen {
    /// Length of a reporting interval, in picoseconds.
    const STRETCH: u64 = 1 << 22;
}

impl Observer for Seen {
    fn phase(&mut self, _name: &str, measured: bool, at: Time) {
        (self.measured, self.began) = (measured, at);
    }

    fn span(&mut self, span: BookedSpan) {
        let end = self.ends.insert(span.thread, span.to).unwrap_or(Time::ZERO);
        self.gaps += u32::from(end != span.from);
        let ended = self.released.remove(&span.thread);
        self.early += u32::from(ended.is_some_and(|at| at > span.to));
        if self.measured {
            *self.times.entry((span.thread, span.activity)).or_default() += (span.to - span.from).0;
        }
    }

    fn data(&mut self, thread: ThreadId, portions: &[Portion]) {
        for portion in portions.iter().filter(|_| self.measured) {
            let key = (thread, portion.home.map(|home| home.0));
            *self.portions.entry(key).or_default() += portion.bytes;
        }
    }

    fn released(&mut self, thread: ThreadId, by: ThreadId, at: Time) {
        self.early += u32::from(thread == by);
        self.released.insert(thread, at);
    }

    fn next_look(&self, after: Time) -> Time {
        Time((after.0 / Seen::STRETCH + 1) * Seen::STRETCH)
    }

    fn carried(&mut self, resource: ResourceId, bytes: f64, from: Time, to: Time) {
        // Intervals with the same rates are reported together, except the first.
        let inside = from.0 / Seen::STRETCH == to.0.saturating_sub(1) / Seen::STRETCH;
        self.uneven += u32::from(from < self.began || !inside && !from.0.is_multiple_of(Seen::STRETCH));
        if self.measured {
            *self.bytes.entry(resource).or_default() += bytes;
        }
    }

    fn work(&mut self, work: GrantedWork) {
        // A steal names another thread as the victim, and a task names its creator.
        let from_itself = || work.from.is_none_or(|from| from == work.thread);
        self.nobody += u32::from(!work.task && work.stolen > 0 && from_itself());
        self.nobody += u32::from(work.task && work.from.is_none());
        if self.measured {
            self.iterations += work.iterations;
            self.stolen += work.stolen;
        }
    }

    fn served(&mut self, served: Served) {
        self.outside += u32::from(served.from > served.to);
        if self.measured {
            *self.served.entry((served.thread, served.home.0)).or_default() += served.bytes;
        }
    }

    fn pages(&mut self, _thread: ThreadId, _placed: u64, moved: u64, _at: Time) {
        self.moved += if self.measured { moved } else { 0 };
    }
}

/// Runs with an observer and without; both runs agree, and the reports add up to the outcome.
fn agrees(setup: &Setup, policy: Schedule) -> Result<(), TestCaseError> {
    let alone = prepare(setup, &()).and_then(|prepared| prepared.run(policy, &()));
    let mut seen = Seen::default();
    let watched = observe(setup, policy, &(), &mut seen);
    // With an observer the engine solves rates more often.
    let unseen = |run: RunOutcome| RunOutcome { engine: EngineCounts::default(), ..run };
    let (alone, watched) = (alone.map(unseen), watched.map(unseen));
    prop_assert_eq!(&alone, &watched, "{}: an observer changes something", policy);
    let Ok(run) = watched else { return Ok(()) };
    spans_tile(&seen, &run)?;
    portions_are_bytes(&seen, &run)?;
    prop_assert_eq!(seen.early, 0, "a wait was over before whatever ended it");
    let moved = run.phases.iter().map(|phase| phase.pages_moved).sum::<u64>();
    prop_assert_eq!(seen.moved, moved);
    prop_assert_eq!((seen.nobody, seen.outside, seen.uneven), (0, 0, 0));
    let streams: BTreeMap<(ThreadId, u32), u64> = (0..)
        .map(ThreadId::new)
        .zip(&run.team)
        .flat_map(|(thread, member)| {
            member.bytes_by_node.iter().map(move |(home, bytes)| ((thread, home), bytes))
        })
        .filter(|(_, bytes)| *bytes > 0)
        .collect();
    seen.served.retain(|_, bytes| *bytes > 0);
    prop_assert_eq!(&seen.served, &streams);
    prop_assert!(seen.stolen <= run.team.iter().map(|member| member.stolen).sum());
    for used in &run.resources {
        let integral = seen.bytes.get(&used.resource).copied().unwrap_or(0.0);
        let off = (integral - used.bytes as f64).abs();
        // Bytes are rounded once each time that a loop runs, and once for each thread that is moved in the middle of
        // its data. The end of every flow is rounded up to a picosecond.
        let cuts = run.phases.iter().map(|phase| phase.threads_moved).sum::<u64>();
        let allowed = crate::traffic::ROUNDING
            + cuts as f64
            + 1e-6 * used.bytes as f64
            + run.events as f64 * 1e-12 * used.capacity_bytes_per_s;
        prop_assert!(off <= allowed, "{}: {} bytes of {}", used.name, integral, used.bytes);
    }
    Ok(())
}

/// Asserts that the spans of a thread follow each other without gaps, and that their sums are the thread's accounts.
fn spans_tile(seen: &Seen, run: &RunOutcome) -> Result<(), TestCaseError> {
    prop_assert_eq!(seen.gaps, 0, "a span does not begin where the one before it ended");
    for (thread, member) in (0..).map(ThreadId::new).zip(&run.team) {
        let time = |activity| seen.times.get(&(thread, activity)).copied().unwrap_or(0);
        prop_assert_eq!(time(Activity::Compute), member.compute_ps);
        prop_assert_eq!(time(Activity::Stall), member.stall_ps);
        prop_assert_eq!(time(Activity::Overhead), member.overhead_ps);
        prop_assert_eq!(time(Activity::Idle), member.idle_ps);
    }
    Ok(())
}

/// Asserts that the bytes of a thread's portions equal the bytes that the thread accessed.
fn portions_are_bytes(seen: &Seen, run: &RunOutcome) -> Result<(), TestCaseError> {
    for (thread, member) in (0..).map(ThreadId::new).zip(&run.team) {
        let of = |home| seen.portions.get(&(thread, home)).copied().unwrap_or(0);
        prop_assert_eq!(of(None), member.cached_bytes);
        let homes = seen.portions.keys().filter(|key| key.0 == thread).filter_map(|key| key.1);
        let nodes: std::collections::BTreeSet<u32> =
            homes.chain(member.bytes_by_node.iter().map(|entry| entry.0)).collect();
        for node in nodes {
            let accessed = member.bytes_by_node.iter().find(|entry| entry.0 == node).map_or(0, |e| e.1);
            // Interleaved bytes are divided among the nodes once for each region and once for the whole stream, with
            // rounding.
            let off = of(Some(node)).abs_diff(accessed);
            prop_assert!(off <= 16 * run.events, "{} of {accessed} bytes", of(Some(node)));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Law: Spans tile time, bytes over resources are those of the spans, and an observer changes nothing.
    ///
    /// Cases: loops on any machine with any placement.
    #[test]
    fn an_observer_sees_every_picosecond_and_every_byte(case in cases(Sizes::Any)) {
        let Case { machine, workload, team, seed, replica } = &case;
        let fabric = Fabric::new(machine).unwrap();
        let runtime = Profile::free();
        let setup = Setup { machine, fabric: &fabric, workload, runtime: &runtime, team, seed: *seed, replica: *replica, ideal: numalab_simulator::Ideal::default(), exact: false };
        for policy in POLICIES {
            agrees(&setup, policy)?;
        }
    }

    #[test]
    fn an_observer_sees_every_team(all in runtime_cases(), bits in any::<u32>()) {
        let RuntimeCase { case, runtime, policy } = all;
        let Case { machine, workload, team, seed, replica } = &case.with_own_teams(bits);
        let fabric = Fabric::new(machine).unwrap();
        let ideal = numalab_simulator::Ideal::default();
        agrees(&Setup { machine, fabric: &fabric, workload, runtime: &runtime, team, seed: *seed, replica: *replica, ideal, exact: false }, policy)?;
    }

    /// Law: Moves of threads are counted with repetitions, and an observer sees them.
    ///
    /// Cases: threads that the system moves.
    #[test]
    fn an_observer_sees_threads_that_are_moved(all in runtime_cases(), bits in any::<u32>()) {
        let RuntimeCase { case, runtime, policy } = all;
        let fabric = Fabric::new(&case.machine).unwrap();
        let Case { machine, workload, team, seed, replica } = &case.unbound(&fabric, bits);
        let ideal = numalab_simulator::Ideal::default();
        agrees(&Setup { machine, fabric: &fabric, workload, runtime: &runtime, team, seed: *seed, replica: *replica, ideal, exact: false }, policy)?;
    }

    /// Law: Spans tile time, bytes over resources are those of the spans, and an observer changes nothing.
    ///
    /// Cases: constructs, tasks and inner teams under any runtime.
    #[test]
    fn an_observer_sees_every_runtime_at_work(all in runtime_cases()) {
        let RuntimeCase { case: Case { machine, workload, team, seed, replica }, runtime, policy } = &all;
        let fabric = Fabric::new(machine).unwrap();
        agrees(&Setup { machine, fabric: &fabric, workload, runtime, team, seed: *seed, replica: *replica, ideal: numalab_simulator::Ideal::default(), exact: false }, *policy)?;
    }
}
