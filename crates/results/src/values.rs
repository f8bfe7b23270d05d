//! Values that a run yields by name: expressions of workload files use them, and tables show some.

use crate::{PageFaults, PhaseCounts, Run};

/// Unit in which a count is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Picoseconds. Expressions see such counts in seconds.
    Ps,
    /// Bytes.
    Bytes,
    /// A plain number.
    Count,
}

/// A count of phases that expressions or tables use, with its name.
#[derive(Clone, Copy, Debug)]
pub struct PhaseValue {
    /// In `MEASURES`: name in expressions. In `PER_PHASE`: text before the phase's name in a name in expressions. In
    /// `COLUMNS`: title of the column.
    pub name: &'static str,
    /// Unit in which `read` returns the count.
    pub unit: Unit,
    /// Reads the count of one phase.
    pub read: fn(&PhaseCounts) -> u64,
}

impl PhaseValue {
    /// The sum over phases, in the unit of the count.
    pub fn sum<'p>(&self, phases: impl IntoIterator<Item = &'p PhaseCounts>) -> u64 {
        phases.into_iter().map(self.read).sum()
    }

    /// The sum over phases, in seconds, bytes or counts.
    fn in_base_units<'p>(&self, phases: impl IntoIterator<Item = &'p PhaseCounts>) -> f64 {
        let sum = self.sum(phases) as f64;
        match self.unit {
            Unit::Ps => seconds(sum),
            Unit::Bytes | Unit::Count => sum,
        }
    }
}

/// A count, or a struct of counts, as one number.
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

/// Lists the counts of phases by use, from their declaration: a `measure`, a `per_phase` prefix, a `column`.
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
            /// Counts that expressions use, summed over all phases.
            pub const MEASURES: &'static [PhaseValue] = &[$($(PhaseValue {
                name: $measure, unit: unit!($unit), read: |phase| phase.$field.amount(),
            },)?)*];

            /// Counts of one phase that expressions use: the prefix is followed by the phase's name, in which `-`
            /// becomes `_`. Phases of one name are summed.
            pub const PER_PHASE: &'static [PhaseValue] = &[$($(PhaseValue {
                name: $prefix, unit: unit!($unit), read: |phase| phase.$field.amount(),
            },)?)*];

            /// Columns of the table of runs. A column is shown if any run has a value above zero.
            pub const COLUMNS: &'static [PhaseValue] = &[$($(PhaseValue {
                name: $column, unit: unit!($unit), read: |phase| phase.$field.amount(),
            },)?)*];
        }
    };
}
numalab_counts::phase_counts!(lists);

/// A value of the whole run, with its name in expressions.
struct Own {
    name: &'static str,
    read: fn(&Run) -> Option<f64>,
}

/// Values of the whole run, in seconds, bytes or counts.
const OWN: [Own; 12] = [
    // Time of all measured phases.
    Own { name: "time", read: |run| Some(seconds(run.makespan_ps as f64)) },
    // Iterations in the measured phases, in all rounds together.
    Own {
        name: "iterations",
        read: |run| Some(run.team.iter().map(|member| member.iterations).sum::<u64>() as f64),
    },
    // Cache lines that moved for synchronisation.
    Own { name: "transactions", read: |run| Some(run.transactions as f64) },
    // Tasks created in the measured phases.
    Own { name: "tasks", read: |run| Some(run.tasks.as_ref().map_or(0.0, |tasks| tasks.created as f64)) },
    // The team's time, `threads * time`, is the sum of work, overhead and idle time. Work: computing, and waiting for
    // memory.
    Own { name: "work_time", read: |run| Some(seconds(run.work_ps() as f64)) },
    // Work of the primary thread.
    Own {
        name: "primary_work_time",
        read: |run| run.team.first().map(|member| seconds((member.compute_ps + member.stall_ps) as f64)),
    },
    // Work at best: all data local, and nothing else on the machine.
    Own { name: "ideal_time", read: |run| Some(seconds(run.ideal_work_ps as f64)) },
    // Work beyond `ideal_time`: remote data and contention.
    Own { name: "penalty_time", read: |run| Some(seconds(run.memory_penalty_ps as f64)) },
    // Work of the same program on one thread.
    Own { name: "sequential_time", read: |run| Some(seconds(run.sequential_ps? as f64)) },
    // Work of the team beyond `sequential_time`.
    Own { name: "inflation_time", read: |run| Some(seconds(run.inflation_ps? as f64)) },
    // Time in the runtime and the operating system.
    Own { name: "overhead_time", read: |run| Some(seconds(run.overhead_ps.as_f64())) },
    // Time of waiting for other threads.
    Own { name: "idle_time", read: |run| Some(seconds(run.idle_ps.as_f64())) },
];

impl Run {
    /// Values for which the program is also simulated on one thread.
    pub const OF_ONE_THREAD: [&'static str; 2] = ["sequential_time", "inflation_time"];

    /// Names of values of the whole run, and of counts summed over all phases.
    pub fn value_names() -> impl Iterator<Item = &'static str> {
        OWN.iter().map(|own| own.name).chain(PhaseCounts::MEASURES.iter().map(|count| count.name))
    }

    /// Names of a phase's values in expressions: count name + phase name, `-` replaced by `_`.
    pub fn value_names_of(phase: &str) -> impl Iterator<Item = String> {
        let phase = in_expressions(phase);
        PhaseCounts::PER_PHASE.iter().map(move |count| format!("{}{phase}", count.name))
    }

    /// The value with this name, in seconds, bytes or counts; `None` if the run does not yield it.
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

/// Name of a phase as a part of an expression's name: `-` becomes `_`.
fn in_expressions(phase: &str) -> String {
    phase.replace('-', "_")
}

fn seconds(ps: f64) -> f64 {
    ps / 1e12
}
