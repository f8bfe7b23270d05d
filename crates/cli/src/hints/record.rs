//! Advice for `numalab record`.

use crate::failure::Failure;
use crate::output::plain;
use numalab_recorder::RecordError;

/// Failure of a recording, with advice if other flags or another program can help.
pub fn not_recorded(error: RecordError) -> Failure {
    let problem = match &error {
        RecordError::Folder(error) => format!("the folder for the events cannot be used: {}", plain(error)),
        error => error.to_string(),
    };
    let advice = match error {
        RecordError::NoProgram { .. } => "the program follows \"--\", as in: numalab record -- ./prog args",
        RecordError::NoLibomp(_) | RecordError::LibompMissing(_) => "or name it with --libomp FILE",
        RecordError::Silent { .. } => "name another one with --libomp FILE",
        RecordError::NoOmpt => "another OpenMP library can stand in for it: --libomp FILE",
        RecordError::NoCompiler { .. } | RecordError::NotBuilt { .. } => "name another compiler with --cc",
        RecordError::Static(_)
        | RecordError::Folder(_)
        | RecordError::Failed { .. }
        | RecordError::Processes(_)
        | RecordError::Unfinished
        | RecordError::Raw { .. }
        | RecordError::Elsewhere { .. }
        | RecordError::Write(_)
        | RecordError::Stopped => return Failure::Run(problem),
    };
    Failure::stopped(problem, advice)
}
