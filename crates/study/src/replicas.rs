//! Perturbed replicas of a run's schedules: how far makespans vary when times vary as on the machine.

use crate::progress::{Progress, Tally};
use crate::simulate::{SimulatedRun, iterations};
use crate::{ResolvedRun, StudyError};
use numalab_results::{Replicas, Run};
use numalab_simulator::SimulationError;
use numalab_workload::Schedule;
use std::sync::Arc;

/// Number of runs of each schedule: the nominal one, and perturbed replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplicaCount {
    Number(u32),
    /// As many as the counted work of the nominal run allows, and more than two only where these differ.
    ByWork,
}

/// Largest work of all replicas of a run under [`ReplicaCount::ByWork`], in the units of
/// `numalab_simulator::Work`: about a second.
const WORK: u64 = 1 << 27;

/// Largest number of replicas of a run under [`ReplicaCount::ByWork`].
const MOST: u64 = 5;

/// Share of the team's time lost to a resource from which a schedule has all replicas, even if the first agrees: near
/// the knee of a resource few replicas differ.
const CROWDED: f64 = 0.2;

impl ReplicaCount {
    /// Largest number of replicas of a run with this work, the nominal run left out.
    fn most(self, work: u64) -> u32 {
        match self {
            ReplicaCount::Number(number) => number.saturating_sub(1),
            ReplicaCount::ByWork => (WORK / work.max(1)).min(MOST) as u32,
        }
    }

    /// Number of replicas after which only runs that vary, or lose time to a full resource, have more.
    fn first(self) -> u32 {
        match self {
            ReplicaCount::Number(_) => u32::MAX,
            ReplicaCount::ByWork => 1,
        }
    }
}

fn is_crowded(run: &Run) -> bool {
    let lost = run.bottleneck.as_ref().filter(|lost| lost.resource.is_some());
    lost.is_some_and(|lost| lost.share >= CROWDED)
}

impl ResolvedRun {
    /// The run for which only its nominal makespan counts.
    pub(crate) fn without_replicas(mut self) -> ResolvedRun {
        self.spec.replicas = ReplicaCount::Number(1);
        self.samples = Arc::default();
        self
    }

