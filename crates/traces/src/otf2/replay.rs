//! Makes a recording of an archive's events.

use super::definitions::{Definitions, Region};
use super::{Event, What};
use crate::course::{Course, OWN};
use numalab_nlt::What as Recorded;
use numalab_nlt::ompt::{invoker, mutex, wait, work};
use numalab_replay::Recording;
use std::collections::{BTreeMap, BTreeSet};

/// Roles of regions that [`construct`] knows.
const CONSTRUCTS: [&str; 9] = [
    "LOOP",
    "SECTIONS",
    "WORKSHARE",
    "SINGLE",
    "BARRIER",
    "IMPLICIT_BARRIER",
    "TASK_WAIT",
    "CRITICAL",
    "CRITICAL_SBLOCK",
];

/// Instance of a parallel region, from its fork to its join.
#[derive(Clone, Copy, Debug)]
struct Opened {
    number: u64,
    by: u32,
    team: Option<u64>,
    size: u32,
    since: u64,
    until: u64,
    site: u64,
}

/// State of a thread during the walk over the events.
#[derive(Clone, Debug, Default)]
struct Thread {
    task: Option<u32>,
    /// Implicit tasks of the thread, and the parallel regions that it is in, innermost last.
    own: Vec<u64>,
    inside: Vec<Opened>,
    opened: Vec<Opened>,
}

/// Makes a recording of nested events.
pub fn recording(definitions: &Definitions, events: &[Event], name: &str) -> Recording {
    let start = events.first().map_or(0, |event| event.time);
    let ns = |time: u64| {
        let ticks = u128::from(time - start) * 1_000_000_000;
        u64::try_from(ticks / u128::from(definitions.ticks_per_second)).unwrap_or(u64::MAX)
    };
    let mut course = Course::default();
    let members = members(definitions);
    let opened = opened(definitions, events, &mut course);
    let mut by_team: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (at, one) in opened.iter().enumerate() {
        if let Some(team) = one.team {
            by_team.entry(team).or_default().push(at);
        }
    }
    let sites = task_sites(definitions, events, &mut course);
    let executors = executors(definitions, events);
    let constructs: BTreeMap<u32, u64> = definitions
        .regions
        .iter()
        .filter(|(_, region)| CONSTRUCTS.contains(&region.role.as_str()))
        .map(|(number, region)| (*number, course.site(&region.name, Some(&region.file), region.line)))
        .collect();
    let mut threads = vec![Thread::default(); definitions.threads.len()];
    let mut next_own = OWN;
    let mut forks = opened.iter();
    let main = opened.first().map_or(events.first().map_or(0, |event| event.thread), |first| first.by);
    course.add(main, 0, Recorded::Started { spent: 0 });
    for (at, event) in events.iter().enumerate() {
        let time = ns(event.time);
        let thread = &mut threads[event.thread as usize];
        let mut add = |what| course.add(event.thread, time, what);
        match event.what {
            What::Fork(_) => {
                let Some(found) = forks.next() else { continue };
                let Opened { number: region, site: code, size, .. } = *found;
                add(Recorded::ParallelBegin { invoker: invoker::RUNTIME, region, code, asked: size.into() });
                thread.opened.push(*found);
            }
            What::Join => {
                if let Some(found) = thread.opened.pop() {
                    add(Recorded::ParallelEnd { region: found.number });
                }
            }
            What::TeamBegin(team) => {
                // The team's last region whose fork is not after the event.
                let of_team = by_team.get(&team).map_or(&[][..], |list| list);
                let before = of_team.partition_point(|at| opened[*at].since <= event.time);
                let last = before.checked_sub(1).map(|last| &opened[of_team[last]]);
                let Some(found) = last.filter(|one| event.time <= one.until) else { continue };
                let member = members.get(&(team, event.thread)).copied().unwrap_or(event.thread);
                let task = next_own;
                next_own += 1;
                thread.own.push(task);
                thread.inside.push(*found);
                let member = u64::from(found.size) << 32 | u64::from(member);
                add(Recorded::ImplicitBegin { region: found.number, member, task });
            }
            What::TeamEnd => {
                if let (Some(found), Some(_)) = (thread.inside.pop(), thread.own.pop()) {
                    // After the end of its team's work, a member only waits for the others.
                    add(Recorded::WaitBegin { wait: wait::BARRIER, region: found.number, task: 0 });
                }
            }
            What::Create(task) => {
                let creator = number(thread, thread.task);
                let code = sites.get(&task).copied().unwrap_or(0);
                add(Recorded::TaskCreate { task: task.into(), code, creator });
            }
            What::Switch(task) => {
                let (before, after) = (number(thread, thread.task), number(thread, task));
                add(Recorded::TaskSwitch { status: 0, before, after });
                thread.task = task;
            }
            What::Complete(task) => {
                let after = number(thread, None);
                add(Recorded::TaskSwitch { status: 1, before: task.into(), after });
                thread.task = None;
            }
            What::Enter(region) | What::Leave(region) => {
                // Constructs outside of any region are left out: one thread executes them.
                let (Some(code), Some(inside)) = (constructs.get(&region).copied(), thread.inside.last())
                else {
                    continue;
                };
                let Some(described) = definitions.regions.get(&region) else { continue };
                let enters = matches!(event.what, What::Enter(_));
                let here = Here { region: inside.number, team: inside.size };
                let executes = executors.contains(&at);
                for what in construct(described, code, enters, executes, here) {
                    course.add(event.thread, time, what);
                }
            }
        }
    }
    course.add(main, ns(events.last().map_or(start, |event| event.time)), Recorded::Ended {});
    course.finish(name)
}

