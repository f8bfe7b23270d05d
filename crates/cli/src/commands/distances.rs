//! `numalab distances`: distances between NUMA nodes.

use super::load;
use crate::embedded::{self, Record};
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
    let hwloc = flags.hwloc.clone().map(Destination::from);
    places.extend(hwloc.iter().map(|file| ("the topology", file)));
    let numactl = flags.numactl.clone().map(Destination::from);
    places.extend(numactl.iter().map(|file| ("the nodes", file)));
    check_apart(&places)?;

    let machine = load::machine_or_topology(&flags.machine, &flags.assume, &flags.overrides)?;
    let reference = flags.compare.as_deref().map(numalab_imports::distance_matrix).transpose()?;
    let name = flags.compare.as_ref().map(|path| path.display().to_string());
    let table = study::distances(&machine, name.as_deref().zip(reference.as_ref()))?;

    let Some(table) = embedded::keep(table, Record::Distances) else { return Ok(()) };
    let text = match flags.output.format() {
        Format::Table => {
            let style = terminal::style(&output, report::Bars::None);
            report::table(&table, report::Style { elsewhere: hints::ALL_DISTANCES, ..style })
        }
        Format::Json => report::json(&table),
        Format::Csv => report::csv(&table),
    };
    let written = output.write(text.as_bytes());
    let fabric = load::fabric(&machine.value)?;
    // If the reader of the table left early, the others are still written.
    let exports = [
        hwloc.map(|place| place.write(report::hwloc_xml(&machine.value, &fabric, &table).as_bytes())),
        numactl.map(|place| place.write(report::numactl(&fabric).as_bytes())),
        svg.map(|place| place.write(draw::distances_svg(&table).as_bytes())),
    ];
    let drawn = exports.into_iter().flatten().fold(Ok(()), Result::and);
    match written {
        Ok(()) | Err(Failure::ReaderLeft) => drawn.and(written),
        failed => failed,
    }
}
