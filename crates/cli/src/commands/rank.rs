//! `numalab rank`: ranks policies over all points of a sweep.

use super::view;
use crate::failure::Failure;
use crate::flags::{Rank, ViewFormat};
use crate::hints;
use crate::terminal;
use numalab_report as report;
use numalab_sweep::rank::{Ranking, rank};

/// Reads the results, ranks the policies and writes the table.
pub fn run(flags: &Rank) -> Result<(), Failure> {
    let output = flags.output.destination();
    output.check()?;
    let frame = view::rows(&flags.rows, &[Some(&flags.by)])?;
    let ranking = Ranking { by: &flags.by, measure: &flags.measure, better: flags.better.into() };
    let ranks = rank(&frame, &ranking).map_err(|error| hints::view(&flags.rows.files, error))?;
    let text = match flags.output.format() {
        ViewFormat::Table => report::table(&ranks, terminal::style(&output, report::Bars::None)),
        ViewFormat::Markdown => report::markdown(&ranks),
        ViewFormat::Json => report::json(&ranks),
        ViewFormat::Csv => report::csv(&ranks),
    };
    output.write(text.as_bytes())
}
