//! Replays a recording on a machine that describes the recording computer, and compares the times.

use numalab_openmp::binding::Binding;
use numalab_replay::Recorded;
use numalab_results::{HeldAgainst, Met, MetTeam, PhaseCounts, Run};
use numalab_study::{Files, Given, Progress, ResolvedRun, RunSpec, StudyError, with_value as with};
use std::sync::Arc;

/// Maximum relative error that passes for the time of a replay on one thread.
pub const ONE_THREAD_WITHIN: f64 = 0.02;
/// Maximum relative error that passes for the time of a team's replay, unless the team's own recorded runs differ by
/// more.
pub const TEAM_WITHIN: f64 = 0.15;

/// Replay of a recording on the computer that recorded it.
#[derive(Clone, Debug, PartialEq)]
pub struct OnRecorder {
    /// Simulated and recorded times on the recording computer.
    pub held_against: HeldAgainst,
    /// For each class of work: time in nanoseconds that one instance waits for memory on one thread of the recording
    /// computer, without page faults.
    pub waited_ns: Vec<u64>,
    /// For each class of work: time, in nanoseconds, of page faults in one instance on the recording computer.
    pub faulted_ns: Vec<u64>,
}

/// Replays a recording on a machine that describes the recording computer. `None` if the workload is no recording.
pub fn on_recorder(
    spec: &RunSpec,
    machine: &str,
    files: &Files,
    progress: &dyn Progress,
) -> Result<Option<OnRecorder>, StudyError> {
    // The replay runs as recorded: on the recording computer's cores, under the recorded schedules.
    let there = RunSpec {
        machine: Given::from(machine),
        runtime: None,
        threads: Some(1),
        processors: None,
        binding: Binding::default(),
        placement: None,
        placements: Vec::new(),
        schedules: vec![numalab_workload::Schedule::Static { chunk: None }],
        series: false,
        sequential: false,
        ..with(&with(spec, "core_ratio", "1"), "compared", "none")
    };
    let there = RunSpec {
        overrides: numalab_files::Overrides { machine: Vec::new(), runtime: Vec::new(), ..there.overrides },
        ..there
    };
    // With no overlap, all computing is in the instructions of iterations, where it can be removed.
    let there = with(&there, "overlap", "0");
    let run = there.resolve(files)?;
    let Some(recorded) = run.experiment.recorded.clone() else { return Ok(None) };
    let without_faults = ["machine.os.page_fault=0 ns", "machine.os.page_lock=0 ns"].map(str::to_owned);
    let quick = numalab_files::parse_overrides(&without_faults)?.machine;
    let quick = RunSpec {
        overrides: numalab_files::Overrides { machine: quick, ..there.overrides.clone() },
        ..there.clone()
    };
    let (waited_ns, faulted_ns) = waited(&run, &quick.resolve(files)?, &recorded, progress)?;
    let known = with(&with(&there, "waited", &listed(&waited_ns)), "faulted", &listed(&faulted_ns));
    let ends = |threads: u32, of: &dyn Fn(&Run) -> u64| -> Result<(u64, u64), StudyError> {
        let time = |spec: RunSpec| -> Result<u64, StudyError> {
            let mut run = RunSpec { threads: Some(threads), ..spec }.resolve(files)?;
            name_by_class(&mut run, &recorded);
            Ok(run.simulate(Some(1), progress)?.first().map_or(0, of))
        };
        let (one, other) = (time(with(&known, "overlap", "1"))?, time(known.clone())?);
        Ok((one.min(other), one.max(other)))
    };
    let alone =
        Met::new(ends(1, &|run| run.makespan_ps)?, recorded.alone_ns.saturating_mul(1000), ONE_THREAD_WITHIN);
    let team = match &recorded.free {
        Some(free) if !free.regions_ns.is_empty() => {
            let mut runs: Vec<(u64, Option<u64>)> = free
                .regions_ns
                .iter()
                .enumerate()
                .map(|(run, ns)| (*ns, free.switches.get(run).copied()))
                .collect();
            runs.sort_unstable();
            let (median, taken_away) = runs[(runs.len() - 1) / 2];
            let spread = (runs[runs.len() - 1].0 - runs[0].0) as f64 / median.max(1) as f64;
            let within = |class: &usize| recorded.in_regions.get(*class) == Some(&true);
            let regions = |run: &Run| {
                let phases = run.phases.iter().filter(|phase| class_of(phase).as_ref().is_some_and(within));
                phases.map(|phase| phase.time_ps).sum()
            };
            let allowed = spread.max(TEAM_WITHIN);
            let met = Met::new(ends(free.threads, &regions)?, median.saturating_mul(1000), allowed);
            Some(MetTeam { threads: free.threads, met, taken_away })
        }
        _ => None,
    };
    Ok(Some(OnRecorder {
        held_against: HeldAgainst { machine: run.machine.loaded.value.name.clone(), alone, team },
        waited_ns,
        faulted_ns,
    }))
}

