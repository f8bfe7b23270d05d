//! Rows about placing the threads of a program for each of its regions, from counts of their requests to memories.
//!
//! The published experiment: a team of one size first touches the pages. A team of another size goes on, its threads
//! where the system leaves them. Requests are counted by region, thread and node. An algorithm places the threads of
//! each region, and the time of an iteration is compared. Here, phases stand for regions. A run of the experiment is
//! one draw of the threads' processors.

use super::cases::{self, Variant};
use super::reference::Published;
use super::workloads;
use numalab_base::{ThreadId, Time};
use numalab_des::{Domain, Stream, Streams};
use numalab_machine::Fabric;
use numalab_simulator::{Observer, Portion, Team, observe};
use numalab_study::measured::cores_of;
use numalab_study::{Files, ResolvedRun, StudyError};
use numalab_tours::threads::{AccessCounts, Rules, critical_path, largest};
use numalab_workload::{BindingText, Phase, RegionTeam};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Draws of the threads' processors for each program and team. The published experiment has 100; these are enough for
/// means. The largest of few is less than that of many. Of the one in eleven that lose, as published, two are
/// expected among so many.
const RUNS: u64 = 24;

/// Largest cost of a remote access in local accesses, from the source about this machine.
const NUMA_FACTOR: f64 = 1.5;

/// Bytes of a request.
const LINE: u64 = 64;

/// Quotients of an iteration's times under the new and the old mapping, by program, team and protocol. Rows about the
/// same runs share them.
#[derive(Default)]
pub struct Ratios(Mutex<BTreeMap<String, Known>>);

/// Ratios of an experiment, locked during their simulation.
type Known = Arc<Mutex<Option<Vec<f64>>>>;

/// Mappings of threads before and after.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Protocol {
    /// The team has another size than the one that touched the pages. New mapping: shortest critical path of each
    /// region.
    CriticalPath,
    /// Threads are on other nodes than their pages, evenly. New mapping: largest entries of each region's table.
    Largest,
}

/// True if a row has such a quantity.
pub fn covers(row: &Published) -> bool {
    matches!(
        row.quantity.as_str(),
        "gain_max"
            | "wrong_share"
            | "time_over_default_correct"
            | "time_over_default_wrong"
            | "default_over_best_max"
    )
}

/// Value in the row's unit; `None` if one of its programs has no workload, or no run is of the row's kind.
pub fn simulate(row: &Published, variants: &[Variant], known: &Ratios) -> Result<Option<f64>, StudyError> {
    let Ok(expected) = row.value.parse() else { return Ok(None) };
    let programs = cases::cases(row, &expected, variants);
    let mut ratios = Vec::new();
    for program in &programs {
        let name = |key: &str| row.param(key).unwrap_or_default();
        if row.quantity == "default_over_best_max" {
            let Ok(mappings) = name("mappings").parse() else { return Ok(None) };
            return spread(program, mappings);
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
            let Some(more) = known.of(program, protocol, threads)? else { return Ok(None) };
            ratios.extend(more);
        }
    }
    let mean =
        |values: Vec<f64>| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    let won: Vec<f64> = ratios.iter().copied().filter(|ratio| *ratio < 1.0).collect();
    let lost: Vec<f64> = ratios.iter().copied().filter(|ratio| *ratio > 1.0).collect();
    let value = match row.quantity.as_str() {
        "gain_max" => ratios.iter().copied().reduce(f64::min).map(|least| 1.0 - least),
        "wrong_share" => Some(lost.len() as f64 / ratios.len() as f64),
        "time_over_default_correct" => mean(won),
        _ => mean(lost),
    };
    Ok(value.map(|value| if row.unit == "%" { 100.0 * value } else { value }))
}

/// Sizes of teams of the published experiment.
const TEAMS: [u32; 4] = [4, 8, 12, 16];

