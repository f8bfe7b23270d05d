//! Ends of links and their names.

use crate::LevelKind;
use std::fmt;

/// A board, socket, node, cluster or core, counted through the whole machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unit {
    pub kind: LevelKind,
    /// Number of the unit, from 0.
    pub index: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkEnd {
    /// A unit at which links end directly, such as a node or a core.
    Unit(Unit),
    Controller(Unit),
    /// A switch of an interconnect.
    Switch {
        /// Unit that contains the interconnect; `None` for the whole machine.
        within: Option<Unit>,
        /// Number of the switch in the interconnect, level by level.
        index: u32,
    },
    /// Point at which the units inside a unit (`None`: inside the machine) meet at no cost, because the machine file
    /// has no interconnect for them; only in graphs.
    Junction(Option<Unit>),
    /// Point at which units leave their container at no cost, because the container has no controller; only in
    /// graphs.
    Exit(Unit),
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.index)
    }
}

impl fmt::Display for LinkEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkEnd::Unit(unit) => write!(f, "{unit}"),
            LinkEnd::Controller(unit) => write!(f, "controller of {unit}"),
            LinkEnd::Switch { within: Some(unit), index } => write!(f, "switch {index} of {unit}"),
            LinkEnd::Switch { within: None, index } => write!(f, "switch {index}"),
            LinkEnd::Junction(Some(unit)) => write!(f, "inside of {unit}"),
            LinkEnd::Junction(None) => write!(f, "inside of the machine"),
            LinkEnd::Exit(unit) => write!(f, "exit of {unit}"),
        }
    }
}
