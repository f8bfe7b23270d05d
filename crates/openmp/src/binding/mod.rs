//! `OMP_PROC_BIND`: the place of each thread, and the processor in it.
//!
//! [`assign`](fn@assign) is the specification's rule for one team: from the place and partition of the opening thread
//! to the place and partition of every member. A member that opens an inner team does so with its own place and
//! partition. [`place_team`] applies the rule to the outermost team of a program and chooses processors;
//! [`place_nested`] applies it to an outer team and the inner teams of its threads.
//!
//! Choices that the specification leaves open:
//!
//! - `rules` has those that runtimes make differently: the meaning of `true`, places without `OMP_PLACES`, and threads
//!   or places that do not divide evenly.
//! - With places but without `OMP_PROC_BIND`, threads are bound as by `true`.
//! - In a place with several processors a thread runs on the least loaded one: cores before second
//!   hardware threads, then the lowest number.
//! - Unbound threads start where Linux would start them: in the idlest group of every level, from
//!   the boards down to the hardware threads.

mod affinity_format;
mod assign;
mod counts;
mod display;
mod kmp;
mod nested;
mod policy;
mod rules;
mod site;
mod team;
mod unbound;
mod within;

#[cfg(test)]
mod tests;

pub use affinity_format::AffinityFormat;
pub use assign::{Assignment, Opener, assign};
pub use counts::thread_counts;
pub use display::ranges;
pub use kmp::{KmpAffinity, KmpValue, KmpWord};
pub use nested::place_nested;
pub use policy::{Affinity, ProcBind, proc_bind};
pub use site::Site;
pub use team::{BoundThread, ThreadBinding, place_team};

use crate::places::{PlaceList, TextError};
use std::fmt;

// Glossary: binding: Assignment of threads to places and to processors, as `OMP_PLACES` and `OMP_PROC_BIND`
//   ask for it.
/// Values of `OMP_PLACES` and `OMP_PROC_BIND`, or of `KMP_AFFINITY` in their place; `None` if unset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Binding {
    pub places: Option<PlaceList>,
    /// Binding policy for each level of nesting, outermost first; the last policy also holds for all deeper levels.
    pub proc_bind: Option<Vec<ProcBind>>,
    /// The affinity of libomp. Places and policies are then absent.
    pub affinity: Option<KmpAffinity>,
}

impl Binding {
    /// Parses the values of `OMP_PLACES` and `OMP_PROC_BIND`; `None` for a variable that is not set.
    pub fn parse(places: Option<&str>, proc_bind: Option<&str>) -> Result<Binding, BindingError> {
        Binding::parse_by(policy::proc_bind, places, proc_bind)
    }

    /// As `parse`, for a workload file, whose policy may also be `pool`.
    pub fn of_file(places: Option<&str>, proc_bind: Option<&str>) -> Result<Binding, BindingError> {
        Binding::parse_by(policy::proc_bind_of_file, places, proc_bind)
    }

    fn parse_by(
        policies: impl Fn(&str) -> Result<Vec<ProcBind>, TextError>,
        places: Option<&str>,
        proc_bind: Option<&str>,
    ) -> Result<Binding, BindingError> {
        let places = places.map(str::parse).transpose().map_err(BindingError::Places)?;
        let proc_bind = proc_bind.map(policies).transpose().map_err(BindingError::ProcBind)?;
        Ok(Binding { places, proc_bind, affinity: None })
    }

    /// Threads that are not bound.
    pub fn unbound() -> Binding {
        Binding { proc_bind: Some(vec![ProcBind::False]), ..Binding::default() }
    }

    pub(crate) fn by_kmp(affinity: KmpAffinity) -> Binding {
        Binding { affinity: Some(affinity), ..Binding::default() }
    }

    /// True if nothing is set.
    pub fn is_empty(&self) -> bool {
        self.places.is_none() && self.proc_bind.is_none() && self.affinity.is_none()
    }

    /// Takes variables that are unset from `fallback`. An affinity of libomp and the variables of the standard
    /// exclude each other.
    pub fn or(self, fallback: Binding) -> Binding {
        match (&self.affinity, &fallback.affinity) {
            (Some(_), _) => self,
            (None, Some(_)) if self.is_empty() => fallback,
            (None, Some(_)) => self,
            (None, None) => Binding {
                places: self.places.or(fallback.places),
                proc_bind: self.proc_bind.or(fallback.proc_bind),
                affinity: None,
            },
        }
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