impl Ratios {
    /// Quotients of one program and team; `None` if there is no such workload.
    fn of(
        &self,
        program: &Published,
        protocol: Protocol,
        threads: u32,
    ) -> Result<Option<Vec<f64>>, StudyError> {
        let key = format!("{} {threads} {}", program.experiment, protocol as u8);
        let cell = {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(known.entry(key).or_default())
        };
        // The simulation below takes no other row on this worker, which could wait for this lock.
        let mut cell = cell.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ratios) = &*cell {
            return Ok(Some(ratios.clone()));
        }
        let Some(run) = resolved(program)? else { return Ok(None) };
        let ratios: Vec<f64> =
            (0..RUNS).map(|draw| ratio(&run, protocol, threads, draw)).collect::<Result<_, _>>()?;
        Ok(Some(cell.insert(ratios).clone()))
    }
}

/// The program on all cores of the machine, the largest of its teams.
fn resolved(program: &Published) -> Result<Option<ResolvedRun>, StudyError> {
    let plain =
        Published { quantity: "makespan".to_owned(), unit: "s".to_owned(), ..program.with(String::new()) };
    workloads::resolve(&plain, &Files::default())
}

/// Time of an iteration under the algorithm's mappings, divided by that under the mapping before.
fn ratio(run: &ResolvedRun, protocol: Protocol, threads: u32, draw: u64) -> Result<f64, StudyError> {
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
    let (time, counts) = iterations(run, &first, |_| before.clone())?;
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
    let (new, _) = iterations(run, &first, |region| after.get(region).unwrap_or(&before).clone())?;
    Ok(total(&new) / total(&time))
}

/// Sum over the regions.
fn total(times: &BTreeMap<String, f64>) -> f64 {
    times.values().sum()
}

/// Largest quotient over regions: time with the system's placement, divided by the time with the best of `mappings`
/// even mappings.
fn spread(program: &Published, mappings: u64) -> Result<Option<f64>, StudyError> {
    let Some(run) = resolved(program)? else { return Ok(None) };
    let fabric = &run.machine.fabric;
    let mut random = Streams::new(0).stream(Domain::Orders, mappings);
    let first = balanced(fabric, fabric.cores(), &mut random);
    let (usual, _) = iterations(&run, &first, |_| first.clone())?;
    let mut best = usual.clone();
    for _ in 0..mappings {
        let other = balanced(fabric, fabric.cores(), &mut random);
        let (times, _) = iterations(&run, &first, |_| other.clone())?;
        for (region, time) in times {
            best.entry(region).and_modify(|least| *least = least.min(time));
        }
    }
    Ok(usual.iter().map(|(region, time)| time / best[region]).reduce(f64::max))
}

/// Processors of an even team, in random order, as the system spreads threads that become ready.
fn balanced(fabric: &Fabric, threads: u32, random: &mut Stream) -> Arc<[u32]> {
    let mut cores: Vec<Vec<u32>> = (0..fabric.nodes()).map(|node| cores_of(fabric, node)).collect();
    let mut slots: Vec<usize> = (0..threads as usize).map(|slot| slot % cores.len()).collect();
    for last in (1..slots.len()).rev() {
        slots.swap(last, random.below(last as u64 + 1) as usize);
    }
    slots.into_iter().filter_map(|node| cores[node].pop()).collect()
}

/// Processors of a team after it has grown or shrunk: remaining threads stay, new ones go to the emptiest node.
fn resized(fabric: &Fabric, first: &[u32], threads: u32, random: &mut Stream) -> Arc<[u32]> {
    let mut team: Vec<u32> = first.iter().copied().take(threads as usize).collect();
    while team.len() < threads as usize {
        let free = |node: u32| -> Vec<u32> {
            cores_of(fabric, node).into_iter().filter(|core| !team.contains(core)).collect()
        };
        let all: Vec<Vec<u32>> = (0..fabric.nodes()).map(free).collect();
        let most = all.iter().map(Vec::len).max().unwrap_or(0);
        let emptiest: Vec<&Vec<u32>> = all.iter().filter(|free| free.len() == most && most > 0).collect();
        if emptiest.is_empty() {
            break;
        }
        team.push(emptiest[random.below(emptiest.len() as u64) as usize][0]);
    }
    team.into()
}

