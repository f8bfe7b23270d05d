//! Texts to trees with positions, expressions and ranges of values, with errors that point at a line.

pub mod cells;
pub mod diagnostics;
pub mod expression;
pub mod files_read;
pub mod nearest;
pub mod report;
pub mod scratch;
pub mod steps;
pub mod streams;
pub mod text_file;
pub mod toml_tree;
pub mod tree;
pub mod typed_values;
pub mod yaml_tree;
