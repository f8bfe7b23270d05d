//! Pictures as complete SVG documents, built from the shapes and axes of [`crate::chart`].

mod curves;
mod front;
mod graph;
mod heatmap;
mod labels;
mod plot;
mod ratios;
mod roofline;
pub(crate) mod shared_pages;
mod slide;

pub use curves::series_svg;
pub use front::pareto_svg;
pub use graph::graph_svg;
pub use heatmap::distances_svg;
pub use plot::{plot_html, plot_svg};
pub use ratios::host_validation_svg;
pub use roofline::model_svg;
pub use shared_pages::shared_pages_svg;
pub use slide::{schedule_svg, svg as comparison_svg};
