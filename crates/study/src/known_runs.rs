//! Simulated runs, kept for the values that several measurements have from one run.

use crate::findings::findings;
use crate::{Memo, Progress, ResolvedRun, RunHash, StudyError};
use numalab_results::Run;

/// Runs, and times of the same programs on one thread, each simulated once.
#[derive(Debug, Default)]
pub struct KnownRuns {
    /// Each under one schedule.
    runs: Memo<RunHash, Vec<Run>>,
    sequential: Memo<RunHash, Option<u64>>,
}

impl KnownRuns {
    /// Simulates a run under its only schedule, or returns the kept result; `None` if it has several schedules. A
    /// thread that asks for a run under way waits for it.
    pub fn simulate(
        &self,
        run: &ResolvedRun,
        progress: &dyn Progress,
    ) -> Option<Result<Vec<Run>, StudyError>> {
        // Several schedules are simulated on a pool, whose worker could take up another question about the same run
        // and wait for itself.
        (run.schedules.len() == 1).then(|| self.known(run, progress))
    }

    fn known(&self, run: &ResolvedRun, progress: &dyn Progress) -> Result<Vec<Run>, StudyError> {
        let key = run.hash();
        let mut runs = self.runs.get(key, || run.simulate_team(progress))?;
        if run.needs_one_thread() {
            let alone = self.simulate_one_thread(run, progress)?;
            alone.into_iter().for_each(|alone| runs.iter_mut().for_each(|run| run.beside_one_thread(alone)));
        }
        runs.iter_mut().for_each(|run| run.findings = findings(run));
        Ok(runs)
    }

    /// Time of a run's program on one thread, in picoseconds; `None` if one thread cannot execute it.
    pub fn simulate_one_thread(
        &self,
        run: &ResolvedRun,
        progress: &dyn Progress,
    ) -> Result<Option<u64>, StudyError> {
        // Schedules distribute work among threads, so one thread executes the same under each.
        let key = run.setting().under(&[], run.spec.seed);
        self.sequential.get(key, || Ok(run.simulate_one_thread(progress)))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Files, Progress, RunSpec, answer};
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Number of iterations that were simulated.
    #[derive(Default)]
    struct Simulated(AtomicU64);

    impl Progress for Simulated {
        fn report(&self, _: u64, _: u64) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Law: A kept result is that of a simulation, with and without the program on one thread, in any order.
    #[test]
    fn a_kept_run_is_a_simulated_run() {
        let spec = |sequential: bool| {
            let schedules = vec!["dynamic".parse().unwrap()];
            RunSpec { sequential, schedules, ..RunSpec::new("board:2 socket:2 core:4", "loadbal") }
        };
        let text = |sequential: bool, files: &Files, told: &Simulated| {
            let run = spec(sequential).resolve(files).unwrap();
            let runs = answer(&run, files, Some(1), told).unwrap().runs;
            format!("{runs:?}")
        };
        for order in [[false, true], [true, false]] {
            let files = Files::keeping_runs(4);
            for sequential in order {
                let (first, again) = (Simulated::default(), Simulated::default());
                let plain = text(sequential, &Files::default(), &first);
                assert_eq!(text(sequential, &files, &first), plain, "sequential: {sequential}");
                assert_eq!(text(sequential, &files, &again), plain);
                assert!(first.0.into_inner() > 0 && again.0.into_inner() == 0, "a kept run is not simulated");
            }
        }
    }

    /// Law: Runs that differ only in their schedule share one simulation of the program on one thread.
    #[test]
    fn schedules_share_the_program_on_one_thread() {
        for workload in ["loadbal", "cg", "matvec"] {
            let files = Files::keeping_runs(8);
            let mut times = Vec::new();
            for (at, schedule) in ["static", "dynamic", "guided", "static,3"].into_iter().enumerate() {
                let schedules = vec![schedule.parse().unwrap()];
                let spec = RunSpec { schedules, ..RunSpec::new("board:2 socket:2 core:4", workload) };
                let run = spec.resolve(&files).unwrap();
                let (kept, plain) = (Simulated::default(), Simulated::default());
                let time = files.simulate_one_thread(&run, &kept).unwrap();
                assert_eq!(time, Files::default().simulate_one_thread(&run, &plain).unwrap(), "{workload}");
                assert!(time.is_some() && plain.0.into_inner() > 0, "{workload}: the program was simulated");
                assert_eq!(kept.0.into_inner() > 0, at == 0, "{workload} {schedule}");
                times.push(time);
            }
            assert!(times.iter().all(|time| *time == times[0]), "{workload}: {times:?}");
        }
    }
}
