//! Follows threads through the regions that events name.

use super::legend::Legend;
use super::text::Trace;
use super::{BLOCKED, PHASE, RUNNING};
use crate::course::{Course, OWN};
use numalab_nlt::What;
use numalab_nlt::ompt::{invoker, wait};
use numalab_replay::Recording;
use numalab_syntax::diagnostics::{Diagnostics, Source};
use std::collections::{BTreeMap, BTreeSet};

/// Largest number of phases times threads.
const MOST_PARTS: usize = 20_000_000;

/// Types of events that the replay uses.
#[derive(Clone, Copy, Debug)]
pub struct Kinds {
    /// Type of the events that name regions.
    pub regions: u64,
    /// Type of the events that name tasks; `None` if the trace has none or the user chose the type of regions.
    pub tasks: Option<u64>,
    /// True for the trace of a simulated run.
    pub simulated: bool,
}

/// Interval in nanoseconds in which a thread is in a region or a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Interval {
    from: u64,
    to: u64,
    thread: u32,
    value: u64,
}

/// Instance of a region: overlapping intervals of different threads. These threads are the team.
#[derive(Clone, Debug)]
struct Instance {
    from: u64,
    to: u64,
    value: u64,
    members: Vec<Interval>,
}

/// Step of a thread. The order of variants is the order at one instant: ends come before beginnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Pauses,
    TaskEnds,
    Leaves(u64),
    Closes(u64),
    Opens { region: u64, value: u64, team: u32 },
    Enters { region: u64, member: u32, team: u32 },
    TaskBegins(u64),
    GoesOn,
}

pub fn recording(
    trace: &Trace,
    legend: &Legend,
    source: &Source,
    kinds: Kinds,
) -> Result<Recording, Diagnostics> {
    let threads: BTreeSet<u32> = trace
        .states
        .iter()
        .map(|state| state.thread)
        .chain(trace.events.iter().map(|event| event.thread))
        .collect();
    let mut intervals = intervals(trace, kinds.regions);
    if kinds.regions == PHASE {
        // One thread writes the phases of all threads.
        if intervals.len().saturating_mul(threads.len()) > MOST_PARTS {
            let message = format!("there are {} threads and {} phases", threads.len(), intervals.len());
            let label = format!("expected at most {MOST_PARTS} parts of threads");
            return Err(Diagnostics::of_file(source.clone(), message, label));
        }
        intervals = intervals
            .iter()
            .flat_map(|interval| threads.iter().map(|thread| Interval { thread: *thread, ..*interval }))
            .collect();
    }
    let instances = instances(intervals);
    let main = threads.first().copied().unwrap_or(0);
    let mut steps: Vec<(u64, Step, u32)> = Vec::new();
    for (number, instance) in (1..).zip(&instances) {
        let team = instance.members.len() as u32;
        steps.push((instance.from, Step::Opens { region: number, value: instance.value, team }, main));
        for (member, interval) in (0..).zip(&instance.members) {
            steps.push((interval.from, Step::Enters { region: number, member, team }, interval.thread));
            steps.push((interval.to, Step::Leaves(number), interval.thread));
        }
        steps.push((instance.to, Step::Closes(number), main));
    }
    for task in kinds.tasks.map_or(Vec::new(), |kind| self::intervals(trace, kind)) {
        steps.push((task.from, Step::TaskBegins(task.value), task.thread));
        steps.push((task.to, Step::TaskEnds, task.thread));
    }
    pauses(trace, kinds.simulated, &mut steps);
    steps.sort_unstable();
    let mut course = Course::default();
    course.add(main, 0, What::Started { spent: 0 });
    follow(&steps, main, legend, kinds, &mut course);
    course.add(main, trace.until.max(steps.last().map_or(0, |step| step.0)), What::Ended {});
    Ok(course.finish(&source.name))
}

/// Intervals in which a thread's last event of type `kind` has a value other than 0.
fn intervals(trace: &Trace, kind: u64) -> Vec<Interval> {
    let mut open: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    let mut all = Vec::new();
    for event in trace.events.iter().filter(|event| event.kind == kind) {
        let before = match event.value {
            0 => open.remove(&event.thread),
            value => open.insert(event.thread, (event.time, value)),
        };
        if let Some((from, value)) = before
            && from < event.time
        {
            all.push(Interval { from, to: event.time, thread: event.thread, value });
        }
    }
    let rest = open.into_iter().filter(|(_, (from, _))| *from < trace.until);
    all.extend(rest.map(|(thread, (from, value))| Interval { from, to: trace.until, thread, value }));
    all.sort_unstable();
    all
}

/// Groups overlapping intervals of different threads into instances.
fn instances(intervals: Vec<Interval>) -> Vec<Instance> {
    let mut all: Vec<Instance> = Vec::new();
    let mut members = BTreeSet::new();
    for interval in intervals {
        let Interval { from, to, thread, value } = interval;
        match all.last_mut() {
            Some(last) if from < last.to && members.insert(thread) => {
                last.to = last.to.max(to);
                last.members.push(interval);
            }
            Some(last) if from < last.to => {
                // The thread enters the next instance while the others are still in this one: its stay begins when
                // they end.
                let from = last.to;
                if from < to {
                    members = BTreeSet::from([thread]);
                    all.push(Instance { from, to, value, members: vec![Interval { from, ..interval }] });
                }
            }
            _ => {
                members = BTreeSet::from([thread]);
                all.push(Instance { from, to, value, members: vec![interval] });
            }
        }
    }
    for instance in &mut all {
        instance.members.sort_by_key(|member| member.thread);
    }
    all
}

