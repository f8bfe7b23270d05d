//! In a terminal.

use super::cases::{cases, named};
use super::off::Off;
use crate::style::Style;
use crate::table::{Grid, wrap};
use crate::validation::{paint_verdicts, quantity, signed_percent, verdict};
use numalab_results::{HostRow, HostValidation};

/// A row for every measurement that was simulated, why others were not, experiments one by one, and a summary.
pub fn host_validation_table(validation: &HostValidation, style: Style) -> String {
    let all: Vec<&HostRow> = validation.rows.iter().collect();
    let simulated: Vec<&HostRow> = all.iter().copied().filter(|row| row.simulated.is_some()).collect();
    let HostValidation { machine, runtime, measurements, .. } = validation;
    let heading = format!("{measurements} beside {machine} with OpenMP runtime {runtime}");
    let mut text = wrap(&heading, style.columns()) + "\n";
    if !simulated.is_empty() {
        text += &paint_verdicts(&grid(&simulated, &style).draw(&style), &style);
        text.push('\n');
    }
    text += &footnote(&simulated, &style);
    text += &not_simulated(&all, &style);
    text += &by_experiment(&simulated, &style);
    for warning in &validation.warnings {
        text += &wrap(&format!("Note: {warning}."), style.columns());
    }
    if !validation.warnings.is_empty() {
        text.push('\n');
    }
    for (role, what) in [("characterise", "fitted on"), ("predict", "predictions")] {
        let of_role: Vec<&HostRow> = all.iter().copied().filter(|row| row.role == role).collect();
        if !of_role.is_empty() {
            text += &summary(what, &of_role, &style);
        }
    }
    text
}

/// The columns that fit: first the role goes, then the name of the quantity.
fn grid(rows: &[&HostRow], style: &Style) -> Grid {
    let disturbed = rows.iter().any(|row| row.disturbed);
    let roles = rows.iter().any(|row| row.role != rows[0].role);
    let what = |quantity: bool| {
        rows.iter().map(move |row| match quantity {
            true => format!("{} {}", row.experiment, row.quantity),
            false => row.experiment.clone(),
        })
    };
    let columns = |quantity: bool, roles: bool| {
        let grid = Grid::new().text("what", what(quantity)).text("case", cases(rows));
        let grid = match roles {
            true => grid.text("role", rows.iter().map(|row| row.role.clone())),
            false => grid,
        };
        grid.number("measured", rows.iter().map(|row| quantity_of(row, Some(row.measured))))
            .number("spread", rows.iter().map(|row| spread(row, disturbed, style)))
            .number("simulated", rows.iter().map(|row| quantity_of(row, row.simulated)))
            .number("error", rows.iter().map(|row| row.error.map_or("-".to_owned(), signed_percent)))
            .text("", rows.iter().map(|row| verdict(row.within, style).to_owned()))
    };
    [columns(true, roles), columns(true, false)]
        .into_iter()
        .find(|grid| grid.natural_width() <= style.columns())
        .unwrap_or_else(|| columns(false, false))
}

fn quantity_of(row: &HostRow, value: Option<f64>) -> String {
    quantity(&row.unit, value)
}

/// Marked if the row was disturbed, with room for the mark if any was.
fn spread(row: &HostRow, any_disturbed: bool, style: &Style) -> String {
    let mark = match (row.disturbed, any_disturbed) {
        (true, _) => "*",
        (false, true) => " ",
        (false, false) => "",
    };
    format!("{}{:.1}%{mark}", style.pick("±", "+-"), row.spread * 100.0)
}

fn footnote(rows: &[&HostRow], style: &Style) -> String {
    let count = rows.iter().filter(|row| row.disturbed).count();
    if count == 0 {
        return String::new();
    }
    let text = format!(
        "* {count} of {} measurements were disturbed: too few samples were taken while nobody else was at work, so the \
         quietest count.",
        rows.len()
    );
    wrap(&text, style.columns()) + "\n"
}

/// The reasons, each with its rows.
fn not_simulated(rows: &[&HostRow], style: &Style) -> String {
    let missing: Vec<&HostRow> = rows.iter().copied().filter(|row| row.simulated.is_none()).collect();
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for (row, case) in missing.iter().zip(cases(&missing)) {
        let reason = row.reason.as_deref().unwrap_or("no value");
        let named = named(row, &case);
        match reasons.iter_mut().find(|known| known.0 == reason) {
            Some(known) => known.1.push(named),
            None => reasons.push((reason, vec![named])),
        }
    }
    if reasons.is_empty() {
        return String::new();
    }
    let lines = reasons.iter().map(|(reason, rows)| {
        wrap(&format!("Not simulated: {}: {reason}.", rows.join(", ")), style.columns())
    });
    lines.collect::<String>() + "\n"
}

/// A row for each experiment, where there are several with several values each.
fn by_experiment(rows: &[&HostRow], style: &Style) -> String {
    let groups: Vec<&[&HostRow]> = rows.chunk_by(|a, b| a.experiment == b.experiment).collect();
    if groups.len() < 2 || groups.iter().all(|rows| rows.len() < 2) {
        return String::new();
    }
    let off: Vec<Option<Off>> = groups.iter().map(|rows| Off::of(rows)).collect();
    let show =
        |pick: fn(&Off) -> String| off.iter().map(move |off| off.as_ref().map_or("-".to_owned(), pick));
    let grid = Grid::new()
        .text("what", groups.iter().map(|rows| rows[0].experiment.clone()))
        .number("values", groups.iter().map(|rows| rows.len().to_string()))
        .number("within\nlimits", show(|off| off.within.to_string()))
        .number("median\n|error|", show(|off| percent(off.error)))
        .number("median\nspread", show(|off| percent(off.spread)))
        .number("worst", show(|off| signed_percent(off.worst.1)));
    grid.draw(style) + "\n"
}

fn percent(part: f64) -> String {
    format!("{:.1}%", part * 100.0)
}

/// How many, how far off in the middle, and which is the worst.
fn summary(what: &str, rows: &[&HostRow], style: &Style) -> String {
    let missing = match rows.iter().filter(|row| row.error.is_none()).count() {
        0 => String::new(),
        count => format!(", {count} not simulated"),
    };
    let Some(off) = Off::of(rows) else {
        return wrap(&format!("{what}: none of {} simulated", rows.len()), style.columns());
    };
    let worst = named(rows[off.worst.0], &cases(rows)[off.worst.0]);
    let text = format!(
        "{what}: {} of {} within limits ({:.0}% or the measured spread), median |error| {}, median spread {}, worst \
         {} ({worst}){missing}",
        off.within,
        off.judged,
        HostRow::LIMIT * 100.0,
        percent(off.error),
        percent(off.spread),
        signed_percent(off.worst.1),
    );
    wrap(&text, style.columns())
}
