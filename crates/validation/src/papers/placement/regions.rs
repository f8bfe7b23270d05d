//! Times of a program's regions, and the requests that its threads send to each memory.

use numalab_base::{ThreadId, Time};
use numalab_simulator::{Observer, Portion, Team, observe, prepare};
use numalab_study::measured::cores_of;
use numalab_study::{Progress, ResolvedRun, Silent, StudyError};
use numalab_workload::{BindingText, Phase, RegionTeam};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Size of a memory request: one cache line, in bytes.
const LINE: u64 = 64;

/// Seconds of each region in the iterations of a program.
pub type Seconds = BTreeMap<String, f64>;

/// Simulates a program. Returns the seconds of each region in its iterations. `processors` gives the team of a region;
/// phases before the iterations run on the team `first`, which touches the pages first. `progress` can end the
/// simulation.
pub fn times(
    run: &ResolvedRun,
    first: &Arc<[u32]>,
    processors: impl Fn(&str) -> Arc<[u32]>,
    progress: &dyn Progress,
) -> Result<Seconds, StudyError> {
    iterations(run, first, processors, None, progress)
}

/// The same as [`times`] with one team for all regions, and the memory requests of its threads.
pub fn counted(
    run: &ResolvedRun,
    first: &Arc<[u32]>,
    team: &Arc<[u32]>,
    progress: &dyn Progress,
) -> Result<(Seconds, Counts), StudyError> {
    let mut counts = Counts { nodes: run.machine.fabric.nodes() as usize, ..Counts::default() };
    let times = iterations(run, first, |_| team.clone(), Some(&mut counts), progress)?;
    for rows in counts.by_region.values_mut() {
        rows.resize(team.len(), vec![0; counts.nodes]);
    }
    Ok((times, counts))
}

/// Simulates a program, as [`times`] says. A run without observer takes less time.
fn iterations(
    run: &ResolvedRun,
    first: &Arc<[u32]>,
    processors: impl Fn(&str) -> Arc<[u32]>,
    observer: Option<&mut Counts>,
    progress: &dyn Progress,
) -> Result<Seconds, StudyError> {
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
    let Some(policy) = run.schedules.first() else { return Ok(Seconds::new()) };
    let silent = Silent(progress);
    let (setup, tally) = (run.setup(), run.tally(&silent));
    let outcome = match observer {
        Some(observer) => observe(&setup, *policy, &tally, observer),
        None => prepare(&setup, &tally).and_then(|prepared| prepared.run(*policy, &tally)),
    };
    let outcome = outcome.map_err(|error| StudyError::Simulation { policy: None, error })?;
    let mut times = Seconds::new();
    for phase in &outcome.phases {
        *times.entry(phase.name.clone()).or_insert(0.0) += phase.time_ps as f64 / numalab_base::PS_PER_S;
    }
    Ok(times)
}

/// Counts of memory requests by region, thread and node.
#[derive(Default)]
pub struct Counts {
    nodes: usize,
    pub by_region: BTreeMap<String, Vec<Vec<u64>>>,
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
    use crate::papers::placement::tests::machine;

    /// Counting changes no time. Planes are on the nodes of their threads, except planes that loops over rows touched
    /// first.
    #[test]
    fn requests_are_counted_by_region_and_node() {
        let run = machine();
        let first: Arc<[u32]> = [0, 4, 8, 12].into();
        let (seconds, counts) = counted(&run, &first, &first, &()).unwrap();
        assert_eq!(seconds, times(&run, &first, |_| first.clone(), &()).unwrap());
        assert_eq!(seconds.keys().collect::<Vec<_>>(), ["cffts1", "cffts2", "cffts3", "checksum", "evolve"]);
        for (thread, row) in counts.by_region["evolve"].iter().enumerate() {
            assert!(2 * row[thread] > row.iter().sum(), "{row:?}");
        }
        // Three steps of 32 planes each: as many bytes read as written of u0 and u1, and their factors.
        let (plane, steps) = (16 * 256 * 256 / LINE, 3);
        let of_one: u64 = counts.by_region["evolve"][0].iter().sum();
        assert_eq!(of_one % (steps * 32 * plane / 2), 0, "{of_one}");
        // The other regions access rows that cross all planes.
        let mut all = counts.by_region.values().flatten();
        assert!(all.any(|row| row.iter().all(|count| *count > 10_000)));
    }
}
