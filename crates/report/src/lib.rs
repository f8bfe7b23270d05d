//! Terminal tables, JSON, CSV and SVG: what becomes of results. Every function here is pure, from
//! records to a string: nothing is printed and no file is opened.

mod bars;
mod beside;
mod chart;
mod colour;
mod csv_text;
mod distances;
mod export;
mod fitted;
#[cfg(test)]
mod fixtures;
mod frame;
mod frame_compare;
mod gate;
mod host_validation;
mod ink;
mod json;
mod markdown;
mod model;
mod numbers;
mod pareto;
mod picture;
#[cfg(test)]
mod picture_checks;
mod places;
mod plot;
mod protocol;
mod rank;
mod series;
mod show;
mod style;
mod summary;
mod sweep;
mod table;
mod thread_placement;
mod validation;

pub use distances::{distances_csv, distances_json, distances_svg, distances_table};
pub use export::{csv, json, validation_csv, validation_json};
pub use fitted::{FittedRow, fitted_table};
pub use frame::{frame_csv, frame_jsonl, frame_parquet};
pub use frame_compare::{frame_comparison_csv, frame_comparison_json, frame_comparison_table};
pub use gate::{gate_annotations, gate_junit, gate_markdown, gate_table};
pub use host_validation::{
    host_validation_csv, host_validation_json, host_validation_svg, host_validation_table,
};
pub use model::{model_csv, model_json, model_svg, model_table};
pub use pareto::{pareto_csv, pareto_json, pareto_markdown, pareto_svg, pareto_table};
pub use picture::svg;
pub use places::{places_csv, places_json, places_table};
pub use plot::{plot_html, plot_svg};
pub use protocol::{protocol_csv, protocol_dot, protocol_json, protocol_markdown, protocol_table};
pub use rank::{rank_csv, rank_json, rank_markdown, rank_table};
pub use series::{series_csv, series_json, series_svg, series_table};
pub use show::{dot, graph_svg, path, runtime, tree};
pub use style::{Bars, Style};
pub use sweep::sweep_table;
pub use table::table;
pub use thread_placement::{thread_placement_csv, thread_placement_json, thread_placement_table};
pub use validation::validation_table;
