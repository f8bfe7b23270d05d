//! A run over time, as files for trace viewers.
//!
//! | file | format |
//! |---|---|
//! | `perfetto/` | Perfetto's protobuf, written by hand |
//! | `paraver` | Paraver's text: the trace, its legend, its rows |
//! | `table` | Parquet: a row for each span, resource and bin |

mod paraver;
mod perfetto;
mod table;

pub use paraver::{ParaverFiles, paraver};
pub use perfetto::perfetto;
pub use table::timeline_parquet;
