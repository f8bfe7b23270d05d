//! Machines of which only the shape is known: what `lstopo`, `lscpu` or `/sys` say, and this computer.

use crate::failure::Failure;
use numalab_formats::{Diagnostics, Entry, Kind, machine_text};
use numalab_imports::topology::{Assumption, MachineSketch, Topology, topology_here};
use numalab_imports::{Evidence, evidence};
use std::io::Write;
use std::path::Path;

/// Name of this computer where a machine is asked for.
const HERE: &str = "here";

/// The machine file that a topology makes, if `name` is one. Without `assume` the refusal says what is missing.
pub fn entry(name: &str, assume: bool) -> Result<Option<Entry>, Failure> {
    let Some(topology) = topology(name)? else { return Ok(None) };
    let stem = Path::new(name).file_stem().map_or("here".into(), |stem| stem.to_string_lossy());
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

const OTHERWISE: &str = "describe it in a machine file: numalab new machine NAME";

/// Shape of a machine that a file describes; nothing of a file that is none of these, or of no file.
fn topology(name: &str) -> Result<Option<Topology>, Failure> {
    let path = Path::new(name);
    if name == HERE && !path.exists() && !numalab_formats::is_known(Kind::Machine, HERE) {
        return Ok(Some(topology_here()?));
    }
    let suspected = path.is_file() && path.extension().is_none_or(|ending| ending != "toml");
    if !suspected || !is_foreign(path) {
        return Ok(None);
    }
    let nothing = || {
        let help =
            "expected hwloc's XML (lstopo --of xml), lscpu, or files of /sys as \"grep -r .\" prints them";
        Failure::from(Diagnostics::plain(format!("{name} does not say what the machine is made of"), help))
    };
    match evidence(path)? {
        Evidence::Topology(topology) => Ok(Some(*topology)),
        Evidence::Measurements(measured) => measured.topology.map(Some).ok_or_else(nothing),
        Evidence::Foreign(foreign) => foreign.topology.map(Some).ok_or_else(nothing),
    }
}

/// Whether a file is no machine file by its first line: other tools' output has marks of its own.
fn is_foreign(path: &Path) -> bool {
    use std::io::Read;
    let mut start = Vec::new();
    let opened = std::fs::File::open(path);
    if opened.and_then(|file| file.take(4096).read_to_end(&mut start)).is_err() {
        return false;
    }
    let start = String::from_utf8_lossy(&start);
    let first = start
        .trim_start_matches('\u{feff}')
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default()
        .trim_start();
    let marks = [
        "<",
        "/sys/",
        "/proc/",
        "{",
        "Architecture:",
        "CPU op-mode(s):",
        "Byte Order:",
        "CPU(s):",
        "# The following is the parsable format",
    ];
    marks.iter().any(|mark| first.starts_with(mark))
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

/// Before the answer, to standard error: results stay alone on standard output.
fn tell(name: &str, sketch: &MachineSketch, assumed: &[Assumption]) {
    let mut text = format!("{name}: nobody measured these, so that answers are no better than they are:\n");
    let mut rest: Vec<(&str, Vec<&str>)> = Vec::new();
    for Assumption { path, value, source } in assumed {
        match value.is_empty() {
            false => text += &format!("  {path} = {value}  ({source})\n"),
            true => match rest.iter_mut().find(|(known, _)| known == source) {
                Some((_, paths)) => paths.push(path),
                None => rest.push((source, vec![path])),
            },
        }
    }
    for (source, paths) in rest {
        text += &format!("  {}  ({source})\n", paths.join(", "));
    }
    for warning in &sketch.warnings {
        text += &format!("warning: {name}: {warning}\n");
    }
    // The run goes on without anybody to tell.
    let _ = std::io::stderr().write_all(text.as_bytes());
}
