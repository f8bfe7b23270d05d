//! Writers of rows for other programs: CSV, JSON Lines, Parquet. Rows are written as they arrive.

mod csv;
mod jsonl;
mod parquet;
#[cfg(test)]
mod tests;

pub use csv::{csv_text, frame_csv};
pub use jsonl::frame_jsonl;
pub use parquet::frame_parquet;
