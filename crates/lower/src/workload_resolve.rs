//! Turns a workload file into a workload: parameters get values, expressions become slices and costs, names become
//! indices. Parts that do not fit together are reported.

mod accesses;
mod binding;
mod compared;
mod constructs;
mod contexts;
mod dependences;
mod groups;
mod locals;
mod loops;
mod matrix;
mod measures;
mod pages;
mod parameters;
mod pattern;
mod phases;
mod runtime;
mod sections;
mod series;
mod tables;
mod tasking;
mod totals;
mod trace;
mod tree;
mod words;

use crate::questions::Questions;
use crate::slices::Partitions;
use numalab_files::Facts;
use numalab_files::quantity::Expression;
use numalab_files::workload_file::{PhaseFile, WorkloadFile};
use numalab_syntax::expression::{self, Program, Scope};
use numalab_syntax::report::Report;
use numalab_syntax::tree::show;
use numalab_workload::{Phase, Schedule, Workload};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::Path;
use tree::Limits;

/// Limit of the bytes of all regions together, and limit of the bytes that all phases touch.
const MOST_BYTES: u64 = 1 << 60;

/// Largest value of `most_tasks`: days of simulation.
const MOST_TASKS: f64 = 1e11;

/// Workload of a file, its questions, and the hashes of the files that it names.
pub(crate) struct Resolved {
    pub workload: Workload,
    pub questions: Questions,
    /// Hashes, in hexadecimal, of the files that the workload names: by kind of file, and by name for kinds with
    /// several files.
    pub files: Vec<(&'static str, Json)>,
    /// True if an expression uses the matrix.
    pub reads_matrix: bool,
}

/// CountedWorkload of a workload, without what each iteration costs and touches.
#[derive(Debug)]
pub struct CountedWorkload {
    /// Phases with their schedules, numbers of iterations and sizes of tasks.
    pub phases: Vec<Phase>,
    /// Policies that the workload compares.
    pub compare: Vec<Schedule>,
    /// Parameter of the workload's series.
    pub series: Option<String>,
    /// Name of each phase with its file and line, for messages.
    pub places: Vec<(String, String)>,
}

/// CountedWorkload of a file whose numbers of iterations follow from its text alone; `None` for another one. Errors are
/// reported.
pub(crate) fn counted(
    file: &WorkloadFile,
    facts: &Facts,
    report: &mut Report<'_>,
) -> Option<CountedWorkload> {
    let unfolds = |phase: &PhaseFile| {
        let tasks = phase.looped.as_ref().and_then(|body| body.tasks.as_ref());
        phase.tasks.is_some() || tasks.is_some_and(|tasks| !tasks.depends.is_empty())
    };
    if file.matrix.is_some()
        || !file.tables.is_empty()
        || file.constructs().iter().any(|(_, phase)| unfolds(phase))
    {
        return None;
    }
    let partitions = Partitions::default();
    let mut resolver = Resolver { counts: true, ..Resolver::new(facts, Path::new(""), &partitions, report) };
    resolver.parameters(file);
    let rounds = resolver.rounds(file);
    let phases: Vec<Phase> =
        resolver.phases(file, &[], rounds).into_iter().filter_map(|placed| placed.1).collect();
    let compare = resolver.compared(file, &phases);
    let series = file.series.as_ref().map(|series| series.over.clone());
    Some(CountedWorkload { phases, compare, series, places: Vec::new() })
}

/// Builds the workload of a file. Paths in the file are relative to `folder`.
pub(crate) fn resolve(
    file: &WorkloadFile,
    facts: &Facts,
    folder: &Path,
    partitions: &Partitions,
    report: &mut Report<'_>,
) -> Resolved {
    let mut resolver = Resolver::new(facts, folder, partitions, report);
    let mut files: Vec<(&str, Json)> = Vec::new();
    files.extend(resolver.matrix(file, folder).map(|hash| ("matrix_blake3", hash.into())));
    let tables = resolver.tables(file, folder);
    if !tables.is_empty() {
        files.push(("tables_blake3", serde_json::json!(tables)));
    }
    let parameters = resolver.parameters(file);
    let regions = resolver.regions(file);
    let rounds = resolver.rounds(file);
    let most_tasks =
        file.most_tasks.as_ref().and_then(|text| resolver.whole("most_tasks", text, 1.0, MOST_TASKS));
    resolver.limits = Limits::new(most_tasks);
    let phases = resolver.phases(file, &regions, rounds);
    resolver.totals(file, &phases, rounds);
    let questions = resolver.questions(file, &phases);
    let binding =
        file.binding.as_ref().and_then(|file| resolver.binding("binding", file)).unwrap_or_default();
    let runtime = resolver.runtime(file, folder);
    let phases: Vec<Phase> = phases.into_iter().filter_map(|placed| placed.1).collect();
    let compare = resolver.compared(file, &phases);
    let workload = Workload {
        name: file.name.clone(),
        description: file.description.clone(),
        parameters,
        regions,
        phases,
        rounds,
        binding,
        runtime,
        compare,
    };
    if !resolver.recordings.is_empty() {
        let hashes: BTreeMap<&String, &String> =
            resolver.recordings.iter().map(|(name, (_, hash))| (name, hash)).collect();
        files.push(("traces_blake3", serde_json::json!(hashes)));
    }
    let policies: BTreeMap<&str, &str> = (workload.phases.iter())
        .filter_map(|phase| phase.schedule?.file())
        .map(|file| (file.policy.typed.as_str(), file.policy.digest.as_str()))
        .collect();
    if !policies.is_empty() {
        files.push(("policies_blake3", serde_json::json!(policies)));
    }
    // Measures are evaluated after the runs, so their texts are searched for names of the matrix.
    let mut measures = file.measures.values().map(|measure| measure.value.0.as_str());
    let measured = measures.any(|text| matrix::NAMES.iter().any(|name| text.contains(name)));
    let reads_matrix = measured || resolver.scope.reads_matrix();
    Resolved { workload, questions, files, reads_matrix }
}

struct Resolver<'r, 'n> {
    report: &'r mut Report<'n>,
    facts: &'r Facts,
    scope: Scope,
    /// Words of all choices. The value of a word in expressions is the word's index plus 1.
    words: Vec<String>,
    /// Name and chosen word of each parameter that chooses a word.
    chosen: Vec<(String, String)>,
    partitions: &'r Partitions,
    /// Folder to which paths in the file are relative.
    folder: &'r Path,
    /// Recorded programs by the names that slices use for them.
    recordings: BTreeMap<String, trace::Known>,
    /// Limits on tasks that create tasks.
    limits: Limits,
    /// True to leave out what each iteration costs and touches.
    counts: bool,
}

impl<'r, 'n> Resolver<'r, 'n> {
    fn new(
        facts: &'r Facts,
        folder: &'r Path,
        partitions: &'r Partitions,
        report: &'r mut Report<'n>,
    ) -> Resolver<'r, 'n> {
        let mut scope = Scope::default();
        for (name, value) in Facts::NAMES.into_iter().zip(facts.values()) {
            scope.add(name, value);
        }
        Resolver {
            report,
            facts,
            scope,
            words: Vec::new(),
            chosen: Vec::new(),
            partitions,
            folder,
            recordings: BTreeMap::new(),
            limits: Limits::new(None),
            counts: false,
        }
    }
}

impl Resolver<'_, '_> {
    /// Parses an expression and resolves its names; `None` after reporting an error. `index`: the expression may use
    /// the iteration `i`.
    fn program(&mut self, path: &str, text: &Expression, index: bool) -> Option<Program> {
        let bound = expression::parse(&text.0).and_then(|parsed| parsed.bind(&self.scope, index));
        bound.map_err(|error| self.report.within(path, &text.0, error)).ok()
    }

