//! Result records: flat, with units in names, versioned.
//!
//! Of the simulator's core, this crate uses only the declarations of counts. So other programs can read results with
//! this crate alone.

#![warn(missing_docs)]

mod by_node;
mod chart;
mod clinic;
mod comparison;
mod counts;
mod distances;
mod explanation;
mod figures;
mod finding;
mod frame;
mod frame_comparison;
mod gate;
pub mod guard;
mod host_validation;
mod influence;
mod layout;
mod model;
mod page_sharing;
mod pareto;
mod place_list;
mod protocol;
mod rank;
mod replay;
mod replicas;
mod run;
mod series;
mod sweep;
mod team_time;
mod thread_placement;
mod timeline;
mod validation;
mod values;
mod version;

pub use chart::{Chart, ChartAxis, ChartLine, ChartPanel, Mark};
pub use clinic::{Clinic, Learner, LoopSchedule, LoopSchedules, Together};
pub use comparison::{Binding, Comparison, Influences, Input, OriginOf};
pub use counts::{
    BytesByLevel, Executed, NodeCounts, NodeTime, PageFaults, PhaseCounts, PhaseSharing, TaskCounts,
};
pub use distances::{Deviation, DistanceTable, Matrix, Reference};
pub use explanation::{
    Advice, Amdahl, Blame, Bottleneck, ExplainedPhase, Explanation, HotSpot, IdealShare, Ideals, LeftOut,
    OriginTimes, RegionBytes, SpeedupPoint, VirtualSpeedup,
};
pub use figures::{Busiest, Figures};
pub use finding::Finding;
pub use frame::{Cell, CellKind, Column, Frame, Role};
pub use frame_comparison::{Change, FrameComparison, PolicyChange};
pub use gate::{Broken, GateReport, Verdict, Violation};
pub use host_validation::{HostRow, HostValidation, Intervals};
pub use influence::Influence;
pub use layout::{Layout, Sharing};
pub use model::{CacheRoof, Model, ModelArray, ModelPhase, ModelPoint, Roof};
pub use numalab_counts::{ByNode, EngineCounts};
pub use page_sharing::{PageRow, PageSharing, PageStop};
pub use pareto::{Objective, ParetoFront, ParetoPoint};
pub use place_list::{PlaceList, TourRecord};
pub use protocol::{NeverRow, ProtocolRow, ProtocolTable, Word};
pub use rank::{Better, RankRow, RankTable};
pub use replay::{HeldAgainst, Met, MetTeam, Replay};
pub use replicas::Replicas;
pub use run::{MeasureValue, Member, Resource, Run};
pub use series::{Measure, Point, PointRun, Series, Summary};
pub use sweep::{Contest, Entrant, SweepSummary};
pub use team_time::TeamTime;
pub use thread_placement::{PlacementRecord, ThreadPlacement};
pub use timeline::{
    Account, Handover, PairTraffic, ResourceKind, SpanKind, TaskDistance, Timeline, TimelinePhase,
    TimelineResource, TimelineSpan, TimelineThread, put_together,
};
pub use validation::{Score, Validation, ValidationRow};
pub use values::{PhaseValue, Unit};
pub use version::{OtherVersion, RecordError, SCHEMA_VERSION, read_record, renamed_column};
