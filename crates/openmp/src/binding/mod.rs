//! `OMP_PROC_BIND`: the place of each thread, and the processor in it.
//!
//! [`assign`](fn@assign) is the specification's rule for one team: from the place and partition of the opening thread
//! to the place and partition of every member. A member that opens an inner team does so with its own place and
//! partition. [`place_team`] applies the rule to the outermost team of a program and chooses processors;
//! [`place_nested`] applies it to an outer team and the inner teams of its threads.
//!
//! Choices that the specification leaves open:
//!
//! - `true` is `close`, as in libgomp; inner teams take the next places.
//! - With places but without `OMP_PROC_BIND`, threads are bound as by `true`. `OMP_PROC_BIND`
//!   without places binds to `cores`.
//! - If threads or places do not divide evenly, the first groups, counted from the opening thread's
//!   place, have one thread more, and the first subpartitions one place more.
//! - In a place with several processors a thread runs on the least loaded one: cores before second
//!   hardware threads, then the lowest number.
//! - Unbound threads start where Linux would start them: in the idlest group of every level, from
//!   the boards down to the hardware threads.

mod affinity_format;
mod assign;
mod counts;
mod display;
mod nested;
mod policy;
mod team;
mod unbound;
mod within;

#[cfg(test)]
mod tests;

pub use affinity_format::AffinityFormat;
pub use assign::{Assignment, assign};
pub use counts::thread_counts;
pub use display::ranges;
pub use nested::place_nested;
pub use policy::{Affinity, ProcBind, proc_bind};
pub use team::{BoundThread, ThreadBinding, place_team};

use crate::places::{PlaceList, TextError};
use std::fmt;

// Glossary: binding: Assignment of threads to places and to processors, as `OMP_PLACES` and `OMP_PROC_BIND`
//   ask for it.
/// Values of `OMP_PLACES` and `OMP_PROC_BIND`; `None` if unset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Binding {
    pub places: Option<PlaceList>,
    /// Binding policy for each level of nesting, outermost first; the last policy also holds for all deeper levels.
    pub proc_bind: Option<Vec<ProcBind>>,
}

impl Binding {
    /// Parses the values of `OMP_PLACES` and `OMP_PROC_BIND`; `None` for a variable that is not set.
    pub fn parse(places: Option<&str>, proc_bind: Option<&str>) -> Result<Binding, BindingError> {
        let places = places.map(str::parse).transpose().map_err(BindingError::Places)?;
        let proc_bind = proc_bind.map(policy::proc_bind).transpose().map_err(BindingError::ProcBind)?;
        Ok(Binding { places, proc_bind })
    }

    /// True if neither `OMP_PLACES` nor `OMP_PROC_BIND` is set.
    pub fn is_empty(&self) -> bool {
        self.places.is_none() && self.proc_bind.is_none()
    }

    /// Takes variables that are unset from `fallback`.
    pub fn or(self, fallback: Binding) -> Binding {
        Binding { places: self.places.or(fallback.places), proc_bind: self.proc_bind.or(fallback.proc_bind) }
    }

    /// Policy of teams at a level of nesting; the outermost team is at level 0.
    pub fn policy(&self, level: usize) -> ProcBind {
        match self.proc_bind.as_deref() {
            Some(list) => list.get(level).or(list.last()).copied().unwrap_or(ProcBind::False),
            None if self.places.is_some() => ProcBind::True,
            None => ProcBind::False,
        }
    }
}

/// Error in the value of `OMP_PLACES` or `OMP_PROC_BIND`; the variant names the variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BindingError {
    Places(TextError),
    ProcBind(TextError),
}

impl BindingError {
    pub fn error(&self) -> &TextError {
        match self {
            BindingError::Places(error) | BindingError::ProcBind(error) => error,
        }
    }
}

impl fmt::Display for BindingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, error) = match self {
            BindingError::Places(error) => ("places", error),
            BindingError::ProcBind(error) => ("proc_bind", error),
        };
        write!(f, "{what}, {error}")
    }
}

impl std::error::Error for BindingError {}