fn listed(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}

impl OnRecorder {
    /// Parameters for a replay on another machine: `spec` with the waits and page-fault times on the recording
    /// computer.
    pub fn tell(&self, spec: &RunSpec) -> RunSpec {
        let known =
            with(&with(spec, "waited", &listed(&self.waited_ns)), "faulted", &listed(&self.faulted_ns));
        RunSpec { held_against: Some(Arc::new(self.held_against.clone())), ..known }
    }
}

/// Names each phase after the number of its class of work. A run's results sum phases of the same name, and several
/// classes may have the same name in the recording.
fn name_by_class(run: &mut ResolvedRun, recorded: &Recorded) {
    let phases = &mut Arc::make_mut(&mut run.experiment).workload.value.phases;
    for (phase, class) in phases.iter_mut().zip(&recorded.classes) {
        phase.name = class.to_string();
    }
}

/// Index of the class whose number is the phase's name; `None` for other names.
fn class_of(phase: &PhaseCounts) -> Option<usize> {
    phase.name.parse().ok()
}

/// For each class of work, in nanoseconds on one thread: time that one instance waits for data, and time of its page
/// faults. Both come from runs without computing: the wait is the time with data, less the time without data and the
/// time of faults. `quick` is `run` with free page faults.
fn waited(
    run: &ResolvedRun,
    quick: &ResolvedRun,
    recorded: &Recorded,
    progress: &dyn Progress,
) -> Result<(Vec<u64>, Vec<u64>), StudyError> {
    let simulated = |run: &ResolvedRun, data: bool| -> Result<Run, StudyError> {
        let mut idle = run.clone();
        name_by_class(&mut idle, recorded);
        for phase in &mut Arc::make_mut(&mut idle.experiment).workload.value.phases {
            phase.instructions = Arc::new([]);
            if !data {
                phase.accesses.clear();
            }
        }
        let lost =
            || StudyError::Reference { place: run.spec.workload.clone(), problem: "a run is lost".into() };
        idle.simulate(Some(1), progress)?.pop().ok_or_else(lost)
    };
    let (data, none, quick) = (simulated(run, true)?, simulated(run, false)?, simulated(quick, true)?);
    let pages: u64 = data.phases.iter().map(|phase| phase.pages_faulted).sum();
    let faults_ps = data.overhead_ps.0.saturating_sub(quick.overhead_ps.0);
    let workload = &run.experiment.workload.value;
    let mut instances = vec![0u64; recorded.count];
    let measured = workload.phases.iter().zip(&recorded.classes).filter(|(phase, _)| phase.measured);
    for (phase, class) in measured {
        if let Some(instances) = instances.get_mut(*class as usize) {
            *instances += u64::from(phase.repeat) * u64::from(phase.rounds(workload.rounds));
        }
    }
    let (mut waited_ns, mut faulted_ns) = (vec![0; recorded.count], vec![0; recorded.count]);
    for (phase, none) in data.phases.iter().zip(&none.phases) {
        let Some(class) = class_of(phase).filter(|class| *class < recorded.count) else { continue };
        let each = |ps: u128| (ps / 1000).checked_div(instances[class].into()).unwrap_or(0) as u64;
        let faults = (faults_ps * u128::from(phase.pages_faulted)).checked_div(pages.into()).unwrap_or(0);
        let waited = u128::from(phase.time_ps.saturating_sub(none.time_ps)).saturating_sub(faults);
        (waited_ns[class], faulted_ns[class]) = (each(waited), each(faults));
    }
    Ok((waited_ns, faulted_ns))
}
