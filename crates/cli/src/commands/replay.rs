//! Replays of recorded programs: what is said beside their results.

use crate::failure::Failure;
use crate::flags::Replay;
use crate::progress::Bar;
use numalab_formats::{CORE_RATIOS, Origin, Override, Overrides, has_costs, is_recording, simulated_team};
use numalab_study::{self as study, Files, Met, OnRecorder, ResolvedRun, RunSpec};
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

/// Replays a recording on the computer that recorded it, tells how well that is met, and has the spec know how long it waited
/// for memory there.
pub fn on_recorder(flags: &Replay, mut spec: RunSpec, files: &Files) -> Result<RunSpec, Failure> {
    let Some(machine) = &flags.recorded_on else { return Ok(spec) };
    if !is_recording(&spec.workload) || !has_costs(&spec.workload) {
        return Err(Failure::request(
            "--recorded-on is for recorded programs",
            "leave it out for a workload",
        ));
    }
    let bar = Bar::new();
    let found = study::on_recorder(&spec, machine, files, &bar);
    drop(bar);
    if let Some(found) = found? {
        let _ = std::io::stderr().write_all(met(&found).as_bytes());
        spec = found.tell(&spec);
    }
    Ok(spec)
}

/// The gate in sentences.
fn met(found: &OnRecorder) -> String {
    let ms = |ps: u64| format!("{:.3}", ps as f64 / 1e9);
    let simulated = |met: &Met| match met.simulated_ps {
        (low, high) if ms(low) == ms(high) => format!("{} ms", ms(low)),
        (low, high) => format!("{} to {} ms", ms(low), ms(high)),
    };
    let sentence = |who: String, met: &Met| {
        let verdict = if met.holds() { "within" } else { "beyond" };
        format!(
            "{}on {}, {who} takes {} simulated and {} ms recorded: {:+.1} %, {verdict} {:.0} %\n",
            if met.holds() { "note: " } else { "note: unproven: " },
            found.machine,
            simulated(met),
            ms(met.recorded_ps),
            100.0 * met.missed_by() + 0.0,
            100.0 * met.allowed,
        )
    };
    let mut text = sentence("one thread".to_owned(), &found.alone);
    match &found.team {
        Some((threads, met)) => {
            text += &sentence(format!("a free team of {threads} in its regions"), met);
            if let Some(times) = found.taken_away.filter(|times| *times > 0 && !met.holds()) {
                let s = if times == 1 { "" } else { "s" };
                text += &format!(
                    "note: other work took a processor away from that team {times} time{s}: what it missed was not the \
                     replay's alone\n"
                );
            }
        }
        None => text += "note: no team ran freely when it was recorded: nothing says whether teams are met\n",
    }
    text
}

/// Tells what the replay does not know, on standard error.
pub fn tell(run: &ResolvedRun) {
    let mut notes = run.experiment.notes.clone();
    let knows = run.spec.overrides.workload.iter().any(|one| one.path == "waited");
    if study::has_ends(run) && !knows {
        notes.push(
            "unproven: not held against the recording computer, of which --recorded-on names the machine file; `most` \
             counts all of the recorded time as computing that nothing overlaps"
                .to_owned(),
        );
    }
    let text: String = notes.iter().map(|note| format!("note: {note}\n")).collect();
    // Results are worth having without anybody to tell.
    let _ = std::io::stderr().write_all(text.as_bytes());
}
