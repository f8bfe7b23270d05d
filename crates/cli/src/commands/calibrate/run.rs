//! `numalab calibrate run`: measures this computer.

use super::bar::Bar;
use crate::failure::{Failure, tell};
use crate::flags::CalibrateRun;
use crate::hints;
use crate::message::shown;
use crate::output::{Destination, check_apart};
use numalab_calibrate::{Compiler, KernelRun, Program, Watch, run as measure};
use numalab_syntax::scratch;
use std::env;
use std::fmt::Write;
use std::fs;

/// Builds the kernels, runs them and writes the measurements.
pub fn run(flags: &CalibrateRun) -> Result<(), Failure> {
    let output = Destination::from(flags.output.clone());
    check_apart(&[("the measurements", &output)])?;
    let compiler = compiler(flags)?;
    let bar = Bar::new();
    // The folder is removed at the end, with everything built in it.
    let temporary = scratch::folder(&std::env::temp_dir());
    let temporary =
        temporary.map_err(|error| Failure::Run(format!("cannot make a temporary folder: {error}")))?;
    let folder = flags.keep.as_deref().unwrap_or(temporary.path());
    if let Err(error) = fs::create_dir_all(folder) {
        return Err(Failure::Run(format!("cannot make the folder \"{}\": {error}", folder.display())));
    }
    let built = compiler.compile(folder);
    let interrupted = || Failure::Interrupted("nothing was measured; nothing is written".to_owned());
    if bar.stopped() {
        return Err(interrupted());
    }
    let program = built.map_err(|error| hints::not_built(&error, flags.verbose))?;
    if flags.verbose {
        tell(&built_with(&program));
    }
    let outcome = measure(&program, flags.budget, flags.tiny, &flags.only, &bar);
    if bar.stopped() && outcome.as_ref().map_or(true, |outcome| outcome.measured == 0) {
        return Err(interrupted());
    }
    let outcome = outcome?;
    drop(bar);
    let summary = summary(&outcome, &shown(&flags.output));
    if outcome.measured == 0 {
        return Err(Failure::Run(format!(
            "nothing could be measured; nothing is written\n{}",
            summary.trim_end()
        )));
    }
    output.write(outcome.lines.as_bytes())?;
    if outcome.stopped {
        return Err(Failure::Interrupted(format!(
            "what was measured until then is written\n{}",
            summary.trim_end()
        )));
    }
    tell(&summary);
    Ok(())
}

/// Compiler that the flag names, otherwise the environment variable `CC`.
fn compiler(flags: &CalibrateRun) -> Result<Compiler, Failure> {
    let variable = || env::var("CC").ok().filter(|text| !text.trim().is_empty());
    let command = flags.cc.clone().or_else(variable).unwrap_or_else(|| "cc".to_owned());
    Compiler::parse(&command, &flags.cflags).ok_or_else(|| {
        Failure::request(
            format!(
                "\"{command}\" with \"{}\" is not a command: it is empty or has an open quote",
                flags.cflags
            ),
            "write them as in a shell, such as --cc \"clang -fopenmp=libgomp\" --cflags \"-O3 -g\"",
        )
    })
}

fn built_with(program: &Program) -> String {
    format!("{}\n{}", program.command, program.said)
}

/// Summary of a measurement: counts of measured values and of values that were not measured, with reasons.
fn summary(outcome: &KernelRun, file: &str) -> String {
    let KernelRun { planned, measured, rounds, .. } = outcome;
    let rounds = match rounds {
        0 => "part of a round".to_owned(),
        1 => "1 round".to_owned(),
        _ => format!("{rounds} rounds"),
    };
    let mut text = format!("{file}: {measured} of {planned} measurements in {rounds}\n");
    for (list, what) in [(&outcome.impossible, "not possible here"), (&outcome.failed, "failed")] {
        if list.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{} {what}:", list.len());
        for (line, reason) in list {
            let _ = writeln!(text, "  {line}: {reason}");
        }
    }
    text
}
