//! Machines of which only the topology is known: output of `lstopo` and `lscpu`, files of `/sys`,
//! and this computer.

use crate::embedded;
use crate::failure::{self, Failure};
use crate::flags::Assume;
use numalab_files::{Entry, Kind, entry_in, machine_text, parse_overrides};
use numalab_imports::topology::{Assumption, MachineSketch, Topology, Unsuited, topology_here};
use numalab_imports::{Evidence, Printed, is_ours, printed, source_of};
use numalab_machine::{Machine, ValueOrigin, ValueOrigins, covers};
use numalab_study::Files;
use numalab_syntax::diagnostics::{Diagnostics, Source};
use numalab_syntax::streams;
use numalab_syntax::text_file::STANDARD_INPUT;
use std::path::Path;
use std::sync::Arc;

/// Machine name for the computer on which the command runs.
const HERE: &str = "here";

/// Machine file made from a topology, or the text of a pipe; `None` if `name` refers to neither. If nothing may be
/// assumed, fails with the list of values that the topology lacks. `kind` is the expected kind of file; `None` for any kind.
pub fn entry(
    name: &str,
    kind: Option<Kind>,
    assume: &Assume,
    set: &[String],
) -> Result<Option<Entry>, Failure> {
    if kind.is_some_and(|kind| kind != Kind::Machine) {
        return Ok(None);
    }
    let topology = match lookup(name)? {
        Found::Shape(topology) => topology,
        Found::Text(source) => return Ok(Some(entry_in(source, kind)?)),
        Found::Nothing => return Ok(None),
    };
    let name = if name == STANDARD_INPUT { "standard input" } else { name };
    let stem = Path::new(name).file_stem().map_or(HERE.into(), |stem| stem.to_string_lossy());
    let plain: String =
        stem.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' }).collect();
    let mut sketch = topology.machine(&plain).map_err(|error| inexpressible(&error, Path::new(name)))?;
    let mut assumed = match &assume.assume_as {
        Some(like) => sketch.assume_as(&topology, &alike(like)?),
        None if assume.assume => sketch.assume(&topology),
        None => return Err(missing(name, &sketch)),
    };
    // Mistakes in settings are reported where they are applied.
    let set = parse_overrides(set).unwrap_or_default().machine;
    sketch.follow(&set, &mut assumed);
    tell(name, &sketch, &assumed);
    sketch.machine.origins = origins(&sketch.machine, &assumed);
    let text = machine_text(&sketch.machine, &|_| None);
    Ok(Some(Entry { kind: Kind::Machine, place: name.to_owned(), text }))
}

/// Origins of a machine whose values are assumed as listed, and otherwise stated by the topology.
fn origins(machine: &Machine, assumed: &[Assumption]) -> ValueOrigins {
    let values = machine.file_values();
    // Sizes, words and absent values are assumed, too, and have no tolerance.
    let has_values = |one: &&Assumption| values.iter().any(|value| covers(&one.path, &value.place));
    ValueOrigins {
        others: ValueOrigin::Sheet,
        listed: assumed.iter().filter(has_values).map(|one| (one.path.clone(), one.origin)).collect(),
        within: Vec::new(),
    }
}

/// Machine of `--assume-as`. A topology has no values to take.
fn alike(name: &str) -> Result<Machine, Failure> {
    refuse(name)?;
    Ok(numalab_lower::machine(name, &[])?.value)
}

/// File cache for a run, with machines that were made from topologies.
pub fn files(machines: &[String], assume: &Assume, set: &[String]) -> Result<Arc<Files>, Failure> {
    if let Some(kept) = embedded::files() {
        return Ok(kept);
    }
    let files = Files::keeping(machines.len().max(1));
    for name in machines {
        if let Some(entry) = entry(name, Some(Kind::Machine), assume, set)? {
            files.hold_machine(name, entry.read_machine());
        }
    }
    Ok(Arc::new(files))
}

/// Largest number of values of one source that are listed one per line; a longer list has several values per line.
const MANY: usize = 4;

/// The error at the line of the file that shows it. The text of a pipe is gone, and that of this computer was no file.
pub fn inexpressible(error: &Unsuited, path: &Path) -> Diagnostics {
    let source = Some(path).filter(|path| path.is_file()).and_then(|path| source_of(path).ok());
    source.map_or_else(|| error.in_file(&streams::name(path)), |source| error.in_source(source))
}

