//! The parameters that can be fitted, by the names that `--set` has for them.

use super::subject::Subject;
use numalab_base::parameter::{Numbers, Value};
use numalab_machine::{LinkId, Machine};

/// Instructions that the widest cores of servers rename in a cycle (Golden Cove, Zen 4, Neoverse V2). A loop that
/// executes more of those that were counted was compiled to fewer.
const WIDEST: f64 = 6.0;

/// Instructions under way and buffers for lines in random order of Skylake's cores, by Intel's manual: between those of the
/// servers of 2010 and of today, a half of which another thread of the core may have.
pub(super) const WINDOW: f64 = 224.0;
pub(super) const BUFFERS: f64 = 12.0;
/// Parts of the wait of an atomic operation that computing before it and after it hides, and the part of the time between
/// cores that a line takes which is waited for, as measured on a guest on Zen 4 cores.
pub(super) const ATOMIC_AHEAD: f64 = 0.75;
pub(super) const ATOMIC_PAST: f64 = 1.0;
pub(super) const PASSED_ON: f64 = 0.43;
/// Cycles of PAUSE of the same cores, by the same manual.
pub(super) const PAUSE: f64 = 140.0;

/// A number of a machine or a runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Target {
    /// Table that it is in.
    pub table: FittedTable,
    /// Its name in the table.
    pub name: &'static str,
}

/// A table of a machine file or a runtime file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FittedTable {
    /// The cores.
    Core,
    /// A cache; they count from 0, the innermost.
    Cache(usize),
    /// The memory of a node.
    Memory,
    /// A kind of link.
    Link(LinkId),
    /// The node controller of a level.
    Controller(usize),
    /// A level itself.
    Level(usize),
    /// The operating system.
    Os,
    /// Regions of the runtime.
    Fork,
    /// Barriers of the runtime.
    Barrier,
    /// Loops and `single` regions of the runtime.
    Worksharing,
    /// Tasks of the runtime.
    Tasks,
}

impl FittedTable {
    /// A number of the table.
    pub const fn number(self, name: &'static str) -> Target {
        Target { table: self, name }
    }

    fn path(self, machine: &Machine) -> String {
        match self {
            FittedTable::Core => "core".into(),
            FittedTable::Cache(at) => format!("cache[{at}]"),
            FittedTable::Memory => "memory".into(),
            FittedTable::Link(LinkId(at)) => {
                format!("link.{}", machine.links.get(at).map_or("", |link| &link.name))
            }
            FittedTable::Controller(at) => format!("level[{at}].controller"),
            FittedTable::Level(at) => format!("level[{at}]"),
            FittedTable::Os => "os".into(),
            FittedTable::Fork => "fork".into(),
            FittedTable::Barrier => "barrier".into(),
            FittedTable::Worksharing => "worksharing".into(),
            FittedTable::Tasks => "tasks".into(),
        }
    }
}

impl Target {
    fn table(self, subject: &mut Subject) -> Option<&mut dyn Numbers> {
        let Subject { machine, runtime, .. } = subject;
        Some(match self.table {
            FittedTable::Core => &mut machine.core,
            FittedTable::Cache(at) => &mut machine.caches[at],
            FittedTable::Memory => &mut machine.memory,
            FittedTable::Link(LinkId(at)) => &mut machine.links[at],
            FittedTable::Controller(at) => machine.levels[at].controller.as_mut()?,
            FittedTable::Level(at) => &mut machine.levels[at],
            FittedTable::Os => &mut machine.os,
            FittedTable::Fork => &mut runtime.fork,
            FittedTable::Barrier => &mut runtime.barrier,
            FittedTable::Worksharing => &mut runtime.worksharing,
            FittedTable::Tasks => &mut runtime.tasks,
        })
    }

    /// Its value, or that it is absent.
    pub(super) fn value(self, subject: &Subject) -> Option<Value> {
        self.table(&mut subject.clone())?.get(self.name)
    }

    /// Changes its value, in base units.
    pub(super) fn set(self, subject: &mut Subject, value: f64) {
        if let Some(table) = self.table(subject) {
            table.set_number(self.name, value);
        }
    }

