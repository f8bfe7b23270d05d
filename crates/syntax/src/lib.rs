//! Texts before anything is known about their meaning: trees that remember where everything was written, expressions,
//! ranges of values, and the errors that point at a line.

pub mod cells;
pub mod diagnostics;
pub mod expression;
pub mod files_read;
pub mod nearest;
pub mod report;
pub mod steps;
pub mod streams;
pub mod text_file;
pub mod toml_tree;
pub mod tree;
pub mod typed_values;
pub mod yaml_tree;