/// Fails if `name` is the output of a topology tool; for commands that accept only a machine file.
pub fn refuse(name: &str) -> Result<(), Failure> {
    let path = Path::new(name);
    if !matches!(printed_at(path)?, Some(Printed::Evidence(_))) {
        return Ok(());
    }
    Err(Failure::request(
        format!("{name} is the output of a tool, not a machine file"),
        format!("numalab calibrate fit {name} --assume -o FILE makes a machine file from it"),
    ))
}

/// Input that a machine name refers to.
enum Found {
    /// Topology of a machine, without performance values.
    Shape(Box<Topology>),
    /// Text of a pipe, which can be read only once.
    Text(Source),
    /// Neither topology nor pipe: a name of the catalogue, a machine file or an unknown name, which the ordinary
    /// look-up handles.
    Nothing,
}

fn lookup(name: &str) -> Result<Found, Failure> {
    let path = Path::new(name);
    if name == HERE && !path.exists() && !numalab_files::is_known(Kind::Machine, HERE) {
        return Ok(Found::Shape(Box::new(topology_here()?)));
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
                    them; numalab calibrate fit accepts measurements together with one of these";
        let name = if name == STANDARD_INPUT { "standard input" } else { name };
        let message = format!("{name} is {what}, which has no topology");
        Failure::from(Diagnostics::plain(message, help))
    };
    shape.map(|topology| Found::Shape(Box::new(topology))).map_err(nothing)
}

/// True if the path is a pipe or standard input, which can be read only once.
fn is_stream(path: &Path) -> bool {
    let is_pipe = || path.metadata().is_ok_and(|data| !data.is_file() && !data.is_dir());
    path.as_os_str() == STANDARD_INPUT || is_pipe()
}

/// Kind of a file that a program may have written, recognised by its content; `None` if the file does not exist.
/// `None` also for an unreadable file with the ending of a hand-written file, so that the reader of such files
/// reports the error.
fn printed_at(path: &Path) -> Result<Option<Printed>, Failure> {
    if !path.is_file() {
        return Ok(None);
    }
    match printed(path) {
        Err(_) if is_ours(path) => Ok(None),
        found => Ok(Some(found?)),
    }
}

/// Failure that lists the values which the topology lacks.
fn missing(name: &str, sketch: &MachineSketch) -> Failure {
    Failure::request(
        format!("{name} is a topology without speeds: it lacks {}", sketch.assumed.join(", ")),
        "--assume takes them from a table of processor generations; numalab calibrate measures them",
    )
}

/// Text of values separated by commas, in lines of at most 100 columns.
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

/// Lists assumed values and warnings on standard error, before the results.
fn tell(name: &str, sketch: &MachineSketch, assumed: &[Assumption]) {
    let mut text = String::new();
    if let Some(unknown) = &sketch.unknown {
        text += &format!("warning: {name}: {unknown} (or say --assume-as MACHINE)\n");
    }
    text += &format!("{name}: assumed, not measured; results depend on these:\n");
    let mut rest: Vec<(&str, Vec<String>)> = Vec::new();
    for Assumption { path, value, source, .. } in assumed {
        let setting = if value.is_empty() { path.clone() } else { format!("{path} = {value}") };
        let of_source = assumed.iter().filter(|other| other.source == *source).count();
        match (of_source > MANY || value.is_empty(), rest.iter_mut().find(|(other, _)| other == source)) {
            (false, _) => text += &format!("  {setting}  ({source})\n"),
            (true, Some((_, all))) => all.push(setting),
            (true, None) => rest.push((source, vec![setting])),
        }
    }
    for (source, all) in rest {
        text += &format!("  {source}:\n{}", in_lines(&all));
    }
    if !sketch.unknown_memory.is_empty() {
        let say = |path: &String| {
            let unit = if path.ends_with("latency") { "ns" } else { "GB/s" };
            format!("--set machine.{path}=\"N {unit}\"")
        };
        let say: Vec<String> = sketch.unknown_memory.iter().map(say).collect();
        text += &format!(
            "warning: {name}: the speed of memory without processors is not known, that of memory beside processors is \
             taken: say {}\n",
            say.join(" ")
        );
    }
    for warning in &sketch.warnings {
        text += &format!("warning: {name}: {warning}\n");
    }
    failure::tell(&text);
}
