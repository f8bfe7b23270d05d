//! `--policy` and `--placement`: what their types parse, with the nearest name for what they do not.

use crate::failure::Failure;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use numalab_formats::nearest;
use numalab_workload::{ParseError, Placement, Schedule};
use std::ffi::OsStr;
use std::marker::PhantomData;
use std::str::FromStr;

/// Reads one value, and offers all names for completion.
#[derive(Clone, Debug)]
pub struct Words<T> {
    names: &'static [&'static str],
    value: PhantomData<fn() -> T>,
}

/// Reads lists of policies.
pub const POLICIES: Words<Policies> = Words { names: &Schedule::NAMES, value: PhantomData };
/// Reads policies.
pub const POLICY: Words<Schedule> = Words { names: &Schedule::NAMES, value: PhantomData };
/// Reads placements, of all pages or of a region's.
pub const PLACEMENT: Words<RegionPlacement> = Words { names: &Placement::NAMES, value: PhantomData };

/// Policies with commas between them. A number behind a comma is the chunk of the policy before.
#[derive(Clone, Debug, PartialEq)]
pub struct Policies(pub Vec<Schedule>);

impl FromStr for Policies {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Policies, ParseError> {
        let each = Policies::each(text);
        // Of none, the policy without a name is complained of.
        let each = if each.is_empty() { vec![String::new()] } else { each };
        each.iter().map(|one| one.parse()).collect::<Result<_, _>>().map(Policies)
    }
}

impl Policies {
    /// The texts of the policies, each with its chunk. Nothing between two commas is nothing, as in other lists of values.
    pub fn each(text: &str) -> Vec<String> {
        let mut each: Vec<String> = Vec::new();
        for part in text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()) {
            let begins = part.starts_with(|first: char| first.is_ascii_alphabetic());
            match each.last_mut().filter(|_| !begins) {
                Some(last) => last.extend([",", part]),
                None => each.push(part.to_owned()),
            }
        }
        each
    }
}

/// Policy of the pages of one region, or of all.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionPlacement {
    /// The region; all if none.
    pub region: Option<String>,
    /// Placement of its pages.
    pub placement: Placement,
}

impl RegionPlacement {
    /// The placement of all pages that are not of a region by itself.
    pub fn of_all(said: &[RegionPlacement]) -> Option<Placement> {
        said.iter().find(|one| one.region.is_none()).map(|one| one.placement.clone())
    }

    /// Refuses two policies of one region, or of all pages: one of them would count for nothing.
    pub fn check_each_once(said: &[RegionPlacement]) -> Result<(), Failure> {
        for (at, one) in said.iter().enumerate() {
            if said[..at].iter().any(|other| other.region == one.region) {
                let what =
                    one.region.as_ref().map_or("all pages".to_owned(), |name| format!("region \"{name}\""));
                let problem = format!("--placement says twice where {what} should be");
                return Err(Failure::request(problem, "leave one of them out"));
            }
        }
        Ok(())
    }

    /// Those of regions, by name.
    pub fn of_regions(said: &[RegionPlacement]) -> Vec<(String, Placement)> {
        said.iter().filter_map(|one| Some((one.region.clone()?, one.placement.clone()))).collect()
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
        StringValueParser::new().try_map(|text| parse(&text, names)).parse_ref(command, argument, text)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue>>> {
        Some(Box::new(self.names.iter().map(|name| PossibleValue::new(*name))))
    }
}

fn parse<T: FromStr<Err = ParseError>>(text: &str, names: &[&str]) -> Result<T, String> {
    text.parse().map_err(|error: ParseError| {
        let meant = (!error.name.is_empty()).then(|| nearest(&error.name, names.iter().copied())).flatten();
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
            text.parse().map(|Policies(all)| all.iter().map(Schedule::to_string).collect::<Vec<_>>())
        };
        assert_eq!(list("static,align").unwrap(), ["static", "align"]);
        assert_eq!(list("dynamic,4, static,8,guided").unwrap(), ["dynamic,4", "static,8", "guided"]);
        assert_eq!(list(",static,").unwrap(), ["static"]);
        assert!(list("").is_err() && list(" , ").is_err() && list("static,x").is_err());
    }

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
    fn says_nothing_about_names_where_the_rest_is_wrong() {
        for text in ["static,0", "numa-steal:random,4", "xyz"] {
            assert!(!message(&POLICY, text).contains("did you mean"), "{text}");
        }
        for text in ["bind", "bind:x", "bind:3-1", "preferred:0-1", "fetch:1", "xyz", ""] {
            assert!(!message(&PLACEMENT, text).contains("did you mean"), "{text}");
        }
        assert_eq!(parse("static,4", &[]), Ok(Schedule::Static { chunk: Some(4) }));
        assert_eq!(parse::<Placement>("bind:0-3", &[]).unwrap().to_string(), "bind:0-3");
    }
}
