//! Rows under columns for other programs, written as they come: CSV, JSON Lines, Parquet.

mod csv;
mod jsonl;
mod parquet;
#[cfg(test)]
mod tests;

pub use csv::frame_csv;
pub use jsonl::frame_jsonl;
pub use parquet::frame_parquet;
