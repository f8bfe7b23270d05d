//! Definitions of an archive: its clock, threads, regions and teams.

use std::collections::BTreeMap;

/// Definitions that events refer to.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    pub ticks_per_second: u64,
    /// Threads, indexed by number.
    pub threads: Vec<Thread>,
    /// Index in `threads` of a thread, by its number in the archive.
    pub numbers: BTreeMap<u64, u32>,
    pub regions: BTreeMap<u32, Region>,
    /// Archive numbers of the threads of a team, by the team's number in the archive.
    pub teams: BTreeMap<u64, Vec<u64>>,
    groups: BTreeMap<u64, Vec<u64>>,
}

/// A thread of the program.
#[derive(Clone, Debug)]
pub struct Thread {
    pub name: String,
    pub process: u64,
}

/// A source region of the program, such as a function or a construct.
#[derive(Clone, Debug)]
pub struct Region {
    pub name: String,
    /// Role as in the archive: `PARALLEL`, `TASK`.
    pub role: String,
    /// Programming model, such as `OPENMP`.
    pub paradigm: String,
    /// Source file; empty if unknown.
    pub file: String,
    /// First line in the source file.
    pub line: Option<u32>,
}

impl Definitions {
    /// Adds the definition in a line, if the line is of a kind used here. `None` if the line is malformed.
    pub fn take(&mut self, kind: &str, rest: &str) -> Option<()> {
        let (number, said) = match rest.split_once(char::is_whitespace) {
            Some((number, said)) => (number.parse::<u64>().ok(), said.trim_start()),
            None => (None, rest),
        };
        match kind {
            "CLOCK_PROPERTIES" => {
                self.ticks_per_second = field(rest, "Ticks per Seconds: ")?.parse().ok()?;
            }
            "LOCATION" if field(said, "Type: ")? == "CPU_THREAD" => {
                let next = u32::try_from(self.threads.len()).ok()?;
                let process = references(said.rsplit_once("Group: ")?.1).next()?;
                self.threads.push(Thread { name: quoted(said, "Name: ")?.to_owned(), process });
                self.numbers.insert(number?, next);
            }
            "REGION" => {
                let region = Region {
                    name: quoted(said, "Name: ")?.to_owned(),
                    role: field(said, "Role: ")?.to_owned(),
                    paradigm: field(said, "Paradigm: ")?.to_owned(),
                    file: quoted(said, "File: ").unwrap_or("").to_owned(),
                    line: field(said, "Begin: ").and_then(|line| line.parse().ok()),
                };
                self.regions.insert(u32::try_from(number?).ok()?, region);
            }
            "GROUP" => {
                let members = said.split_once(" Members: ").map_or("", |(_, members)| members);
                self.groups.insert(number?, references(members).collect());
            }
            "COMM" => {
                let group = said.rsplit_once("Group: ")?.1;
                let members = self.groups.get(&references(group).next()?).cloned();
                self.teams.insert(number?, members.unwrap_or_default());
            }
            _ => {}
        }
        Some(())
    }
}

/// Word after `name`, up to a comma.
fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(name)?;
    Some(rest.split(',').next().unwrap_or(rest).trim())
}

/// Quoted text after `name`. The text ends before a reference such as ` <7>`, since it may hold quotation marks.
fn quoted<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(name)?;
    let rest = rest.strip_prefix('"')?;
    rest.split_once("\" <").map(|(text, _)| text)
}

/// Numbers of all references in a text: each follows a quoted name.
pub fn references(text: &str) -> impl Iterator<Item = u64> + '_ {
    text.split("\" <").skip(1).filter_map(|part| part.split_once('>')?.0.parse().ok())
}
