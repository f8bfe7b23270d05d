//! `--policy`: what [`Schedule`] parses, with the nearest name for what it does not.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use numalab_formats::nearest;
use numalab_workload::{ParseError, Schedule};
use std::ffi::OsStr;

/// Reads one policy, and offers all names for completion.
#[derive(Clone, Copy, Debug)]
pub struct Policies;

impl TypedValueParser for Policies {
    type Value = Schedule;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, text: &OsStr) -> Result<Schedule, Error> {
        StringValueParser::new().try_map(|text| parse(&text)).parse_ref(command, argument, text)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue>>> {
        Some(Box::new(Schedule::NAMES.into_iter().map(PossibleValue::new)))
    }
}

fn parse(text: &str) -> Result<Schedule, String> {
    text.parse().map_err(|error: ParseError| match meant(text) {
        Some(name) => format!("did you mean \"{name}\"?"),
        None => error.to_string(),
    })
}

/// The name that was probably meant, when the name is what is wrong.
fn meant(text: &str) -> Option<&'static str> {
    let name = text.split(',').next()?.trim().to_ascii_lowercase();
    if Schedule::NAMES.contains(&name.as_str()) && text.trim().starts_with(&name) {
        return None;
    }
    // `nearest` or `steal:nearest` are as likely as a slip of the finger.
    let tail = |known: &'static str| known.rsplit(':').next().is_some_and(|tail| name.ends_with(tail));
    let exact = Schedule::NAMES.into_iter().find(|known| *known == name || tail(known));
    exact.or_else(|| nearest(&name, Schedule::NAMES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_nearest() {
        for (text, name) in [
            ("statik", "static"),
            ("Dynamic", "dynamic"),
            ("giuded,4", "guided"),
            ("nearest", "numa-steal:nearest"),
            ("numa-steal:mostloaded", "numa-steal:most-loaded"),
            ("numa-steal", "numa-steal:random"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(&format!("did you mean \"{name}\"?")), "{error}");
        }
    }

    #[test]
    fn says_nothing_about_names_where_the_chunk_is_wrong() {
        for text in ["static,0", "numa-steal:random,4", "xyz"] {
            assert!(!parse(text).unwrap_err().contains("did you mean"), "{text}");
        }
        assert_eq!(parse("static,4").unwrap(), Schedule::Static { chunk: Some(4) });
    }
}
