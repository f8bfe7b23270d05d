//! Analytic models beside the simulation: as a table, as JSON, as CSV, as the roofline picture.

mod roofline;
mod table;

pub use roofline::model_svg;
pub use table::model_table;

use crate::csv_text::written;
use crate::json::readable;
use numalab_results::{Model, ModelPoint};

/// One object with everything.
pub fn model_json(model: &Model) -> String {
    readable(model)
}

const HEADER: [&str; 15] = [
    "machine",
    "machine_hash",
    "workload",
    "workload_hash",
    "policy",
    "threads",
    "simulated_ps",
    "roofline_ps",
    "extended_ps",
    "roofline_error",
    "extended_error",
    "bytes",
    "flops",
    "bandwidth_bytes_per_s",
    "peak_flop_per_s",
];

/// One row for each size of the team, under a header.
pub fn model_csv(model: &Model) -> String {
    let row = |point: &ModelPoint| {
        let error = |error: Option<f64>| error.map_or(String::new(), |error| error.to_string());
        let Model { machine, workload, policy, .. } = model;
        let names = [&machine.name, &machine.hash, &workload.name, &workload.hash, policy];
        let mut row = names.map(String::clone).to_vec();
        row.extend([
            point.threads.to_string(),
            point.simulated_ps.to_string(),
            point.roofline_ps.to_string(),
            point.extended_ps.to_string(),
            error(point.roofline_error),
            error(point.extended_error),
            point.bytes().to_string(),
            point.flops().to_string(),
            point.bandwidth_bytes_per_s.to_string(),
            point.peak_flop_per_s.to_string(),
        ]);
        row
    };
    written(std::iter::once(HEADER.map(str::to_owned).to_vec()).chain(model.points.iter().map(row)))
}

#[cfg(test)]
mod tests;
