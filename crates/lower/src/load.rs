//! Loads a machine, workload or runtime by name: find, parse, override, check, resolve, and report all errors.

use crate::origins::{self, WorkloadValue};
use crate::questions::Questions;
use crate::slices::Partitions;
use crate::workload_resolve::CountedWorkload;
use crate::{machine_resolve, runtime_resolve, workload_resolve};
use numalab_files::lookup::{self, Kind};
use numalab_files::workload_file::WorkloadFile;
use numalab_files::{Facts, Loaded, Override, ReadFile, ResolvedText, synthetic};
use numalab_machine::Machine;
use numalab_replay::{Recorded, Replayed};
use numalab_runtime::Profile;
use numalab_syntax::diagnostics::{Diagnostics, line_at};
use numalab_syntax::report::Report;
use numalab_syntax::tree::{Node, Value};
use numalab_workload::Workload;

/// Loads a machine by name, path or synthetic form (`board:4 socket:4 core:8`).
pub fn machine(name: &str, overrides: &[Override]) -> Result<Loaded<Machine>, Diagnostics> {
    machine_of(&read_machine(name)?, overrides)
}

/// Reads a machine file by name, path or synthetic form, without resolving its values.
pub fn read_machine(name: &str) -> Result<ReadFile, Diagnostics> {
    match synthetic::is_synthetic(name) {
        true => ReadFile::synthetic(name),
        false => Ok(ReadFile::machine(lookup::find(Kind::Machine, name)?)),
    }
}

/// File of a workload, with a cache of partitions of its regions.
#[derive(Debug)]
pub struct ReadWorkload {
    file: ReadFile,
    partitions: Partitions,
}

impl ReadWorkload {
    /// Workload of a file, with an empty cache of partitions.
    pub fn new(file: ReadFile) -> ReadWorkload {
        ReadWorkload { file, partitions: Partitions::default() }
    }

    /// The facts, with defaults in place of facts that only expressions read and that neither file nor overrides
    /// name.
    pub fn facts_read(&self, overrides: &[Override], facts: &Facts) -> Facts {
        let values = overrides.iter().map(|change| change.value.as_str());
        facts.read_by(std::iter::once(self.file.source().text.as_str()).chain(values))
    }
}

/// Workload for one machine and team, with the questions, notes and recorded times that come with it.
#[derive(Clone, Debug)]
pub struct Experiment {
    pub workload: Loaded<Workload>,
    /// Series of runs, and measures evaluated from these runs.
    pub questions: Questions,
    /// Notes about the origin of the workload, shown with the results.
    pub notes: Vec<String>,
    /// True if the bytes that the workload touches are unknown. Results then do not depend on the placement of data.
    pub computes_only: bool,
    /// Times of a recorded program, for replays on the recording machine; `None` if the workload is no recording.
    pub recorded: Option<Recorded>,
    /// Name of each phase with its file and line, for messages.
    pub places: Vec<(String, String)>,
    /// Values that have an origin; all others are stated by the file.
    pub values: Vec<WorkloadValue>,
}

impl Experiment {
    /// The same workload for the facts `to` instead of `from`, which must agree in all facts that the workload reads.
    /// Only constants of the workload's questions change.
    #[must_use]
    pub fn moved(&self, from: &Facts, to: &Facts) -> Experiment {
        let mut moved = self.clone();
        let both = from.values().into_iter().zip(to.values());
        for (name, (_, value)) in Facts::NAMES.into_iter().zip(both).filter(|(_, (from, to))| from != to) {
            let constants = moved.questions.constants.iter_mut().filter(|constant| constant.0 == name);
            constants.for_each(|constant| constant.1 = value);
        }
        moved
    }
}

/// Loads a workload by name or path, for a machine and a team.
pub fn workload(name: &str, overrides: &[Override], facts: &Facts) -> Result<Experiment, Diagnostics> {
    workload_of(&read_workload(name)?, overrides, facts)
}

/// Reads a workload file by name or path, without resolving its values.
pub fn read_workload(name: &str) -> Result<ReadWorkload, Diagnostics> {
    Ok(ReadWorkload::new(ReadFile::workload(lookup::find(Kind::Workload, name)?)))
}

/// Loads an OpenMP runtime by name or path.
pub fn runtime(name: &str, overrides: &[Override]) -> Result<Loaded<Profile>, Diagnostics> {
    runtime_of(&read_runtime(name)?, overrides)
}

/// Reads a runtime file by name or path, without resolving its values.
pub fn read_runtime(name: &str) -> Result<ReadFile, Diagnostics> {
    Ok(ReadFile::runtime(lookup::find(Kind::Runtime, name)?))
}

/// Runtime of a file that is already read, with values replaced.
pub fn runtime_of(file: &ReadFile, overrides: &[Override]) -> Result<Loaded<Profile>, Diagnostics> {
    let mut runtime = file.load(overrides, runtime_resolve::resolve)?;
    origins::replaced(&mut runtime.value.origins, overrides);
    let policies = [runtime.value.auto, runtime.value.runtime];
    let digests: Vec<&str> =
        policies.iter().filter_map(|policy| policy.file()).map(|file| file.policy.digest.as_str()).collect();
    if !digests.is_empty() {
        let mut resolved = runtime.resolved.json();
        resolved["policies_blake3"] = digests.into();
        runtime.resolved = ResolvedText::of(&resolved);
        runtime.hash = runtime.resolved.hash();
    }
    Ok(runtime)
}

