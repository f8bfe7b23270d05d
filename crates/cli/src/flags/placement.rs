//! `--placement`: what [`Placement`] parses, with the nearest name for what it does not.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use numalab_formats::nearest;
use numalab_workload::{ParseError, Placement};
use std::ffi::OsStr;

/// Reads one placement, and offers all names for completion.
#[derive(Clone, Copy, Debug)]
pub struct Placements;

impl TypedValueParser for Placements {
    type Value = Placement;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, text: &OsStr) -> Result<Placement, Error> {
        StringValueParser::new().try_map(|text| parse(&text)).parse_ref(command, argument, text)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue>>> {
        Some(Box::new(Placement::NAMES.into_iter().map(PossibleValue::new)))
    }
}

fn parse(text: &str) -> Result<Placement, String> {
    text.parse().map_err(|error: ParseError| {
        let name = text.split(':').next().unwrap_or(text).trim();
        match nearest(name, Placement::NAMES).filter(|nearest| *nearest != name) {
            Some(nearest) => format!("did you mean \"{nearest}\"?"),
            None => error.to_string(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_nearest() {
        for (text, name) in [
            ("first_touch", "first-touch"),
            ("firsttouch", "first-touch"),
            ("Interleaved", "interleave"),
            ("interleaf:0-3", "interleave"),
            ("prefered:2", "preferred"),
            ("nexttouch", "next-touch"),
        ] {
            assert_eq!(parse(text).unwrap_err(), format!("did you mean \"{name}\"?"), "{text}");
        }
    }

    #[test]
    fn says_nothing_about_names_where_the_nodes_are_wrong() {
        for text in ["bind", "bind:x", "bind:3-1", "preferred:0-1", "fetch:1", "xyz", ""] {
            assert!(!parse(text).unwrap_err().contains("did you mean"), "{text}");
        }
        assert_eq!(parse("bind:0-3").unwrap().to_string(), "bind:0-3");
    }
}
