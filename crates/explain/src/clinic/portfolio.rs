//! Schedules that are simulated for each loop of a program.

use crate::case::Case;
use numalab_workload::{Phase, QueueKind, Schedule};

/// Number of iterations per thread above which chunks of one iteration are left out. No program uses them, and
/// simulating them would take longer than everything else.
pub(crate) const ONE_BY_ONE: u64 = 256;

/// A schedule that may depend on the size of a loop.
#[derive(Clone, Copy)]
enum Rule {
    /// The same schedule for each loop.
    Fixed(Schedule),
    /// A schedule for machines that share pages in software.
    SharedPages(Schedule),
    /// The same schedule for each loop whose threads have at most [`ONE_BY_ONE`] iterations.
    OneByOne(Schedule),
    /// Chunks of which each thread gets about this many; sizes are rounded down to a power of two.
    Chunks(fn(u64) -> Schedule, u64),
}

fn dynamic(chunk: u64) -> Schedule {
    Schedule::Dynamic { chunk }
}

fn cyclic(chunk: u64) -> Schedule {
    Schedule::Static { chunk: Some(chunk) }
}

fn guided(chunk: u64) -> Schedule {
    Schedule::Guided { chunk }
}

/// All rules, those of `others` last. The n-th run gives each loop the schedule of the n-th rule.
fn rules(others: &[Schedule]) -> Vec<Rule> {
    let plain = [
        Rule::Fixed(Schedule::Static { chunk: None }),
        Rule::OneByOne(cyclic(1)),
        Rule::Chunks(cyclic, 16),
        Rule::Chunks(cyclic, 4),
        Rule::OneByOne(dynamic(1)),
        Rule::Chunks(dynamic, 64),
        Rule::Chunks(dynamic, 16),
        Rule::Chunks(dynamic, 4),
        Rule::Fixed(guided(1)),
        Rule::Chunks(guided, 16),
    ];
    let steals = |schedule: &Schedule| !schedule.is_of_openmp() && schedule.requested() == Some(1);
    let stealing = Schedule::ALL.into_iter().filter(steals).map(Rule::OneByOne);
    let tasks = [Rule::OneByOne(Schedule::Tasks(None))];
    let aligned = |schedule: &Schedule| !schedule.is_of_openmp() && schedule.is_contiguous();
    let aligned = Schedule::ALL.into_iter().filter(aligned).map(Rule::SharedPages);
    let others = others.iter().map(|other| match other.requested() {
        Some(1) => Rule::OneByOne(*other),
        _ => Rule::Fixed(*other),
    });
    plain.into_iter().chain(stealing).chain(tasks).chain(aligned).chain(others).collect()
}

impl Rule {
    /// Schedule of a loop with `iterations` for `threads`; `None` if the rule is not for the loop.
    fn of(self, iterations: u64, threads: u64, shares_pages: bool) -> Option<Schedule> {
        let each = (iterations / threads.max(1)).max(1);
        match self {
            Rule::Fixed(schedule) => Some(schedule),
            Rule::SharedPages(schedule) => shares_pages.then_some(schedule),
            Rule::OneByOne(schedule) => (each <= ONE_BY_ONE).then_some(schedule),
            Rule::Chunks(schedule, count) => {
                let chunk = each / count;
                (chunk > 1).then(|| schedule(1 << chunk.ilog2()))
            }
        }
    }
}

/// A loop of the measured phases, or a phase of tasks that only queues of tasks can execute.
pub(super) struct Loop {
    /// Name of its phases.
    pub name: String,
    /// Number of iterations of the program; `None` for tasks.
    pub iterations: Option<u64>,
    /// Number of executions.
    pub steps: u64,
    /// True if its parallel region has other phases, too.
    pub shares_region: bool,
    /// Schedule of the run, in iterations of the program.
    pub present: Schedule,
    /// Schedules by rule; `None` if a rule is not for the loop or repeats another one's schedule.
    pub schedules: Vec<Option<Schedule>>,
}

