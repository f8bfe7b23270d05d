//! Results as text for people and programs: terminal tables, Markdown, JSON, CSV and Parquet.
//!
//! All functions are pure: from results to a string or a writer; nothing is printed and no file is opened.
//!
//! [`table`], [`markdown`], [`csv()`] and [`json`] accept every kind of result that can be shown in this form. The
//! public modules are for `draw`: names, units and choices of rows that a picture shares with its table.

mod delta;
pub mod facts;
#[cfg(test)]
mod fixtures;
mod frame;
mod json;
mod machine;
pub mod numbers;
mod page;
pub mod quantity;
mod style;
pub mod team;
pub mod views;

pub use frame::{csv_text, frame_csv, frame_jsonl, frame_parquet};
pub use json::{escaped_json, json};
pub use machine::{dot, hwloc_xml, link_facts, node_depth, numactl, path, runtime, tree};
pub use numalab_base::{printable, printable_lines};
pub use numbers::{grouped, time};
pub use page::{Rows, View, csv, markdown, table};
pub use style::{Bars, Style};
pub use views::explanation::{Blamed, Recoverable};
pub use views::validation::{ExperimentRows, RowCommands, ValidationSums};
pub use views::{
    FittedRow, MeasuredKind, OriginRow, OriginTable, gate_annotations, gate_junit, protocol_dot,
    replay_sentences,
};
