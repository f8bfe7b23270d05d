//! Resolves the construct of a phase.

use super::Resolver;
use numalab_base::Bytes;
use numalab_files::quantity::Text;
use numalab_files::workload_file::{ConditionFile, ConstructFile, PhaseFile, ToldFile};
use numalab_workload::{Construct, LockKind};

/// Constructs that a single word names, with this word.
const NAMED: [(Construct, &str); 13] = [
    (Construct::ParallelFor, "parallel-for"),
    (Construct::For { nowait: false }, "for"),
    (Construct::Parallel, "parallel"),
    (Construct::Reduction, "reduction"),
    (Construct::Serial, "serial"),
    (Construct::Barrier, "barrier"),
    (Construct::Single { nowait: false }, "single"),
    (Construct::Master, "master"),
    (Construct::Sections { nowait: false }, "sections"),
    (Construct::Critical, "critical"),
    (Construct::Lock(None), "lock"),
    (Construct::Atomic, "atomic"),
    (Construct::Ordered, "ordered"),
];

/// Largest distance between the elements of threads, in bytes.
const MOST_SPACING: f64 = (1_u64 << 40) as f64;

/// Largest size of a message in bytes, and largest number of messages, which are simulated one by one.
const MOST_MESSAGE: f64 = (1_u64 << 30) as f64;
const MOST_MESSAGES: f64 = 1e6;

impl Resolver<'_, '_> {
    /// Construct of a phase or, with `shared`, of one that shares its region; `None` after reporting an error. `path` is
    /// that of the phase.
    pub(super) fn construct(&mut self, path: &str, phase: &PhaseFile, shared: bool) -> Option<Construct> {
        let at = format!("{path}.construct");
        let nowait = phase.nowait.as_ref().map(|nowait| match nowait {
            ConditionFile::Plain(nowait) => *nowait,
            ConditionFile::Condition(text) => self.holds(&format!("{path}.nowait"), Some(text)),
        });
        let path = &at;
        let found = match &phase.construct {
            None if !shared => Construct::default(),
            None if phase.looped.is_some() => Construct::For { nowait: false },
            None => Construct::Parallel,
            Some(ConstructFile::Word(word)) => self.named(path, "construct", word, &NAMED)?,
            Some(ConstructFile::Told(told)) => self.told(path, told)?,
        };
        let found = match (found, nowait) {
            (found, None) => found,
            (Construct::For { .. }, Some(nowait)) => Construct::For { nowait },
            (Construct::Sections { .. }, Some(nowait)) => Construct::Sections { nowait },
            (Construct::Single { .. }, Some(nowait)) => Construct::Single { nowait },
            (found, Some(_)) => {
                let message = format!("`{}` has no barrier to leave out", word_of(found));
                let label = "expected it beside `for`, `sections` or `single`";
                self.complain(&path.replace(".construct", ".nowait"), message, label);
                return None;
            }
        };
        if shared && !found.shares_region() {
            let label = "expected for, sections, parallel, barrier, single, master, critical, lock, atomic or ordered";
            let message = format!("`{}` cannot stand in a region with others", word_of(found));
            self.complain(path, message, label);
            return None;
        }
        if matches!(found, Construct::Sections { .. }) && phase.looped.is_none() {
            let label = "expected `loop` beside `sections`: its iterations are the sections";
            self.complain(path, "there are no sections", label);
            return None;
        }
        if phase.looped.is_some() && !found.iterates() {
            let label = "expected `for`, `parallel-for`, `sections` or `pipeline` beside `loop`; `body` goes with the others";
            self.complain(path, "this construct distributes no iterations", label);
            return None;
        }
        if phase.body.is_some() && !found.facts().has_body {
            let label = "expected no `body` beside `echo`; another phase can have it";
            self.complain(path, "messages have no body", label);
            return None;
        }
        Some(found)
    }

    fn told(&mut self, path: &str, told: &ToldFile) -> Option<Construct> {
        match told {
            ToldFile { lock: Some(kind), pipeline: None, update: None, echo: None } => {
                self.lock(&format!("{path}.lock"), kind).map(|kind| Construct::Lock(Some(kind)))
            }
            ToldFile { lock: None, pipeline: Some(pipeline), update: None, echo: None } => {
                let steps = self.whole(&format!("{path}.pipeline.steps"), &pipeline.steps, 1.0, 1e9)?;
                Some(Construct::Pipeline { steps: steps as u32, descending: pipeline.descending })
            }
            ToldFile { lock: None, pipeline: None, update: Some(update), echo: None } => {
                let at = |key: &str| format!("{path}.update.{key}");
                let spacing = self.whole(&at("spacing"), &update.spacing, 1.0, MOST_SPACING)?;
                let atomic = match &update.atomic {
                    Some(atomic) => self.whole(&at("atomic"), atomic, 0.0, 1.0)? == 1,
                    None => false,
                };
                Some(Construct::Update { spacing: Bytes(spacing), atomic })
            }
            ToldFile { lock: None, pipeline: None, update: None, echo: Some(echo) } => {
                let at = |key: &str| format!("{path}.echo.{key}");
                let size = self.whole(&at("size"), &echo.size, 1.0, MOST_MESSAGE)?;
                let in_flight = self.whole(&at("in_flight"), &echo.in_flight, 1.0, MOST_MESSAGES)?;
                let count = self.whole(&at("count"), &echo.count, 1.0, MOST_MESSAGES)?;
                Some(Construct::Echo { size: Bytes(size), in_flight: in_flight as u32, count: count as u32 })
            }
            _ => {
                let label = "expected one of `lock`, `pipeline`, `update` and `echo`";
                self.report.at(path, "a construct has exactly one key", label);
                None
            }
        }
    }

    fn lock(&mut self, path: &str, kind: &Text) -> Option<LockKind> {
        self.named(path, "kind of lock", kind, &LockKind::ALL.map(|kind| (kind, kind.name())))
    }
}

/// Word of a construct in a file.
fn word_of(construct: Construct) -> &'static str {
    NAMED.iter().find(|named| named.0 == construct).map_or(construct.facts().word, |named| named.1)
}
