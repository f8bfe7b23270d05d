//! `OMP_PLACES`: the sets of processors that threads are bound to.
//!
//! The grammar is that of OpenMP 6.0, which adds a stride to the abstract names of 5.2. A list is parsed without a
//! machine and stays as short as it was typed; [`PlaceList::resolve`] expands it for a machine.
//!
//! The specification leaves open the meaning of a list that does not fit the machine. Here it is the meaning of
//! libgomp: processors that are not allowed are left out of their places, empty places are dropped, and a list
//! without any place left is an error. Abstract names count from the start of the hierarchy; a count above the number
//! of places gives all places.

// Glossary: place: A set of processors that a thread may be bound to.

mod cursor;
mod error;
mod expand;
mod kind;
mod parse;
mod resolved;
mod topology;

#[cfg(test)]
mod laws;
#[cfg(test)]
pub(crate) mod model;
#[cfg(test)]
mod tests;

pub(crate) use cursor::Cursor;
pub use error::TextError;
pub use kind::PlaceKind;
pub use resolved::Places;
pub use topology::{Allowed, Location, Topology};

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

// Glossary: place list: Ordered places that `OMP_PLACES` names.
/// A value of `OMP_PLACES`, as typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceList {
    text: String,
    form: Form,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    /// `cores`, `cores(8)`, `cores(8:2)`.
    Abstract { kind: PlaceKind, count: Option<u32>, stride: u32 },
    /// `{0:4}:4:4,!{8:4}`.
    Explicit(Vec<Item>),
}

/// One place with its shifted copies, or the exclusion of one place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Item {
    span: Range<usize>,
    excluded: bool,
    processors: Vec<Interval>,
    copies: u32,
    stride: i64,
}

/// Evenly spaced processors of a place, or one processor that is excluded from the place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Interval {
    span: Range<usize>,
    excluded: bool,
    first: u32,
    count: u32,
    stride: i64,
}

impl PlaceList {
    /// The list of all places of a kind.
    pub fn all(kind: PlaceKind) -> PlaceList {
        PlaceList { text: kind.name().to_owned(), form: Form::Abstract { kind, count: None, stride: 1 } }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Places of the list on a machine, for a program that may use the allowed processors.
    pub fn resolve(&self, topology: &dyn Topology, allowed: &Allowed) -> Result<Places, TextError> {
        let (mut places, asked) = match &self.form {
            Form::Abstract { kind, count, stride } => {
                (kind::places(*kind, *count, *stride, topology, allowed), 0)
            }
            Form::Explicit(items) => {
                let sets = expand::expand(&self.text, items, topology.processors())?;
                let asked = sets.len();
                (Places::from_sets(sets.into_iter().map(|set| allowed.keep(set))), asked)
            }
        };
        if places.is_empty() {
            let whole = 0..self.text.len();
            let problem = "no place of the list has a processor that the threads may run on";
            return Err(TextError::new(&self.text, whole, problem));
        }
        places.dropped = asked.saturating_sub(places.len());
        Ok(places)
    }
}

impl FromStr for PlaceList {
    type Err = TextError;

    fn from_str(text: &str) -> Result<PlaceList, TextError> {
        Ok(PlaceList { text: text.to_owned(), form: parse::list(text)? })
    }
}

impl fmt::Display for PlaceList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