    /// Makespans of a replica under some schedules; `None` if `progress` stops it, or if it takes longer than can be
    /// simulated.
    fn makespans(
        &self,
        replica: u32,
        schedules: &[Schedule],
        parallel: bool,
        tally: &Tally<'_>,
    ) -> Result<Option<Vec<u64>>, StudyError> {
        match self.simulate_schedules(replica, schedules, parallel, tally, None) {
            Ok(runs) if runs.len() == schedules.len() => {
                Ok(Some(runs.into_iter().map(|simulated| simulated.run.makespan_ps).collect()))
            }
            Ok(_) | Err(StudyError::Simulation { error: SimulationError::TooLong { .. }, .. }) => Ok(None),
            Err(error) if error.is_stop() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Simulates replicas of the runs of all schedules, and stores how far makespans vary. The number of replicas of a
    /// run does not depend on the other runs. No range is stored if `progress` stops the study, or if a replica takes
    /// longer than can be simulated.
    pub(crate) fn vary(
        &self,
        runs: &mut [SimulatedRun],
        parallel: bool,
        progress: &dyn Progress,
    ) -> Result<(), StudyError> {
        if runs.len() < self.schedules.len() {
            return Ok(());
        }
        if !self.samples.is_empty() {
            return self.vary_values(runs, parallel, progress);
        }
        let most: Vec<u32> = runs.iter().map(|run| self.spec.replicas.most(run.work)).collect();
        let mut found: Vec<Vec<u64>> = runs.iter().map(|simulated| vec![simulated.run.makespan_ps]).collect();
        let last = most.iter().copied().max().unwrap_or(0);
        let first = self.spec.replicas.first().min(last);
        for replicas in [1..=first, first + 1..=last] {
            // What the first replicas have shown decides for all others.
            let varies: Vec<bool> = (0..runs.len())
                .map(|at| {
                    found[at].len() == 1
                        || Replicas::of(&found[at]).is_some_and(|replicas| replicas.differ())
                        || is_crowded(&runs[at].run)
                })
                .collect();
            let of = |replica: u32| -> Vec<usize> {
                (0..runs.len()).filter(|at| varies[*at] && replica <= most[*at]).collect()
            };
            let numbers = replicas.clone().map(|replica| of(replica).len()).take_while(|number| *number > 0);
            let all = numbers.map(|number| iterations(&self.experiment.workload.value, number, false));
            let tally = Tally::new(progress, all.fold(0, u64::saturating_add));
            // One after another, since each replica needs the memory of its schedules.
            for replica in replicas {
                let at = of(replica);
                if at.is_empty() {
                    break;
                }
                let schedules: Vec<Schedule> = at.iter().map(|at| self.schedules[*at]).collect();
                let Some(of_replica) = self.makespans(replica, &schedules, parallel, &tally)? else {
                    return Ok(());
                };
                at.iter().zip(of_replica).for_each(|(at, makespan)| found[*at].push(makespan));
            }
        }
        runs.iter_mut()
            .zip(&found)
            .for_each(|(simulated, found)| simulated.run.replicas = Replicas::of(found));
        Ok(())
    }

    /// Simulates the samples of the run under all schedules, and stores how far makespans vary. The times of a sample
    /// vary, too, as in the replica of its number.
    fn vary_values(
        &self,
        runs: &mut [SimulatedRun],
        parallel: bool,
        progress: &dyn Progress,
    ) -> Result<(), StudyError> {
        let mut found: Vec<Vec<u64>> = runs.iter().map(|_| Vec::new()).collect();
        let each = iterations(&self.experiment.workload.value, self.schedules.len(), false);
        let tally = Tally::new(progress, each.saturating_mul(self.samples.len() as u64));
        for (replica, sample) in (1..).zip(self.samples.iter()) {
            let Some(of_sample) = sample.makespans(replica, &self.schedules, parallel, &tally)? else {
                return Ok(());
            };
            found.iter_mut().zip(of_sample).for_each(|(found, makespan)| found.push(makespan));
        }
        for (SimulatedRun { run, .. }, sampled) in runs.iter_mut().zip(found) {
            let all: Vec<u64> = [run.makespan_ps].into_iter().chain(sampled.iter().copied()).collect();
            (run.replicas, run.sampled_ps) = (Replicas::of(&all), sampled);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::ReplicaCount;
    use crate::{Files, Progress, RunSpec};
    use numalab_results::{Replicas, Run};
    use std::sync::atomic::{AtomicBool, Ordering};

    fn runs(replicas: ReplicaCount, jobs: usize) -> Vec<Run> {
        runs_of(&["static", "tasks:central"], replicas, jobs)
    }

    fn runs_of(policies: &[&str], replicas: ReplicaCount, jobs: usize) -> Vec<Run> {
        let mut spec =
            RunSpec { replicas, series: false, ..RunSpec::new("board:2 socket:2 core:4", "loadbal") };
        spec.schedules = policies.iter().map(|name| name.parse().unwrap()).collect();
        spec.resolve(&Files::default()).unwrap().simulate(Some(jobs), &()).unwrap()
    }

    #[test]
    fn replicas_leave_the_nominal_run() {
        let nominal = runs(ReplicaCount::Number(1), 1);
        let varied = runs(ReplicaCount::Number(4), 3);
        for (mut varied, nominal) in varied.into_iter().zip(nominal) {
            let Replicas { number, low_ps, high_ps, .. } = varied.replicas.take().unwrap();
            assert_eq!(number, 4);
            assert!((low_ps..=high_ps).contains(&nominal.makespan_ps));
            varied.findings.retain(|finding| finding.name != "unstable");
            assert_eq!(varied, nominal);
        }
    }

    #[test]
    fn ranges_do_not_depend_on_workers() {
        assert_eq!(runs(ReplicaCount::ByWork, 1), runs(ReplicaCount::ByWork, 4));
    }

    #[test]
    fn ranges_do_not_depend_on_compared_policies() {
        let both = runs(ReplicaCount::ByWork, 1);
        for (policy, compared) in ["static", "tasks:central"].into_iter().zip(both) {
            assert_eq!(runs_of(&[policy], ReplicaCount::ByWork, 1)[0].replicas, compared.replicas);
        }
    }

    #[test]
    fn the_work_of_the_run_decides() {
        for (work, most) in [(0, 5), (super::WORK / 3, 3), (super::WORK, 1), (super::WORK + 1, 0)] {
            assert_eq!(ReplicaCount::ByWork.most(work), most);
            assert_eq!(ReplicaCount::Number(4).most(work), 3);
        }
    }

    /// Two runs where these agree, as under `static`, six where they do not, as with a central queue.
    #[test]
    fn more_replicas_where_they_differ() {
        let ranges: Vec<Replicas> =
            runs(ReplicaCount::ByWork, 1).into_iter().map(|run| run.replicas.unwrap()).collect();
        assert_eq!(ranges.iter().map(|range| range.number).collect::<Vec<_>>(), [2, 6]);
        assert_eq!(ranges.iter().map(Replicas::differ).collect::<Vec<_>>(), [false, true]);
    }

    /// Stops a study in its replicas: once a run is complete, and another has begun.
    #[derive(Default)]
    struct StopsLate(AtomicBool);

    impl Progress for StopsLate {
        fn report(&self, done: u64, total: u64) {
            self.0.fetch_or(done == total, Ordering::Relaxed);
        }

        fn stops(&self) -> bool {
            self.0.load(Ordering::Relaxed)
        }
    }

    #[test]
    fn a_stop_in_replicas_keeps_the_nominal_runs() {
        let spec = RunSpec {
            replicas: ReplicaCount::Number(3),
            ..RunSpec::new("board:2 socket:2 core:4", "loadbal")
        };
        let run = spec.resolve(&Files::default()).unwrap();
        let runs = run.simulate(Some(1), &StopsLate::default()).unwrap();
        assert!(runs.iter().all(|run| run.replicas.is_none()));
    }
}
