//! Repetitions that are counted instead of simulated.

pub(crate) mod alone;
pub(crate) mod passes;
pub(crate) mod steady;
