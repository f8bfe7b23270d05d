//! The only reader of files: TOML and YAML to machines, workloads and runtimes, every error with its line.
//!
//! A file goes through these steps, one module each:
//!
//! 1. `lookup` finds and reads the text that a name means;
//! 2. `toml_tree` and `yaml_tree` make it a `tree` that remembers where everything was written;
//! 3. `overrides` puts the values of `--set` into the tree;
//! 4. `structure` holds the tree against the JSON Schema of the file type (`machine_file`,
//!    `workload_file`, `runtime_file`; `table` makes tables of parameters of their declarations) and makes it
//!    deserialisable whatever was wrong;
//! 5. `machine_resolve`, `workload_resolve` and `runtime_resolve` turn names into indices and `expression`s into numbers,
//!    and let the whole be checked. A workload is resolved for a machine and a team, whose `facts` its
//!    expressions may use, and brings `questions`: a series of runs, and what is read off them.
//!
//! Steps 3 to 5 report to one list, so that a user sees all errors of a file at once.

mod catalogue;
mod distances;
mod entry;
mod facts;
mod load;
mod lookup;
mod machine_file;
mod machine_resolve;
mod machine_write;
mod matrix_market;
mod overrides;
mod quantity;
mod questions;
mod recorded;
mod reference;
mod resolved;
mod runtime_file;
mod runtime_resolve;
mod schema;
mod series_text;
mod slices;
mod structure;
mod sweep;
mod sweep_file;
mod sweep_resolve;
mod table;
mod text;
mod workload_file;
mod workload_resolve;
mod yaml_text;

pub use catalogue::{Item, catalogue};
pub use distances::{DistanceMatrix, distance_matrix_from_text};
pub use entry::{Entry, entry, entry_in, template};
pub use facts::Facts;
pub use load::{
    Experiment, FreeTeam, Loaded, ReadFile, Recorded, machine, machine_of, read_machine, read_runtime,
    read_workload, runtime, runtime_of, sweep, workload, workload_of,
};
pub use lookup::{Kind, is_built_in, is_known};
pub use numalab_syntax::diagnostics::{Diagnostics, Source};
pub use numalab_syntax::nearest::{close, hint, nearest};
pub use numalab_syntax::text_file::STANDARD_INPUT;
pub use numalab_syntax::{files_read, streams};
pub use overrides::{Origin, Override, Overrides, parse_overrides};
pub use questions::{Change, DisplayUnit, DisplayUnitError, Measure, Point, Questions, Series};
pub use recorded::{
    CORE_RATIOS, has_costs, is_recording, recorded_workload, recording, refused, simulated_recording,
    simulated_team,
};
pub use reference::reference;
pub use resolved::ResolvedText;
pub use schema::{machine_schema, runtime_schema, sweep_schema, workload_schema};
pub use series_text::parse_series;
pub use sweep::{Axis, Condition, Filter, Gate, Rule, Sweep, Threads, matches};
pub use text::{machine_text, runtime_text};
