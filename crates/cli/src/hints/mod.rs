//! Advice on what to type instead, for errors of crates that do not know the command line.

mod advice;
mod calibrate;
mod files;
mod on_machine;
mod record;
mod run_command;
mod slurm;
mod view;

pub use advice::{remedy, remedy_in_program};
pub use calibrate::{measured_by, not_built, nothing_measured};
pub use files::{frame, run_counts};
pub use on_machine::{on_machine, typed};
pub use record::not_recorded;
pub use run_command::run_command;
pub use view::view;

use crate::excerpt;
use crate::failure::Failure;
use numalab_openmp::binding::BindingError;
use numalab_study::{SimulationError, SpecError, StudyError, most_threads};

/// Flags that print all distances, named below a summary by level.
pub const ALL_DISTANCES: &str = "--format csv, --format json, --svg FILE";

/// Commands that print all points, named below a summary that omits points.
pub const ALL_POINTS: &str = "-o results.csv writes all points, numalab rank ranks them";

/// Flags or variables that set the places, pages and processors of a run, as messages name them.
#[derive(Clone, Copy, Debug)]
pub struct Sources {
    /// Flag or variable that sets the places of the threads.
    pub places: &'static str,
    /// Flag or variable that sets the nodes of the pages.
    pub placement: &'static str,
    /// Flag or variable that sets the processor list.
    pub processors: &'static str,
}

impl Default for Sources {
    fn default() -> Sources {
        Sources { places: "--places", placement: "--placement", processors: "--procs" }
    }
}

/// Failure for a specification that describes no valid run, with advice.
pub fn spec(error: SpecError, Sources { places: places_from, placement, processors }: Sources) -> Failure {
    let problem = error.to_string();
    let advice = match error {
        SpecError::Input(diagnostics) => return Failure::Input(diagnostics),
        SpecError::Binding { workload, text, error } => {
            let (flag, key) = match &error {
                BindingError::Places(_) => (places_from, "places"),
                BindingError::ProcBind(_) => ("--proc-bind", "proc_bind"),
            };
            let from = workload.map_or(flag.to_owned(), |name| format!("{key} of workload {name}"));
            return excerpt::failure(&from, &text, error.error());
        }
        SpecError::Processors(error) => {
            return Failure::request(format!("{processors}: {}", error.problem()), error.remedy());
        }
        SpecError::Placement { node, machine, nodes } => {
            return Failure::request(
                format!("{placement} names node {node}, but {machine} has {nodes}"),
                format!("its nodes are 0-{}", nodes.saturating_sub(1)),
            );
        }
        SpecError::NoMemory { node, machine, with_memory } => {
            return Failure::request(
                format!("{placement} names node {node}, which has no memory on {machine}"),
                format!("nodes with memory: {with_memory}"),
            );
        }
        SpecError::NodeName { ref name, ref machine, ref known } => {
            let names: Vec<&str> = known.iter().map(String::as_str).collect();
            let near = numalab_syntax::nearest::nearest(name, names.iter().copied());
            let remedy = match (near, names.is_empty()) {
                (Some(near), _) => format!("did you mean \"{near}\"?"),
                (None, true) => {
                    "its nodes are numbered 0 to N-1; numalab help sim lists the placement policies"
                        .to_owned()
                }
                (None, false) => format!("it has {}", names.join(", ")),
            };
            return Failure::request(
                format!("{placement} names nodes \"{name}\", which {machine} does not have"),
                remedy,
            );
        }
        SpecError::TooMany { processors, listed, .. } => {
            let more = if listed { ", or name more processors" } else { "" };
            Some(format!("ask for fewer (--threads {}){more}", most_threads(processors)))
        }
        SpecError::NoFootprints { .. } => {
            Some("compare policies that do not, such as static, dynamic, guided or tasks:central".to_owned())
        }
        SpecError::Region { ref name, ref known } => {
            numalab_syntax::nearest::nearest(name, known.iter().map(String::as_str))
                .map(|name| format!("did you mean \"{name}\"?"))
        }
        SpecError::SharedPages { .. } => {
            Some("--set machine.dsm.master=starter or first-touch sets where pages begin".to_owned())
        }
        SpecError::AllWritten { .. } => {
            Some("other placements: numalab help sim; regions: numalab show WORKLOAD".to_owned())
        }
        SpecError::Machine(_) | SpecError::Empty => None,
    };
    Failure::Request { problem, advice }
}

impl From<StudyError> for Failure {
    fn from(error: StudyError) -> Failure {
        if error.is_stop() {
            return Failure::Interrupted("no result is complete".to_owned());
        }
        let problem = error.to_string();
        let advice = match error {
            StudyError::Spec(error) => return spec(error, Sources::default()),
            StudyError::OneOf { run, error } => return Failure::from(*error).of(&run),
            StudyError::At { place, error } => return Failure::from(*error).of(&place),
            StudyError::Reference { .. } => return Failure::Run(problem),
            StudyError::Simulation { error, .. } => simulation(&error),
            StudyError::TooManyPieces { .. } => {
                Some("take fewer iterations, or a larger CHUNK (-p dynamic,CHUNK)".to_owned())
            }
            StudyError::TooManyMeetings { .. } => {
                Some("take fewer threads (--threads) or repeat it less often".to_owned())
            }
            StudyError::Schedule { .. } | StudyError::Distances { .. } => None,
        };
        Failure::Request { problem, advice }
    }
}

/// Advice for an error of a simulation; `None` if there is none to give.
fn simulation(error: &SimulationError) -> Option<String> {
    match error {
        SimulationError::MemoryFull { .. } => Some(
            "use a smaller workload (--set workload.PARAMETER=…) or a machine with more memory \
             (--set machine.memory.capacity=…)"
                .to_owned(),
        ),
        SimulationError::Livelock { .. } => Some(
            "this is a bug, not your mistake; please report it with the command line and the input files"
                .to_owned(),
        ),
        SimulationError::Teams { teams, .. } => Some(format!("use a multiple of {teams} (--threads)")),
        SimulationError::ReplicaWritten { .. } => {
            Some("without a region, --placement replicate takes those that are only read".to_owned())
        }
        SimulationError::NoSuchNode { .. }
        | SimulationError::CopiesOfSharedPages { .. }
        | SimulationError::NoMemory { .. }
        | SimulationError::LongRound { .. }
        | SimulationError::NotOverPages { .. }
        | SimulationError::NoPeerNode { .. }
        | SimulationError::Stuck { .. }
        | SimulationError::TooLong { .. }
        | SimulationError::Stopped
        | SimulationError::TooMuchWork { .. } => None,
    }
}
