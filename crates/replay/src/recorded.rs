//! Replays recorded programs as workloads: the cost of each part on the target's cores, in program order.
//!
//! `beside` overlaps computing with data, `data` takes accesses from a workload file, `footprints` from recorded
//! pages, `one_thread` holds the sum against one thread, `parameters` are the user's statements about a replay, `phases`
//! makes phases of classes of work, `tasks` their task graphs, `simulated` replays recordings of simulated runs exactly, `notes` lists what a replay does not
//! know.

mod beside;
mod data;
mod footprints;
mod notes;
mod one_thread;
mod parameters;
mod phases;
mod simulated;
mod tasks;

use crate::Recording;
use crate::work::{Class, Form, Refusal};
pub use footprints::Footprints;
use numalab_files::{Facts, Loaded, Override, ResolvedText};
use numalab_nlt::{Kind, MAGIC, Meta, Reader, Step};
use numalab_syntax::diagnostics::Diagnostics;
use numalab_syntax::tree::shorten;
use numalab_syntax::{files_read, streams, text_file};
use numalab_workload::{Phase, Workload};
pub use parameters::CORE_RATIOS;
use parameters::Parameters;
use serde_json::json;
pub use simulated::simulated_recording;
use std::fs::File;
use std::io::{BufRead, Read, Seek};
use std::path::Path;

/// A recorded program as a workload.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Workload that runs.
    pub workload: Loaded<Workload>,
    /// Notes for a reader of the results about where the workload comes from.
    pub notes: Vec<String>,
    /// True if the bytes that the workload touches are unknown. No result then depends on where data are.
    pub computes_only: bool,
    /// Times on the recording computer; `None` for recordings of simulated runs.
    pub recorded: Option<Recorded>,
}

/// Times of a recorded program, and the classes of work that they belong to.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// Number of each phase's class of work.
    pub classes: Vec<u32>,
    pub count: usize,
    /// True for each class that lies inside parallel regions.
    pub in_regions: Vec<bool>,
    /// Nanoseconds of the measured phases on one thread.
    pub alone_ns: u64,
    /// True if one thread takes less than what was recorded: one end of the replay has the costs of one thread, the
    /// other those recorded.
    pub uncertain: bool,
    /// Times of runs in which all threads worked at once (without the token); `None` if there were none, or if a
    /// phase is not measured.
    pub free: Option<FreeTeam>,
}

/// Times of a recorded team whose threads all worked at once, without the token that lets one thread work at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeTeam {
    pub threads: u32,
    /// Nanoseconds inside regions, one value a run.
    pub regions_ns: Vec<u64>,
    /// Involuntary context switches of each run, if they were counted.
    pub switches: Vec<u64>,
}

/// True if a name is the path of a recording, or of a pipe that carries one.
pub fn is_recording(name: &str) -> bool {
    let path = Path::new(name);
    if let Some(start) = streams::start(path) {
        return start.starts_with(&MAGIC);
    }
    let mut start = [0; MAGIC.len()];
    path.is_file()
        && File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && start == MAGIC
}

pub fn recording(name: &str) -> Result<Recording, Diagnostics> {
    recording_with_hash(name).map(|(recording, _)| recording)
}

/// Name of a recording's replay: the name of the file, or of the program if the recording came through a pipe.
fn title(name: &str, recording: &Recording) -> String {
    let path = Path::new(name);
    let program = recording.meta.command.first().filter(|_| streams::is_stream(path));
    let stem = program.map_or(path, Path::new).file_stem();
    stem.map_or(name.into(), |stem| stem.to_string_lossy()).into_owned()
}

/// Reads a recording with the hash of its file.
pub fn recording_with_hash(name: &str) -> Result<(Recording, blake3::Hash), Diagnostics> {
    let path = Path::new(name);
    let fail = |problem: String| Diagnostics::plain(format!("{}: {problem}", streams::name(path)), "");
    note(path);
    let mut file = streams::seekable(path).map_err(fail)?;
    let mut hasher = blake3::Hasher::new();
    loop {
        let bytes = file.fill_buf().map_err(|error| fail(error.to_string()))?;
        let length = bytes.len();
        if length == 0 {
            break;
        }
        hasher.update(bytes);
        file.consume(length);
    }
    file.rewind().map_err(|error| fail(error.to_string()))?;
    let recording = Recording::read(file).map_err(|error| fail(error.to_string()))?;
    if recording.program.is_none() && recording.work.classes.is_empty() && !recording.gaps.is_empty() {
        return Err(unplayable(&streams::name(path), "parts of the file are lost"));
    }
    Ok((recording, hasher.finalize()))
}

