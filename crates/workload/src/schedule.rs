//! Schedules to compare: those of the `schedule` clause, and schedules that runtimes add. Input and output use the
//! same names.

// Glossary: policy: In output, the schedule that a run is compared under. In sources this is a *schedule*;
//   rules about pages are *page policies*.

// Glossary: chunk: Consecutive iterations that a thread takes at a time.

use crate::QueueKind;
use crate::policy::{Division, FilePolicy};
use numalab_base::ParseError;
use std::fmt;
use std::str::FromStr;

// Glossary: schedule: Rule by which a loop's iterations find their threads: `static`, `dynamic`, `guided`,
//   stealing or tasks.
/// Rule that assigns iterations to threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Schedule {
    /// `static` or `static,c`.
    Static {
        /// Iterations in a chunk; `None` for one contiguous chunk per thread.
        chunk: Option<u64>,
    },
    /// `dynamic[,c]`.
    Dynamic {
        /// Iterations taken at a time.
        chunk: u64,
    },
    /// `guided[,c]`.
    Guided {
        /// Smallest number of iterations taken at a time.
        chunk: u64,
    },
    /// `numa-steal:V`: start as `static`; threads without work then steal one iteration at a time.
    NumaSteal(Victim),
    /// `auto`: the runtime's choice.
    Auto,
    /// `runtime`: the runtime's default for `OMP_SCHEDULE`.
    Runtime,
    /// `tasks` or `tasks:Q`: every iteration is a task. Without `Q` the queue is the runtime's.
    Tasks(Option<QueueKind>),
    /// `align`: one contiguous chunk per thread, cut at page borders of a software shared memory, as learned in the
    /// first executions. It equals `static` before that, and where nothing can be learned.
    Align,
    /// The policy of a file: see [`crate::policy`].
    File(FilePolicy),
}

/// Victim from which a thread without work steals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Victim {
    /// Any thread with work left.
    Random,
    /// The nearest thread with work left.
    Nearest,
    /// The thread with the most iterations left.
    MostLoaded,
}

impl Schedule {
    /// True if the `schedule` clause of OpenMP has the schedule.
    pub fn is_of_openmp(self) -> bool {
        match self {
            Schedule::Static { .. } | Schedule::Dynamic { .. } | Schedule::Guided { .. } => true,
            Schedule::Auto | Schedule::Runtime => true,
            Schedule::NumaSteal(_) | Schedule::Tasks(_) | Schedule::Align | Schedule::File(_) => false,
        }
    }

    /// The same schedule for a loop each of whose iterations stands for `iterations` of the program: chunks are
    /// divided by that number, rounded up.
    #[must_use]
    pub fn in_units_of(self, iterations: u64) -> Schedule {
        let units = |chunk: u64| chunk.div_ceil(iterations.max(1)).max(1);
        match self {
            Schedule::Static { chunk } => Schedule::Static { chunk: chunk.map(units) },
            Schedule::Dynamic { chunk } => Schedule::Dynamic { chunk: units(chunk) },
            Schedule::Guided { chunk } => Schedule::Guided { chunk: units(chunk) },
            Schedule::File(file) => {
                Schedule::File(FilePolicy { policy: file.policy, chunk: units(file.chunk) })
            }
            Schedule::NumaSteal(_)
            | Schedule::Auto
            | Schedule::Runtime
            | Schedule::Tasks(_)
            | Schedule::Align => self,
        }
    }

    /// The reverse of [`Schedule::in_units_of`]: the schedule of a loop each of whose iterations stands for `iterations`
    /// of the program, in iterations of the program.
    #[must_use]
    pub fn in_iterations_of(self, iterations: u64) -> Schedule {
        let whole = |chunk: u64| chunk.saturating_mul(iterations.max(1));
        match self {
            Schedule::Static { chunk } => Schedule::Static { chunk: chunk.map(whole) },
            Schedule::Dynamic { chunk } => Schedule::Dynamic { chunk: whole(chunk) },
            Schedule::Guided { chunk } => Schedule::Guided { chunk: whole(chunk) },
            Schedule::File(file) => {
                Schedule::File(FilePolicy { policy: file.policy, chunk: whole(file.chunk) })
            }
            Schedule::NumaSteal(_)
            | Schedule::Auto
            | Schedule::Runtime
            | Schedule::Tasks(_)
            | Schedule::Align => self,
        }
    }

