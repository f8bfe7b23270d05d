//! Machines of which only the shape is known: what `lstopo`, `lscpu` or `/sys` say, and this computer.

use crate::failure::Failure;
use numalab_formats::{Diagnostics, Entry, Kind, STANDARD_INPUT, Source, entry_in, machine_text};
use numalab_imports::topology::{Assumption, MachineSketch, Topology, topology_here};
use numalab_imports::{Evidence, Printed, is_ours, printed};
use numalab_study::Files;
use std::io::Write;
use std::path::Path;

/// Name of this computer where a machine is asked for.
const HERE: &str = "here";

/// The machine file that a topology makes, or the text of a pipe, if `name` is one of these. Without `assume` the refusal
/// says what a topology lacks. `kind` is what the entry is said to be.
pub fn entry(name: &str, kind: Option<Kind>, assume: bool) -> Result<Option<Entry>, Failure> {
    if kind.is_some_and(|kind| kind != Kind::Machine) {
        return Ok(None);
    }
    let topology = match found(name)? {
        Found::Shape(topology) => topology,
        Found::Text(source) => return Ok(Some(entry_in(source, kind)?)),
        Found::Nothing => return Ok(None),
    };
    let name = if name == STANDARD_INPUT { "standard input" } else { name };
    let stem = Path::new(name).file_stem().map_or(HERE.into(), |stem| stem.to_string_lossy());
    let plain: String =
        stem.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' }).collect();
    let unsuited = |problem: String| Failure::request(format!("{name}: {problem}"), OTHERWISE);
    let mut sketch = topology.machine(&plain).map_err(|error| unsuited(error.to_string()))?;
    if !assume {
        return Err(missing(name, &sketch));
    }
    let assumed = sketch.assume(&topology);
    tell(name, &sketch, &assumed);
    let text = machine_text(&sketch.machine, &|_| None);
    Ok(Some(Entry { kind: Kind::Machine, place: name.to_owned(), text }))
}

/// Files of a run; machines of which only the shape is known are among them.
pub fn files(machines: &[String], assume: bool) -> Result<Files, Failure> {
    let files = Files::keeping(machines.len().max(1));
    for name in machines {
        if let Some(entry) = entry(name, Some(Kind::Machine), assume)? {
            files.hold_machine(name, entry.read_machine());
        }
    }
    Ok(files)
}

/// Values of one source that have a line each; more than these share one.
const MANY: usize = 4;

const OTHERWISE: &str = "describe it in a machine file: numalab new machine NAME";

/// Refuses what a tool printed where only a machine file will do.
pub fn refuse(name: &str) -> Result<(), Failure> {
    let path = Path::new(name);
    if !matches!(printed_at(path)?, Some(Printed::Evidence(_))) {
        return Ok(());
    }
    Err(Failure::request(
        format!("{name} is what a tool printed of a machine, and no machine file"),
        format!("numalab calibrate fit {name} --assume -o FILE makes a machine file of it"),
    ))
}

/// Meaning of a machine's name that is neither in the catalogue nor a machine file.
enum Found {
    /// Shape of a machine.
    Shape(Topology),
    /// Text of a pipe, which can be read only once.
    Text(Source),
    /// Anything else.
    Nothing,
}

fn found(name: &str) -> Result<Found, Failure> {
    let path = Path::new(name);
    if name == HERE && !path.exists() && !numalab_formats::is_known(Kind::Machine, HERE) {
        return Ok(Found::Shape(topology_here()?));
    }
    let is_stream = is_stream(path);
    let evidence = match if is_stream { Some(printed(path)?) } else { printed_at(path)? } {
        Some(Printed::Evidence(evidence)) => evidence,
        Some(Printed::Written(source)) if is_stream => return Ok(Found::Text(source)),
        Some(Printed::Written(_)) | None => return Ok(Found::Nothing),
    };
    let shape = match evidence {
        Evidence::Topology(topology) => Ok(*topology),
        Evidence::Measurements(measured) => {
            measured.topology.ok_or_else(|| "measurements of the kernels".to_owned())
        }
        Evidence::Foreign(foreign) => {
            let tools = foreign.tools.iter().map(|tool| tool.output()).collect::<Vec<_>>();
            foreign.topology.ok_or_else(|| tools.join(" and "))
        }
    };
    let nothing = |what: String| {
        let help = "expected hwloc's XML (lstopo --of xml), lscpu, numactl -H, or files of /sys as \"grep -r .\" prints \
                    them; numalab calibrate fit takes measurements beside one of these";
        let name = if name == STANDARD_INPUT { "standard input" } else { name };
        let message = format!("{name} is {what}, which does not say what the machine is made of");
        Failure::from(Diagnostics::plain(message, help))
    };
    shape.map(Found::Shape).map_err(nothing)
}

/// Whether it can be read only once.
fn is_stream(path: &Path) -> bool {
    let is_pipe = || path.metadata().is_ok_and(|data| !data.is_file() && !data.is_dir());
    path.as_os_str() == STANDARD_INPUT || is_pipe()
}

/// Kind of a file that a program may have printed, whatever its ending says; `None` where there is no such file. One that
/// has the ending of a file that people write and cannot be read is left to the reader of these.
fn printed_at(path: &Path) -> Result<Option<Printed>, Failure> {
    if !path.is_file() {
        return Ok(None);
    }
    match printed(path) {
        Err(_) if is_ours(path) => Ok(None),
        found => Ok(Some(found?)),
    }
}

/// Failure that tells what the topology leaves open.
fn missing(name: &str, sketch: &MachineSketch) -> Failure {
    Failure::request(
        format!(
            "{name} says what the machine is made of and not how fast it is: {} are missing",
            sketch.assumed.join(", ")
        ),
        "--assume takes them from a table by the generation of the processors; numalab calibrate measures them",
    )
}

/// Values with commas between them, in lines of a screen's width.
fn in_lines(values: &[String]) -> String {
    const WIDTH: usize = 100;
    let (mut text, mut width) = (String::new(), WIDTH);
    for (at, value) in values.iter().enumerate() {
        if width + value.len() > WIDTH {
            text += if at == 0 { "    " } else { "\n    " };
            width = 0;
        }
        let comma = if at + 1 < values.len() { ", " } else { "\n" };
        text += &format!("{value}{comma}");
        width += value.len() + 2;
    }
    text
}

/// Before the answer, to standard error: results stay alone on standard output.
fn tell(name: &str, sketch: &MachineSketch, assumed: &[Assumption]) {
    let mut text = format!("{name}: nobody measured these, so that answers are no better than they are:\n");
    let mut rest: Vec<(&str, Vec<String>)> = Vec::new();
    for Assumption { path, value, source } in assumed {
        let said = if value.is_empty() { path.clone() } else { format!("{path} = {value}") };
        let of_source = assumed.iter().filter(|other| other.source == *source).count();
        match (of_source > MANY || value.is_empty(), rest.iter_mut().find(|(known, _)| known == source)) {
            (false, _) => text += &format!("  {said}  ({source})\n"),
            (true, Some((_, all))) => all.push(said),
            (true, None) => rest.push((source, vec![said])),
        }
    }
    for (source, all) in rest {
        text += &format!("  {source}:\n{}", in_lines(&all));
    }
    for warning in &sketch.warnings {
        text += &format!("warning: {name}: {warning}\n");
    }
    // The run goes on without anybody to tell.
    let _ = std::io::stderr().write_all(text.as_bytes());
}
