//! Laws that hold in every run.

use crate::builders::try_run;
use crate::random::{Case, POLICIES, Sizes, cases};
use crate::traffic;
use numalab_base::Span;
use numalab_machine::Fabric;
use numalab_simulator::{ByNode, RunOutcome, ThreadOutcome};
use numalab_simulator::{Setup, SimulationError, prepare};
use numalab_workload::{Phase, Schedule};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Law: Computing, stall, overhead and idle sum to the makespan.
    ///
    /// Holds under every policy, for any machine, workload and team.
    #[test]
    fn every_run_keeps_the_books(case in cases(Sizes::Any)) {
        let Case { machine, workload, team, seed, replica } = &case;
        let fabric = Fabric::new(machine).unwrap();
        let fits = touched_pages(&case) <= u64::from(fabric.nodes()) * pages_of_a_node(&case);
        for policy in POLICIES {
            match try_run(machine, &fabric, team, workload, policy, (*seed, *replica)) {
                Ok(run) => {
                    assert!(fits, "{policy}: more pages than memory");
                    times_sum_to_the_makespan(&run);
                    the_team_has_one_account(&run);
                    iterations_execute_once(&case, &run);
                    bytes_are_those_asked_for(&case, &run);
                    resources_are_within_their_means(&run);
                    time_on_data_is_what_computing_leaves(&case, &run);
                    traffic::is_that_of_the_flows(&case, &fabric, &run);
                }
                Err(SimulationError::MemoryFull { full, .. }) => {
                    assert!(!fits, "{policy}: memory is left");
                    assert!(full.pages > 0);
                }
                Err(error) => panic!("{policy}: {error}"),
            }
        }
    }

    /// A policy gives the same result in a run by itself, in a second run, and after other policies that start from
    /// the same prepared state.
    #[test]
    fn every_run_can_be_had_again(case in cases(Sizes::Any)) {
        let Case { machine, workload, team, seed, replica } = &case;
        let fabric = Fabric::new(machine).unwrap();
        let setup = Setup { machine, fabric: &fabric, workload, runtime: &numalab_runtime::Profile::free(), team, seed: *seed, replica: *replica, ideal: numalab_simulator::Ideal::default(), exact: false };
        let prepared = prepare(&setup, &());
        for policy in POLICIES {
            let alone = try_run(machine, &fabric, team, workload, policy, (*seed, *replica));
            let after_others =
                prepared.as_ref().map_err(Clone::clone).and_then(|prepared| prepared.run(policy, &()));
            assert_eq!(alone, after_others, "{policy}");
        }
    }
}

fn measured(case: &Case) -> impl Iterator<Item = &Phase> {
    case.workload.phases.iter().filter(|phase| phase.measured)
}

/// Number of pages that some iteration touches.
fn touched_pages(case: &Case) -> u64 {
    let page = case.machine.memory.page.0;
    let regions = case.workload.regions.iter();
    let mut touched: Vec<_> =
        regions.map(|region| vec![false; region.size.0.div_ceil(page) as usize]).collect();
    for phase in &case.workload.phases {
        for (access, i) in phase.accesses.iter().flat_map(|a| (0..phase.iterations).map(move |i| (a, i))) {
            let (start, end) = access.slice.range(i);
            if start < end {
                let pages = (start / page) as usize..end.div_ceil(page) as usize;
                touched[access.region.0][pages].fill(true);
            }
        }
    }
    touched.iter().flatten().filter(|touched| **touched).count() as u64
}

fn pages_of_a_node(case: &Case) -> u64 {
    case.machine.memory.capacity.0 / case.machine.memory.page.0
}

pub fn times_sum_to_the_makespan(run: &RunOutcome) {
    for member in &run.team {
        let sum = member.compute_ps + member.stall_ps + member.overhead_ps + member.idle_ps;
        assert_eq!(sum, run.makespan_ps, "processor {}", member.processor);
    }
}

/// Asserts `threads × makespan` = ideal work + memory penalty + overhead + idle time.
pub fn the_team_has_one_account(run: &RunOutcome) {
    let sum = |part: fn(&ThreadOutcome) -> u64| run.team.iter().map(part).sum::<u64>() as i64;
    let work = run.ideal_work_ps as i64 + run.memory_penalty_ps;
    let whole = work + sum(|member| member.overhead_ps) + sum(|member| member.idle_ps);
    assert_eq!(whole as u64, (run.team.len() as u64) * run.makespan_ps);
}