/// Processors of threads on given nodes. A thread that is on its node already keeps its core.
fn moved(fabric: &Fabric, before: &[u32], nodes: &[usize]) -> Arc<[u32]> {
    let mut free: Vec<Vec<u32>> = (0..fabric.nodes()).map(|node| cores_of(fabric, node)).collect();
    let stays: Vec<bool> = before.iter().zip(nodes).map(|(core, node)| free[*node].contains(core)).collect();
    for core in before.iter().zip(&stays).filter(|(_, stays)| **stays).map(|(core, _)| core) {
        free.iter_mut().for_each(|of_node| of_node.retain(|other| other != core));
    }
    let place = |((core, node), stays): ((&u32, &usize), &bool)| match stays {
        true => *core,
        false => free[*node].pop().unwrap_or(*core),
    };
    before.iter().zip(nodes).zip(&stays).map(place).collect()
}

/// Seconds of each region in the iterations, and the requests of its threads. Phases before the iterations run on the
/// team that first touches the pages.
fn iterations(
    run: &ResolvedRun,
    first: &Arc<[u32]>,
    processors: impl Fn(&str) -> Arc<[u32]>,
) -> Result<(BTreeMap<String, f64>, Counts), StudyError> {
    let mut run = run.clone();
    let team = |processors: Arc<[u32]>| {
        let (threads, binding) = (processors.len() as u32, BindingText::default());
        Some(RegionTeam { threads, binding, processors })
    };
    let repeated = |phase: &Phase| phase.measured && !phase.once;
    for phase in &mut Arc::make_mut(&mut run.experiment).workload.value.phases {
        phase.team = match repeated(phase) {
            true => team(processors(&phase.name)),
            false => team(first.clone()),
        };
        phase.measured = repeated(phase);
    }
    let fabric = &run.machine.fabric;
    let all = (0..fabric.nodes()).flat_map(|node| cores_of(fabric, node));
    run.team = Team::on(fabric, all);
    let mut counts = Counts { nodes: fabric.nodes() as usize, ..Counts::default() };
    let failed = |error| StudyError::Simulation { policy: None, error };
    let Some(policy) = run.schedules.first() else { return Ok((BTreeMap::new(), counts)) };
    let outcome = observe(&run.setup(), *policy, &(), &mut counts).map_err(failed)?;
    let mut times = BTreeMap::new();
    for phase in &outcome.phases {
        *times.entry(phase.name.clone()).or_insert(0.0) += phase.time_ps as f64 / numalab_base::PS_PER_S;
    }
    let size = processors("").len();
    for rows in counts.by_region.values_mut() {
        rows.resize(size, vec![0; counts.nodes]);
    }
    Ok((times, counts))
}

/// Requests by region, thread and node.
#[derive(Default)]
struct Counts {
    nodes: usize,
    by_region: BTreeMap<String, Vec<Vec<u64>>>,
    now: Option<String>,
}

impl Observer for Counts {
    fn phase(&mut self, name: &str, measured: bool, _at: Time) {
        self.now = measured.then(|| name.to_owned());
    }

