//! `numalab distances`: distances between NUMA nodes.

use super::load;
use crate::failure::Failure;
use crate::flags::{Distances, Format};
use crate::hints;
use crate::output::{Destination, check_apart};
use crate::terminal;
use numalab_draw as draw;
use numalab_report as report;
use numalab_study as study;

/// Simulates the distances, compares them and writes the results.
pub fn run(flags: &Distances) -> Result<(), Failure> {
    let output = flags.output.destination()?;
    let svg = flags.svg.clone().map(Destination::from);
    let mut places = vec![("the distances", &output)];
    places.extend(svg.iter().map(|svg| ("the heat map", svg)));
    check_apart(&places)?;

    let machine = load::machine_or_topology(&flags.machine, &flags.assume, &flags.overrides)?;
    let reference = flags.compare.as_deref().map(numalab_imports::distance_matrix).transpose()?;
    let name = flags.compare.as_ref().map(|path| path.display().to_string());
    let table = study::distances(&machine, name.as_deref().zip(reference.as_ref()))?;

    let text = match flags.output.format() {
        Format::Table => {
            let style = terminal::style(&output, report::Bars::None);
            report::table(&table, report::Style { elsewhere: hints::ALL_DISTANCES, ..style })
        }
        Format::Json => report::json(&table),
        Format::Csv => report::csv(&table),
    };
    let written = output.write(text.as_bytes());
    // If the reader of the table left early, the picture is still written.
    let drawn = svg.map_or(Ok(()), |svg| svg.write(draw::distances_svg(&table).as_bytes()));
    match written {
        Ok(()) | Err(Failure::ReaderLeft) => drawn.and(written),
        failed => failed,
    }
}
