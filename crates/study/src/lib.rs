//! Runs, and studies of several runs: comparisons of policies, series over a parameter, performance models.
//!
//! A [`RunSpec`] has the settings of a run as given by the user. [`RunSpec::resolve`] reads the files and fills in
//! defaults. The [`ResolvedRun`] is simulated; its hash identifies the result.

mod answer;
mod bottleneck;
mod crossed;
mod distances;
mod error;
mod extent;
mod files;
mod findings;
mod hash;
mod in_order;
mod known_runs;
pub mod measured;
mod memo;
mod model;
mod page_record;
mod probe;
pub mod processors;
mod progress;
mod replayed;
mod replicas;
mod resolved;
mod sequential;
mod series;
mod simulate;
mod spec;
mod spec_error;
mod timeline;
mod to_results;
mod unknowns;
mod variants;
mod waiting;

pub use answer::{Answered, answer, answer_watched};
pub use bottleneck::{bottleneck, loss_name};
pub use crossed::{Curve, MOST_RUNS, PointsOfCurve, crossed};
pub use distances::{distances, firmware as firmware_distances, matrix as distance_matrix};
pub use error::StudyError;
pub use extent::{MANY_THREADS, MOST_MEETINGS, MOST_PIECES};
pub use files::{Files, SealedMachine};
pub use hash::{RunHash, SettingHash};
pub use in_order::in_order;
pub use measured::Measured;
pub use memo::Memo;
pub use model::model;
pub use progress::{Progress, Silent, Tally, Weighed};
pub use replayed::{between_ends, has_ends, other_end, with_value};
pub use replicas::ReplicaCount;
pub use resolved::{ResolvedRun, runtime_name};
pub use series::series;
pub use simulate::layout;
pub use spec::{Given, RunSpec};
pub use spec_error::{MOST_PER_PROCESSOR, MOST_THREADS, SpecError, most_threads};
pub use timeline::{Watch, trace_limit, trace_window};
pub use unknowns::Unknown;
pub use variants::{Variant, variants};
pub use waiting::unread as unread_variables;

pub use numalab_simulator::SimulationError;
