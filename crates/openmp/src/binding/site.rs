//! Machine and runtime on which a team is placed.

use crate::places::{Allowed, Topology};
use numalab_workload::PlaceRules;

/// Processors that a team is placed on, and the rules of its runtime.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    pub topology: &'a dyn Topology,
    /// Processors that the program may use, of which there must be at least one.
    pub allowed: &'a Allowed,
    pub rules: PlaceRules,
}
