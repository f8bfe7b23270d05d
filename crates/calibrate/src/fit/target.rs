//! Fitted parameters: a table and a declaration. The declaration holds the facts that the fit needs.

use super::subject::Subject;
use numalab_base::parameter::{Parameter, StandIn, Table, Value};
use numalab_machine::{LinkId, Machine};

/// Parameter of a machine or a runtime that can be fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Target {
    pub table: FittedTable,
    /// Declaration of the parameter, in the section of `table`.
    pub parameter: &'static Parameter,
}

/// Table of a machine file or a runtime file that has fitted parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FittedTable {
    Core,
    /// Index of a cache, from 0 at the core.
    Cache(usize),
    Memory,
    /// Index of a kind of memory-only node.
    MemoryOnly(usize),
    Link(LinkId),
    Controller(usize),
    Level(usize),
    Os,
    Fork,
    Barrier,
    Worksharing,
    Tasks,
}

impl FittedTable {
    pub const fn number(self, parameter: &'static Parameter) -> Target {
        Target { table: self, parameter }
    }

    fn path(self, machine: &Machine) -> String {
        match self {
            FittedTable::Core => "core".into(),
            FittedTable::Cache(at) => format!("cache[{at}]"),
            FittedTable::Memory => "memory".into(),
            FittedTable::MemoryOnly(at) => {
                format!("memory_only.{}", machine.memory_only.get(at).map_or("", |kind| &kind.name))
            }
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

/// Reference to a target's table in a subject: `as_ref` or, with `mut`, its mutable form.
macro_rules! table {
    ($target:expr, $subject:expr, $as_ref:ident $(, $mut:tt)?) => {{
        let Subject { machine, runtime, .. } = $subject;
        Some(match $target.table {
            FittedTable::Core => &$($mut)? machine.core,
            FittedTable::Cache(at) => &$($mut)? machine.caches[at],
            FittedTable::Memory => &$($mut)? machine.memory,
            FittedTable::MemoryOnly(at) => &$($mut)? machine.memory_only[at],
            FittedTable::Link(LinkId(at)) => &$($mut)? machine.links[at],
            FittedTable::Controller(at) => machine.levels[at].controller.$as_ref()?,
            FittedTable::Level(at) => &$($mut)? machine.levels[at],
            FittedTable::Os => &$($mut)? machine.os,
            FittedTable::Fork => &$($mut)? runtime.fork,
            FittedTable::Barrier => &$($mut)? runtime.barrier,
            FittedTable::Worksharing => &$($mut)? runtime.worksharing,
            FittedTable::Tasks => &$($mut)? runtime.tasks,
        })
    }};
}

impl Target {
    fn table(self, subject: &Subject) -> Option<&dyn Table> {
        table!(self, subject, as_ref)
    }

    fn table_mut(self, subject: &mut Subject) -> Option<&mut dyn Table> {
        table!(self, subject, as_mut, mut)
    }

    /// Value of the parameter in a subject; [`Value::Absent`] if the file states none.
    pub(super) fn value(self, subject: &Subject) -> Option<Value> {
        self.table(subject)?.get(self.parameter)
    }

    /// Sets the parameter to a value in base units.
    pub(super) fn set(self, subject: &mut Subject, number: f64) {
        if let (Some(table), Some(value)) = (self.table_mut(subject), self.parameter.kind.of_number(number)) {
            table.set(self.parameter, value);
        }
    }

    /// Value of the parameter in base units; if absent, the value of its stand-in, or 0.
    pub(super) fn number(self, subject: &Subject) -> f64 {
        let number = self.value(subject).and_then(|value| value.number());
        number.unwrap_or_else(|| match self.parameter.rule.stand_in {
            Some(StandIn::Number(number)) => number,
            Some(StandIn::Sum(others)) => others.iter().map(|other| self.beside(other, subject)).sum(),
            None => 0.0,
        })
    }

    /// Value of another parameter, in base units: from the same table, or else from core or memory.
    fn beside(self, parameter: &'static Parameter, subject: &Subject) -> f64 {
        let tables =
            [self.table, FittedTable::Core, FittedTable::Memory].map(|table| table.number(parameter));
        let holds = |target: &Target| target.value(subject).is_some();
        tables.into_iter().find(holds).map_or(0.0, |target| target.number(subject))
    }

    /// Upper bound of the fitted value, in base units.
    pub(super) fn most(self) -> f64 {
        self.parameter.rule.most_fitted()
    }

    /// Removes the limit that the parameter states, which makes the parameter absent.
    pub(super) fn lift(self, subject: &mut Subject) {
        if let Some(table) = self.table_mut(subject) {
            table.set(self.parameter, Value::Absent);
        }
    }

    /// Path of the parameter in the machine or runtime file.
    pub fn path(self, machine: &Machine) -> String {
        format!("{}.{}", self.table.path(machine), self.parameter.name)
    }

    pub fn is_of_runtime(self) -> bool {
        match self.table {
            FittedTable::Fork | FittedTable::Barrier | FittedTable::Worksharing | FittedTable::Tasks => true,
            FittedTable::Core
            | FittedTable::Cache(_)
            | FittedTable::Memory
            | FittedTable::MemoryOnly(_)
            | FittedTable::Link(_)
            | FittedTable::Controller(_)
            | FittedTable::Level(_)
            | FittedTable::Os => false,
        }
    }
}