    /// Error text where only schedules of tasks are possible.
    pub const OF_TASKS: &'static str = "expected tasks, tasks:central, tasks:thread-local, tasks:hierarchical, \
                                        tasks:locality or tasks:locality-strict";

    /// Every schedule, without its optional chunk.
    pub const ALL: [Schedule; 15] = [
        Schedule::Static { chunk: None },
        Schedule::Dynamic { chunk: 1 },
        Schedule::Guided { chunk: 1 },
        Schedule::Auto,
        Schedule::Runtime,
        Schedule::NumaSteal(Victim::Random),
        Schedule::NumaSteal(Victim::Nearest),
        Schedule::NumaSteal(Victim::MostLoaded),
        Schedule::Tasks(None),
        Schedule::Tasks(Some(QueueKind::Central)),
        Schedule::Tasks(Some(QueueKind::ThreadLocal)),
        Schedule::Tasks(Some(QueueKind::Hierarchical)),
        Schedule::Tasks(Some(QueueKind::Locality)),
        Schedule::Tasks(Some(QueueKind::LocalityStrict)),
        Schedule::Align,
    ];

    /// Names of all schedules, for help texts and suggestions.
    pub const NAMES: [&'static str; Schedule::ALL.len()] = {
        let mut names = [""; Schedule::ALL.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = Schedule::ALL[at].name();
            at += 1;
        }
        names
    };

    /// True if the schedule's decisions depend on the location of data or threads.
    pub fn asks_for_places(self) -> bool {
        match self {
            Schedule::NumaSteal(Victim::Nearest) => true,
            Schedule::File(file) => file.policy.asks_for_places(),
            Schedule::Tasks(Some(
                QueueKind::Hierarchical | QueueKind::Locality | QueueKind::LocalityStrict,
            )) => true,
            Schedule::NumaSteal(Victim::Random | Victim::MostLoaded)
            | Schedule::Tasks(None | Some(QueueKind::Central | QueueKind::ThreadLocal))
            | Schedule::Static { .. }
            | Schedule::Dynamic { .. }
            | Schedule::Guided { .. }
            | Schedule::Auto
            | Schedule::Runtime
            | Schedule::Align => false,
        }
    }

    /// The schedule itself; for `auto` and `runtime`, the given replacement.
    #[must_use]
    pub fn chosen(self, auto: Schedule, runtime: Schedule) -> Schedule {
        match self {
            Schedule::Auto => auto,
            Schedule::Runtime => runtime,
            Schedule::Static { .. }
            | Schedule::Dynamic { .. }
            | Schedule::Guided { .. }
            | Schedule::NumaSteal(_)
            | Schedule::Tasks(_)
            | Schedule::Align
            | Schedule::File(_) => self,
        }
    }

    /// True if each thread has one contiguous chunk, known before the loop starts.
    pub fn is_contiguous(self) -> bool {
        match self {
            Schedule::Static { chunk: None } | Schedule::Align => true,
            Schedule::File(file) => file.policy.is_contiguous(),
            Schedule::Static { chunk: Some(_) }
            | Schedule::Dynamic { .. }
            | Schedule::Guided { .. }
            | Schedule::NumaSteal(_)
            | Schedule::Auto
            | Schedule::Runtime
            | Schedule::Tasks(_) => false,
        }
    }

    /// True if the schedule distributes a loop by itself: it names no other schedule, makes no tasks and learns
    /// nothing from earlier executions.
    pub fn is_self_contained(self) -> bool {
        match self {
            Schedule::Static { .. }
            | Schedule::Dynamic { .. }
            | Schedule::Guided { .. }
            | Schedule::NumaSteal(_)
            | Schedule::File(_) => true,
            Schedule::Auto | Schedule::Runtime | Schedule::Tasks(_) | Schedule::Align => false,
        }
    }

    /// The policy of a file; `None` for a built-in schedule.
    pub fn file(self) -> Option<FilePolicy> {
        if let Schedule::File(file) = self { Some(file) } else { None }
    }

    /// Number of iterations that a thread requests at a time, if it is constant.
    pub fn requested(self) -> Option<u64> {
        match self {
            Schedule::Dynamic { chunk } => Some(chunk),
            Schedule::NumaSteal(_) => Some(1),
            Schedule::File(file) => match (&file.policy.division, &file.policy.steal) {
                (Division::Shared, _) | (_, Some(_)) => file.policy.constant_chunk(file.chunk),
                (Division::Even | Division::Cyclic | Division::Part(_), None) => None,
            },
            Schedule::Static { .. }
            | Schedule::Guided { .. }
            | Schedule::Auto
            | Schedule::Runtime
            | Schedule::Tasks(_)
            | Schedule::Align => None,
        }
    }

