//! Runs of a case, through the same calls as the command line.

use crate::law::Subject;
use numalab_files::{Loaded, parse_overrides};
use numalab_runtime::Profile;
use numalab_study::{Files, Given, RunSpec, SealedMachine};
use numalab_workload::Schedule;
use std::fs;
use std::path::Path;

/// Number of replicas: runs with different seeds.
pub const REPLICAS: u64 = 5;

/// Number of replicas if the intervals of the first ones are apart: of two samples of five of the same times, one in
/// 126 pairs is.
pub const MORE_REPLICAS: u64 = 40;

/// Files of a case and its question.
#[derive(Clone, Debug)]
pub struct Question {
    /// Text of the machine file.
    pub machine: String,
    /// Text of the workload file.
    pub workload: String,
    pub policy: String,
    pub threads: u32,
}

/// Time of one run.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    pub makespan_ps: u64,
    /// Events and line transactions: each rounds a time at most once.
    pub steps: u64,
}

/// The files of a question in a folder of their own.
pub struct Place {
    folder: tempfile::TempDir,
    policy: Schedule,
    threads: u32,
}

impl Question {
    /// Reads the machine, and the parameters that laws change.
    pub fn subject(&self) -> Result<(Place, Subject), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let machine = folder.path().join("m.toml");
        let write = |path: &Path, text: &str| fs::write(path, text).map_err(|error| error.to_string());
        write(&machine, &self.machine)?;
        write(&folder.path().join("w.yaml"), &self.workload)?;
        let policy = self.policy.parse().map_err(|_| format!("{} is no policy", self.policy))?;
        let machine =
            numalab_lower::machine(&machine.to_string_lossy(), &[]).map_err(|error| error.to_string())?;
        let parameters = parameters(&self.workload);
        let divided = divided(&self.workload);
        let subject = Subject { machine: machine.value, runtime: Profile::default(), divided, parameters };
        Ok((Place { folder, policy, threads: self.threads }, subject))
    }
}

/// True if a measured phase has parts of regions by number of iterations, or if these decide which thread touches a page first.
/// Half as many iterations are the same work then, in larger pieces.
fn divided(workload: &str) -> bool {
    let (init, work) = workload.split_once("name: work").unwrap_or((workload, ""));
    init.contains("iterations: n\n") || work.contains("partition")
}

/// Whole numbers in the line `parameters: { n: 64, s: 4096 }` of a workload file.
fn parameters(workload: &str) -> Vec<(String, u64)> {
    let line = workload.lines().find_map(|line| line.strip_prefix("parameters: {")).unwrap_or_default();
    let entries = line.trim_end_matches('}').split(',').filter_map(|entry| entry.split_once(':'));
    entries.filter_map(|(name, value)| Some((name.trim().to_owned(), value.trim().parse().ok()?))).collect()
}

impl Place {
    /// Simulates a subject with one seed. The times of each thread must sum to the makespan.
    pub fn time(&self, subject: &Subject, seed: u64) -> Result<Timed, String> {
        let values: Vec<String> =
            subject.parameters.iter().map(|(name, value)| format!("workload.{name}={value}")).collect();
        let machine = SealedMachine::new(Loaded::in_memory(subject.machine.clone()));
        let machine = machine.map_err(|error| format!("{error:?}"))?;
        let workload = self.folder.path().join("w.yaml");
        let spec = RunSpec {
            runtime: Some(Given::loaded(Loaded::in_memory(subject.runtime.clone()))),
            overrides: parse_overrides(&values).map_err(|error| error.to_string())?,
            threads: Some(self.threads),
            schedules: vec![self.policy],
            seed,
            series: false,
            ..RunSpec::new(Given::loaded(machine), &workload.to_string_lossy())
        };
        let resolved = spec.resolve(&Files::default()).map_err(|error| format!("{error:?}"))?;
        let runs = resolved.simulate(Some(1), &()).map_err(|error| format!("{error:?}"))?;
        let run = runs.first().ok_or("no run")?;
        Ok(Timed { makespan_ps: run.makespan_ps, steps: run.events + run.transactions })
    }
}
