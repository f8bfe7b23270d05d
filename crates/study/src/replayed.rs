//! Replays of recorded programs, simulated under two opposite assumptions (the ends), between which their results
//! lie.
//!
//! A recorded duration contains computing and waiting for memory. At one end all of it is computing, which overlaps
//! with data accesses. At the other end only the time that the data accesses did not take is computing, and it does
//! not overlap. Both ends reproduce the recording for one thread on the recording computer, and differ elsewhere.

use crate::progress::Progress;
use crate::{Files, ReplicaCount, ResolvedRun, RunSpec, StudyError};
use numalab_files::{Origin, Override};
use numalab_results::{Finding, MeasureValue, Replay, Run};

/// Simulates a replay at its other end, too. Each run gets the smaller and the larger of its two makespans as the
/// measures `least` and `most`. If a run compares differently with other policies at the two ends (faster, equal or
/// slower), a finding of the run names these policies. Nothing changes for runs without two ends.
pub fn between_ends(
    run: &ResolvedRun,
    runs: &mut [Run],
    files: &Files,
    jobs: Option<usize>,
    progress: &dyn Progress,
) -> Result<(), StudyError> {
    if !has_ends(run) {
        return Ok(());
    }
    let other = at_the_other_end(&run.spec).resolve(files)?.simulate(jobs, progress)?;
    if other.len() < runs.len() {
        return Err(StudyError::Simulation { policy: None, error: crate::SimulationError::Stopped });
    }
    let ends: Vec<(u64, u64)> =
        runs.iter().zip(&other).map(|(one, other)| (one.makespan_ps, other.makespan_ps)).collect();
    for (at, run) in runs.iter_mut().enumerate() {
        let Some(&(one, other)) = ends.get(at) else { continue };
        let measure = |name: &str, ps: u64| MeasureValue {
            name: name.to_owned(),
            unit: "ms".to_owned(),
            value: Some(ps as f64 / 1e9),
        };
        run.measures.extend([measure("least", one.min(other)), measure("most", one.max(other))]);
    }
    let undecided = undecided(&ends);
    let names: Vec<String> = runs.iter().map(|run| run.policy.clone()).collect();
    for (run, against) in runs.iter_mut().zip(undecided) {
        if against.is_empty() {
            continue;
        }
        let against: Vec<&str> = against.iter().map(|at| &*names[*at]).collect();
        run.findings.push(Finding {
            name: "tie".to_owned(),
            evidence: format!(
                "with {}: which is faster depends on how much of the recorded time is waiting for memory",
                against.join(", ")
            ),
        });
    }
    Ok(())
}

/// True if a run replays both durations and data accesses, so that its results have two ends. False if the user has
/// set `overlap`, which chooses an end.
pub fn has_ends(run: &ResolvedRun) -> bool {
    let typed = run.spec.overrides.workload.iter().any(|one| one.path == "overlap");
    let recorded = run.experiment.recorded.as_ref();
    recorded.is_some_and(|recorded| recorded.uncertain || !run.experiment.computes_only) && !typed
}

/// For each policy, indices of the policies whose order relative to this policy differs between the two ends.
fn undecided(ends: &[(u64, u64)]) -> Vec<Vec<usize>> {
    let tie = |one: &(u64, u64), other: &(u64, u64)| one.0.cmp(&other.0) != one.1.cmp(&other.1);
    let of = |one: &(u64, u64)| {
        ends.iter().enumerate().filter(|(_, other)| tie(one, other)).map(|(at, _)| at).collect()
    };
    ends.iter().map(of).collect()
}

/// The specification with one value of the workload replaced.
pub fn with_value(spec: &RunSpec, path: &str, value: &str) -> RunSpec {
    let mut spec = spec.clone();
    spec.overrides.workload.retain(|one| one.path != path);
    spec.overrides.workload.push(Override::of_workload(path, value, Origin::Set));
    spec
}

/// The run at the other end of the replay; `None` if the run has no two ends.
pub fn other_end(run: &ResolvedRun, files: &Files) -> Result<Option<ResolvedRun>, StudyError> {
    if !has_ends(run) {
        return Ok(None);
    }
    Ok(Some(at_the_other_end(&run.spec).resolve(files)?))
}

fn at_the_other_end(spec: &RunSpec) -> RunSpec {
    RunSpec {
        sequential: false,
        replicas: ReplicaCount::Number(1),
        unsure: None,
        ..with_value(spec, "overlap", "0")
    }
}

impl ResolvedRun {
    /// Error and notes of a replay; `None` for runs that replay no recorded program.
    pub fn replay(&self) -> Option<Replay> {
        let held_against = self.spec.held_against.as_deref().cloned();
        let mut notes = self.experiment.notes.clone();
        let is_recorded = self.experiment.recorded.is_some() || !notes.is_empty();
        if self.is_unproven() {
            notes.push(
                "unproven: not held against the recording computer; `most` counts all of the recorded time as computing \
                 that nothing overlaps"
                    .to_owned(),
            );
        }
        is_recorded.then_some(Replay { held_against, notes })
    }

    /// True if the run replays durations and data accesses, and its error on the recording computer is unknown.
    pub fn is_unproven(&self) -> bool {
        has_ends(self) && !self.spec.overrides.workload.iter().any(|one| one.path == "waited")
    }
}

/// Replay of several runs: the error from the first, and the notes of all, each once.
pub(crate) fn replay_of_all<'a>(runs: impl IntoIterator<Item = &'a ResolvedRun>) -> Option<Replay> {
    runs.into_iter().filter_map(ResolvedRun::replay).reduce(|mut all, one| {
        let new = one.notes.into_iter().filter(|note| !all.notes.contains(note)).collect::<Vec<_>>();
        all.notes.extend(new);
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // Run 0 (10 to 12) precedes run 1 (20 to 22) at both ends, run 2 (15 to 25) at one end only.
    #[test]
    fn what_changes_places_is_a_tie() {
        let ends = [(10, 12), (20, 22), (15, 25), (10, 12), (10, 13)];
        assert_eq!(undecided(&ends), [vec![4], vec![2], vec![1], vec![4], vec![0, 3]]);
    }
}
