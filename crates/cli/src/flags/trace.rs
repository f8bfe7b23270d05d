//! `--trace`: writes a run over time to a file.

use super::output::ending;
use clap::{Args, ValueHint};
use std::ops::Range;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct Trace {
    /// Write each thread's activities and each resource's traffic over time to FILE
    ///
    /// The ending selects the format: .pftrace for Perfetto (ui.perfetto.dev), .prv for Paraver
    /// (with .pcf and .row beside it), .parquet for data frames. Needs a single policy (--policy).
    /// With a trace, repetitions are simulated one by one. .nlt is a recording of the simulated
    /// program: `numalab sim MACHINE FILE` runs it again, under any policy.
    #[arg(long = "trace", value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = traced)]
    pub file: Option<(PathBuf, TraceForm)>,

    /// Keep only this part of the run, such as 0.2s..0.3s
    #[arg(long = "trace-window", value_name = "FROM..TO", requires = "file", value_parser = window)]
    pub window: Option<Range<u64>>,

    /// Approximate size of the trace; short spans are merged to meet it [default: 64MB]
    #[arg(long = "trace-limit", value_name = "SIZE", requires = "file", value_parser = numalab_study::trace_limit)]
    pub limit: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceForm {
    /// Perfetto's protobuf.
    Perfetto,
    /// Paraver's text format.
    Paraver,
    Parquet,
    /// A recording, for replay.
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
            return Err(format!("end the file name in {endings}"));
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
    fn the_ending_selects_the_format() {
        assert_eq!(traced("a/b.prv").unwrap().1, TraceForm::Paraver);
        assert!(traced("trace.json").is_err() && traced("-").is_err());
    }
}
