//! `numalab model`: analytic models compared with the simulation.

use super::{bare, load};
use crate::failure::Failure;
use crate::flags::{Format, Model, Policy};
use crate::output::{Destination, check_apart};
use crate::progress::Bar;
use crate::terminal;
use numalab_draw as draw;
use numalab_report as report;
use numalab_study::{self as study, Given, RunSpec};

/// Simulates the workload, evaluates the models and writes the comparison.
pub fn run(flags: &Model) -> Result<(), Failure> {
    let output = flags.output.destination()?;
    let svg = flags.svg.clone().map(Destination::from);
    let mut places = vec![("the models", &output)];
    places.extend(svg.iter().map(|svg| ("the roofline", svg)));
    check_apart(&places)?;
    let files = bare::files(std::slice::from_ref(&flags.machine), &flags.assume, &flags.overrides)?;

    let spec = RunSpec {
        runtime: flags.runtime.as_deref().map(Given::from),
        overrides: load::overrides(&flags.overrides, None)?,
        schedules: flags.policy.iter().map(Policy::schedule).collect::<Result<_, _>>()?,
        seed: flags.seed,
        ..RunSpec::new(&*flags.machine, &flags.workload)
    };
    let mut sizes = flags.threads.clone();
    sizes.sort_unstable();
    sizes.dedup();
    let bar = Bar::new();
    let model = study::model(&spec, &sizes, &files, &bar)?;
    drop(bar);

    let text = match flags.output.format() {
        Format::Table => report::table(&model, terminal::style(&output, report::Bars::None)),
        Format::Json => report::json(&model),
        Format::Csv => report::csv(&model),
    };
    let written = output.write(text.as_bytes());
    // If the reader of the table left early, the picture is still written.
    let drawn = svg.map_or(Ok(()), |svg| svg.write(draw::model_svg(&model).as_bytes()));
    match written {
        Ok(()) | Err(Failure::ReaderLeft) => drawn.and(written),
        failed => failed,
    }
}
