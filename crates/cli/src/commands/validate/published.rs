//! Compares published measurements with simulations of the built-in machines.

use crate::embedded::{self, Record};
use crate::failure::Failure;
use crate::flags::{Validate, ViewFormat};
use crate::hints::run_command;
use crate::output::{Destination, check_apart};
use crate::progress::Bar;
use crate::terminal;
use numalab_report as report;
use numalab_results::ValidationRow;
use numalab_validation::{Rows, Validated, validate_published};
use std::sync::Mutex;

/// Simulates the selected published rows and writes the comparison.
pub fn run(flags: &Validate) -> Result<(), Failure> {
    let output = flags.output.destination();
    check_apart(&[("the results", &output)])?;
    let rows = Rows {
        machine: flags.machine.as_deref(),
        experiment: flags.experiment.as_deref(),
        runtime: flags.runtime.as_deref(),
    };
    // A reader of a table sees each experiment as soon as it is simulated.
    let in_parts = flags.output.format() == ViewFormat::Table
        && output == Destination::Stdout
        && !embedded::wants_record();
    let style = terminal::style(&output, report::Bars::None);
    let shown = Mutex::new(Shown::default());
    let bar = Bar::new();
    let show = |group: &[ValidationRow]| {
        let text = report::table(&report::ExperimentRows(group), style);
        let commands = flags.commands.then(|| report::table(&report::RowCommands(group), style));
        let mut shown = shown.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        for text in [Some(text), commands].into_iter().flatten() {
            if in_parts && !text.is_empty() {
                shown.write(&output, &text);
            }
        }
    };
    let Validated { validation, of } = validate_published(rows, flags.seeds, &run_command, &bar, &show)?;
    drop(bar);
    let missing = match of - validation.rows.len() {
        0 => None,
        _ => Some(format!("{} of {of} published rows", validation.rows.len())),
    };
    if let Some(missing) = &missing
        && output != Destination::Stdout
    {
        return Err(Failure::Interrupted(format!("{missing}; nothing is written")));
    }
    if of == 0 {
        let about =
            [("machine", &flags.machine), ("experiment", &flags.experiment), ("runtime", &flags.runtime)];
        let about = about.iter().filter_map(|(what, name)| Some(format!(" {what} \"{}\"", name.as_ref()?)));
        return Err(Failure::request(
            format!("no published row matches{}", about.collect::<String>()),
            "\"numalab validate --format csv\" lists every row with its machine and experiment",
        ));
    }
    let mut shown = shown.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let validation = match missing {
        None => match embedded::keep(validation, Record::Validation) {
            Some(validation) => validation,
            None => return Ok(()),
        },
        Some(_) => validation,
    };
    let text = match flags.output.format() {
        ViewFormat::Table if in_parts => report::table(&report::ValidationSums(&validation), style),
        ViewFormat::Table if flags.commands => {
            let commands = report::table(&report::RowCommands(&validation.rows), style);
            format!("{}\n{commands}", report::table(&validation, style))
        }
        ViewFormat::Table => report::table(&validation, style),
        ViewFormat::Json => report::json(&validation),
        ViewFormat::Markdown => report::markdown(&validation),
        ViewFormat::Csv => report::csv(&validation),
    };
    shown.write(&output, &text);
    shown.written?;
    missing.map_or(Ok(()), |missing| Err(Failure::Interrupted(missing)))
}

/// Parts that were written so far, with blank lines between them.
struct Shown {
    any: bool,
    written: Result<(), Failure>,
}

impl Default for Shown {
    fn default() -> Shown {
        Shown { any: false, written: Ok(()) }
    }
}

impl Shown {
    /// Writes another part, unless an earlier one could not be written.
    fn write(&mut self, output: &Destination, text: &str) {
        if self.written.is_ok() {
            let between = if self.any { "\n" } else { "" };
            self.written = output.write(format!("{between}{text}").as_bytes());
            self.any = true;
        }
    }
}
