//! Results as pictures: SVG, the report for a browser, and traces of runs over time.
//!
//! All functions are pure: from results to a string or a writer; nothing is printed and no file is opened.
//!
//! Each picture has its own function. Numbers, names and facts are shown as in the tables of `report`.

mod activities;
mod chart;
#[cfg(test)]
#[path = "../../report/src/fixtures/mod.rs"]
pub mod fixtures;
#[cfg(test)]
mod picture_checks;
mod pictures;
mod run_page;
mod trace;

pub use pictures::{
    comparison_svg, distances_svg, graph_svg, host_validation_svg, model_svg, pareto_svg, plot_html,
    plot_svg, schedule_svg, series_svg, shared_pages_svg,
};
pub use run_page::run_page;
pub use trace::{ParaverFiles, paraver, perfetto, timeline_parquet};
