//! Counts of a run, each declared once.
//!
//! A declaration is a macro that passes its text to another macro: `phase_counts!(declare)`. Here [`declare!`] makes the
//! structs that the simulator counts into, with their sums. The crate `results` expands the same text with its own macro
//! to the records that are written to files, the measures of a workload and the columns of tables. So no crate of the
//! simulated world reaches serde, and a new count is one line.
//!
//! A field is `name: type => rule unit`, followed by any of these:
//! - `unless "function"`: files leave the field out if this function of `results` returns true for it;
//! - `measure "name"`: the name in expressions of workload files, summed over the phases;
//! - `per_phase "prefix_"`: the name for one phase in expressions, before the phase's name;
//! - `column "title"`: a column in the table of runs, shown if any run has a value.
//!
//! Rules: `sum` adds, `max` keeps the largest, `keep` marks a field that is no count. Units: `ps`, `bytes`, `count`;
//! `parts` for a type with fields of its own, `text` for names.

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod by_node;
mod pages;
mod phase;
mod run;
mod tasks;
#[cfg(test)]
mod tests;

pub use by_node::ByNode;
pub use pages::{MESSAGES, Messages, NodeCounts, NodeTime, PageFaults, PhaseSharing};
pub use phase::PhaseCounts;
pub use run::{BytesByLevel, EngineCounts};
pub use tasks::{Executed, TaskCounts};

/// A count, or a struct or list of counts, that can be added and multiplied.
pub trait Count: Default {
    /// The count multiplied by `times`.
    fn times(&self, times: u64) -> Self;

    /// Adds the difference between two readings, multiplied by `times`.
    fn grow(&mut self, before: &Self, after: &Self, times: u64);

    /// Adds another count.
    fn add(&mut self, other: &Self) {
        self.grow(&Self::default(), other, 1);
    }
}

impl Count for u64 {
    fn times(&self, times: u64) -> u64 {
        times * self
    }

    fn grow(&mut self, before: &u64, after: &u64, times: u64) {
        *self += times * (after - before);
    }
}

impl<const N: usize> Count for [u64; N]
where
    [u64; N]: Default,
{
    fn times(&self, times: u64) -> [u64; N] {
        self.map(|count| times * count)
    }

    fn grow(&mut self, before: &[u64; N], after: &[u64; N], times: u64) {
        for ((sum, before), after) in self.iter_mut().zip(before).zip(after) {
            sum.grow(before, after, times);
        }
    }
}

/// Counts by index. Entries that the shorter of two lists lacks count as zero.
impl<C: Count> Count for Vec<C> {
    fn times(&self, times: u64) -> Vec<C> {
        self.iter().map(|count| count.times(times)).collect()
    }

    fn grow(&mut self, before: &Vec<C>, after: &Vec<C>, times: u64) {
        grow_each(self, before, after, times);
    }
}

/// Adds to each element of `sums` the difference between two readings, multiplied by `times`. `sums` grows to the
/// length of `after`.
pub fn grow_each<C: Count>(sums: &mut Vec<C>, before: &[C], after: &[C], times: u64) {
    sums.resize_with(sums.len().max(after.len()), C::default);
    let none = C::default();
    for (at, (sum, after)) in sums.iter_mut().zip(after).enumerate() {
        sum.grow(before.get(at).unwrap_or(&none), after, times);
    }
}

/// Declares structs of counts and implements [`Count`] for them.
#[macro_export]
macro_rules! declare {
    ($(
        $(#[$meta:meta])*
        pub struct $Type:ident {$(
            $(#[$doc:meta])*
            $field:ident: $type:ty => $rule:ident $unit:ident
                $(unless $unless:literal)?
                $(measure $measure:literal)?
                $(per_phase $prefix:literal)?
                $(column $column:literal)?;
        )*}
        $(impl { $($method:tt)* })?
    )*) => {$(
        $(#[$meta])*
        pub struct $Type {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl $crate::Count for $Type {
            fn times(&self, times: u64) -> Self {
                Self { $($field: $crate::times!($rule, self.$field, times),)* }
            }

            fn grow(&mut self, before: &Self, after: &Self, times: u64) {
                $($crate::grow!($rule, self.$field, before.$field, after.$field, times);)*
            }
        }

        $(impl $Type { $($method)* })?
    )*};
}

/// Value of a field multiplied by `times`; unchanged under the rules `max` and `keep`.
#[doc(hidden)]
#[macro_export]
macro_rules! times {
    (sum, $of:expr, $times:expr) => {
        $crate::Count::times(&$of, $times)
    };
    (max, $of:expr, $times:expr) => {
        $of.clone()
    };
    (keep, $of:expr, $times:expr) => {
        $of.clone()
    };
}

/// Adds the growth between two readings to a field under the rule `sum`. Under `max` the field gets the larger of its
/// value and the second reading; under `keep` it is unchanged.
#[doc(hidden)]
#[macro_export]
macro_rules! grow {
    (sum, $sum:expr, $before:expr, $after:expr, $times:expr) => {
        $crate::Count::grow(&mut $sum, &$before, &$after, $times)
    };
    (max, $sum:expr, $before:expr, $after:expr, $times:expr) => {
        $sum = $sum.max($after)
    };
    (keep, $sum:expr, $before:expr, $after:expr, $times:expr) => {};
}
