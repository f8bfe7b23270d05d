//! Small event loop that drives the work source of tasks. The test states how long work takes.

mod by_hand;
mod laws;

use super::{TaskTeam, TaskWords, Tasks};
use crate::engine::team::Team;
use crate::work_source::{NextAction, SourceContext, WakeReason, WorkSource};
use numalab_base::{Span, Time};
use numalab_counts::TaskCounts;
use numalab_des::Streams;
use numalab_machine::{Fabric, Machine, NodeId, synthetic};
use numalab_runtime::{Exec, Profile};
use numalab_workload::{LockKind, Phase, QueueKind};
use std::collections::BTreeSet;
use std::ops::Range;

/// One activity of a thread, with its start and end in picoseconds.
#[derive(Clone, Debug, PartialEq)]
struct Deed {
    thread: u32,
    from: u64,
    to: u64,
    what: What,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    Work(Range<u64>),
    Compute(f64),
}

/// Outcome of a phase: activities of threads, and counts.
struct Course {
    deeds: Vec<Deed>,
    sum: TaskCounts,
    stolen: Vec<u64>,
    end: u64,
    /// Number of requests for work.
    turns: u64,
    left: usize,
}

#[derive(Debug)]
struct Bench<'p> {
    machine: &'p str,
    threads: u32,
    queue: QueueKind,
    profile: Profile,
    phase: Phase,
    homes: Vec<Option<NodeId>>,
    seed: u64,
    times: u32,
}

/// Runtime profile whose queue operations cost nothing but the transfer of lines.
fn bare() -> Profile {
    let mut profile = Profile::default();
    profile.tasks.create = Span::ZERO;
    profile.tasks.dispatch = Span::ZERO;
    profile.tasks.bound = None;
    profile.lock.kind = LockKind::TestAndTestAndSet;
    profile
}

impl<'p> Bench<'p> {
    fn new(machine: &'p str, threads: u32, queue: QueueKind, phase: Phase) -> Bench<'p> {
        Bench { machine, threads, queue, profile: bare(), phase, homes: Vec::new(), seed: 1, times: 1 }
    }

    /// Runs the phase. Iteration `i` takes `takes(i)` picoseconds; the instructions of a `Compute` take one
    /// picosecond together.
    fn run(&self, takes: impl Fn(u64) -> u64) -> Course {
        let machine: Machine = synthetic(self.machine).expect("a machine");
        let fabric = Fabric::new(&machine).expect("a sound machine");
        let team = Team::close(&fabric, self.threads);
        let mut exec = Exec::new(&machine, &fabric);
        for member in &team.members {
            exec.add_agent(member.core);
        }
        let words = TaskWords::new(self.queue, &self.profile, &machine, &fabric, &team.members, &mut exec);
        let of_tasks = TaskTeam { fabric: &fabric, members: &team.members, first: 0 };
        let streams = Streams::new(self.seed);
        let mut tasks = Tasks::new(&self.phase, &self.profile, words, &of_tasks, &streams, &self.homes);
        let mut course = Course {
            deeds: Vec::new(),
            sum: TaskCounts::default(),
            stolen: Vec::new(),
            end: 0,
            turns: 0,
            left: 0,
        };
        self.drive(&mut tasks, &mut exec, takes, &mut course);
        course.sum = tasks.sum();
        course.stolen = (0..self.threads).map(|thread| tasks.stolen(thread)).collect();
        course.left = tasks.live.count();
        course
    }

    fn drive<'a>(
        &self,
        tasks: &mut Tasks<'a>,
        exec: &mut Exec<'a>,
        takes: impl Fn(u64) -> u64,
        course: &mut Course,
    ) {
        let threads = self.threads;
        let mut timers: BTreeSet<(u64, u32)> = BTreeSet::new();
        let mut wakes: BTreeSet<(u64, u32)> = BTreeSet::new();
        let (mut parked, mut done) = (vec![false; threads as usize], vec![0; threads as usize]);
        let mut ready: Vec<(u32, WakeReason)> =
            (0..threads).map(|thread| (thread, WakeReason::Ready)).collect();
        let (mut now, mut woken, mut finished) = (0, Vec::new(), Vec::new());
        loop {
            ready.sort_unstable_by_key(|entry| entry.0);
            for (thread, reason) in ready.drain(..) {
                course.turns += 1;
                assert!(course.turns < 20_000_000, "it ends");
                parked[thread as usize] = false;
                let mut context = SourceContext { exec, first: 0, now: Time(now), woken: &mut woken };
                let mut turn = tasks.next_action(thread, reason, &mut context);
                while turn == NextAction::Done {
                    done[thread as usize] += 1;
                    if done[thread as usize] >= self.times {
                        break;
                    }
                    turn = tasks.next_action(thread, WakeReason::Ready, &mut context);
                }
                let (what, span) = match turn {
                    NextAction::Work(range) => {
                        let span = range.clone().map(&takes).sum();
                        (Some(What::Work(range)), span)
                    }
                    NextAction::Compute(_, instructions) => (Some(What::Compute(instructions)), 1),
                    NextAction::Pause(Span(span)) => (None, span),
                    NextAction::Park => {
                        parked[thread as usize] = true;
                        continue;
                    }
                    NextAction::Program | NextAction::Done => continue,
                };
                timers.insert((now + span, thread));
                course.deeds.extend(what.map(|what| Deed { thread, from: now, to: now + span, what }));
            }
            wakes.extend(woken.drain(..).map(|(at, thread)| (at.0, thread)));
            let timer = timers.first().map(|first| first.0);
            let wake = wakes.first().map(|first| first.0);
            let limit = timer.into_iter().chain(wake).min();
            exec.advance(Time(limit.unwrap_or(u64::MAX / 4)), &mut finished);
            if let Some(first) = finished.first() {
                now = first.at.0;
                ready.extend(
                    finished.drain(..).map(|end| (end.agent.number(), WakeReason::ProgramEnded(end.result))),
                );
                continue;
            }
            let Some(next) = limit else { break };
            now = next;
            while timers.first().is_some_and(|first| first.0 == now) {
                ready.extend(timers.pop_first().map(|(_, thread)| (thread, WakeReason::Ready)));
            }
            while let Some((_, thread)) = wakes.first().copied().filter(|first| first.0 == now) {
                wakes.pop_first();
                if parked[thread as usize] {
                    parked[thread as usize] = false;
                    ready.push((thread, WakeReason::Woken));
                }
            }
        }
        assert_eq!(done, vec![self.times; threads as usize], "everybody leaves");
        course.end = now;
    }
}

fn flat(iterations: u64) -> Phase {
    Phase::new("loop", iterations)
}