/// Machine of a file that is already read, with values replaced.
pub fn machine_of(file: &ReadFile, overrides: &[Override]) -> Result<Loaded<Machine>, Diagnostics> {
    let mut machine = file.load(overrides, machine_resolve::resolve)?;
    origins::replaced(&mut machine.value.origins, overrides);
    // A runtime that the machine file names may be beside that file.
    if let Some(runtime) = &mut machine.value.runtime {
        *runtime = lookup::beside(Kind::Runtime, file.folder(), runtime);
    }
    Ok(machine)
}

/// Workload of a file that is already read, with values replaced, for a machine and a team.
pub fn workload_of(
    read: &ReadWorkload,
    overrides: &[Override],
    facts: &Facts,
) -> Result<Experiment, Diagnostics> {
    let ReadWorkload { file, partitions } = read;
    let folder = file.folder();
    let mut values = Vec::new();
    let resolve = |file: &WorkloadFile, report: &mut Report<'_>| {
        values = origins::of_workload(&file.origins, overrides, report);
        workload_resolve::resolve(file, facts, folder, partitions, report)
    };
    let mut loaded = file.load(overrides, resolve)?;
    if let Some(matrix) = overrides.iter().find(|change| change.path == "matrix")
        && !loaded.value.reads_matrix
    {
        let message = format!("nothing in {} reads a matrix", file.source().name);
        return Err(matrix.refused(message, "expected none for this workload".to_owned()));
    }
    if !loaded.value.files.is_empty() {
        // The contents of files that the workload names are a part of its hash.
        let mut resolved = loaded.resolved.json();
        for (kind, hashes) in std::mem::take(&mut loaded.value.files) {
            resolved[kind] = hashes;
        }
        loaded.resolved = ResolvedText::of(&resolved);
        loaded.hash = loaded.resolved.hash();
    }
    let Loaded { value, hash, overrides, resolved } = loaded;
    let workload = Loaded { value: value.workload, hash, overrides, resolved };
    Ok(Experiment {
        workload,
        questions: value.questions,
        notes: Vec::new(),
        computes_only: false,
        recorded: None,
        places: phase_places(file),
        values,
    })
}

/// Name of a workload, and its values that have an origin, without a machine and a team.
pub fn workload_values(read: &ReadFile) -> Result<(String, Vec<WorkloadValue>), Diagnostics> {
    let values = |file: &WorkloadFile, report: &mut Report<'_>| {
        (file.name.clone(), origins::of_workload(&file.origins, &[], report))
    };
    Ok(read.load(&[], values)?.value)
}

/// CountedWorkload of a workload for a machine and a team, before the work of its iterations is evaluated; `None` if they depend
/// on other files or on a graph of tasks.
pub fn counts_of(
    read: &ReadWorkload,
    overrides: &[Override],
    facts: &Facts,
) -> Result<Option<CountedWorkload>, Diagnostics> {
    let counted = |file: &_, report: &mut Report<'_>| workload_resolve::counted(file, facts, report);
    let counts = read.file.load(overrides, counted)?.value;
    Ok(counts.map(|counts| CountedWorkload { places: phase_places(&read.file), ..counts }))
}

/// Recorded program as a workload, for a machine and a team.
pub fn recorded_workload(
    name: &str,
    overrides: &[Override],
    facts: &Facts,
) -> Result<Experiment, Diagnostics> {
    let lent = |path: &str| workload(path, &[], facts).map(|experiment| experiment.workload);
    let Replayed { workload, notes, computes_only, recorded } =
        numalab_replay::recorded_workload(name, overrides, facts, lent)?;
    Ok(Experiment {
        workload,
        questions: Questions::none(),
        notes,
        computes_only,
        recorded,
        places: Vec::new(),
        values: Vec::new(),
    })
}

/// Name of each phase of a workload file, with its file and line as `FILE:LINE`.
fn phase_places(file: &ReadFile) -> Vec<(String, String)> {
    let mut places = Vec::new();
    add_places(file, file.root(), &mut places);
    places
}

/// Adds the places of the phases and constructs in a table, and of those inside them.
fn add_places(file: &ReadFile, table: &Node, to: &mut Vec<(String, String)>) {
    let place = |phase: &Node| {
        let name = phase.get("name")?;
        let Value::Str(text) = &name.value else { return None };
        let line = line_at(&file.source().text, name.span.start);
        Some((text.clone(), format!("{}:{line}", file.source().name)))
    };
    for key in ["phases", "parallel", "constructs"] {
        let Some(Node { value: Value::List(items), .. }) = table.get(key) else { continue };
        for item in items {
            to.extend(place(item));
            add_places(file, item, to);
        }
    }
}

#[cfg(test)]
mod tests;
