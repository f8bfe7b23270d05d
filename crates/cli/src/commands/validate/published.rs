//! Compares published measurements with simulations of the built-in machines.

use crate::failure::Failure;
use crate::flags::{Validate, ViewFormat};
use crate::output::check_apart;
use crate::progress::Bar;
use crate::terminal;
use numalab_report as report;
use numalab_validation::{Rows, validate_published};

/// Simulates the selected published rows and writes the comparison.
pub fn run(flags: &Validate) -> Result<(), Failure> {
    let output = flags.output.destination();
    check_apart(&[("the results", &output)])?;
    let rows = Rows {
        machine: flags.machine.as_deref(),
        experiment: flags.experiment.as_deref(),
        runtime: flags.runtime.as_deref(),
    };
    let bar = Bar::new();
    let validation = validate_published(rows, &bar)?;
    drop(bar);
    if validation.rows.is_empty() {
        let about =
            [("machine", &flags.machine), ("experiment", &flags.experiment), ("runtime", &flags.runtime)];
        let about = about.iter().filter_map(|(what, name)| Some(format!(" {what} \"{}\"", name.as_ref()?)));
        return Err(Failure::request(
            format!("no published row matches{}", about.collect::<String>()),
            "\"numalab validate --format csv\" lists every row with its machine and experiment",
        ));
    }
    let text = match flags.output.format() {
        ViewFormat::Table => report::table(&validation, terminal::style(&output, report::Bars::None)),
        ViewFormat::Json => report::json(&validation),
        ViewFormat::Markdown => report::markdown(&validation),
        ViewFormat::Csv => report::csv(&validation),
    };
    output.write(text.as_bytes())
}