    /// The value in base units; of one that is absent, what it then stands for.
    pub(super) fn number(self, subject: &Subject) -> f64 {
        let Subject { machine: Machine { core, caches, memory, .. }, runtime, .. } = subject;
        let known = self.value(subject).and_then(|value| value.number());
        known.unwrap_or_else(|| match (self.table, self.name) {
            (FittedTable::Cache(_), "random_outstanding") => {
                core.random_outstanding.unwrap_or(core.outstanding)
            }
            (FittedTable::Core, "random_overlap" | "random_beside_streams") => 1.0,
            (FittedTable::Cache(at), _) => caches[at].between_cores().0 as f64,
            (FittedTable::Memory, _) | (FittedTable::Core, "copy_bandwidth") => memory.bandwidth.0,
            (FittedTable::Fork, _) => runtime.fork.fixed.0 as f64,
            (FittedTable::Tasks, _) => runtime.tasks.time_at_once().0 as f64,
            // Absent it limits nothing; a fit has to begin somewhere.
            (FittedTable::Core, "window") => WINDOW,
            // Of the core, the lines in flight of one stream.
            (
                FittedTable::Core
                | FittedTable::Link(_)
                | FittedTable::Controller(_)
                | FittedTable::Level(_)
                | FittedTable::Os
                | FittedTable::Barrier
                | FittedTable::Worksharing,
                _,
            ) => core.outstanding,
        })
    }

    /// The most that it can be, in base units.
    pub(super) fn most(self) -> f64 {
        match self.table {
            FittedTable::Core if self.name == "instructions_per_cycle" => WIDEST,
            FittedTable::Core | FittedTable::Cache(_) if self.is_part() => 1.0,
            FittedTable::Core
            | FittedTable::Cache(_)
            | FittedTable::Memory
            | FittedTable::Link(_)
            | FittedTable::Controller(_)
            | FittedTable::Level(_)
            | FittedTable::Os
            | FittedTable::Fork
            | FittedTable::Barrier
            | FittedTable::Worksharing
            | FittedTable::Tasks => f64::INFINITY,
        }
    }

    /// Whether it limits: where it begins at the most that was seen, more would change nothing.
    pub(super) fn is_limit(self) -> bool {
        matches!(self.name, "bandwidth" | "outstanding" | "random_outstanding" | "window" | "requests")
    }

    /// Whether it is the time of a lock, which begins as long as it can be: where nobody waited for it, it is not seen.
    pub(super) fn is_lock(self) -> bool {
        matches!(self, Target { table: FittedTable::Os, name: "page_lock" })
    }

    /// Whether it is a part of one, from nothing to all.
    pub(super) fn is_part(self) -> bool {
        matches!(
            self,
            Target { table: FittedTable::Core, name: "overlap" | "random_overlap" | "random_beside_streams" }
                | Target { table: FittedTable::Cache(_), name: "passed_on" }
        )
    }

    /// Whether it is a limit that a file need not have.
    pub(super) fn can_be_lifted(self) -> bool {
        let optional = [
            "stream_outstanding",
            "store_outstanding",
            "copy_bandwidth",
            "read_bandwidth",
            "write_bandwidth",
        ];
        match self.table {
            FittedTable::Core | FittedTable::Memory => optional.contains(&self.name),
            FittedTable::Cache(_) => self.name == "random_outstanding",
            FittedTable::Link(_)
            | FittedTable::Controller(_)
            | FittedTable::Level(_)
            | FittedTable::Os
            | FittedTable::Fork
            | FittedTable::Barrier
            | FittedTable::Worksharing
            | FittedTable::Tasks => false,
        }
    }

    /// Takes a limit away that the measurements do not show.
    pub(super) fn lift(self, subject: &mut Subject) {
        let Machine { core, memory, caches, .. } = &mut subject.machine;
        if let FittedTable::Cache(at) = self.table {
            caches[at].random_outstanding = None;
        }
        match self.name {
            "stream_outstanding" => core.stream_outstanding = None,
            "store_outstanding" => core.store_outstanding = None,
            "copy_bandwidth" => core.copy_bandwidth = None,
            "read_bandwidth" => memory.read_bandwidth = None,
            "write_bandwidth" => memory.write_bandwidth = None,
            _ => {}
        }
    }

    /// Its path in the machine or runtime file.
    pub fn path(self, machine: &Machine) -> String {
        format!("{}.{}", self.table.path(machine), self.name)
    }

    /// Whether it stands in the runtime file.
    pub fn is_of_runtime(self) -> bool {
        match self.table {
            FittedTable::Fork | FittedTable::Barrier | FittedTable::Worksharing | FittedTable::Tasks => true,
            FittedTable::Core
            | FittedTable::Cache(_)
            | FittedTable::Memory
            | FittedTable::Link(_)
            | FittedTable::Controller(_)
            | FittedTable::Level(_)
            | FittedTable::Os => false,
        }
    }
}
