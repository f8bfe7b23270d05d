//! Schedules that are compared: the `schedule` clause and what a runtime adds to it. The name a user types is
//! the name printed in every output.

use crate::QueueKind;
use numalab_units::ParseError;
use std::fmt;
use std::str::FromStr;

/// Rule by which iterations find their threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Schedule {
    /// `static` or `static,c`.
    Static {
        /// Chunk size; `None` for one contiguous chunk per thread.
        chunk: Option<u64>,
    },
    /// `dynamic[,c]`.
    Dynamic {
        /// Iterations taken at a time.
        chunk: u64,
    },
    /// `guided[,c]`.
    Guided {
        /// Least iterations taken at a time.
        chunk: u64,
    },
    /// `numa-steal:V`: start as `static`, then steal one iteration at a time.
    NumaSteal(Victim),
    /// `auto`: as the runtime has it.
    Auto,
    /// `runtime`: as the runtime has it.
    Runtime,
    /// `tasks` or `tasks:Q`: every iteration is a task.
    Tasks(Option<QueueKind>),
}

/// Victim that a thread without work steals from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Victim {
    /// Any thread with work left.
    Random,
    /// The closest thread with work left.
    Nearest,
    /// The thread with the most iterations left.
    MostLoaded,
}

impl Schedule {
    /// Text of an error where only schedules of tasks are possible.
    pub const OF_TASKS: &'static str = "expected tasks, tasks:central, tasks:thread-local, tasks:hierarchical, \
                                        tasks:locality or tasks:locality-strict";

    /// Every spelling without its optional chunk, for help texts and nearest-name hints.
    pub const NAMES: [&'static str; 14] = [
        "static",
        "dynamic",
        "guided",
        "auto",
        "runtime",
        "numa-steal:random",
        "numa-steal:nearest",
        "numa-steal:most-loaded",
        "tasks",
        "tasks:central",
        "tasks:thread-local",
        "tasks:hierarchical",
        "tasks:locality",
        "tasks:locality-strict",
    ];
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match *self {
            Schedule::Static { chunk: None } => "static".to_owned(),
            Schedule::Static { chunk: Some(c) } => format!("static,{c}"),
            Schedule::Dynamic { chunk: 1 } => "dynamic".to_owned(),
            Schedule::Dynamic { chunk } => format!("dynamic,{chunk}"),
            Schedule::Guided { chunk: 1 } => "guided".to_owned(),
            Schedule::Guided { chunk } => format!("guided,{chunk}"),
            Schedule::NumaSteal(Victim::Random) => "numa-steal:random".to_owned(),
            Schedule::NumaSteal(Victim::Nearest) => "numa-steal:nearest".to_owned(),
            Schedule::NumaSteal(Victim::MostLoaded) => "numa-steal:most-loaded".to_owned(),
            Schedule::Auto => "auto".to_owned(),
            Schedule::Runtime => "runtime".to_owned(),
            Schedule::Tasks(None) => "tasks".to_owned(),
            Schedule::Tasks(Some(queue)) => format!("tasks:{queue}"),
        };
        f.pad(&text)
    }
}

impl FromStr for Schedule {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Schedule, ParseError> {
        let text = text.trim();
        let (name, chunk) = match text.split_once(',') {
            None => (text, None),
            Some((name, c)) => {
                let c = c.trim().parse::<u64>().ok().filter(|c| *c > 0).ok_or_else(|| {
                    ParseError::new(
                        format!("the chunk in \"{text}\" must be a whole number of at least 1"),
                        "",
                    )
                })?;
                (name.trim(), Some(c))
            }
        };
        let policy = match name {
            "static" => Schedule::Static { chunk },
            "dynamic" => Schedule::Dynamic { chunk: chunk.unwrap_or(1) },
            "guided" => Schedule::Guided { chunk: chunk.unwrap_or(1) },
            "numa-steal:random" => Schedule::NumaSteal(Victim::Random),
            "numa-steal:nearest" => Schedule::NumaSteal(Victim::Nearest),
            "numa-steal:most-loaded" => Schedule::NumaSteal(Victim::MostLoaded),
            "auto" => Schedule::Auto,
            "runtime" => Schedule::Runtime,
            "tasks" => Schedule::Tasks(None),
            _ if name.strip_prefix("tasks:").and_then(QueueKind::from_name).is_some() => {
                Schedule::Tasks(name.strip_prefix("tasks:").and_then(QueueKind::from_name))
            }
            _ => return Err(ParseError::unknown("policy", name, &Schedule::NAMES)),
        };
        match policy {
            Schedule::Static { .. } | Schedule::Dynamic { .. } | Schedule::Guided { .. } => Ok(policy),
            _ if chunk.is_none() => Ok(policy),
            Schedule::NumaSteal(_) => Err(ParseError::new(
                format!("\"{name}\" steals one iteration at a time and takes no chunk"),
                format!("write {name}"),
            )),
            Schedule::Auto | Schedule::Runtime | Schedule::Tasks(_) => {
                Err(ParseError::new(format!("\"{name}\" takes no chunk"), format!("write {name}")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for name in Schedule::NAMES {
            assert_eq!(name.parse::<Schedule>().unwrap().to_string(), name);
        }
        for name in ["static,4", "dynamic,16", "guided,2"] {
            assert_eq!(name.parse::<Schedule>().unwrap().to_string(), name);
        }
        assert_eq!("dynamic,1".parse::<Schedule>().unwrap().to_string(), "dynamic");
    }

    #[test]
    fn refuses_what_is_no_policy() {
        for text in ["", "statik", "static,0", "dynamic,-1", "numa-steal:random,2", "guided,x"] {
            assert!(text.parse::<Schedule>().is_err(), "{text}");
        }
    }
}
