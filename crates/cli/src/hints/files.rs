//! Advice for files that should be results of this program: the command that writes such a file.

use numalab_imports::RunCountsError;
use numalab_result_files::FrameError;
use numalab_syntax::diagnostics::Diagnostics;

/// Error for a file without readable rows of results, with advice.
pub fn frame(error: FrameError) -> Diagnostics {
    let problem = error.to_string();
    match error {
        FrameError::Unreadable(diagnostics) => diagnostics,
        FrameError::Folder(_) => Diagnostics::plain(
            problem,
            "expected a file of results; \"numalab sweep FILE --collect -o results.csv\" writes one from a store",
        ),
        FrameError::Senseless { expected, .. } => Diagnostics::plain(problem, expected),
        FrameError::Renamed { new, .. } => Diagnostics::plain(
            problem,
            format!("run \"numalab sweep FILE -o results.csv\" again, or rename the column to `{new}`"),
        ),
    }
}

/// Error for a file without readable counts of a run, with advice.
pub fn run_counts(error: RunCountsError) -> Diagnostics {
    let problem = error.to_string();
    let help = match error {
        RunCountsError::Unreadable(diagnostics) => return diagnostics,
        RunCountsError::NoResults { source, mut at } => {
            at.label = "expected what `numalab sim --format json` writes".to_owned();
            return Diagnostics::new(vec![source], vec![*at]);
        }
        RunCountsError::Version { version, .. } if version.is_later() => {
            "read it with the NumaLab that wrote it, or a later one".to_owned()
        }
        RunCountsError::Version { .. } => {
            "run \"numalab sim MACHINE WORKLOAD --format json\" again with this program".to_owned()
        }
        RunCountsError::NoRuns { .. } => String::new(),
        RunCountsError::SeveralPolicies { policies, .. } => {
            format!("choose one with --policy: {}", policies.join(", "))
        }
        RunCountsError::NoSuchPolicy { nearest, .. } => nearest,
        RunCountsError::NoTeam { .. } => {
            "expected `layout.nodes` and a `team`, as `numalab sim --format json` writes them".to_owned()
        }
        RunCountsError::TooMany { most, .. } => {
            format!("at most {most} counts are read (threads times nodes)")
        }
        RunCountsError::NoSuchNode { nodes, .. } => {
            format!("`layout.nodes` is {nodes}: nodes are numbered from 0 to one less")
        }
    };
    Diagnostics::plain(problem, help)
}
