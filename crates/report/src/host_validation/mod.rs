//! Measurements of a user's own machine beside simulated values: a table, JSON, CSV, a picture.

mod cases;
mod off;
mod picture;
mod table;
#[cfg(test)]
mod tests;

use crate::export::rows;
use crate::json::readable;
use numalab_results::HostValidation;

pub use picture::host_validation_svg;
pub use table::host_validation_table;

/// All of it as one JSON object.
pub fn host_validation_json(validation: &HostValidation) -> String {
    readable(validation)
}

/// One row per measurement under a header.
pub fn host_validation_csv(validation: &HostValidation) -> String {
    let header = "experiment,quantity,params,unit,role,measured,spread,samples,dropped,disturbed,simulated,error,\
                  limit,within,reason";
    rows(&validation.rows, header)
}