/// Number of the task that a thread executes, explicit or implicit.
fn number(thread: &Thread, task: Option<u32>) -> u64 {
    task.map_or(thread.own.last().copied().unwrap_or(0), u64::from)
}

/// Number of each thread in its team, by team and thread.
fn members(definitions: &Definitions) -> BTreeMap<(u64, u32), u32> {
    let mut all = BTreeMap::new();
    for (team, members) in &definitions.teams {
        for (place, one) in (0..).zip(members) {
            if let Some(thread) = definitions.numbers.get(one) {
                all.entry((*team, *thread)).or_insert(place);
            }
        }
    }
    all
}

/// Parallel regions in the order of their forks.
fn opened(definitions: &Definitions, events: &[Event], course: &mut Course) -> Vec<Opened> {
    let mut all: Vec<Opened> = Vec::new();
    let parallel = |region: u32| definitions.regions.get(&region).filter(|region| region.role == "PARALLEL");
    // Entered parallel regions by thread, and forks without a join by thread.
    let mut open: BTreeMap<u32, Vec<&Region>> = BTreeMap::new();
    let mut forks: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for event in events {
        match event.what {
            What::Enter(region) => {
                let Some(region) = parallel(region) else { continue };
                open.entry(event.thread).or_default().push(region);
                // Some tools enter a region after they have forked its team.
                let last = forks.get(&event.thread).and_then(|forks| forks.last());
                if let Some(one) = last.map(|at| &mut all[*at])
                    && one.site == 0
                {
                    one.site = course.site(&region.name, Some(&region.file), region.line);
                }
            }
            What::Leave(region) if parallel(region).is_some() => {
                open.entry(event.thread).or_default().pop();
            }
            What::Fork(size) => {
                let depth = forks.get(&event.thread).map_or(0, Vec::len);
                let around = open.get(&event.thread).and_then(|open| open.get(depth));
                let site =
                    around.map_or(0, |region| course.site(&region.name, Some(&region.file), region.line));
                forks.entry(event.thread).or_default().push(all.len());
                let number = all.len() as u64 + 1;
                let (by, since) = (event.thread, event.time);
                all.push(Opened { number, by, team: None, size, since, until: u64::MAX, site });
            }
            What::TeamBegin(team) => {
                let last = forks.get(&event.thread).and_then(|forks| forks.last());
                if let Some(one) = last.map(|at| &mut all[*at])
                    && one.team.is_none()
                {
                    one.team = Some(team);
                    let members = definitions.teams.get(&team).map_or(0, Vec::len);
                    one.size = if members > 0 { members as u32 } else { one.size };
                }
            }
            What::Join => {
                if let Some(at) = forks.get_mut(&event.thread).and_then(Vec::pop) {
                    all[at].until = event.time;
                }
            }
            What::Leave(_) | What::TeamEnd | What::Create(_) | What::Switch(_) | What::Complete(_) => {}
        }
    }
    let unnamed = course.site("parallel", None, None);
    all.iter_mut().filter(|one| one.site == 0).for_each(|one| one.site = unnamed);
    all
}

