//! Distances between nodes as ACPI's System Locality Information Table has them, without anything else: the lines of
//! `/sys/devices/system/node/node*/distance` one below the other, or the same as CSV.

use super::Foreign;
use super::page::Page;
use numalab_formats::{DistanceMatrix, distance_matrix_from_text};
use numalab_syntax::diagnostics::Diagnostic;

/// Distance of a node to itself, by ACPI's definition.
const OWN: f64 = 10.0;
/// Largest distance; it stands for no way at all.
const MOST: f64 = 255.0;

/// Whether a text is such a table.
pub fn printed(page: &Page<'_>) -> bool {
    table(page).is_some()
}

pub fn read(page: &Page<'_>, found: &mut Foreign) -> Result<(), Vec<Diagnostic>> {
    let no_table = || {
        let expected = "expected a square of whole numbers with 10 on its diagonal";
        vec![Diagnostic::new(page.end(), "there is no table of distances", expected)]
    };
    found.distances = Some(table(page).ok_or_else(no_table)?);
    Ok(())
}

/// Bytes, and 10 from each node to itself: latencies are neither.
fn table(page: &Page<'_>) -> Option<DistanceMatrix> {
    let matrix = distance_matrix_from_text("", page.text).ok()?;
    let is_byte = |distance: &f64| distance.fract() == 0.0 && (1.0..=MOST).contains(distance);
    let own = matrix.rows.iter().enumerate().all(|(node, row)| row.get(node) == Some(&OWN));
    (own && matrix.rows.iter().flatten().all(is_byte)).then_some(matrix)
}