    /// Value of an expression that does not depend on the iteration; `None` after reporting an error, also for a
    /// value that is not finite.
    fn constant(&mut self, path: &str, text: &Expression) -> Option<f64> {
        let value = self.program(path, text, false)?.at(0);
        if !value.is_finite() {
            self.complain(path, format!("{path} is {}", show(value)), "expected a finite number");
            return None;
        }
        Some(value)
    }

    /// Value of a constant expression, which must be between two limits.
    fn between(&mut self, path: &str, text: &Expression, least: f64, most: f64) -> Option<f64> {
        let value = self.constant(path, text)?;
        if (least..=most).contains(&value) {
            return Some(value);
        }
        let wanted = if value < least {
            format!("at least {}", show(least))
        } else {
            format!("at most {}", show(most))
        };
        self.complain(path, format!("{path} is {}", show(value)), format!("expected {wanted}"));
        None
    }

    /// Value of a constant expression, which must be a whole number between two limits.
    fn whole(&mut self, path: &str, text: &Expression, least: f64, most: f64) -> Option<u64> {
        let value = self.between(path, text, least, most)?;
        if value.fract() != 0.0 {
            let label = "expected a whole number; floor(…) makes one";
            self.complain(path, format!("{path} is {}", show(value)), label);
            return None;
        }
        Some(value as u64)
    }

    /// True if an optional part of the file is present: the part has no condition, or its condition is not 0. An
    /// invalid condition counts as true, so that the part is checked.
    fn holds(&mut self, path: &str, condition: Option<&Expression>) -> bool {
        condition.and_then(|text| self.constant(path, text)).is_none_or(|value| value != 0.0)
    }

    /// Reports an error about a value, unless a parameter that was reported earlier caused the error.
    fn complain(&mut self, path: &str, message: impl Into<String>, label: impl Into<String>) {
        if path.starts_with("parameters") || !self.report.is_repaired("parameters") {
            self.report.at(path, message, label);
        }
    }

    fn rounds(&mut self, file: &WorkloadFile) -> u32 {
        let Some(rounds) = &file.rounds else { return 1 };
        self.whole("rounds", rounds, 1.0, 1e9).map_or(1, |rounds| rounds as u32)
    }
}
