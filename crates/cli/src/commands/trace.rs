//! Files of a trace: one, or three for Paraver.

use crate::failure::{Failure, tell};
use crate::flags::{Trace, TraceForm};
use crate::output::Destination;
use numalab_draw as draw;
use numalab_nlt::program::check_executions;
use numalab_replay::simulated_recording;
use numalab_report as report;
use numalab_results::Timeline;
use numalab_study::ResolvedRun;
use std::path::Path;

/// Default size limit of a trace, in bytes.
const LIMIT: u64 = 64_000_000;

/// All files that `--trace` writes.
pub fn destinations(flags: &Trace) -> Vec<Destination> {
    let Some((path, form)) = &flags.file else { return Vec::new() };
    let endings: &[&str] = match form {
        TraceForm::Perfetto | TraceForm::Parquet | TraceForm::Recording => &[],
        TraceForm::Paraver => &["pcf", "row"],
    };
    let beside = endings.iter().map(|ending| Destination::File(path.with_extension(ending)));
    std::iter::once(Destination::File(path.clone())).chain(beside).collect()
}

/// Size limit of the trace in bytes; `None` without a timeline.
pub fn limit(flags: &Trace) -> Option<u64> {
    watches(flags).then(|| flags.limit.unwrap_or(LIMIT))
}

/// True if the trace shows a run over time, for which one policy is needed; false for a recording (`.nlt`) of the
/// program, and without a trace.
pub fn watches(flags: &Trace) -> bool {
    flags.file.as_ref().is_some_and(|(_, form)| *form != TraceForm::Recording)
}

/// Refuses a time window or a size limit for a recording.
pub fn check_parts(flags: &Trace) -> Result<(), Failure> {
    let whole = flags.file.is_some() && !watches(flags);
    let part = [("--trace-window", flags.window.is_some()), ("--trace-limit", flags.limit.is_some())];
    match part.into_iter().find(|(_, is_set)| whole && *is_set) {
        None => Ok(()),
        Some((flag, _)) => Err(Failure::request(
            format!("{flag} applies to traces that show a run over time"),
            "leave it out: a recording holds the whole program",
        )),
    }
}

/// Refuses a recording of a program that has too many tasks for a replay, before the program is simulated.
pub fn check_program(flags: &Trace, run: &ResolvedRun) -> Result<(), Failure> {
    if flags.file.is_none() || watches(flags) {
        return Ok(());
    }
    check_executions(&run.experiment.workload.value).map_err(|problem| {
        Failure::request(
            format!("the program is too large for a recording: {problem}"),
            "leave --trace out, or make the problem smaller",
        )
    })
}

/// Writes the trace that the flags request. If spans were merged, prints how many of them are in the trace.
pub fn write(flags: &Trace, run: &ResolvedRun, timelines: &[Timeline]) -> Result<(), Failure> {
    if let Some((path, TraceForm::Recording)) = &flags.file {
        return record(path, run);
    }
    let (Some((_, form)), Some(timeline)) = (&flags.file, timelines.first()) else { return Ok(()) };
    if timeline.from_ps == timeline.to_ps {
        return Err(Failure::request(
            "--trace-window begins after the run has ended",
            format!("the run ends after {}", report::time(timeline.run_ps)),
        ));
    }
    let files = destinations(flags);
    let mut rest = None;
    files[0].fill(|mut out| match form {
        TraceForm::Perfetto => draw::perfetto(timeline, &mut out),
        TraceForm::Parquet => draw::timeline_parquet(timeline, &mut out),
        TraceForm::Paraver => draw::paraver(timeline, &mut out).map(|files| rest = Some(files)),
        TraceForm::Recording => Ok(()),
    })?;
    if let Some(rest) = rest {
        for (file, text) in files[1..].iter().zip([rest.legend, rest.rows]) {
            file.write(text.as_bytes())?;
        }
    }
    if timeline.grain_ps > 0 {
        tell(&format!(
            "note: {} of {} spans are in the trace: shorter ones are merged by kind within intervals of {} \
             (--trace-limit, --trace-window)\n",
            timeline.spans_kept(),
            timeline.spans_seen,
            report::time(timeline.grain_ps),
        ));
    }
    Ok(())
}

/// Writes the simulated program as a recording.
fn record(path: &Path, run: &ResolvedRun) -> Result<(), Failure> {
    let words: [&str; 4] = ["numalab", "sim", &run.machine.loaded.value.name, &run.spec.workload];
    let command = words.map(str::to_owned).to_vec();
    let threads = run.team.members.len() as u32;
    let recording = simulated_recording(&run.experiment.workload.value, command, threads);
    Destination::File(path.to_owned()).fill(|to| recording.write(to))
}
