//! Views of each kind of result: a page for readers, rows for files.

mod changes;
mod comparison;
pub(crate) mod distances;
pub(crate) mod explanation;
mod fitted;
mod gate;
pub(crate) mod host_validation;
mod model;
pub(crate) mod off;
pub(crate) mod pareto;
mod places;
mod protocol;
mod rank;
mod replay;
pub(crate) mod series;
pub(crate) mod summary;
mod sweep;
mod thread_placement;
mod validation;

pub use fitted::FittedRow;
pub use gate::{gate_annotations, gate_junit};
pub use protocol::protocol_dot;
pub use replay::replay_sentences;