    /// Name of the schedule without the chunk; of a file's policy the word `file`.
    pub const fn name(self) -> &'static str {
        match self {
            Schedule::Static { .. } => "static",
            Schedule::Dynamic { .. } => "dynamic",
            Schedule::Guided { .. } => "guided",
            Schedule::NumaSteal(Victim::Random) => "numa-steal:random",
            Schedule::NumaSteal(Victim::Nearest) => "numa-steal:nearest",
            Schedule::NumaSteal(Victim::MostLoaded) => "numa-steal:most-loaded",
            Schedule::Auto => "auto",
            Schedule::Runtime => "runtime",
            Schedule::Align => "align",
            Schedule::File(_) => "file",
            Schedule::Tasks(None) => "tasks",
            Schedule::Tasks(Some(QueueKind::Central)) => "tasks:central",
            Schedule::Tasks(Some(QueueKind::ThreadLocal)) => "tasks:thread-local",
            Schedule::Tasks(Some(QueueKind::Hierarchical)) => "tasks:hierarchical",
            Schedule::Tasks(Some(QueueKind::Locality)) => "tasks:locality",
            Schedule::Tasks(Some(QueueKind::LocalityStrict)) => "tasks:locality-strict",
        }
    }

    /// The same schedule with a chunk size; an error if the schedule takes no chunk.
    fn with_chunk(self, chunk: u64) -> Result<Schedule, ParseError> {
        let name = self.name();
        match self {
            Schedule::Static { .. } => Ok(Schedule::Static { chunk: Some(chunk) }),
            Schedule::Dynamic { .. } => Ok(Schedule::Dynamic { chunk }),
            Schedule::Guided { .. } => Ok(Schedule::Guided { chunk }),
            Schedule::NumaSteal(_) => Err(ParseError::new(
                format!("\"{name}\" steals one iteration at a time and takes no chunk"),
                format!("write {name}"),
            )),
            Schedule::Auto | Schedule::Runtime | Schedule::Tasks(_) | Schedule::Align | Schedule::File(_) => {
                Err(ParseError::new(format!("\"{name}\" takes no chunk"), format!("write {name}")))
            }
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        match *self {
            Schedule::Static { chunk: Some(chunk) } => f.pad(&format!("{name},{chunk}")),
            Schedule::Dynamic { chunk } | Schedule::Guided { chunk } if chunk > 1 => {
                f.pad(&format!("{name},{chunk}"))
            }
            Schedule::File(file) => file.fmt(f),
            Schedule::Static { chunk: None }
            | Schedule::Dynamic { .. }
            | Schedule::Guided { .. }
            | Schedule::NumaSteal(_)
            | Schedule::Auto
            | Schedule::Runtime
            | Schedule::Tasks(_)
            | Schedule::Align => f.pad(name),
        }
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
        let known = Schedule::ALL.into_iter().find(|schedule| schedule.name() == name);
        let schedule = known.ok_or_else(|| ParseError::unknown("policy", name, &Schedule::NAMES))?;
        chunk.map_or(Ok(schedule), |chunk| schedule.with_chunk(chunk))
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
    fn queues_have_one_name() {
        for queue in QueueKind::ALL {
            let name = queue.name();
            assert_eq!(Schedule::Tasks(Some(queue)).name(), format!("tasks:{name}"));
        }
    }

    /// Each iteration stands for 16 iterations of the program: a chunk of 64 becomes 4, 65 becomes 5, 1 becomes 1.
    #[test]
    fn chunks_count_iterations_of_the_program() {
        for (schedule, expected) in [
            ("dynamic,64", "dynamic,4"),
            ("guided,65", "guided,5"),
            ("static,1", "static,1"),
            ("static", "static"),
            ("tasks", "tasks"),
        ] {
            let schedule: Schedule = schedule.parse().unwrap();
            assert_eq!(schedule.in_units_of(16), expected.parse().unwrap(), "{schedule}");
            assert_eq!(schedule.in_units_of(1), schedule);
            assert_eq!(schedule.in_iterations_of(16).in_units_of(16), schedule);
        }
    }

    #[test]
    fn refuses_unknown_schedules() {
        for text in ["", "statik", "static,0", "dynamic,-1", "numa-steal:random,2", "guided,x"] {
            assert!(text.parse::<Schedule>().is_err(), "{text}");
        }
    }
}
