//! `numalab trace import`: converts a trace of another tool to a recording.

use super::otf2_tools;
use crate::commands::load;
use crate::failure::{Failure, tell};
use crate::flags::TraceImport;
use crate::output::{Destination, check_apart};
use numalab_results::TaskDistance;
use numalab_study::layout;
use numalab_traces::{self as traces, Class, Imported, Nested, Otf2, Places};
use std::fmt::Write as _;

/// Reads the trace and writes the recording and, if asked for, the nested archive.
pub fn run(flags: &TraceImport) -> Result<(), Failure> {
    let output = Destination::from(flags.output.clone());
    if output == Destination::Stdout {
        return Err(Failure::request("a recording goes to a file", "name one with -o FILE"));
    }
    check_apart(&[("the recording", &output)])?;
    flags.nested.as_deref().map_or(Ok(()), otf2_tools::check_new)?;
    let archive = flags.file.extension().is_some_and(|ending| ending == "otf2");
    let imported = if archive {
        let source = traces::printed(&flags.file, otf2_tools::print(&flags.file)?);
        Imported::Otf2(Box::new(traces::otf2(source)?))
    } else {
        traces::trace(&flags.file, flags.event)?
    };
    check_used(flags, &imported)?;
    if let Imported::Otf2(otf2) = &imported {
        nest(flags, otf2)?;
    }
    output.fill(|to| imported.recording().write(to))
}

/// Refuses flags that have no effect on this kind of imported trace.
fn check_used(flags: &TraceImport, imported: &Imported) -> Result<(), Failure> {
    let archives = "only OTF2 archives can be nested and their tasks classed by distance";
    let paraver = "only Paraver traces name regions by events of a type";
    let of_archives = [
        ("--nested", flags.nested.is_some(), archives),
        ("--processors", flags.processors.is_some(), archives),
        ("--machine", flags.machine.is_some(), archives),
    ];
    let of_paraver = [("--event", flags.event.is_some(), paraver)];
    let (for_archives, for_paraver): (&[_], &[_]) = match imported {
        Imported::Otf2(_) => (&[], &of_paraver),
        Imported::Paraver(_) => (&of_archives, &[]),
        Imported::Grains(_) => (&of_archives, &of_paraver),
    };
    match for_archives.iter().chain(for_paraver).find(|(_, is_set, _)| *is_set) {
        None => Ok(()),
        Some((flag, _, reason)) => Err(Failure::request(*reason, format!("leave {flag} out"))),
    }
}

/// Prints how far from their creators tasks ran, and writes the archive with nested tasks if asked for.
fn nest(flags: &TraceImport, otf2: &Otf2) -> Result<(), Failure> {
    let places = match (&flags.processors, &flags.machine) {
        (Some(file), Some(machine)) => {
            let loaded = load::machine(machine, &[])?;
            let fabric = load::fabric(&loaded.value)?;
            traces::places(file, &fabric, layout(&loaded.value))?
        }
        (None, None) => Places::default(),
        (Some(_), None) => {
            return Err(Failure::request(
                "--processors needs the machine of these processors",
                "add --machine MACHINE",
            ));
        }
        (None, Some(_)) => {
            return Err(Failure::request(
                "--machine needs the processors of the threads",
                "add --processors FILE, a table of threads and processors",
            ));
        }
    };
    let nested = otf2.nested(&places)?;
    tell(&distances_text(&nested, otf2.ticks_per_second()));
    match &flags.nested {
        Some(folder) => otf2_tools::write(otf2, &nested, &places, folder),
        None => Ok(()),
    }
}

/// Text with one line per distance between creator and executor of tasks: number of tasks, and their time in ms.
fn distances_text(nested: &Nested, ticks_per_second: u64) -> String {
    let mut text = String::new();
    let tasks: u64 = nested.classes.values().map(|(count, _)| count).sum();
    if tasks == 0 {
        return text;
    }
    let _ = writeln!(text, "{tasks} tasks, suspended {} times", nested.suspended);
    for (class, (count, ticks)) in &nested.classes {
        let by = match class {
            Class::Known(TaskDistance::Creator) => "by their creators",
            Class::Known(TaskDistance::Socket) => "on the creator's socket",
            Class::Known(TaskDistance::Board) => "on the creator's board",
            Class::Known(TaskDistance::Remote) => "farther away",
            Class::Elsewhere => "by other threads",
        };
        let ms = *ticks as f64 * 1e3 / ticks_per_second as f64;
        let _ = writeln!(text, "{count:>12} begun {by}, {ms:.3} ms");
    }
    text
}
