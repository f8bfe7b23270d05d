//! The team of a request: how many threads, and where.

use crate::Request;
use numalab_machine::{Fabric, Problem, ProcessorId};
use numalab_openmp::binding::{Binding, BindingError, ThreadBinding, place_nested, place_team};
use numalab_openmp::places::Allowed;
use numalab_simulator::{Seating, Team};
use std::fmt;

/// Threads that may share a hardware thread on average. More is a slip, and would fill the memory.
pub const MOST_PER_PROCESSOR: u32 = 16;
/// Threads of the largest team.
pub const MOST_THREADS: u32 = 1_000_000;

/// Why a team cannot be placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TeamError {
    /// The machine is not sound.
    Machine(Vec<Problem>),
    /// The machine has no processor of this number.
    NoProcessor(u32),
    /// A team needs a thread and a processor.
    Empty,
    /// More threads than can be meant.
    TooMany {
        /// Threads asked for.
        threads: u32,
        /// Processors that they may run on.
        processors: u32,
    },
    /// The places or the policies are wrong.
    Binding(BindingError),
}

/// The most threads that so many processors take.
pub fn most_threads(processors: u32) -> u32 {
    processors.saturating_mul(MOST_PER_PROCESSOR).min(MOST_THREADS)
}

impl fmt::Display for TeamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TeamError::Machine(problems) => {
                let lines: Vec<_> = problems.iter().map(Problem::to_string).collect();
                f.write_str(&lines.join("\n"))
            }
            TeamError::NoProcessor(number) => write!(f, "the machine has no processor {number}"),
            TeamError::Empty => f.write_str("a team needs at least one thread and one processor"),
            TeamError::TooMany { threads, processors } => {
                let plural = if *processors == 1 { "" } else { "s" };
                write!(
                    f,
                    "a team of {threads} threads is too large for {processors} processor{plural}: at most {} \
                     ({MOST_PER_PROCESSOR} for each, never more than {MOST_THREADS})",
                    most_threads(*processors)
                )
            }
            TeamError::Binding(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TeamError {}

/// Where the threads of a request will be, without running anything.
pub fn placement(request: &Request) -> Result<ThreadBinding, TeamError> {
    let fabric = Fabric::new(&request.machine.value).map_err(TeamError::Machine)?;
    on_fabric(request, &fabric)
}

/// The team that runs.
pub(crate) fn team(request: &Request, fabric: &Fabric) -> Result<Team, TeamError> {
    Ok(Team::on(fabric, on_fabric(request, fabric)?.processors().map(ProcessorId::number)))
}

fn on_fabric(request: &Request, fabric: &Fabric) -> Result<ThreadBinding, TeamError> {
    let procs = request.procs.as_deref();
    if let Some(number) = procs.into_iter().flatten().find(|number| **number >= fabric.processors()) {
        return Err(TeamError::NoProcessor(*number));
    }
    let allowed = match procs {
        Some(procs) => Allowed::only(fabric.processors(), procs.iter().copied()),
        None => Allowed::all(fabric.processors()),
    };
    let threads = request.threads.unwrap_or(procs.map_or(fabric.cores(), |procs| procs.len() as u32));
    let processors = allowed.count();
    if threads == 0 || processors == 0 {
        return Err(TeamError::Empty);
    }
    if threads > most_threads(processors) {
        return Err(TeamError::TooMany { threads, processors });
    }
    match (bound(request), procs) {
        (Some(binding), _) => {
            let seating = Seating::new(&request.machine.value, fabric);
            let placed = match inner_teams(request, threads) {
                Some(teams) => place_nested(binding, teams, threads / teams, &seating, &allowed),
                None => place_team(binding, threads, &seating, &allowed),
            };
            placed.map_err(TeamError::Binding)
        }
        // In the order of the list, again from its start where threads are left.
        (None, Some(procs)) => Ok(ThreadBinding::fixed(
            procs.iter().copied().cycle().take(threads as usize).map(ProcessorId::new),
        )),
        (None, None) => {
            let close = Team::close(fabric, threads);
            Ok(ThreadBinding::fixed(close.members.iter().map(|member| ProcessorId::new(member.processor))))
        }
    }
}

/// Into how many inner teams the first phase that has any divides the threads. Threads that do not divide
/// evenly are refused when the phase is to run.
fn inner_teams(request: &Request, threads: u32) -> Option<u32> {
    let nested = request.workload.value.phases.iter().find(|phase| phase.teams > 1)?;
    threads.is_multiple_of(nested.teams).then_some(nested.teams)
}

/// What was said about binding, if anything.
fn bound(request: &Request) -> Option<&Binding> {
    request.binding.as_ref().filter(|binding| !binding.is_empty())
}