/// Loops of the measured phases, in program order. Phases of one name are one loop. `others`: schedules beyond those
/// that are built in.
pub(super) fn loops(case: &Case, others: &[Schedule]) -> Vec<Loop> {
    let threads = case.team.members.len() as u64;
    let mut all: Vec<Loop> = Vec::new();
    let phases = &case.workload.phases;
    for (at, phase) in phases.iter().enumerate().filter(|(_, phase)| is_open(phase)) {
        let rounds = phase.rounds(case.workload.rounds);
        let steps = u64::from(phase.repeat) * u64::from(rounds) * u64::from(phase.times.max(1));
        if let Some(known) = all.iter_mut().find(|known| known.name == phase.name) {
            known.steps += steps;
            continue;
        }
        let iterations = phase.iterations.saturating_mul(phase.unit.unwrap_or(1));
        let iterations = (!phase.needs_tasks()).then_some(iterations);
        let schedules = match iterations {
            Some(iterations) => of_loop(iterations, threads, case.hardware().dsm.is_some(), others),
            None => QueueKind::ALL.map(|queue| Some(Schedule::Tasks(Some(queue)))).to_vec(),
        };
        let present =
            phase.schedule.map_or(case.schedule, |own| own.in_iterations_of(phase.unit.unwrap_or(1)));
        let shares_region = phase.continues || phases.get(at + 1).is_some_and(|next| next.continues);
        all.push(Loop { name: phase.name.clone(), iterations, steps, shares_region, present, schedules });
    }
    all
}

/// Schedules of a loop by rule; `None` for repeated ones.
fn of_loop(iterations: u64, threads: u64, shares_pages: bool, others: &[Schedule]) -> Vec<Option<Schedule>> {
    let mut schedules: Vec<Option<Schedule>> = Vec::new();
    for rule in rules(others) {
        let schedule = rule.of(iterations, threads, shares_pages);
        schedules.push(schedule.filter(|schedule| !schedules.contains(&Some(*schedule))));
    }
    schedules
}

/// True for measured tasks, and for a measured loop of several iterations that is not left to a single thread.
fn is_open(phase: &Phase) -> bool {
    let is_of_one_thread =
        matches!(phase.schedule, Some(Schedule::Static { chunk: Some(chunk) }) if chunk >= phase.iterations);
    let is_loop = phase.construct.is_loop() && phase.iterations > 1 && !is_of_one_thread;
    phase.measured && (is_loop || phase.needs_tasks())
}

/// Lists of a schedule for each loop: the present ones, and those of each rule. A loop for which a rule has no schedule
/// keeps its present one. Each schedule of a loop is in one list at least.
pub(super) fn lists(loops: &[Loop]) -> Vec<Vec<Option<Schedule>>> {
    if loops.is_empty() {
        return Vec::new();
    }
    let of_rule = |at: usize| -> Vec<Option<Schedule>> {
        let other =
            |one: &Loop| one.schedules.get(at).copied().flatten().filter(|schedule| *schedule != one.present);
        loops.iter().map(other).collect()
    };
    let most = loops.iter().map(|one| one.schedules.len()).max().unwrap_or(0);
    let changed = (0..most).map(of_rule).filter(|list| list.iter().any(Option::is_some));
    std::iter::once(vec![None; loops.len()]).chain(changed).collect()
}

/// The run with other schedules of some loops, by loop.
pub(super) fn assigned(case: &Case, loops: &[Loop], schedules: &[Option<Schedule>]) -> Case {
    let mut changed = case.clone();
    let phases = &mut std::sync::Arc::make_mut(&mut changed.workload).phases;
    for phase in phases.iter_mut().filter(|phase| is_open(phase)) {
        let at = loops.iter().position(|one| one.name == phase.name);
        if let Some(schedule) = at.and_then(|at| schedules[at]) {
            phase.schedule = Some(schedule.in_units_of(phase.unit.unwrap_or(1)));
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(iterations: u64, threads: u64, shares_pages: bool) -> Vec<String> {
        let all = rules(&[]).into_iter().filter_map(|rule| rule.of(iterations, threads, shares_pages));
        all.map(|schedule| schedule.to_string()).collect()
    }

    /// 1600 iterations for 16 threads are 100 each: chunks of 100/16 = 6, rounded down to 4, and of 100/4 = 25, rounded
    /// down to 16; 100/64 = 1 is no further chunk.
    #[test]
    fn chunks_follow_the_size_of_a_loop() {
        let found = texts(1600, 16, false);
        let expected = [
            "static",
            "static,1",
            "static,4",
            "static,16",
            "dynamic",
            "dynamic,4",
            "dynamic,16",
            "guided",
            "guided,4",
            "numa-steal:random",
            "numa-steal:nearest",
            "numa-steal:most-loaded",
            "tasks",
        ];
        assert_eq!(found, expected);
        assert!(texts(1600, 16, true).contains(&"align".to_owned()));
    }

    /// 10 million iterations a thread are never taken one by one.
    #[test]
    fn long_loops_have_no_chunks_of_one_iteration() {
        let found = texts(160_000_000, 16, false);
        assert!(
            !found.iter().any(|text| text == "dynamic" || text == "static,1" || text.starts_with("numa"))
        );
        assert!(found.contains(&"dynamic,131072".to_owned()), "{found:?}");
    }
}
