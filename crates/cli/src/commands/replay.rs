//! Replays of recorded programs: what is said beside their results.

use crate::failure::Failure;
use crate::flags::Sim;
use numalab_formats::{Origin, Override, Overrides, is_recording};
use numalab_study::ResolvedRun;
use std::io::Write;

/// Values with the ratio of cores that was typed.
pub fn with_ratio(flags: &Sim, mut overrides: Overrides) -> Result<Overrides, Failure> {
    let typed = overrides.workload.iter().any(|one| one.path == "core_ratio");
    match flags.core_ratio {
        Some(_) if typed => Err(Failure::request(
            "--core-ratio and workload.core_ratio say the same thing",
            "leave one of them out",
        )),
        Some(_) if !is_recording(&flags.workload) => {
            Err(Failure::request("--core-ratio is for recorded programs", "leave it out for a workload"))
        }
        Some(ratio) => {
            overrides.workload.push(Override::of_workload("core_ratio", &ratio.to_string(), Origin::Set));
            Ok(overrides)
        }
        None if is_recording(&flags.workload) && !typed => Err(Failure::request(
            "a recorded program needs to know how fast the machine's cores are beside those of the recording computer",
            "--core-ratio 1 on the recording computer itself, --core-ratio 0.5 where they are half as fast",
        )),
        None => Ok(overrides),
    }
}

/// Tells what the replay does not know, on standard error.
pub fn tell(run: &ResolvedRun) {
    let text: String = run.experiment.notes.iter().map(|note| format!("note: {note}\n")).collect();
    // Results are worth having without anybody to tell.
    let _ = std::io::stderr().write_all(text.as_bytes());
}