fn unplayable(name: &str, problem: &str) -> Diagnostics {
    Diagnostics::plain(format!("{name} cannot be replayed: {problem}"), "")
}

/// Reads a recording and replays it for its own team, with as many nodes as it names. An error if the recording can
/// be replayed on no machine.
pub fn replayable(name: &str) -> Result<Recording, Diagnostics> {
    let recording = recording(name)?;
    let facts = Facts { threads: recording.meta.threads.max(1), nodes: u32::MAX, ..Facts::default() };
    let replayed = match &recording.program {
        Some(program) => simulated::program(program, &recording.meta, &facts).map(drop),
        None => match recording.work.refusals.first() {
            Some(refusal) => Err(refused(refusal, &recording)),
            None => {
                let footprints = footprints::Footprints::replayed(&recording);
                phases::replay(&recording, &Parameters::of_ratio(1.0), &facts, None, &footprints).map(drop)
            }
        },
    };
    match replayed {
        Ok(()) => Ok(recording),
        Err(problem) => Err(unplayable(&streams::name(Path::new(name)), &problem)),
    }
}

/// Adds the file to the list of files that this run of the program has read. Standard input is noted as `/dev/stdin`.
fn note(path: &Path) {
    let is_standard_input = path.as_os_str() == text_file::STANDARD_INPUT;
    files_read::note(if is_standard_input { Path::new("/dev/stdin") } else { path });
}

/// A recorded program as a workload, for a machine and a team. `lend` reads the workload file that describes the
/// program's data.
pub fn recorded_workload(
    name: &str,
    overrides: &[Override],
    facts: &Facts,
    lend: impl FnOnce(&str) -> Result<Loaded<Workload>, Diagnostics>,
) -> Result<Replayed, Diagnostics> {
    let (recording, hash) = recording_with_hash(name)?;
    // Name for messages, also if the recording came through a pipe.
    let name = &*streams::name(Path::new(name));
    if let Some(program) = &recording.program {
        return exact_workload(name, &recording, program, hash, overrides, facts);
    }
    let parameters = Parameters::read(name, overrides, &recording)?;
    if let Some(refusal) = recording.work.refusals.first() {
        return Err(unplayable(name, &refused(refusal, &recording)));
    }
    let lent = match parameters.data.as_deref() {
        Some(path) => Some(data::Lent::new(path, lend(path)?, &recording)?),
        None => None,
    };
    let footprints = footprints::Footprints::replayed(&recording);
    let replay = phases::replay(&recording, &parameters, facts, lent.as_ref(), &footprints)
        .map_err(|problem| unplayable(name, &problem))?;
    let notes = notes::notes(&recording, &replay, &parameters, facts);
    let recorded = Recorded { uncertain: replay.part < 1.0, ..recorded(&recording, &replay) };
    let computes_only = replay.data == phases::Data::Unknown;
    let workload = Workload {
        name: title(name, &recording),
        description: format!("Recorded: {}", recording.meta.command.join(" ")),
        parameters: parameters.texts(),
        regions: lent.as_ref().map_or_else(|| footprints.regions(), |lent| lent.regions.clone()),
        phases: replay.phases,
        rounds: replay.rounds,
        compare: replay.compare,
        binding: Default::default(),
        runtime: None,
    };
    // The hash covers team and core speed, since the phases depend on both.
    let resolved = ResolvedText::whole(&json!({
        "recording_blake3": hash.to_hex().to_string(),
        "core_ratio": parameters.core_ratio,
        "compared": parameters.compared.to_string(),
        "overlap": parameters.overlap,
        "waited_ns": parameters.waited_ns.clone(),
        "faulted_ns": parameters.faulted_ns.clone(),
        "instructions_per_second": facts.instructions_per_second,
        "threads": facts.threads,
        "data_blake3": lent.map(|lent| lent.hash),
    }));
    let hash = resolved.hash();
    let overrides = overrides.iter().map(Override::recorded).collect();
    let workload = Loaded { value: workload, hash, overrides, resolved };
    Ok(Replayed { workload, notes, computes_only, recorded: Some(recorded) })
}

