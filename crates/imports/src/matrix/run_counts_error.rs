//! Errors of counts from a run.

use numalab_results::OtherVersion;
use numalab_syntax::diagnostics::{Diagnostic, Diagnostics, Source};
use std::fmt;

/// Why results yield no table of counts. `file` is the file's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunCountsError {
    /// The file cannot be read.
    Unreadable(Diagnostics),
    /// They are of another version.
    Version {
        /// The file.
        file: String,
        /// Its version.
        version: OtherVersion,
    },
    /// It is something else.
    NoResults {
        /// The file.
        source: Source,
        /// Place of the mistake, and how it is told.
        at: Box<Diagnostic>,
    },
    /// They are of no run.
    NoRuns {
        /// The file.
        file: String,
    },
    /// They are of several runs, and nobody said which is meant.
    SeveralPolicies {
        /// The file.
        file: String,
        /// The policies of the runs.
        policies: Vec<String>,
    },
    /// They are of other policies than the one that is meant.
    NoSuchPolicy {
        /// The file.
        file: String,
        /// The policy, shortened.
        policy: String,
        /// The policies that there are, or the nearest one.
        nearest: String,
    },
    /// The run counts no nodes or no threads.
    NoTeam {
        /// The file.
        file: String,
        /// The run's policy.
        policy: String,
    },
    /// The run has more counts than anybody wants.
    TooMany {
        /// The file.
        file: String,
        /// The run's policy.
        policy: String,
        /// Its threads.
        threads: usize,
        /// Its nodes.
        nodes: u32,
        /// Most counts of a table.
        most: u64,
    },
    /// A thread counts bytes of a node that the machine does not have.
    NoSuchNode {
        /// The file.
        file: String,
        /// The run's policy.
        policy: String,
        /// The thread.
        thread: u32,
        /// The node.
        node: u32,
        /// Nodes of the machine.
        nodes: u32,
    },
}

impl fmt::Display for RunCountsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunCountsError::Unreadable(diagnostics) => diagnostics.fmt(f),
            RunCountsError::Version { file, version } => write!(f, "{file} {version}"),
            RunCountsError::NoResults { source, at } => {
                Diagnostics::new(vec![source.clone()], vec![(**at).clone()]).fmt(f)
            }
            RunCountsError::NoRuns { file } => write!(f, "{file} has no runs"),
            RunCountsError::SeveralPolicies { file, policies } => {
                write!(f, "{file} has runs of {} policies", policies.len())
            }
            RunCountsError::NoSuchPolicy { file, policy, .. } => {
                write!(f, "{file} has no run of policy `{policy}`")
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
