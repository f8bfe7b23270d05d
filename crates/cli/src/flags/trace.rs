//! `--trace`: a run over time, as a file.

use super::output::ending;
use clap::{Args, ValueHint};
use std::ops::Range;
use std::path::PathBuf;

/// A trace and what of the run it keeps.
#[derive(Debug, Args)]
pub struct Trace {
    /// Write what every thread did when, and what crossed every resource, to FILE
    ///
    /// The ending says the form: .pftrace for Perfetto (ui.perfetto.dev), .prv for Paraver (with .pcf and .row beside
    /// it), .parquet for data frames. One policy (--policy). With a trace nothing that repeats is counted instead of
    /// simulated. .nlt is a recording of the program as it was simulated: `numalab sim MACHINE FILE` runs it again,
    /// under any policy.
    #[arg(long = "trace", value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = traced)]
    pub file: Option<(PathBuf, TraceForm)>,

    /// Keep only this part of the run, such as 0.2s..0.3s
    #[arg(long = "trace-window", value_name = "FROM..TO", requires = "file", value_parser = window)]
    pub window: Option<Range<u64>>,

    /// Size of the trace, about; of more spans, short ones are put together [default: 64MB]
    #[arg(long = "trace-limit", value_name = "SIZE", requires = "file", value_parser = numalab_study::trace_limit)]
    pub limit: Option<u64>,
}

/// Form of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceForm {
    /// Perfetto's protobuf.
    Perfetto,
    /// Paraver's text.
    Paraver,
    /// A table.
    Parquet,
    /// A recording, to be replayed.
    Recording,
}

fn traced(name: &str) -> Result<(PathBuf, TraceForm), String> {
    let path = PathBuf::from(name);
    let form = match ending(&path).as_deref() {
        Some("pftrace" | "perfetto-trace") => TraceForm::Perfetto,
        Some("prv") => TraceForm::Paraver,
        Some("parquet") => TraceForm::Parquet,
        Some("nlt") => TraceForm::Recording,
        _ => {
            let endings = ".pftrace (Perfetto), .prv (Paraver), .parquet or .nlt (a recording)";
            return Err(format!("end the file's name in {endings}"));
        }
    };
    Ok((path, form))
}

fn window(text: &str) -> Result<Range<u64>, String> {
    numalab_study::trace_window(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_says_the_form() {
        assert_eq!(traced("a/b.prv").unwrap().1, TraceForm::Paraver);
        assert!(traced("trace.json").is_err() && traced("-").is_err());
    }
}
