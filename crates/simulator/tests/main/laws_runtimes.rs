//! Laws that hold with constructs, tasks and inner teams, whatever the runtime and the machine.

use crate::builders::try_under;
use crate::laws::{resources_are_within_their_means, the_team_has_one_account, times_sum_to_the_makespan};
use crate::random::{Case, RuntimeCase, chains, runtime_cases};
use numalab_base::Span;
use numalab_machine::Fabric;
use numalab_simulator::{RunOutcome, TaskCounts};
use numalab_workload::{Construct, Phase, Schedule, Task, Tree};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Law: Times of tasks are parts of booked time.
    ///
    /// No thread waits for ever, no picosecond is lost, and every iteration and task is executed the right number of
    /// times.
    #[test]
    fn every_run_ends_with_its_books_in_order(all in runtime_cases()) {
        let run = run(&all)?;
        times_sum_to_the_makespan(&run);
        the_team_has_one_account(&run);
        resources_are_within_their_means(&run);
        prop_assert_eq!(run.phases.iter().map(|phase| phase.time_ps).sum::<u64>(), run.makespan_ps);
        let count = |part: fn(&Phase, Schedule, u64) -> u64| {
            let phases = all.case.workload.phases.iter().filter(|phase| phase.measured);
            let threads = all.case.team.members.len() as u64;
            phases
                .map(|phase| {
                    let policy = schedule(&all, phase);
                    let encounters = u64::from(phase.repeat) * u64::from(phase.times);
                    encounters * part(phase, policy, threads)
                })
                .sum::<u64>()
        };
        prop_assert_eq!(run.team.iter().map(|member| member.iterations).sum::<u64>(), count(executed));
        match &run.tasks {
            Some(sum) => {
                prop_assert_eq!(sum.created, count(tasks));
                tasks_add_up(sum);
                let booked = run.team.iter().map(|member| member.compute_ps + member.stall_ps + member.overhead_ps);
                let for_tasks = sum.creating_ps + sum.fetching_ps + sum.working_ps;
                prop_assert!(for_tasks <= booked.sum::<u64>(), "tasks take a part of what is booked");
            }
            None => prop_assert_eq!(count(tasks), 0),
        }
    }

    #[test]
    fn the_same_seed_is_the_same_run(all in runtime_cases()) {
        prop_assert_eq!(run(&all)?, run(&all)?);
    }

    /// Tasks that wait for each other take at least as long as their longest chain would if each task had a core of
    /// its own.
    #[test]
    fn chains_take_their_time(all in chains()) {
        let run = run(&all)?;
        let phase = &all.case.workload.phases[0];
        let longest = longest_chain(phase, &all.case);
        let noise = if all.case.replica > 0 { all.case.machine.os.noise.work } else { 0.0 };
        let longest = Span((longest.0 as f64 * (1.0 - noise)) as u64);
        let encounters = u64::from(phase.repeat) * u64::from(phase.times);
        prop_assert!(run.makespan_ps >= encounters * longest.0, "{} ps for {longest}", run.makespan_ps);
    }
}

fn run(all: &RuntimeCase) -> Result<RunOutcome, TestCaseError> {
    let RuntimeCase { case, runtime, policy } = all;
    let Case { machine, workload, team, seed, replica } = case;
    let fabric = Fabric::new(machine).expect("a sound machine");
    try_under(runtime, machine, &fabric, team, workload, *policy, (*seed, *replica))
        .map_err(|error| TestCaseError::fail(error.to_string()))
}

/// Schedule by which a phase is distributed.
fn schedule(all: &RuntimeCase, phase: &Phase) -> Schedule {
    match phase.schedule.unwrap_or(all.policy) {
        Schedule::Auto => all.runtime.auto,
        Schedule::Runtime => all.runtime.runtime,
        policy => policy,
    }
}

/// Number of iterations that a phase executes each time.
fn executed(phase: &Phase, _: Schedule, threads: u64) -> u64 {
    let teams = u64::from(phase.teams);
    match phase.construct {
        construct if construct.is_loop() => teams * phase.iterations,
        Construct::Serial => 1,
        // One thread of each team, the first to come, executes its own iteration.
        Construct::Single { .. } | Construct::Master => teams,
        _ => threads.min(phase.iterations),
    }
}

/// Number of tasks that a phase creates each time.
fn tasks(phase: &Phase, policy: Schedule, _: u64) -> u64 {
    if !phase.construct.is_loop() || !matches!(policy, Schedule::Tasks(_)) {
        return 0;
    }
    let grain = if phase.tasking.tree.is_some() { 1 } else { phase.tasking.grain };
    u64::from(phase.teams) * phase.iterations.div_ceil(grain)
}

