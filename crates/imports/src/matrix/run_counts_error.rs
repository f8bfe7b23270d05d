//! Errors in access counts of a run.

use numalab_results::OtherVersion;
use numalab_syntax::diagnostics::{Diagnostic, Diagnostics, Source};
use std::fmt;

/// Error in results that should yield a table of counts. `file` is the name of the file with the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunCountsError {
    /// The file cannot be read.
    Unreadable(Diagnostics),
    /// The results have another version.
    Version { file: String, version: OtherVersion },
    /// The file holds no results.
    NoResults {
        /// Text of the file.
        source: Source,
        /// Position and message of the error.
        at: Box<Diagnostic>,
    },
    /// The results hold no run.
    NoRuns { file: String },
    /// The results hold several runs, and no policy was given.
    SeveralPolicies { file: String, policies: Vec<String> },
    /// No run has the given policy.
    NoSuchPolicy {
        file: String,
        /// Requested policy, shortened.
        policy: String,
        /// Policies of the runs in the file, or the nearest policy.
        nearest: String,
    },
    /// The run counts no nodes or no threads.
    NoTeam { file: String, policy: String },
    /// The run has more counts than a table may have.
    TooMany {
        file: String,
        policy: String,
        threads: usize,
        nodes: u32,
        /// Largest number of counts that a table may have.
        most: u64,
    },
    /// A thread has bytes of a node that the machine does not have.
    NoSuchNode {
        file: String,
        policy: String,
        thread: u32,
        node: u32,
        /// Number of nodes of the machine.
        nodes: u32,
    },
}

impl fmt::Display for RunCountsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunCountsError::Unreadable(diagnostics) => diagnostics.fmt(f),
            RunCountsError::Version { file, version } => write!(f, "{file}: it {version}"),
            RunCountsError::NoResults { source, at } => {
                Diagnostics::new(vec![source.clone()], vec![(**at).clone()]).fmt(f)
            }
            RunCountsError::NoRuns { file } => write!(f, "{file}: there are no runs"),
            RunCountsError::SeveralPolicies { file, policies } => {
                write!(f, "{file}: there are runs of {} policies", policies.len())
            }
            RunCountsError::NoSuchPolicy { file, policy, .. } => {
                write!(f, "{file}: there is no run of policy `{policy}`")
            }
            RunCountsError::NoTeam { file, policy } => {
                write!(f, "{file}: the run of {policy} counts no nodes or no threads")
            }
            RunCountsError::TooMany { file, policy, threads, nodes, .. } => {
                write!(f, "{file}: the run of {policy} has {threads} threads on {nodes} nodes")
            }
            RunCountsError::NoSuchNode { file, policy, thread, node, .. } => {
                write!(f, "{file}: the run of {policy} has bytes of node {node} in thread {thread}")
            }
        }
    }
}

impl std::error::Error for RunCountsError {}

impl From<Diagnostics> for RunCountsError {
    fn from(diagnostics: Diagnostics) -> RunCountsError {
        RunCountsError::Unreadable(diagnostics)
    }
}
