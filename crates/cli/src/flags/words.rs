//! Parsers of `--policy` and `--placement`, with the nearest name as advice.

use crate::failure::Failure;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use numalab_files::{PolicyError, policy_names};
use numalab_syntax::nearest::nearest;
use numalab_workload::{ParseError, Placement, Schedule};
use std::ffi::OsStr;
use std::marker::PhantomData;
use std::str::FromStr;

/// Parser of a flag's value that offers names for completion.
#[derive(Clone, Debug)]
pub struct Words<T> {
    names: fn() -> Vec<String>,
    value: PhantomData<fn() -> T>,
}

/// Parser of a list of policies.
pub const POLICIES: Words<Policies> = Words { names: policy_names, value: PhantomData };
pub const POLICY: Words<Policy> = Words { names: policy_names, value: PhantomData };
/// Parser of a placement of all pages or of one region.
pub const PLACEMENT: Words<RegionPlacement> = Words { names: placement_names, value: PhantomData };

fn placement_names() -> Vec<String> {
    Placement::NAMES.map(str::to_owned).into()
}

/// Policies separated by commas. A number after a comma is the chunk of the policy before the comma.
#[derive(Clone, Debug, PartialEq)]
pub struct Policies(pub Vec<Policy>);

/// A policy, as far as it is known when flags are parsed.
#[derive(Clone, Debug, PartialEq)]
pub enum Policy {
    Known(Schedule),
    /// Text that names a policy file with mistakes, which are reported with their lines.
    Broken(String),
}

impl Policy {
    /// The policy, or the mistakes of its file.
    pub fn schedule(&self) -> Result<Schedule, Failure> {
        match self {
            Policy::Known(schedule) => Ok(*schedule),
            Policy::Broken(text) => numalab_files::schedule(text).map_err(|error| match error {
                PolicyError::File(wrong) => (*wrong).into(),
                PolicyError::Name(wrong) => Failure::request(wrong.message, wrong.expected),
            }),
        }
    }
}

impl FromStr for Policy {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Policy, ParseError> {
        match numalab_files::schedule(text) {
            Ok(schedule) => Ok(Policy::Known(schedule)),
            Err(PolicyError::File(_)) => Ok(Policy::Broken(text.to_owned())),
            Err(PolicyError::Name(error)) => Err(error),
        }
    }
}

impl FromStr for Policies {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Policies, ParseError> {
        let each = Policies::each(text);
        // An empty list fails as a policy without a name.
        let each = if each.is_empty() { vec![String::new()] } else { each };
        each.iter().map(|text| text.parse()).collect::<Result<_, _>>().map(Policies)
    }
}

impl Policies {
    /// Texts of single policies, each with its chunk. Empty parts between commas are skipped.
    pub fn each(text: &str) -> Vec<String> {
        let mut each: Vec<String> = Vec::new();
        for part in text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()) {
            let is_path = part.contains(['/', '\\']) || part.ends_with(".yaml") || part.ends_with(".yml");
            let begins = is_path || part.starts_with(|first: char| first.is_ascii_alphabetic());
            match each.last_mut().filter(|_| !begins) {
                Some(last) => last.extend([",", part]),
                None => each.push(part.to_owned()),
            }
        }
        each
    }
}

/// Placement of all pages, or of the pages of one region.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionPlacement {
    /// Name of the region; `None` for all pages.
    pub region: Option<String>,
    pub placement: Placement,
}

impl RegionPlacement {
    /// Placement of all pages that have no placement by region; `None` if none was typed.
    pub fn of_all(typed: &[RegionPlacement]) -> Option<Placement> {
        typed.iter().find(|item| item.region.is_none()).map(|item| item.placement.clone())
    }

    /// Refuses two placements of the same pages, of which one would have no effect.
    pub fn check_each_once(typed: &[RegionPlacement]) -> Result<(), Failure> {
        for (at, item) in typed.iter().enumerate() {
            if typed[..at].iter().any(|other| other.region == item.region) {
                let what =
                    item.region.as_ref().map_or("all pages".to_owned(), |name| format!("region \"{name}\""));
                let problem = format!("--placement is given twice for {what}");
                return Err(Failure::request(problem, "leave out one of them"));
            }
        }
        Ok(())
    }

