//! Reads files into checked trees and writes them; errors show their line.
//!
//! A file goes through these steps, one module each:
//!
//! 1. `lookup` finds and reads the text that a name means;
//! 2. `numalab_syntax` parses the text to a tree in which every value and key has its position;
//! 3. `overrides` puts the values of `--set` into the tree;
//! 4. `structure` checks the tree against the JSON Schema of the file type (`machine_file`, `workload_file`,
//!    `runtime_file`, `sweep_file`, `policy_file`; `table` derives tables of parameters from their declarations) and replaces wrong
//!    values, so that the result can always be deserialised;
//! 5. `read` passes the file to a function that makes the value, such as those of the crate `lower`.
//!
//! Steps 3 to 5 report to one list, so that a user sees all errors of a file at once.
//!
//! Policies are files that other files name (`schedule: tss`), so `policy` reads and lowers them here.
//!
//! `text` and `yaml_text` write files, `machine_write` makes the file of a machine, `reference` describes the file
//! types as Markdown, from their schemas.

mod catalogue;
mod distances;
mod entry;
mod facts;
mod held;
pub mod lookup;
pub mod machine_file;
mod machine_write;
pub mod origins;
mod overrides;
mod policy;
pub mod policy_file;
pub mod quantity;
mod read;
mod reference;
mod resolved;
pub mod runtime_file;
pub mod schema;
mod series_text;
pub mod structure;
pub mod sweep_file;
pub mod synthetic;
pub mod table;
mod text;
pub mod workload_file;
mod written;
mod yaml_text;

pub use catalogue::{Item, catalogue};
pub use distances::{DistanceMatrix, distance_matrix_from_text};
pub use entry::{Entry, entry, entry_in, template};
pub use facts::Facts;
pub use held::{HeldText, is_held};
pub use lookup::{Kind, is_built_in, is_known, published_rows};
pub use overrides::{Origin, Override, Overrides, parse_overrides};
pub use policy::{PolicyError, checked_policy, is_built_in_policy, policy, policy_names, schedule};
pub use read::{Loaded, ReadFile};
pub use reference::reference;
pub use resolved::ResolvedText;
pub use series_text::{PREFIX as SERIES_PREFIX, parse_series};
pub use text::{machine_text, runtime_text};
pub use written::{WrittenValue, written_values};
