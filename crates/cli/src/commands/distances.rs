//! `numalab distances`: how far apart the nodes are.

use super::load;
use crate::failure::Failure;
use crate::flags::{Distances, Format};
use crate::hints;
use crate::output::{Destination, check_apart};
use crate::terminal;
use numalab_report as report;
use numalab_study as study;

/// Simulates, compares, delivers.
pub fn run(flags: &Distances) -> Result<(), Failure> {
    let output = flags.output.destination()?;
    let svg = flags.svg.clone().map(Destination::from);
    let mut places = vec![("the distances", &output)];
    places.extend(svg.iter().map(|svg| ("the heat map", svg)));
    check_apart(&places)?;

    let machine = load::machine(&flags.machine, &flags.overrides)?;
    let reference = flags.compare.as_deref().map(numalab_imports::distance_matrix).transpose()?;
    let named = flags.compare.as_ref().map(|path| path.display().to_string());
    let table = study::distances(&machine, named.as_deref().zip(reference.as_ref()))?;

    let text = match flags.output.format() {
        Format::Table => {
            let style = terminal::style(&output, report::Bars::None);
            report::table(&table, report::Style { elsewhere: hints::ALL_DISTANCES, ..style })
        }
        Format::Json => report::json(&table),
        Format::Csv => report::csv(&table),
    };
    let told = output.write(text.as_bytes());
    // A reader that left early is no reason to withhold the picture.
    let drawn = svg.map_or(Ok(()), |svg| svg.write(report::distances_svg(&table).as_bytes()));
    match told {
        Ok(()) | Err(Failure::ReaderLeft) => drawn.and(told),
        failed => failed,
    }
}