    /// Placements that name a region, as pairs of region and placement.
    pub fn of_regions(typed: &[RegionPlacement]) -> Vec<(String, Placement)> {
        typed.iter().filter_map(|item| Some((item.region.clone()?, item.placement.clone()))).collect()
    }
}

impl FromStr for RegionPlacement {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<RegionPlacement, ParseError> {
        let (region, policy) = match text.split_once('=') {
            Some((region, policy)) => (Some(region.trim().to_owned()), policy),
            None => (None, text),
        };
        Ok(RegionPlacement { region, placement: policy.trim().parse()? })
    }
}

impl<T> TypedValueParser for Words<T>
where
    T: FromStr<Err = ParseError> + Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, text: &OsStr) -> Result<T, Error> {
        let names = self.names;
        StringValueParser::new().try_map(move |text| parse(&text, names)).parse_ref(command, argument, text)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue>>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

fn parse<T: FromStr<Err = ParseError>>(text: &str, names: fn() -> Vec<String>) -> Result<T, String> {
    text.parse().map_err(|error: ParseError| {
        let known = if error.name.is_empty() { Vec::new() } else { names() };
        let meant = nearest(&error.name, known.iter().map(String::as_str));
        meant.map_or(error.to_string(), |name| format!("did you mean \"{name}\"?"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message<T: FromStr<Err = ParseError>>(words: &Words<T>, text: &str) -> String {
        parse::<T>(text, words.names).err().unwrap_or_default()
    }

    #[test]
    fn policies_have_commas_between_them_and_before_their_chunks() {
        let list = |text: &str| {
            text.parse().map(|Policies(all)| {
                all.iter().map(|one| one.schedule().unwrap().to_string()).collect::<Vec<_>>()
            })
        };
        assert_eq!(list("static,align").unwrap(), ["static", "align"]);
        assert_eq!(list("dynamic,4, static,8,guided").unwrap(), ["dynamic,4", "static,8", "guided"]);
        assert_eq!(list(",static,").unwrap(), ["static"]);
        // Runtimes read OMP_SCHEDULE in any case.
        assert_eq!(list("Dynamic,4").unwrap(), ["dynamic,4"]);
        assert!(list("").is_err() && list(" , ").is_err() && list("static,x").is_err());
    }

    #[test]
    fn names_the_nearest() {
        for (text, name) in [
            ("statik", "static"),
            ("giuded,4", "guided"),
            ("nearest", "numa-steal:nearest"),
            ("numa-steal:mostloaded", "numa-steal:most-loaded"),
            ("numa-steal", "numa-steal:random"),
        ] {
            assert_eq!(message(&POLICY, text), format!("did you mean \"{name}\"?"), "{text}");
        }
        for (text, name) in [
            ("first_touch", "first-touch"),
            ("firsttouch", "first-touch"),
            ("Interleaved", "interleave"),
            ("interleaf:0-3", "interleave"),
            ("prefered:2", "preferred"),
            ("nexttouch", "next-touch"),
        ] {
            assert_eq!(message(&PLACEMENT, text), format!("did you mean \"{name}\"?"), "{text}");
        }
    }

    #[test]
    fn no_nearest_name_if_only_the_rest_is_wrong() {
        for text in ["static,0", "numa-steal:random,4", "xyz"] {
            assert!(!message(&POLICY, text).contains("did you mean"), "{text}");
        }
        for text in ["bind", "bind:x", "bind:3-1", "preferred:0-1", "fetch:1", "xyz", ""] {
            assert!(!message(&PLACEMENT, text).contains("did you mean"), "{text}");
        }
        let of_four = Policy::Known(Schedule::Static { chunk: Some(4) });
        assert_eq!(parse("static,4", policy_names), Ok(of_four));
        assert_eq!(parse::<Placement>("bind:0-3", placement_names).unwrap().to_string(), "bind:0-3");
    }
}
