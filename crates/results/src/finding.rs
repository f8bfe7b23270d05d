//! Findings: diagnoses of a run, each with the figures that show it.

use serde::{Deserialize, Serialize};

/// A diagnosis of a run, such as tasks that are too fine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Name: `tasks-too-fine`, `tasks-too-coarse`, `producer-bound`, `numa-blind`.
    pub name: String,
    /// One sentence with the figures on which the diagnosis rests.
    pub evidence: String,
}
