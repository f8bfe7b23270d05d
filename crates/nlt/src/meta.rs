//! Facts about a recording as a whole.

use serde::{Deserialize, Serialize};

/// The program and how it was recorded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meta {
    /// The command, word by word.
    pub command: Vec<String>,
    /// Threads of the team that was asked for.
    pub threads: u32,
    /// Runs of the program.
    pub rounds: u32,
    /// Whether one thread worked at a time; `broken` where somebody waited in vain.
    pub token: Token,
    /// OpenMP runtime: the library's file name.
    pub runtime: String,
    /// Runs in which a team worked side by side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free: Option<Free>,
}

/// Runs of a program whose team had the computer's processors and no token.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Free {
    /// Threads of the team.
    pub threads: u32,
    /// Time within regions, of each run, in nanoseconds.
    pub regions_ns: Vec<u64>,
    /// Times that the system took a processor away from one of the threads, in each run; empty where nobody counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub switches: Vec<u64>,
}

/// Course of the token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Token {
    /// One thread worked at a time.
    #[default]
    Passed,
    /// Somebody waited in vain; from then on all worked at a time.
    Broken,
    /// All worked at a time.
    Off,
}

// Glossary: site: A place in a recorded program: an address, with its function, file and line.
/// A place in the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Site {
    /// Address in the recorded process.
    pub address: u64,
    /// Name of the function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// Source file, without its folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Variable that lies there, or that is given what is allocated there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
}

impl Site {
    /// The first address of those on the same line as this one.
    pub fn first_alike(sites: &[Site], address: u64) -> u64 {
        let Some(this) = sites.iter().find(|site| site.address == address) else { return address };
        let alike = |site: &&Site| this.line.is_some() && site.line == this.line && site.file == this.file;
        sites.iter().filter(alike).map(|site| site.address).min().unwrap_or(address)
    }

    /// `u (lb.c:24)`, or without the variable, or the function, or the address.
    pub fn name(&self) -> String {
        match &self.variable {
            Some(variable) if self.file.is_none() && self.function.is_none() => variable.clone(),
            Some(variable) => format!("{variable} ({})", self.place()),
            None => self.place(),
        }
    }

    fn place(&self) -> String {
        match (&self.file, self.line, &self.function) {
            (Some(file), Some(line), _) => format!("{file}:{line}"),
            (_, _, Some(function)) => function.clone(),
            _ => format!("{:#x}", self.address),
        }
    }
}
