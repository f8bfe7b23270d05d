//! The typed hierarchy of a machine, its checker, its graph, and the fabric of routes.
//!
//! A [`Machine`] has the contents of a machine file, or what [`synthetic`] builds from a short
//! text. [`Machine::check`] finds all its problems. [`Fabric`] is the form that the simulation
//! uses: immutable, small, and fast at routes and latencies. [`graph`] builds a petgraph graph of
//! the same machine, in which a shortest path must agree with the fabric.
//!
//! ```
//! use numalab_machine::{CoreId, Fabric, NodeId, Route, synthetic};
//!
//! let machine = synthetic("board:4 socket:4 core:8")?;
//! let fabric = Fabric::new(&machine).expect("a synthetic machine is sound");
//! let reader = fabric.reader_of(CoreId(127));
//! assert_eq!(fabric.latency(NodeId(0), reader).to_string(), "535 ns");
//!
//! let mut route = Route::default();
//! fabric.route(NodeId(0), reader, &mut route);
//! assert_eq!(fabric.name(route.toward_reader[1].resource), "board-link board 0 -> board 3");
//! # Ok::<(), numalab_machine::SyntheticError>(())
//! ```

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod check;
mod fabric;
mod file_values;
mod graph;
mod groups;
mod ids;
mod link_end;
mod model;
mod numbering;
mod own_memory;
mod parameters;
mod problem;
mod synthetic;
mod totals;
mod wiring;

pub use check::{MAX_LISTED, MAX_MEMORY, MAX_PROCESSORS, MAX_RESOURCES};
pub use fabric::{
    Closeness, Fabric, Hop, LatencyUnderLoad, MemoryPorts, Processor, ResourceClass, Route, Turning,
};
pub use file_values::MachinePart;
pub use graph::{EdgeRole, MachineGraph, Wire, graph};
pub use groups::Groups;
pub use ids::{CoreId, NodeId, ReaderId, ResourceId};
pub use link_end::{LinkEnd, Unit};
pub use model::*;
pub use numalab_base::{NumberList, NumberSequence, ProcessorId, ValueOrigin, ValueOrigins, covers};
pub use parameters::{
    Balancing, Cache, Consistency, Core, Crowding, Daemon, DirtyPages, Dsm, Duplex, LevelKind, Link,
    LoadedLatency, Master, Memory, MemoryAt, MemoryOnly, NodePort, Noise, Numbering, Os, Protocol,
    Reductions, ReleaseLock, Replacement, SKYLAKE_WINDOW, Sharing, Technique, Tiering,
};
pub use problem::Problem;
pub use synthetic::{SyntheticError, defaults, synthetic};
pub use totals::{Totals, totals};
