//! Views of each kind of result: a page for people, rows for files.

mod changes;
mod clinic;
mod comparison;
pub mod distances;
pub mod explanation;
mod fitted;
mod gate;
pub mod host_validation;
mod influence;
mod model;
pub mod off;
mod origins;
pub mod pareto;
mod places;
mod protocol;
mod rank;
mod replay;
pub mod series;
pub mod summary;
mod sweep;
mod thread_placement;
pub mod validation;

pub use fitted::{FittedRow, MeasuredKind};
pub use gate::{gate_annotations, gate_junit};
pub use origins::{OriginRow, OriginTable};
pub use protocol::protocol_dot;
pub use replay::replay_sentences;
