//! Findings: diagnoses of a run, each with the figures that show it.

use serde::{Deserialize, Serialize};

/// A diagnosis of a run, such as tasks that are too fine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Name, such as `tasks-too-fine`, `producer-bound`, `page-faults` or `slower-than-one-thread`.
    pub name: String,
    /// One sentence with the figures on which the diagnosis rests.
    pub evidence: String,
}
