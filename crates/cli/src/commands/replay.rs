//! Flags for replays of recorded programs, and notes on their results.

use crate::failure::{self, Failure};
use crate::flags::Replay;
use crate::message::shown;
use crate::progress::Bar;
use numalab_files::{Origin, Override, Overrides};
use numalab_replay::{CORE_RATIOS, has_costs, is_recording, simulated_team};
use numalab_study::{Files, ResolvedRun, RunSpec};
use numalab_validation as validation;
use std::path::Path;

/// Overrides with the values that replay flags set.
pub fn with_typed(flags: &Replay, workload: &str, mut overrides: Overrides) -> Result<Overrides, Failure> {
    let data = flags.data.as_ref().map(|path| path.to_string_lossy().into_owned());
    let typed = [
        ("--core-ratio", "core_ratio", flags.core_ratio.map(|ratio| ratio.to_string())),
        ("--data", "data", data),
    ];
    let recorded = is_recording(workload);
    if let Some(ratio) = flags.core_ratio.filter(|ratio| !CORE_RATIOS.contains(ratio)) {
        return Err(Failure::request(
            match ratio.abs() {
                size if size == 0.0 || (1e-6..1e6).contains(&size) => format!("--core-ratio is {ratio}"),
                _ => format!("--core-ratio is {ratio:e}"),
            },
            format!(
                "expected a number between {} and {}, such as 0.45",
                CORE_RATIOS.start(),
                CORE_RATIOS.end()
            ),
        ));
    }
    for (flag, path, value) in typed {
        let Some(value) = value else { continue };
        if !recorded && !Path::new(workload).exists() && workload.ends_with(".nlt") {
            return Err(Failure::request(
                format!("there is no file {}", shown(Path::new(workload))),
                "numalab record -o FILE -- ./prog writes one",
            ));
        }
        if !recorded {
            return Err(Failure::request(
                format!("{flag} is for recorded programs"),
                format!("leave out {flag}: the workload is not recorded"),
            ));
        }
        if overrides.workload.iter().any(|item| item.path == path) {
            return Err(Failure::request(
                format!("{flag} and --set workload.{path} set the same value"),
                "leave out one of them",
            ));
        }
        overrides.workload.push(Override::of_workload(path, &value, Origin::Set));
    }
    let missing = recorded && !overrides.workload.iter().any(|item| item.path == "core_ratio");
    if missing && has_costs(workload) {
        return Err(Failure::request(
            "a recorded program needs the speed of the machine's cores relative to the recording computer",
            "--core-ratio 1 for the recording computer itself, --core-ratio 0.5 for cores half as fast",
        ));
    }
    Ok(overrides)
}

/// Size of the team: `threads` if given, otherwise the team of the recorded simulation. `None` without both.
pub fn team(threads: Option<u32>, workload: &str) -> Option<u32> {
    threads.or_else(|| if is_recording(workload) { simulated_team(workload) } else { None })
}

/// Replays a recording on the recording computer. Adds to `spec` how well this replay reproduces the recorded times,
/// and which part of the recorded time is waiting for memory.
pub fn on_recorder(flags: &Replay, mut spec: RunSpec, files: &Files) -> Result<RunSpec, Failure> {
    let Some(machine) = &flags.recorded_on else { return Ok(spec) };
    if !is_recording(&spec.workload) || !has_costs(&spec.workload) {
        return Err(Failure::request(
            "--recorded-on is for recorded programs",
            "leave out --recorded-on: the workload is not recorded",
        ));
    }
    let bar = Bar::new();
    let check = validation::on_recorder(&spec, machine, files, &bar);
    drop(bar);
    if let Some(check) = check? {
        spec = check.tell(&spec);
    }
    Ok(spec)
}

/// Prints notes on the reliability of a replay to standard error. `stands_in_answer`: the results already begin with
/// these notes. If the replay is unproven, also prints a hint on how to check it.
pub fn tell(run: &ResolvedRun, stands_in_answer: bool) {
    let replay = if stands_in_answer { None } else { run.replay() };
    let mut notes = replay.as_ref().map_or_else(Vec::new, numalab_report::replay_sentences);
    if run.is_unproven() {
        notes.push("--recorded-on MACHINE checks the replay against the recording computer".into());
    }
    let text: String = notes.iter().map(|note| format!("note: {note}\n")).collect();
    failure::tell(&text);
}