fn iterations_execute_once(case: &Case, run: &RunOutcome) {
    let asked: u64 = measured(case).map(|phase| u64::from(phase.repeat) * phase.iterations).sum();
    assert_eq!(run.team.iter().map(|member| member.iterations).sum::<u64>(), asked);
    let steals = |phase: &Phase| phase.schedule.is_none() && matches!(run.schedule, Schedule::NumaSteal(_));
    for member in &run.team {
        assert!(member.stolen <= member.iterations);
        assert!(member.stolen == 0 || measured(case).any(steals));
    }
}

fn bytes_are_those_asked_for(case: &Case, run: &RunOutcome) {
    let asked: u64 = measured(case)
        .map(|phase| {
            let accesses = phase.accesses.iter();
            let pieces =
                accesses.flat_map(|access| (0..phase.iterations).map(|i| access.slice.piece(i, i + 1)));
            u64::from(phase.repeat) * pieces.flatten().map(|piece| piece.touched + piece.again).sum::<u64>()
        })
        .sum();
    assert_eq!(run.bytes_by_level.total(), asked);
    assert_eq!(run.team.iter().map(|member| member.bytes_by_node.total()).sum::<u64>(), asked);
    let local: u64 = run.team.iter().map(|member| member.bytes_by_node.get(member.node)).sum();
    assert_eq!(run.bytes_by_level.node, local);
}

pub fn resources_are_within_their_means(run: &RunOutcome) {
    for resource in &run.resources {
        assert!(resource.peak_utilisation <= 1.0, "{}", resource.name);
        assert!(resource.busy_ps <= run.makespan_ps, "{}", resource.name);
        // While busy, a resource carries at most its capacity. Bytes are rounded once each time that a loop runs, the
        // end of a flow to a picosecond.
        let most = resource.capacity_bytes_per_s * Span(resource.busy_ps).as_secs();
        let slack = most * 1e-9 + traffic::ROUNDING;
        assert!(
            resource.bytes as f64 <= most + slack,
            "{}: {} bytes of {most}",
            resource.name,
            resource.bytes
        );
    }
}

/// Asserts that a thread's computing and waiting times are its times on the data of each node, plus the time of
/// instructions that touch no memory.
fn time_on_data_is_what_computing_leaves(case: &Case, run: &RunOutcome) {
    let speed = case.machine.core.clock.0 * case.machine.core.instructions_per_cycle;
    let pure = |mates: u32| -> u64 {
        let phase_time = |phase: &Phase| {
            let times =
                phase.instructions.iter().map(|i| Span::from_secs_ceil(i * f64::from(mates) / speed).0);
            u64::from(phase.repeat) * times.sum::<u64>()
        };
        measured(case).map(phase_time).sum()
    };
    let noise = if case.replica > 0 { case.machine.os.noise.work } else { 0.0 };
    let part = |time: u64, factor: f64| (time as f64 * factor) as u64;
    let mates = case.team.members.iter().map(|member| member.core_mates);
    let (fewest, most) = (mates.clone().min().unwrap(), mates.max().unwrap());
    let beside: Vec<u64> = run
        .team
        .iter()
        .map(|member| member.compute_ps + member.stall_ps - total(&member.time_by_node_ps))
        .collect();
    let sum = beside.iter().sum::<u64>();
    // In a replica the time of each piece is rounded up anew.
    let rounding = if case.replica > 0 { run.team.iter().map(|member| member.iterations).sum() } else { 0 };
    let bounds = part(pure(fewest), 1.0 - noise)..=part(pure(most), 1.0 + noise) + rounding;
    assert!(bounds.contains(&sum), "{sum} ps of instructions beside data");
    for (member, beside) in run.team.iter().zip(beside) {
        assert!(beside <= member.compute_ps, "processor {}", member.processor);
    }
}

fn total(by_node: &ByNode) -> u64 {
    by_node.iter().map(|(_, amount)| amount).sum()
}

/// `POLICIES` has every kind of policy; a new kind fails to compile here.
#[test]
fn no_policy_is_forgotten() {
    let kind = |policy: Schedule| match policy {
        Schedule::Static { .. } => Some(0),
        Schedule::Dynamic { .. } => Some(1),
        Schedule::Guided { .. } => Some(2),
        Schedule::NumaSteal(victim) => Some(3 + victim as usize),
        // `auto` and `runtime` name other policies, tasks have laws of their own, and `align` is `static` unless
        // nodes share pages. Policies of files have laws beside their dispatcher.
        Schedule::Auto | Schedule::Runtime | Schedule::Tasks(_) | Schedule::Align | Schedule::File(_) => None,
    };
    let mut seen = [false; 6];
    POLICIES.into_iter().filter_map(kind).for_each(|kind| seen[kind] = true);
    assert_eq!(seen, [true; 6]);
}