/// Site of each task: the first region that it enters.
fn task_sites(definitions: &Definitions, events: &[Event], course: &mut Course) -> BTreeMap<u32, u64> {
    let mut sites = BTreeMap::new();
    let mut current: BTreeMap<u32, u32> = BTreeMap::new();
    for event in events {
        match event.what {
            What::Switch(Some(task)) => drop(current.insert(event.thread, task)),
            What::Switch(None) | What::Complete(_) => drop(current.remove(&event.thread)),
            What::Enter(region) => {
                if let (Some(task), Some(region)) =
                    (current.get(&event.thread), definitions.regions.get(&region))
                {
                    let site = || course.site(&region.name, Some(&region.file), region.line);
                    sites.entry(*task).or_insert_with(site);
                }
            }
            What::Leave(_)
            | What::Fork(_)
            | What::Join
            | What::TeamBegin(_)
            | What::TeamEnd
            | What::Create(_) => {}
        }
    }
    sites
}

/// Indices of events that enter or leave a single construct or critical section whose block this thread executes.
fn executors(definitions: &Definitions, events: &[Event]) -> BTreeSet<usize> {
    let role = |region: u32| definitions.regions.get(&region).map_or("", |region| region.role.as_str());
    let mut open: BTreeMap<u32, Vec<(usize, bool)>> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for (at, event) in events.iter().enumerate() {
        let stack = open.entry(event.thread).or_default();
        match event.what {
            What::Enter(region) => match role(region) {
                "SINGLE" | "CRITICAL" => stack.push((at, false)),
                "SINGLE_SBLOCK" | "CRITICAL_SBLOCK" => {
                    if let Some(last) = stack.last_mut() {
                        last.1 = true;
                    }
                }
                _ => {}
            },
            What::Leave(region) if matches!(role(region), "SINGLE" | "CRITICAL") => {
                if let Some((from, true)) = stack.pop() {
                    found.extend([from, at]);
                }
            }
            What::Leave(_)
            | What::Fork(_)
            | What::Join
            | What::TeamBegin(_)
            | What::TeamEnd
            | What::Create(_)
            | What::Switch(_)
            | What::Complete(_) => {}
        }
    }
    found
}

/// Region that a thread is in, and size of its team.
#[derive(Clone, Copy)]
struct Here {
    region: u64,
    team: u32,
}

/// Turns the entry into a construct of OpenMP, or the exit (`enters` is false), into events of a recording.
/// `executes`: true if the thread executes the block of a single construct or critical section.
fn construct(described: &Region, code: u64, enters: bool, executes: bool, here: Here) -> Vec<Recorded> {
    let Here { region, team } = here;
    let begin = |work: u8, iterations: u64| vec![Recorded::WorkBegin { work, region, code, iterations }];
    let end = |work: u8| vec![Recorded::WorkEnd { work, region }];
    let waits = |wait: u8| match enters {
        true => vec![Recorded::WaitBegin { wait, region, task: 0 }],
        false => vec![Recorded::WaitEnd { wait, region, task: 0 }],
    };
    match (described.role.as_str(), enters) {
        // The archive does not state the iterations of a member, so each member's part counts as one.
        ("LOOP" | "SECTIONS" | "WORKSHARE", true) => begin(work::LOOP, team.into()),
        ("LOOP" | "SECTIONS" | "WORKSHARE", false) => end(work::LOOP),
        ("SINGLE", true) if executes => begin(work::SINGLE, 1),
        ("SINGLE", true) => begin(work::SINGLE_OTHER, 1),
        ("SINGLE", false) if executes => end(work::SINGLE),
        ("SINGLE", false) => end(work::SINGLE_OTHER),
        ("BARRIER" | "IMPLICIT_BARRIER", _) => waits(wait::BARRIER),
        ("TASK_WAIT", _) => waits(wait::TASKS),
        ("CRITICAL", true) if executes => vec![Recorded::MutexAcquire { mutex: mutex::CRITICAL, lock: code }],
        ("CRITICAL_SBLOCK", true) => vec![Recorded::MutexAcquired { mutex: mutex::CRITICAL, lock: code }],
        ("CRITICAL_SBLOCK", false) => vec![Recorded::MutexReleased { mutex: mutex::CRITICAL, lock: code }],
        _ => Vec::new(),
    }
}
