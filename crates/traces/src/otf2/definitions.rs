//! Definitions of an archive: its clock, threads, regions and teams.

use std::collections::BTreeMap;

/// Definitions that events refer to.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    /// Ticks of the clock in a second.
    pub ticks_per_second: u64,
    /// Threads in order.
    pub threads: Vec<Thread>,
    /// Numbers of threads by those of the archive.
    pub numbers: BTreeMap<u64, u32>,
    /// Regions by their number.
    pub regions: BTreeMap<u32, Region>,
    /// Threads of each team, by their numbers in the archive.
    pub teams: BTreeMap<u64, Vec<u64>>,
    groups: BTreeMap<u64, Vec<u64>>,
}

/// A thread of the program.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its name.
    pub name: String,
    /// Number of its process.
    pub process: u64,
}

/// A place in the program.
#[derive(Clone, Debug)]
pub struct Region {
    /// Its name.
    pub name: String,
    /// Role, as the archive has it: `PARALLEL`, `TASK`.
    pub role: String,
    /// Programming model: `OPENMP`.
    pub paradigm: String,
    /// Source file; empty where nobody knows.
    pub file: String,
    /// First line.
    pub line: Option<u32>,
}

impl Definitions {
    /// Takes the definition of a line, if it is one that matters. `None` where it is not what is printed.
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

/// The word that follows, up to a comma.
fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(name)?;
    Some(rest.split(',').next().unwrap_or(rest).trim())
}

/// The text in quotation marks that follows; a reference such as ` <7>` ends it, since quotation marks may be in it.
fn quoted<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(name)?;
    let rest = rest.strip_prefix('"')?;
    rest.split_once("\" <").map(|(text, _)| text)
}

/// Numbers of the things that a text refers to: each is behind a name in quotation marks.
pub fn references(text: &str) -> impl Iterator<Item = u64> + '_ {
    text.split("\" <").skip(1).filter_map(|part| part.split_once('>')?.0.parse().ok())
}
