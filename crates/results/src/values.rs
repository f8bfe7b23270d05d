//! Values that a run yields by name: expressions of workload files use them, and tables show some.

use crate::{PageFaults, PhaseCounts, Run};

/// Unit of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Picoseconds; expressions have them in seconds.
    Ps,
    /// Bytes.
    Bytes,
    /// A plain number.
    Count,
}

/// A count of phases under a name.
#[derive(Clone, Copy, Debug)]
pub struct PhaseValue {
    /// Its name, prefix or title.
    pub name: &'static str,
    /// Its unit.
    pub unit: Unit,
    /// Reads it.
    pub read: fn(&PhaseCounts) -> u64,
}

impl PhaseValue {
    /// The sum over phases, in the unit of the count.
    pub fn sum<'p>(&self, phases: impl IntoIterator<Item = &'p PhaseCounts>) -> u64 {
        phases.into_iter().map(self.read).sum()
    }

    /// The same in base units.
    fn in_base_units<'p>(&self, phases: impl IntoIterator<Item = &'p PhaseCounts>) -> f64 {
        let sum = self.sum(phases) as f64;
        match self.unit {
            Unit::Ps => seconds(sum),
            Unit::Bytes | Unit::Count => sum,
        }
    }
}

/// One number for a count.
trait Amount {
    fn amount(&self) -> u64;
}

impl Amount for u64 {
    fn amount(&self) -> u64 {
        *self
    }
}

impl Amount for PageFaults {
    fn amount(&self) -> u64 {
        self.total()
    }
}

macro_rules! unit {
    (ps) => {
        Unit::Ps
    };
    (bytes) => {
        Unit::Bytes
    };
    (count) => {
        Unit::Count
    };
    (parts) => {
        Unit::Count
    };
}

/// Lists what the declaration of the phases' counts says about each.
macro_rules! lists {
    (
        $(#[$meta:meta])*
        pub struct PhaseCounts {$(
            $(#[$doc:meta])*
            $field:ident: $type:ty => $rule:ident $unit:ident
                $(unless $unless:literal)?
                $(measure $measure:literal)?
                $(per_phase $prefix:literal)?
                $(column $column:literal)?;
        )*}
    ) => {
        impl PhaseCounts {
            /// Counts that expressions use, over all phases.
            pub const MEASURES: &'static [PhaseValue] = &[$($(PhaseValue {
                name: $measure, unit: unit!($unit), read: |phase| phase.$field.amount(),
            },)?)*];

            /// Counts that expressions use of one phase: its name follows, `-` written as `_`. Of several phases of one
            /// name it is the sum.
            pub const PER_PHASE: &'static [PhaseValue] = &[$($(PhaseValue {
                name: $prefix, unit: unit!($unit), read: |phase| phase.$field.amount(),
            },)?)*];

            /// Columns in the table of runs, each shown if any run has one.
            pub const COLUMNS: &'static [PhaseValue] = &[$($(PhaseValue {
                name: $column, unit: unit!($unit), read: |phase| phase.$field.amount(),
            },)?)*];
        }
    };
}
numalab_counts::phase_counts!(lists);

/// A value of the run itself.
struct Own {
    name: &'static str,
    read: fn(&Run) -> Option<f64>,
}

/// In seconds, bytes or counts.
const OWN: [Own; 12] = [
    // Of all measured phases.
    Own { name: "time", read: |run| Some(seconds(run.makespan_ps as f64)) },
    // Of the measured phases, all rounds together.
    Own {
        name: "iterations",
        read: |run| Some(run.team.iter().map(|member| member.iterations).sum::<u64>() as f64),
    },
    // Cache lines that moved for synchronisation.
    Own { name: "transactions", read: |run| Some(run.transactions as f64) },
    // Created in the measured phases.
    Own { name: "tasks", read: |run| Some(run.tasks.as_ref().map_or(0.0, |tasks| tasks.created as f64)) },
    // The team's time, `threads * time`, is the sum of work, overhead and idle time. Work: computing, and waiting for
    // memory.
    Own { name: "work_time", read: |run| Some(seconds(run.work_ps() as f64)) },
    // The same of the primary thread.
    Own {
        name: "primary_work_time",
        read: |run| run.team.first().map(|member| seconds((member.compute_ps + member.stall_ps) as f64)),
    },
    // Work at best: all data local, and nothing else on the machine.
    Own { name: "ideal_time", read: |run| Some(seconds(run.ideal_work_ps as f64)) },
    // Work beyond that: remote data and contention.
    Own { name: "penalty_time", read: |run| Some(seconds(run.memory_penalty_ps as f64)) },
    // Work of the same program on one thread.
    Own { name: "sequential_time", read: |run| Some(seconds(run.sequential_ps? as f64)) },
    // Work of the team beyond that.
    Own { name: "inflation_time", read: |run| Some(seconds(run.inflation_ps? as f64)) },
    // The runtime and the operating system.
    Own { name: "overhead_time", read: |run| Some(seconds(run.overhead_ps.as_f64())) },
    // Waiting for other threads.
    Own { name: "idle_time", read: |run| Some(seconds(run.idle_ps.as_f64())) },
];

impl Run {
    /// Values that take one more run, on one thread.
    pub const OF_ONE_THREAD: [&'static str; 2] = ["sequential_time", "inflation_time"];

    /// Names of the values of all phases together.
    pub fn value_names() -> impl Iterator<Item = &'static str> {
        OWN.iter().map(|own| own.name).chain(PhaseCounts::MEASURES.iter().map(|count| count.name))
    }

    /// Names of a phase's values in expressions: count name + phase name, `-` replaced by `_`.
    pub fn value_names_of(phase: &str) -> impl Iterator<Item = String> {
        let phase = in_expressions(phase);
        PhaseCounts::PER_PHASE.iter().map(move |count| format!("{}{phase}", count.name))
    }

    /// The value of a name, in seconds, bytes or counts; `None` if the run does not yield it.
    pub fn value(&self, name: &str) -> Option<f64> {
        if let Some(own) = OWN.iter().find(|own| own.name == name) {
            return (own.read)(self);
        }
        if let Some(count) = PhaseCounts::MEASURES.iter().find(|count| count.name == name) {
            return Some(count.in_base_units(&self.phases));
        }
        PhaseCounts::PER_PHASE.iter().find_map(|count| {
            let name = name.strip_prefix(count.name)?;
            let mut phases =
                self.phases.iter().filter(|phase| in_expressions(&phase.name) == name).peekable();
            phases.peek()?;
            Some(count.in_base_units(phases))
        })
    }
}

/// Name of a phase inside a name of an expression.
fn in_expressions(phase: &str) -> String {
    phase.replace('-', "_")
}

fn seconds(ps: f64) -> f64 {
    ps / 1e12
}
