//! Errors of a study.

use crate::SpecError;
use crate::extent::{MANY_THREADS, MOST_MEETINGS, MOST_PIECES};
use numalab_simulator::SimulationError;
use numalab_syntax::diagnostics::Diagnostics;
use numalab_workload::Schedule;
use std::fmt;

#[derive(Clone, Debug)]
pub enum StudyError {
    /// The specification does not describe a valid run.
    Spec(SpecError),
    /// Error of one run out of several.
    OneOf {
        /// Varied parameter of the run with the error, and the parameter's value.
        run: String,
        error: Box<StudyError>,
    },
    /// Error about a phase, with the line that defines the phase.
    At {
        /// File and line.
        place: String,
        error: Box<StudyError>,
    },
    /// A policy cannot execute a phase: which policy, and the name of the phase.
    Schedule { policy: Schedule, phase: String },
    /// A phase has too many chunks for a simulation that requests them one by one.
    TooManyPieces {
        phase: String,
        /// Policy under which threads request the chunks.
        schedule: Schedule,
        /// Number of chunks of the phase.
        pieces: u64,
    },
    /// A large team executes a construct too often to be simulated.
    TooManyMeetings {
        phase: String,
        /// Number of executions of the construct.
        times: u32,
        threads: u32,
    },
    /// The simulator ended a run with an error.
    Simulation {
        /// Policy of the run; `None` for the phases that all policies share.
        policy: Option<Schedule>,
        error: SimulationError,
    },
    /// The distance matrix and the machine have different numbers of nodes.
    Distances {
        /// File of the matrix.
        source: String,
        /// Number of nodes with processors in the matrix.
        nodes: usize,
        machine: String,
        /// Number of nodes of the machine.
        expected: usize,
    },
    /// A row of measured or published data cannot be used.
    Reference {
        /// File and row.
        place: String,
        problem: String,
    },
}

impl From<SpecError> for StudyError {
    fn from(error: SpecError) -> StudyError {
        StudyError::Spec(error)
    }
}

impl From<Diagnostics> for StudyError {
    fn from(diagnostics: Diagnostics) -> StudyError {
        StudyError::Spec(SpecError::Input(diagnostics))
    }
}

impl StudyError {
    /// True if the listener ended the study ([`Progress::stops`](crate::Progress::stops)).
    pub fn is_stop(&self) -> bool {
        match self {
            StudyError::OneOf { error, .. } | StudyError::At { error, .. } => error.is_stop(),
            StudyError::Simulation { error, .. } => *error == SimulationError::Stopped,
            StudyError::Spec(_)
            | StudyError::Schedule { .. }
            | StudyError::TooManyPieces { .. }
            | StudyError::TooManyMeetings { .. }
            | StudyError::Distances { .. }
            | StudyError::Reference { .. } => false,
        }
    }

    /// The error with the name of the run in which it occurred, for studies of several runs.
    pub(crate) fn of(self, run: String) -> StudyError {
        match self {
            // The innermost name of a run is the most precise.
            StudyError::OneOf { .. } => self,
            error => StudyError::OneOf { run, error: Box::new(error) },
        }
    }

    /// Name of the phase that the error is about; `None` for other errors.
    fn phase(&self) -> Option<&str> {
        match self {
            StudyError::Schedule { phase, .. }
            | StudyError::TooManyPieces { phase, .. }
            | StudyError::TooManyMeetings { phase, .. } => Some(phase),
            StudyError::Simulation { error, .. } => error.phase(),
            StudyError::At { .. }
            | StudyError::Spec(_)
            | StudyError::OneOf { .. }
            | StudyError::Distances { .. }
            | StudyError::Reference { .. } => None,
        }
    }

    /// Adds the position of the phase in its file. `places`: positions by name of the phase.
    pub(crate) fn placed(self, places: &[(String, String)]) -> StudyError {
        let of_phase = self.phase().and_then(|phase| places.iter().find(|(name, _)| name == phase));
        match of_phase.map(|(_, place)| place.clone()) {
            Some(place) => StudyError::At { place, error: Box::new(self) },
            None => self,
        }
    }
}

impl fmt::Display for StudyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StudyError::Spec(error) => error.fmt(f),
            StudyError::Schedule { policy, phase } => {
                let expected = Schedule::OF_TASKS;
                write!(f, "phase {phase} consists of tasks, which {policy} cannot execute; {expected}")
            }
            StudyError::TooManyPieces { phase, schedule, pieces } => write!(
                f,
                "phase {phase} hands out {pieces} chunks one by one under {schedule}: at most {MOST_PIECES} \
                 can be simulated"
            ),
            StudyError::TooManyMeetings { phase, times, threads } => write!(
                f,
                "phase {phase} repeats its construct {times} times on {threads} threads: teams of more than \
                 {MANY_THREADS} threads can repeat it at most {} times",
                (MOST_MEETINGS / u64::from(*threads)).max(1)
            ),
            StudyError::OneOf { run, error } => write!(f, "{run}: {error}"),
            StudyError::At { place, error } => write!(f, "{place}: {error}"),
            StudyError::Simulation { policy: Some(policy), error } => write!(f, "{policy}: {error}"),
            StudyError::Simulation { policy: None, error } => error.fmt(f),
            StudyError::Distances { source, nodes, machine, expected } => {
                let plural = |count: &usize| if *count == 1 { "node" } else { "nodes" };
                let (theirs, ours) = (plural(nodes), plural(expected));
                write!(
                    f,
                    "{source} has distances of {nodes} {theirs} with processors, but {machine} has {expected} {ours}"
                )
            }
            StudyError::Reference { place, problem } => write!(f, "{place}: {problem}"),
        }
    }
}

impl std::error::Error for StudyError {}
