//! Rows about placing the threads of a program for each of its regions, from counts of their requests to memories.
//!
//! The published experiment: a team of one size first touches the pages. A team of another size goes on, its threads
//! where the system leaves them. Requests are counted by region, thread and node. An algorithm places the threads of
//! each region, and the time of an iteration is compared. Here, phases stand for regions. A run of the experiment is
//! one draw of the threads' processors.

mod processors;
mod regions;

use crate::published::{Published, RowContext, Variant, cases, workloads};
use numalab_des::{Domain, Streams};
use numalab_study::{Memo, Progress, ResolvedRun, StudyError};
use numalab_tours::threads::{AccessCounts, Rules, critical_path, largest};
use processors::{balanced, moved, resized};
use regions::{counted, times};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Draws of the threads' processors for each program and team; the published experiment has 100. This number suffices
/// for means, but the largest value of a few draws is smaller than that of many. In the published experiment one run
/// in eleven loses time, so two are expected here.
const RUNS: u64 = 24;

/// Largest cost of a remote access in local accesses, as the paper states it for this machine.
const NUMA_FACTOR: f64 = 1.5;

/// Quotients of an iteration's times under the new and the old mapping, by program, team and protocol. Rows about the
/// same runs share the quotients.
#[derive(Default)]
pub struct Ratios(Memo<String, Option<Vec<f64>>>);

/// Experiment about moving threads between nodes: the mapping of threads to nodes before, and the algorithm that
/// chooses the mapping after.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Protocol {
    /// The team has another size than the one that touched the pages. New mapping: shortest critical path of each
    /// region.
    CriticalPath,
    /// The team keeps its size, and its threads move to random nodes, evenly. New mapping: largest entries of each
    /// region's table.
    Largest,
}

/// Statistic over the runs of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    LargestGain,
    /// Fraction of the runs in which the new mapping loses time.
    ShareOfLosses,
    /// Runs of 100 that gain more than [`EQUAL`].
    RunsGained,
    /// Runs of 100 that lose more than [`EQUAL`].
    RunsLost,
    /// Runs of 100 that gain or lose less than [`EQUAL`].
    RunsEqual,
    /// Mean time quotient, new over old mapping, of the runs that gain.
    MeanOfGains,
    /// Mean time quotient, new over old mapping, of the runs that lose.
    MeanOfLosses,
    /// Largest quotient over regions: time under the system's placement, divided by time under the best of some
    /// random mappings.
    LargestSpread,
}

/// Value of the statistic in the row's unit. `None` if a program has no workload, or if no run gains (or loses) as
/// the statistic requires.
pub fn simulate(
    row: &Published,
    statistic: Statistic,
    variants: &[Variant],
    context: &RowContext<'_>,
) -> Result<Option<f64>, StudyError> {
    let Ok(expected) = row.value.parse() else { return Ok(None) };
    let programs = cases::cases(row, &expected, variants);
    let mut ratios = Vec::new();
    for program in &programs {
        let name = |key: &str| row.param(key).unwrap_or_default();
        if statistic == Statistic::LargestSpread {
            let Ok(mappings) = name("mappings").parse() else { return Ok(None) };
            return spread(program, mappings, context);
        }
        let protocol = match name("algorithm") {
            "3" => Protocol::CriticalPath,
            "2 over random balanced" => Protocol::Largest,
            _ => return Ok(None),
        };
        let teams: Vec<u32> = match row.param("threads").map(str::parse) {
            Some(Ok(threads)) => vec![threads],
            Some(Err(_)) => return Ok(None),
            None => TEAMS.to_vec(),
        };
        for threads in teams {
            let Some(more) = context.ratios.of(program, protocol, threads, context)? else { return Ok(None) };
            ratios.extend(more);
        }
    }
    let mean =
        |values: Vec<f64>| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    let won: Vec<f64> = ratios.iter().copied().filter(|ratio| *ratio < 1.0).collect();
    let lost: Vec<f64> = ratios.iter().copied().filter(|ratio| *ratio > 1.0).collect();
    let value = match statistic {
        Statistic::LargestGain => ratios.iter().copied().reduce(f64::min).map(|least| 1.0 - least),
        Statistic::ShareOfLosses => Some(lost.len() as f64 / ratios.len() as f64),
        Statistic::RunsGained => Some(of_hundred(&ratios, &|ratio| ratio < 1.0 - EQUAL)),
        Statistic::RunsLost => Some(of_hundred(&ratios, &|ratio| ratio > 1.0 + EQUAL)),
        Statistic::RunsEqual => Some(of_hundred(&ratios, &|ratio| (ratio - 1.0).abs() <= EQUAL)),
        Statistic::MeanOfGains => mean(won),
        Statistic::MeanOfLosses => mean(lost),
        // Returned above, unless the row has no program.
        Statistic::LargestSpread => None,
    };
    Ok(value.map(|value| if row.unit == "%" { 100.0 * value } else { value }))
}

/// Relative difference of two times that the published experiment counts as equal.
const EQUAL: f64 = 0.01;

/// Number of quotients of 100 that meet a condition.
fn of_hundred(ratios: &[f64], condition: &dyn Fn(f64) -> bool) -> f64 {
    let meeting = ratios.iter().filter(|ratio| condition(**ratio)).count();
    100.0 * meeting as f64 / ratios.len() as f64
}

/// Team sizes of the published experiment, in threads.
const TEAMS: [u32; 4] = [4, 8, 12, 16];

