//! Replays of recorded programs: what is said beside their results.

use crate::failure::Failure;
use crate::flags::Sim;
use numalab_formats::{Origin, Override, Overrides, has_costs, is_recording, simulated_team};
use numalab_study::ResolvedRun;
use std::io::Write;

/// Values with what was typed about a replay.
pub fn with_typed(flags: &Sim, workload: &str, mut overrides: Overrides) -> Result<Overrides, Failure> {
    let data = flags.data.as_ref().map(|path| path.to_string_lossy().into_owned());
    let typed = [
        ("--core-ratio", "core_ratio", flags.core_ratio.map(|ratio| ratio.to_string())),
        ("--data", "data", data),
    ];
    let recorded = is_recording(workload);
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

/// Tells what the replay does not know, on standard error.
pub fn tell(run: &ResolvedRun) {
    let text: String = run.experiment.notes.iter().map(|note| format!("note: {note}\n")).collect();
    // Results are worth having without anybody to tell.
    let _ = std::io::stderr().write_all(text.as_bytes());
}
