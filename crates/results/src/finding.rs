//! Findings: what stands out in a run.

use serde::{Deserialize, Serialize};

/// Something that stands out in a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Name: `tasks-too-fine`, `tasks-too-coarse`, `producer-bound`, `numa-blind`.
    pub name: String,
    /// One sentence with the figures that show it.
    pub evidence: String,
}
