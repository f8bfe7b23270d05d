//! Results as text for people and programs: terminal tables, Markdown, JSON, CSV, Parquet and SVG.
//!
//! All functions are pure: from results to a string or a writer; nothing is printed and no file is opened.
//!
//! [`table`], [`markdown`], [`csv()`] and [`json`] take every kind of result that has such a form;
//! each picture has its own function.

mod activities;
mod chart;
mod delta;
#[cfg(test)]
mod fixtures;
mod frame;
mod json;
mod machine;
mod numbers;
mod page;
#[cfg(test)]
mod picture_checks;
mod pictures;
mod run_page;
mod style;
mod team;
mod trace;
mod views;

pub use frame::{frame_csv, frame_jsonl, frame_parquet};
pub use json::json;
pub use machine::{dot, path, runtime, tree};
pub use numbers::{grouped, time};
pub use page::{Rows, View, csv, markdown, table};
pub use pictures::{
    comparison_svg, distances_svg, graph_svg, host_validation_svg, model_svg, pareto_svg, plot_html,
    plot_svg, schedule_svg, series_svg, shared_pages_svg,
};
pub use run_page::run_page;
pub use style::{Bars, Style};
pub use trace::{ParaverFiles, paraver, perfetto, timeline_parquet};
pub use views::{FittedRow, gate_annotations, gate_junit, protocol_dot, replay_sentences};
