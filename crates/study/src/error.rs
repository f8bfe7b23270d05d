//! Why a study has no answer.

use crate::SpecError;
use crate::extent::{MANY_THREADS, MOST_MEETINGS, MOST_PIECES};
use numalab_formats::Diagnostics;
use numalab_simulator::SimulationError;
use numalab_workload::Schedule;
use std::fmt;

/// Why a study has no answer.
#[derive(Clone, Debug)]
pub enum StudyError {
    /// The question describes no run.
    Spec(SpecError),
    /// One of several runs.
    OneOf {
        /// Parameter in which it differs from the others, and its value.
        run: String,
        /// Why it has no answer.
        error: Box<StudyError>,
    },
    /// A run of a phase that stands in a file.
    At {
        /// The file and the line.
        place: String,
        /// Why it has no answer.
        error: Box<StudyError>,
    },
    /// A policy cannot run a phase.
    Schedule {
        /// The policy.
        policy: Schedule,
        /// The phase's name.
        phase: String,
    },
    /// A phase hands out more pieces one by one than are simulated.
    TooManyPieces {
        /// The phase's name.
        phase: String,
        /// The policy that hands them out.
        schedule: Schedule,
        /// Number of pieces.
        pieces: u64,
    },
    /// A large team meets more often than is simulated.
    TooManyMeetings {
        /// The phase's name.
        phase: String,
        /// Number of meetings.
        times: u32,
        /// Threads of the team.
        threads: u32,
    },
    /// A run could not be completed.
    Simulation {
        /// Under which policy; `None` for the phases that all have in common.
        policy: Option<Schedule>,
        /// Why.
        error: SimulationError,
    },
    /// Distances from elsewhere are not of this machine.
    Distances {
        /// Source of the distances.
        source: String,
        /// Nodes with processors there.
        nodes: usize,
        /// The machine's name.
        machine: String,
        /// Nodes of the machine.
        expected: usize,
    },
    /// Measured or published data cannot be used.
    Reference {
        /// The file and the row.
        place: String,
        /// The mistake there.
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
    /// The error of one of several runs.
    pub(crate) fn of(self, run: String) -> StudyError {
        match self {
            // Whoever was nearer to the run knows it best.
            StudyError::OneOf { .. } => self,
            error => StudyError::OneOf { run, error: Box::new(error) },
        }
    }

    /// The phase that it is about.
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

    /// The error with where its phase stands, by the names of phases.
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
                write!(f, "phase {phase} is made of tasks, which {policy} does not execute; {expected}")
            }
            StudyError::TooManyPieces { phase, schedule, pieces } => write!(
                f,
                "phase {phase} has {pieces} pieces under {schedule}, each handed out by itself: at most {MOST_PIECES} \
                 are simulated"
            ),
            StudyError::TooManyMeetings { phase, times, threads } => write!(
                f,
                "phase {phase} repeats its construct {times} times on {threads} threads: a team of more than \
                 {MANY_THREADS} is simulated for at most {} times",
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
