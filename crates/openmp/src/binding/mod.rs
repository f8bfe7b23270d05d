//! `OMP_PROC_BIND`: which thread goes to which place, and to which processor of it.
//!
//! [`assign`](fn@assign) is the specification's rule for one team: from the place of the thread that opens
//! it and that thread's partition to the place and the partition of every member. Members open inner teams
//! with theirs. [`place_team`] does it for the outermost team of a program and goes on to processors,
//! [`place_nested`] for an outer team and the inner teams of its threads.
//!
//! Choices that the specification leaves open:
//!
//! - `true` is `close`, as in libgomp; inner teams take the places that are next.
//! - Places without `OMP_PROC_BIND` are bound to, as if it were `true`. `OMP_PROC_BIND` without places
//!   binds to `cores`.
//! - Where threads or places do not divide, the first groups, counted from the opening thread's place, get
//!   one thread more; the first subpartitions of the partition one place more.
//! - A thread of a place with several processors runs on the least loaded of them: cores before
//!   second hardware threads, then the lowest number.
//! - Unbound threads start where Linux would start them: in the idlest group of every level,
//!   from the boards down to the hardware threads.

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
pub use nested::place_nested;
pub use policy::{Affinity, ProcBind, proc_bind};
pub use team::{BoundThread, ThreadBinding, place_team};

use crate::places::{PlaceList, TextError};
use std::fmt;

// Glossary: binding: Assignment of threads to places and to processors, as `OMP_PLACES` and `OMP_PROC_BIND`
//   ask for it.
/// Values of the two variables, each if it is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Binding {
    /// `OMP_PLACES`.
    pub places: Option<PlaceList>,
    /// `OMP_PROC_BIND`: a policy for each level of nesting, the last one for all deeper levels too.
    pub proc_bind: Option<Vec<ProcBind>>,
}

impl Binding {
    /// From the values of the two variables.
    pub fn parse(places: Option<&str>, proc_bind: Option<&str>) -> Result<Binding, BindingError> {
        let places = places.map(str::parse).transpose().map_err(BindingError::Places)?;
        let proc_bind = proc_bind.map(policy::proc_bind).transpose().map_err(BindingError::ProcBind)?;
        Ok(Binding { places, proc_bind })
    }

    /// Whether neither variable is set.
    pub fn is_empty(&self) -> bool {
        self.places.is_none() && self.proc_bind.is_none()
    }

    /// Each variable that is not set here is taken from there.
    pub fn or(self, fallback: Binding) -> Binding {
        Binding { places: self.places.or(fallback.places), proc_bind: self.proc_bind.or(fallback.proc_bind) }
    }

    /// The policy of teams at a level of nesting; the outermost is level 0.
    pub fn policy(&self, level: usize) -> ProcBind {
        match self.proc_bind.as_deref() {
            Some(list) => list.get(level).or(list.last()).copied().unwrap_or(ProcBind::False),
            None if self.places.is_some() => ProcBind::True,
            None => ProcBind::False,
        }
    }
}

/// A variable that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BindingError {
    /// `OMP_PLACES`.
    Places(TextError),
    /// `OMP_PROC_BIND`.
    ProcBind(TextError),
}

impl BindingError {
    /// The error of its text.
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
