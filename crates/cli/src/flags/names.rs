//! Parsers for names of machines, workloads and runtimes: any text is accepted, names of the
//! catalogue are offered for completion.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use numalab_files::{Kind, catalogue};
use std::ffi::OsStr;

/// Kind of file whose names complete an argument.
#[derive(Clone, Copy, Debug)]
pub enum Name {
    Machine,
    Workload,
    Runtime,
    /// Machines, workloads, runtimes, sweeps and policies.
    Any,
}

impl TypedValueParser for Name {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, text: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, argument, text)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue>>> {
        let kind = match self {
            Name::Machine => Some(Kind::Machine),
            Name::Workload => Some(Kind::Workload),
            Name::Runtime => Some(Kind::Runtime),
            Name::Any => None,
        };
        let items = catalogue().into_iter().filter(move |item| kind.is_none_or(|kind| item.kind == kind));
        Some(Box::new(items.map(|item| PossibleValue::new(item.name).help(item.description))))
    }
}