    fn data(&mut self, thread: ThreadId, portions: &[Portion]) {
        let Some(now) = &self.now else { return };
        if !self.by_region.contains_key(now) {
            self.by_region.insert(now.clone(), Vec::new());
        }
        let Some(rows) = self.by_region.get_mut(now) else { return };
        if rows.len() <= thread.index() {
            rows.resize(thread.index() + 1, vec![0; self.nodes]);
        }
        for portion in portions {
            if let Some(home) = portion.home {
                rows[thread.index()][home.0 as usize] += portion.bytes / LINE;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::reference::published_as;

    fn machine() -> ResolvedRun {
        resolved(&published_as("npb.alg3.max.ft")).unwrap().unwrap()
    }

    fn on_nodes(run: &ResolvedRun, processors: &[u32]) -> Vec<u32> {
        let fabric = &run.machine.fabric;
        let node = |core: &u32| (0..fabric.nodes()).find(|node| cores_of(fabric, *node).contains(core));
        processors.iter().map(|core| node(core).unwrap()).collect()
    }

    /// Eight threads are two on each of four nodes, on cores of their own. A team of four keeps its places; eight new
    /// threads fill the emptiest nodes.
    #[test]
    fn the_system_leaves_threads_where_they_are() {
        let run = machine();
        let fabric = &run.machine.fabric;
        for draw in 0..8 {
            let mut random = Streams::new(draw).stream(Domain::Orders, 0);
            let eight = balanced(fabric, 8, &mut random);
            let mut nodes = on_nodes(&run, &eight);
            assert_eq!(resized(fabric, &eight, 4, &mut random)[..], eight[..4]);
            let sixteen = resized(fabric, &eight, 16, &mut random);
            assert_eq!(sixteen[..8], eight[..]);
            nodes.sort_unstable();
            assert_eq!(nodes, [0, 0, 1, 1, 2, 2, 3, 3]);
            let all: std::collections::BTreeSet<_> = sixteen.iter().collect();
            assert_eq!(all.len(), 16);
        }
    }

    /// Cores 0 to 3 are node 0. The thread on core 1 stays there; the one on core 5 moves to another core of that
    /// node.
    #[test]
    fn who_is_there_already_keeps_its_core() {
        let run = machine();
        let after = moved(&run.machine.fabric, &[5, 1, 9], &[0, 0, 2]);
        assert_eq!((after[1], after[2]), (1, 9));
        assert_eq!(on_nodes(&run, &after), [0, 0, 2]);
        assert_ne!(after[0], 1);
    }

    /// Requests of threads to memories are counted by region and node. Planes are where their threads are, but for
    /// those that loops over rows touched first.
    #[test]
    fn requests_are_counted_by_region_and_node() {
        let run = machine();
        let first: Arc<[u32]> = [0, 4, 8, 12].into();
        let (times, counts) = iterations(&run, &first, |_| first.clone()).unwrap();
        assert_eq!(times.keys().collect::<Vec<_>>(), ["cffts1", "cffts2", "cffts3", "checksum", "evolve"]);
        for (thread, row) in counts.by_region["evolve"].iter().enumerate() {
            assert!(2 * row[thread] > row.iter().sum(), "{row:?}");
        }
        // Three steps of 32 planes each: as many bytes read as written of u0 and u1, and their factors.
        let (plane, steps) = (16 * 256 * 256 / LINE, 3);
        let of_one: u64 = counts.by_region["evolve"][0].iter().sum();
        assert_eq!(of_one % (steps * 32 * plane / 2), 0, "{of_one}");
        // Other regions run along rows of all planes.
        let mut all = counts.by_region.values().flatten();
        assert!(all.any(|row| row.iter().all(|count| *count > 10_000)));
    }

    /// Threads on other nodes than their pages gain by moving there; threads beside their pages lose nothing.
    #[test]
    fn placing_threads_anew_brings_them_to_their_pages() {
        let run = machine();
        let all: Vec<f64> = (0..2).map(|draw| ratio(&run, Protocol::Largest, 16, draw).unwrap()).collect();
        assert!(all.iter().all(|ratio| (0.5..1.0).contains(ratio)), "{all:?}");
    }

    #[test]
    fn a_row_is_of_the_runs_that_it_is_about() {
        let known = Ratios::default();
        for (program, ratios) in [("npb_ft", [0.9, 1.1, 0.8]), ("npb_bt", [0.95, 0.97, 1.0])] {
            for threads in TEAMS {
                let key = format!("{program} {threads} {}", Protocol::CriticalPath as u8);
                known.0.lock().unwrap().insert(key, Arc::new(Mutex::new(Some(ratios.to_vec()))));
            }
        }
        let variants = cases::variants().unwrap();
        let value = |id: &str| simulate(&published_as(id), &variants, &known).unwrap();
        assert!((value("npb.alg3.max.ft").unwrap() - 20.0).abs() < 1e-9);
        assert!((value("npb.tab4.ft.4").unwrap() - 85.0).abs() < 1e-9);
        assert!((value("npb.tab4w.ft.4").unwrap() - 110.0).abs() < 1e-9);
        // No run lost.
        assert_eq!(value("npb.tab4w.bt.4"), None);
    }
}
