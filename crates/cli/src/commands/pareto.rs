//! `numalab pareto`: points of a sweep that no other point beats in both of two columns.

use super::view;
use crate::failure::Failure;
use crate::flags::{Pareto, ViewFormat};
use crate::hints;
use crate::output::{Destination, check_apart};
use crate::terminal;
use numalab_draw as draw;
use numalab_report as report;
use numalab_sweep::pareto::pareto;

/// Reads the results, finds the front and writes it.
pub fn run(flags: &Pareto) -> Result<(), Failure> {
    let output = flags.output.destination();
    let svg = flags.svg.clone().map(Destination::from);
    let mut places = vec![("the front", &output)];
    places.extend(svg.iter().map(|svg| ("the picture", svg)));
    check_apart(&places)?;
    let frame = view::rows(&flags.rows, &[])?;
    let front = pareto(&frame, (&flags.x, flags.better_x.into()), (&flags.y, flags.better_y.into()))
        .map_err(|error| hints::view(&flags.rows.files, error))?;
    let text = match flags.output.format() {
        ViewFormat::Table => report::table(&front, terminal::style(&output, report::Bars::None)),
        ViewFormat::Markdown => report::markdown(&front),
        ViewFormat::Json => report::json(&front),
        ViewFormat::Csv => report::csv(&front),
    };
    let written = output.write(text.as_bytes());
    // If the reader of the table left early, the picture is still written.
    let drawn = svg.map_or(Ok(()), |svg| svg.write(draw::pareto_svg(&front).as_bytes()));
    match written {
        Ok(()) | Err(Failure::ReaderLeft) => drawn.and(written),
        failed => failed,
    }
}