/// Adds the steps at which threads pause and resume work; in a simulated run, waiting for memory is work. A thread
/// without states never pauses.
fn pauses(trace: &Trace, simulated: bool, steps: &mut Vec<(u64, Step, u32)>) {
    let works = |state: u64| state == RUNNING || (simulated && state == BLOCKED);
    let mut states = trace.states.iter().peekable();
    while let Some(first) = states.peek().map(|state| state.thread) {
        let mut at = 0;
        let mut pauses = true;
        steps.push((0, Step::Pauses, first));
        while let Some(state) = states.next_if(|state| state.thread == first) {
            if works(state.state) && state.to > state.from {
                let from = state.from.max(at);
                if pauses {
                    steps.push((from, Step::GoesOn, first));
                } else if from > at {
                    steps.push((at, Step::Pauses, first));
                    steps.push((from, Step::GoesOn, first));
                }
                (at, pauses) = (state.to.max(at), false);
            }
        }
        if !pauses {
            steps.push((at, Step::Pauses, first));
        }
    }
}

/// Adds all steps to the recording. A pause becomes a wait for a free lock, which has no effect on other threads.
fn follow(steps: &[(u64, Step, u32)], main: u32, legend: &Legend, kinds: Kinds, course: &mut Course) {
    let mut sites: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    let mut site = |kind: u64, value: u64, course: &mut Course| {
        *sites.entry((kind, value)).or_insert_with(|| match legend.values.get(&(kind, value)) {
            Some(name) => course.site(name, None, None),
            None => course.site(&format!("{kind}:{value}"), None, None),
        })
    };
    let (mut next_task, mut next_own) = (0, OWN);
    // Implicit task and region of each thread, its explicit task, and the paused threads.
    let mut own: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    let mut current: BTreeMap<u32, u64> = BTreeMap::new();
    let mut paused: BTreeSet<u32> = BTreeSet::new();
    // Thread that opened the current region.
    let mut opener = None;
    for &(time, step, thread) in steps {
        let mut pause_again = false;
        match step {
            Step::Opens { region, value, team } => {
                let code = site(kinds.regions, value, course);
                let asked = team.into();
                course.add(
                    thread,
                    time,
                    What::ParallelBegin { invoker: invoker::PROGRAM, region, code, asked },
                );
                opener = Some(thread);
            }
            Step::Enters { region, member, team } => {
                let member = u64::from(team) << 32 | u64::from(member);
                own.insert(thread, (next_own, region));
                course.add(thread, time, What::ImplicitBegin { region, member, task: next_own });
                next_own += 1;
                pause_again = true;
            }
            Step::Leaves(region) => {
                if let (Some(task), Some((own, _))) = (current.remove(&thread), own.get(&thread)) {
                    course.add(thread, time, What::TaskSwitch { status: 1, before: task, after: *own });
                }
                own.remove(&thread);
                course.add(thread, time, What::WaitBegin { wait: wait::BARRIER, region, task: 0 });
            }
            Step::Closes(region) => {
                course.add(thread, time, What::ParallelEnd { region });
                opener = None;
                pause_again = true;
            }
            Step::TaskBegins(value) => {
                let Some((own, _)) = own.get(&thread).copied() else { continue };
                if let Some(before) = current.remove(&thread) {
                    course.add(thread, time, What::TaskSwitch { status: 1, before, after: own });
                }
                next_task += 1;
                let code = site(kinds.tasks.unwrap_or(0), value, course);
                course.add(thread, time, What::TaskCreate { task: next_task, code, creator: own });
                course.add(thread, time, What::TaskSwitch { status: 0, before: own, after: next_task });
                current.insert(thread, next_task);
                pause_again = true;
            }
            Step::TaskEnds => {
                if let (Some(task), Some((own, _))) = (current.remove(&thread), own.get(&thread)) {
                    course.add(thread, time, What::TaskSwitch { status: 1, before: task, after: *own });
                    pause_again = true;
                }
            }
            Step::Pauses => {
                paused.insert(thread);
                course.add(thread, time, What::MutexAcquire { mutex: 0, lock: 0 });
            }
            Step::GoesOn => {
                paused.remove(&thread);
                // Work outside of a region is not replayed, except the main thread's between regions.
                let serial = thread == main && opener.is_none();
                if !own.contains_key(&thread) && !serial {
                    continue;
                }
                course.add(thread, time, What::MutexAcquired { mutex: 0, lock: 0 });
                course.add(thread, time, What::MutexReleased { mutex: 0, lock: 0 });
            }
        }
        if pause_again && paused.contains(&thread) {
            course.add(thread, time, What::MutexAcquire { mutex: 0, lock: 0 });
        }
    }
}