fn tasks_add_up(sum: &TaskCounts) {
    let executed = [sum.by_creator, sum.same_socket, sum.same_board, sum.remote];
    assert_eq!(executed.iter().map(|part| part.tasks).sum::<u64>(), sum.created, "each task once");
    assert_eq!(executed.iter().map(|part| part.time_ps).sum::<u64>(), sum.working_ps);
    assert!(sum.at_once <= sum.by_creator.tasks);
    assert!(sum.longest_task_ps <= sum.working_ps);
    assert!(sum.busiest_creator_ps <= sum.creating_ps);
    assert!(sum.searching_ps <= sum.fetching_ps);
}

/// Computing time of the longest chain of dependent tasks, if each task has a core of its own.
fn longest_chain(phase: &Phase, case: &Case) -> Span {
    let speed = case.machine.core.clock.0 * case.machine.core.instructions_per_cycle;
    let all = phase.tasking.dependences.as_ref().expect("tasks that wait");
    let mut begins = vec![Span::ZERO; phase.instructions.len()];
    let mut longest = Span::ZERO;
    for task in 0..begins.len() {
        let end = begins[task] + Span::from_secs_ceil(phase.instructions[task] / speed);
        longest = longest.max(end);
        for later in &all.successors[all.first[task] as usize..all.first[task + 1] as usize] {
            begins[*later as usize] = begins[*later as usize].max(end);
        }
    }
    longest
}

/// Computing of one thread that touches no memory is counted instead of simulated.
mod alone {
    use super::*;
    use numalab_simulator::{Setup, Team, computing_alone};

    proptest! {
        /// Law: One thread that touches no memory is counted, not simulated.
        ///
        /// Cases: loops, tasks, trees of tasks and chains of tasks, under any schedule and runtime.
        #[test]
        fn one_thread_computes_what_is_counted(all in runtime_cases(), rounds in 1u32..3) {
            let RuntimeCase { mut case, runtime, policy } = all;
            case.workload.rounds = rounds;
            for phase in &mut case.workload.phases {
                phase.accesses.clear();
                phase.teams = 1;
                let is_sections = matches!(phase.construct, Construct::Sections { .. });
                if !phase.construct.is_loop() || is_sections {
                    phase.construct = Construct::For { nowait: false };
                }
            }
            let fabric = Fabric::new(&case.machine).expect("a sound machine");
            let first = case.team.members[0].processor;
            case.team = Team::on(&fabric, [first]);
            let setup = Setup {
                machine: &case.machine,
                fabric: &fabric,
                workload: &case.workload,
                runtime: &runtime,
                team: &case.team,
                seed: case.seed,
                replica: case.replica,
                ideal: Default::default(),
                exact: false,
            };
            let counted = computing_alone(&setup);
            let simulated = run(&RuntimeCase { case: case.clone(), runtime: runtime.clone(), policy })?;
            let member = &simulated.team[0];
            prop_assert_eq!(counted, Some(Span(member.compute_ps + member.stall_ps)));
            prop_assert_eq!(member.stall_ps, 0);
        }
    }

    /// A thread that touches memory is simulated.
    #[test]
    fn memory_is_not_counted() {
        let machine = crate::builders::machine("socket:2 core:2");
        let fabric = Fabric::new(&machine).expect("a sound machine");
        let team = Team::on(&fabric, [0]);
        let alone = |phases: &[Phase]| {
            let workload = crate::builders::workload(phases);
            let runtime = Default::default();
            let setup = crate::builders::setup((&machine, &fabric), (&workload, &runtime), &team);
            computing_alone(&setup)
        };
        let computing = crate::builders::computing(&[1e3, 2e3]);
        let once = alone(std::slice::from_ref(&computing)).expect("nothing else happens");
        assert!(once > Span::ZERO);
        // One task of 1000 instructions, two of 2000 and four of 4000: each of the first three tasks creates two.
        let task = |first, count| Task { first, count, wait: true, after: 0.0 };
        let tree = Tree {
            tasks: [task(0, 2), task(2, 2), task(4, 0)].into(),
            children: [1, 1, 2, 2].into(),
            roots: [0].into(),
            next: [].into(),
        };
        let mut tasks = crate::builders::computing(&[1e3, 2e3, 4e3]);
        tasks.schedule = Some(Schedule::Tasks(None));
        tasks.tasking.tree = Some(tree);
        assert_eq!(alone(std::slice::from_ref(&tasks)), Some(7 * once));
        let mut allocating = crate::builders::allocating(2, 1.0);
        allocating.measured = false;
        assert_eq!(alone(&[allocating, computing]), None);
    }
}
