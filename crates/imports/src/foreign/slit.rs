//! Distances between nodes as in ACPI's System Locality Information Table, alone in a file: the lines of
//! `/sys/devices/system/node/node*/distance` one below the other, or the same as CSV.

use super::Foreign;
use super::number::whole;
use super::page::Page;
use numalab_files::{DistanceMatrix, distance_matrix_from_text};
use numalab_syntax::diagnostics::Diagnostic;

/// Distance of a node to itself, by ACPI's definition.
const OWN: f64 = 10.0;
/// Largest distance: unreachable.
const MOST: f64 = 255.0;

pub fn printed(page: &Page<'_>) -> bool {
    table(page).is_some()
}

pub fn read(page: &Page<'_>, found: &mut Foreign) -> Result<(), Vec<Diagnostic>> {
    let no_table = || {
        let expected = "expected a square of whole numbers with 10 on its diagonal";
        vec![Diagnostic::new(page.end(), "there is no table of distances", expected)]
    };
    let matrix = table(page).ok_or_else(no_table)?;
    let nearer = |row: &Vec<f64>| row.iter().any(|distance| *distance < OWN);
    if let Some(at) = matrix.rows.iter().position(nearer) {
        let lines = page.lines.iter().filter(|line| {
            !line.is_empty()
                && line.text().split([' ', '\t', ',', ';']).all(|word| word.is_empty() || whole(word))
        });
        // A header of column numbers stands above the rows.
        let lines: Vec<_> = lines.collect();
        let above = lines.len().saturating_sub(matrix.rows.len());
        let message = format!("node {at} is nearer to another one than to itself");
        let expected = "expected no distance below 10, that of a node to itself";
        let span = lines.get(above + at).map_or(page.end(), |line| line.span());
        return Err(vec![Diagnostic::new(span, message, expected)]);
    }
    found.distances = Some(matrix);
    Ok(())
}

/// Reads a table whose values fit a byte, with 10 on the diagonal. Tables of latencies do not have this form.
fn table(page: &Page<'_>) -> Option<DistanceMatrix> {
    let matrix = distance_matrix_from_text("", page.text).ok()?;
    let is_byte = |distance: &f64| distance.fract() == 0.0 && (1.0..=MOST).contains(distance);
    let own = matrix.rows.iter().enumerate().all(|(node, row)| row.get(node) == Some(&OWN));
    (own && matrix.rows.iter().flatten().all(is_byte)).then_some(matrix)
}