impl Ratios {
    /// Time quotients, new over old mapping, one per draw, of one program and team; `None` if the program has no
    /// workload.
    fn of(
        &self,
        program: &Published,
        protocol: Protocol,
        threads: u32,
        context: &RowContext<'_>,
    ) -> Result<Option<Vec<f64>>, StudyError> {
        let key = format!("{} {threads} {}", program.experiment, protocol as u8);
        self.0.get(key, || {
            let Some(run) = resolved(program, context)? else { return Ok(None) };
            let draw = |draw| ratio(&run, (protocol, threads), draw, context.progress);
            (0..RUNS).map(draw).collect::<Result<_, _>>().map(Some)
        })
    }
}

/// Run of a program on all cores of the machine, which is the largest of the program's teams; `None` without a
/// workload.
fn resolved(program: &Published, context: &RowContext<'_>) -> Result<Option<ResolvedRun>, StudyError> {
    let plain =
        Published { quantity: "makespan".to_owned(), unit: "s".to_owned(), ..program.with(String::new()) };
    workloads::resolve(&plain, &context.files)
}

/// Simulated time of an iteration after the algorithm has moved the threads, divided by the time before.
fn ratio(
    run: &ResolvedRun,
    (protocol, threads): (Protocol, u32),
    draw: u64,
    progress: &dyn Progress,
) -> Result<f64, StudyError> {
    let fabric = &run.machine.fabric;
    let mut random = Streams::new(draw).stream(Domain::Orders, u64::from(threads));
    let (first, before) = match protocol {
        Protocol::CriticalPath => {
            let others: Vec<u32> = TEAMS.into_iter().filter(|other| *other != threads).collect();
            let first = balanced(fabric, others[random.below(others.len() as u64) as usize], &mut random);
            let before = resized(fabric, &first, threads, &mut random);
            (first, before)
        }
        Protocol::Largest => {
            let first = balanced(fabric, threads, &mut random);
            (first, balanced(fabric, threads, &mut random))
        }
    };
    let (time, counts) = counted(run, &first, &before, progress)?;
    let per_node = fabric.cores() / fabric.nodes();
    let rules = Rules::new(per_node as usize, NUMA_FACTOR);
    let mut after: BTreeMap<String, Arc<[u32]>> = BTreeMap::new();
    for (region, rows) in &counts.by_region {
        let (Ok(table), Some(rules)) = (AccessCounts::new(rows), rules) else { continue };
        let nodes = match protocol {
            Protocol::CriticalPath => critical_path(&table, &rules),
            Protocol::Largest => largest(&table, &rules),
        };
        after.insert(region.clone(), moved(fabric, &before, &nodes.node_of));
    }
    let new = times(run, &first, |region| after.get(region).unwrap_or(&before).clone(), progress)?;
    Ok(total(&new) / total(&time))
}

/// Sum of the times of all regions, in seconds.
fn total(times: &BTreeMap<String, f64>) -> f64 {
    times.values().sum()
}

/// Largest quotient over regions: time with the system's placement, divided by the shortest time under `mappings`
/// random even mappings.
fn spread(program: &Published, mappings: u64, context: &RowContext<'_>) -> Result<Option<f64>, StudyError> {
    let Some(run) = resolved(program, context)? else { return Ok(None) };
    let fabric = &run.machine.fabric;
    let mut random = Streams::new(0).stream(Domain::Orders, mappings);
    let first = balanced(fabric, fabric.cores(), &mut random);
    let usual = times(&run, &first, |_| first.clone(), context.progress)?;
    let mut best = usual.clone();
    for _ in 0..mappings {
        let other = balanced(fabric, fabric.cores(), &mut random);
        for (region, time) in times(&run, &first, |_| other.clone(), context.progress)? {
            best.entry(region).and_modify(|least| *least = least.min(time));
        }
    }
    Ok(usual.iter().map(|(region, time)| time / best[region]).reduce(f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::published_as;

    pub fn machine() -> ResolvedRun {
        resolved(&published_as("npb.alg3.max.ft"), &RowContext::default()).unwrap().unwrap()
    }

    /// Threads on other nodes than their pages gain by moving there; threads beside their pages lose nothing.
    #[test]
    fn placing_threads_anew_brings_them_to_their_pages() {
        let run = machine();
        let all: Vec<f64> =
            (0..2).map(|draw| ratio(&run, (Protocol::Largest, 16), draw, &()).unwrap()).collect();
        assert!(all.iter().all(|ratio| (0.5..1.0).contains(ratio)), "{all:?}");
    }

    #[test]
    fn a_row_is_of_the_runs_that_it_is_about() {
        let context = RowContext::default();
        for (program, ratios) in [("npb_ft", [0.9, 1.1, 0.8]), ("npb_bt", [0.95, 0.97, 1.0])] {
            for threads in TEAMS {
                let key = format!("{program} {threads} {}", Protocol::CriticalPath as u8);
                context.ratios.0.get(key, || Ok::<_, StudyError>(Some(ratios.to_vec()))).unwrap();
            }
        }
        let variants = cases::variants().unwrap();
        let value =
            |id: &str, statistic| simulate(&published_as(id), statistic, &variants, &context).unwrap();
        assert!((value("npb.alg3.max.ft", Statistic::LargestGain).unwrap() - 20.0).abs() < 1e-9);
        assert!((value("npb.tab4.ft.4", Statistic::MeanOfGains).unwrap() - 85.0).abs() < 1e-9);
        assert!((value("npb.tab4w.ft.4", Statistic::MeanOfLosses).unwrap() - 110.0).abs() < 1e-9);
        // No run lost time.
        assert_eq!(value("npb.tab4w.bt.4", Statistic::MeanOfLosses), None);
    }
}
