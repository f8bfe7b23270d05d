//! The files of a trace: one, or with Paraver three.

use crate::failure::Failure;
use crate::flags::{Trace, TraceForm};
use crate::output::Destination;
use numalab_report as report;
use numalab_results::Timeline;
use std::io::Write;

/// Size of a trace where nothing is said.
const LIMIT: u64 = 64_000_000;

/// Everything that is going to be written.
pub fn destinations(flags: &Trace) -> Vec<Destination> {
    let Some((path, form)) = &flags.file else { return Vec::new() };
    let endings: &[&str] = match form {
        TraceForm::Perfetto | TraceForm::Parquet => &[],
        TraceForm::Paraver => &["pcf", "row"],
    };
    let beside = endings.iter().map(|ending| Destination::File(path.with_extension(ending)));
    std::iter::once(Destination::File(path.clone())).chain(beside).collect()
}

/// Size that the trace may have; none, if there is none.
pub fn limit(flags: &Trace) -> Option<u64> {
    flags.file.as_ref().map(|_| flags.limit.unwrap_or(LIMIT))
}

/// Writes the trace, if one was asked for, and says what is not in it.
pub fn write(flags: &Trace, timelines: &[Timeline]) -> Result<(), Failure> {
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
        TraceForm::Perfetto => report::perfetto(timeline, &mut out),
        TraceForm::Parquet => report::timeline_parquet(timeline, &mut out),
        TraceForm::Paraver => report::paraver(timeline, &mut out).map(|files| rest = Some(files)),
    })?;
    if let Some(rest) = rest {
        for (file, text) in files[1..].iter().zip([rest.legend, rest.rows]) {
            file.write(text.as_bytes())?;
        }
    }
    if timeline.grain_ps > 0 {
        let _ = writeln!(
            std::io::stderr(),
            "note: {} of {} spans are in the trace: shorter ones are put together by kind within stretches of {} \
             (--trace-limit, --trace-window)",
            timeline.spans_kept(),
            timeline.spans_seen,
            report::time(timeline.grain_ps),
        );
    }
    Ok(())
}
