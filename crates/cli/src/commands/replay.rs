//! Replays of recorded programs: what is said beside their results.

use crate::failure::Failure;
use crate::flags::Replay;
use crate::progress::Bar;
use numalab_formats::{CORE_RATIOS, Origin, Override, Overrides, has_costs, is_recording, simulated_team};
use numalab_study::{Files, ResolvedRun, RunSpec};
use numalab_validation as validation;
use std::io::Write;

/// Values with what was typed about a replay.
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
        if !recorded {
            return Err(Failure::request(
                format!("{flag} is for recorded programs"),
                "leave it out for a workload",
            ));
        }
        if overrides.workload.iter().any(|one| one.path == path) {
            return Err(Failure::request(
                format!("{flag} and workload.{path} say the same thing"),
                "leave one of them out",
            ));
        }
        overrides.workload.push(Override::of_workload(path, &value, Origin::Set));
    }
    let missing = recorded && !overrides.workload.iter().any(|one| one.path == "core_ratio");
    if missing && has_costs(workload) {
        return Err(Failure::request(
            "a recorded program needs to know how fast the machine's cores are beside those of the recording computer",
            "--core-ratio 1 on the recording computer itself, --core-ratio 0.5 where they are half as fast",
        ));
    }
    Ok(overrides)
}

/// Size of the team, where nothing else was said: that of a simulated run.
pub fn team(threads: Option<u32>, workload: &str) -> Option<u32> {
    threads.or_else(|| if is_recording(workload) { simulated_team(workload) } else { None })
}

/// Replays a recording on the computer that recorded it, and has the spec know how well that is met and how long it waited for
/// memory there.
pub fn on_recorder(flags: &Replay, mut spec: RunSpec, files: &Files) -> Result<RunSpec, Failure> {
    let Some(machine) = &flags.recorded_on else { return Ok(spec) };
    if !is_recording(&spec.workload) || !has_costs(&spec.workload) {
        return Err(Failure::request(
            "--recorded-on is for recorded programs",
            "leave it out for a workload",
        ));
    }
    let bar = Bar::new();
    let found = validation::on_recorder(&spec, machine, files, &bar);
    drop(bar);
    if let Some(found) = found? {
        spec = found.tell(&spec);
    }
    Ok(spec)
}

/// Tells what a replay is worth on standard error, where the answer is in a form that does not begin with it; and how to learn
/// more.
pub fn tell(run: &ResolvedRun, stands_in_answer: bool) {
    let replay = if stands_in_answer { None } else { run.replay() };
    let mut notes = replay.as_ref().map_or_else(Vec::new, numalab_report::replay_sentences);
    if run.is_unproven() {
        notes.push(
            "--recorded-on names the machine file of the recording computer, to hold it against that".into(),
        );
    }
    let text: String = notes.iter().map(|note| format!("note: {note}\n")).collect();
    // Results are worth having without anybody to tell.
    let _ = std::io::stderr().write_all(text.as_bytes());
}