/// Times of the program's classes of work on one thread of the recording machine.
fn recorded(recording: &Recording, replay: &phases::Replay) -> Recorded {
    let classes = &recording.work.classes;
    let measured = || replay.phases.iter().zip(&replay.classes).filter(|(phase, _)| phase.measured);
    let alone = |(phase, class): (&Phase, &u32)| {
        let cost = one_thread::alone_ns(&classes[*class as usize]);
        u128::from(cost) * u128::from(phase.repeat) * u128::from(replay.rounds)
    };
    let free = recording
        .meta
        .free
        .as_ref()
        .filter(|free| free.threads > 0 && replay.phases.iter().all(|phase| phase.measured));
    Recorded {
        uncertain: false,
        in_regions: classes.iter().map(|class| class.form != Form::Serial).collect(),
        alone_ns: u64::try_from(measured().map(alone).fold(0, u128::saturating_add)).unwrap_or(u64::MAX),
        classes: replay.classes.clone(),
        count: classes.len(),
        free: free.map(|free| FreeTeam {
            threads: free.threads,
            regions_ns: free.regions_ns.clone(),
            switches: free.switches.clone(),
        }),
    }
}

/// Recorded simulated run, as a workload.
fn exact_workload(
    name: &str,
    recording: &Recording,
    program: &Workload,
    hash: blake3::Hash,
    overrides: &[Override],
    facts: &Facts,
) -> Result<Replayed, Diagnostics> {
    if let Some(change) = overrides.first() {
        let message = format!("{name} is a simulated run, which has no value {}", shorten(&change.path));
        return Err(Diagnostics::plain(message, "expected none: simulate the workload with other values"));
    }
    let (value, notes) =
        simulated::program(program, &recording.meta, facts).map_err(|problem| unplayable(name, &problem))?;
    let resolved = json!({ "recording_blake3": hash.to_hex().to_string(), "threads": facts.threads });
    let resolved = ResolvedText::whole(&resolved);
    let hash = resolved.hash();
    let workload = Loaded { value, hash, overrides: Vec::new(), resolved };
    Ok(Replayed { workload, notes, computes_only: false, recorded: None })
}

/// True if the recording states costs measured on its machine. A recording of a simulated run states exact work
/// instead.
pub fn has_costs(name: &str) -> bool {
    let open = || Reader::new(streams::seekable(Path::new(name)).ok()?).ok();
    let Some(mut reader) = open() else { return false };
    while let Ok(Some(step)) = reader.step_past(Kind::Events) {
        if let Step::Block(block) = step
            && matches!(block.kind, Kind::Events | Kind::Class)
        {
            return true;
        }
    }
    false
}

/// Team size of a simulated run; `None` for other recordings.
pub fn simulated_team(name: &str) -> Option<u32> {
    let mut reader = Reader::new(streams::seekable(Path::new(name)).ok()?).ok()?;
    let mut threads = None;
    while let Ok(Some(step)) = reader.step_past(Kind::Events) {
        let Step::Block(block) = step else { continue };
        match block.kind {
            Kind::Meta => threads = serde_json::from_slice(&block.plain).ok().map(|meta: Meta| meta.threads),
            Kind::Program => return threads.filter(|threads| *threads > 0),
            Kind::Sites | Kind::Events | Kind::Class | Kind::Order | Kind::Allocations => {}
        }
    }
    None
}

/// Classes of loops and tasks with watched pages, each with its name.
pub fn watched(recording: &Recording) -> Vec<(String, &Class)> {
    let classes = recording.work.classes.iter().filter(|class| !class.footprint.is_empty());
    let shared = classes.filter(|class| matches!(class.form, Form::Loop | Form::Tasks));
    shared.map(|class| (phases::name(recording, class), class)).collect()
}

/// Message for the user about a recording that cannot be replayed.
pub fn refused(refusal: &Refusal, recording: &Recording) -> String {
    match refusal {
        Refusal::NestedTeams { site, team } => {
            format!("the region at {} opens a team of {team} inside another", recording.name(*site))
        }
        Refusal::DependentTree { site } => {
            let name = recording.name(*site);
            format!(
                "in the region at {name} tasks with dependences create tasks, which older recordings leave out: record again"
            )
        }
        Refusal::TooManyTasks { site, tasks } => {
            format!("the region at {} has {tasks} tasks", recording.name(*site))
        }
    }
}
