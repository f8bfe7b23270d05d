use serde::{Deserialize, Serialize};

/// The program and how it was recorded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meta {
    pub command: Vec<String>,
    /// Requested number of threads.
    pub threads: u32,
    /// Number of runs of the program.
    pub rounds: u32,
    /// State of the token, which lets one thread work at a time.
    pub token: Token,
    /// OpenMP runtime: the library's file name.
    pub runtime: String,
    /// Additional runs in which the team worked side by side; `None` if there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free: Option<Free>,
    /// Additional runs with one thread, without a token; `None` if there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_thread: Option<Free>,
    /// Costs of the recorder, which are taken out of all times; `None` if they were not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorder: Option<RecorderCosts>,
    /// True if the recording ended before the program, at its size limit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// Exit status of the program if it was not 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_status: Option<i32>,
}

/// Time of constructs that do nothing, in nanoseconds, under the same team: costs of the recorder, and of the
/// OpenMP runtime's share in each construct, which a replay simulates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecorderCosts {
    /// Start of the runtime, before the first region.
    pub start_ns: u64,
    /// Serial part between two regions.
    pub serial_ns: u64,
    /// A member's part of a region.
    pub body_ns: u64,
    /// Chunk that follows a switch of threads: one for each member.
    pub static_chunk_ns: u64,
    /// Chunk that follows another one of the same thread.
    pub dynamic_chunk_ns: u64,
    /// Task.
    pub task_ns: u64,
    /// Creation of a task, in the creator's time.
    pub create_ns: u64,
    /// Bytes a second that one thread of the recording computer reads from memory; 0 if unknown.
    pub bandwidth: u64,
}

impl RecorderCosts {
    /// The less disturbed of two measurements, for each cost: other work only lengthens it.
    pub fn undisturbed(self, other: RecorderCosts) -> RecorderCosts {
        RecorderCosts {
            start_ns: self.start_ns.min(other.start_ns),
            serial_ns: self.serial_ns.min(other.serial_ns),
            body_ns: self.body_ns.min(other.body_ns),
            static_chunk_ns: self.static_chunk_ns.min(other.static_chunk_ns),
            dynamic_chunk_ns: self.dynamic_chunk_ns.min(other.dynamic_chunk_ns),
            task_ns: self.task_ns.min(other.task_ns),
            create_ns: self.create_ns.min(other.create_ns),
            bandwidth: self.bandwidth.max(other.bandwidth),
        }
    }
}

/// Runs of the program with a team that fits the computer's processors, without a token.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Free {
    pub threads: u32,
    /// Time in parallel regions for each run, in nanoseconds.
    pub regions_ns: Vec<u64>,
    /// Number of involuntary context switches of the threads for each run; empty if they were not counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub switches: Vec<u64>,
}

/// State of the token, which lets one thread work at a time, at the end of the recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Token {
    /// One thread worked at a time.
    #[default]
    Passed,
    /// The token was not passed on for too long; from then on all threads worked at once.
    Broken,
    /// The program ran without a token: all threads worked at once.
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
    /// Line of the source file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Variable at this address, or variable that gets the allocation made here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
}

impl Site {
    /// The lowest address of a site with the same source line as `address`; `address` itself if its line is unknown.
    pub fn first_alike(sites: &[Site], address: u64) -> u64 {
        let Some(this) = sites.iter().find(|site| site.address == address) else { return address };
        let alike = |site: &&Site| this.line.is_some() && site.line == this.line && site.file == this.file;
        sites.iter().filter(alike).map(|site| site.address).min().unwrap_or(address)
    }

    /// Name such as `u (lb.c:24)`, with function or address if file and line are unknown.
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
