//! In a terminal.

use super::cases::{Case, cases};
use super::off::Off;
use crate::style::Style;
use crate::table::{Grid, wrap};
use crate::validation::{paint_verdicts, quantity, signed_percent, verdict};
use numalab_results::{HostRow, HostValidation};

/// A row for every measurement that was simulated, why others were not, experiments one by one, and a summary.
pub fn host_validation_table(validation: &HostValidation, style: Style) -> String {
    let all = cases(&validation.rows);
    let chosen = |which: &dyn Fn(&HostRow) -> bool| -> Vec<&Case<'_>> {
        all.iter().filter(|case| which(case.row)).collect()
    };
    let simulated = chosen(&|row| row.simulated.is_some());
    let HostValidation { machine, runtime, measurements, .. } = validation;
    let heading = format!("{measurements} beside {machine} with OpenMP runtime {runtime}");
    let mut text = wrap(&heading, style.columns()) + "\n";
    if !simulated.is_empty() {
        text += &paint_verdicts(&grid(&simulated, &style).draw(&style), &style);
        text.push('\n');
    }
    text += &footnote(&simulated, &style);
    text += &not_simulated(&chosen(&|row| row.simulated.is_none()), &style);
    text += &by_experiment(&simulated, &style);
    for warning in &validation.warnings {
        text += &wrap(&format!("Note: {warning}."), style.columns());
    }
    if !validation.warnings.is_empty() {
        text.push('\n');
    }
    for (role, what) in [("characterise", "fitted on"), ("predict", "predictions")] {
        let of_role = chosen(&|row| row.role == role);
        if !of_role.is_empty() {
            text += &summary(what, &of_role, &style);
        }
    }
    text
}

/// The columns; the role only where it differs and there is room.
fn grid(cases: &[&Case<'_>], style: &Style) -> Grid {
    let rows: Vec<&HostRow> = cases.iter().map(|case| case.row).collect();
    let disturbed = rows.iter().any(|row| row.disturbed);
    let columns = |roles: bool| {
        let grid = Grid::new()
            .text("what", rows.iter().map(|row| row.experiment.clone()))
            .text("case", cases.iter().map(|case| case.within_experiment()));
        let grid = match roles {
            true => grid.text("role", rows.iter().map(|row| row.role.clone())),
            false => grid,
        };
        grid.number("measured", rows.iter().map(|row| quantity(&row.unit, Some(row.measured))))
            .number("spread", rows.iter().map(|row| spread(row, disturbed, style)))
            .number("simulated", rows.iter().map(|row| quantity(&row.unit, row.simulated)))
            .number("error", rows.iter().map(|row| row.error.map_or("-".to_owned(), signed_percent)))
            .text("", rows.iter().map(|row| verdict(row.within, style).to_owned()))
    };
    let with_roles = columns(rows.iter().any(|row| row.role != rows[0].role));
    if with_roles.natural_width() <= style.columns() { with_roles } else { columns(false) }
}

/// Marked if the row was disturbed, with room for the mark if any was.
fn spread(row: &HostRow, any_disturbed: bool, style: &Style) -> String {
    let mark = match (row.disturbed, any_disturbed) {
        (true, _) => "*",
        (false, true) => " ",
        (false, false) => "",
    };
    format!("{}{}{mark}", style.pick("±", "+-"), percent(row.spread))
}

fn footnote(cases: &[&Case<'_>], style: &Style) -> String {
    if !cases.iter().any(|case| case.row.disturbed) {
        return String::new();
    }
    let text =
        "* disturbed: too few samples were taken while nobody else was at work, and the quietest count";
    wrap(text, style.columns()) + "\n"
}

/// The reasons, each with its measurements.
fn not_simulated(cases: &[&Case<'_>], style: &Style) -> String {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for case in cases {
        let reason = case.row.reason.as_deref().unwrap_or("no value");
        match reasons.iter_mut().find(|known| known.0 == reason) {
            Some(known) => known.1.push(case.named()),
            None => reasons.push((reason, vec![case.named()])),
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
fn by_experiment(cases: &[&Case<'_>], style: &Style) -> String {
    let groups: Vec<&[&Case<'_>]> = cases.chunk_by(|a, b| a.row.experiment == b.row.experiment).collect();
    if groups.len() < 2 || groups.iter().all(|group| group.len() < 2) {
        return String::new();
    }
    let off: Vec<Option<Off>> = groups.iter().map(|group| Off::of(group)).collect();
    let show =
        |pick: fn(&Off) -> String| off.iter().map(move |off| off.as_ref().map_or("-".to_owned(), pick));
    let grid = Grid::new()
        .text("what", groups.iter().map(|group| group[0].row.experiment.clone()))
        .number("values", groups.iter().map(|group| group.len().to_string()))
        .number("within\nlimits", show(|off| off.within.to_string()))
        .number("median\n|error|", show(|off| percent(off.error)))
        .number("median\nspread", show(|off| percent(off.spread)))
        .number("worst", show(|off| signed_percent(off.worst.1)));
    grid.draw(style) + "\n"
}

/// To a tenth; what is more than twice as much, to the whole.
fn percent(part: f64) -> String {
    let decimals = if part >= 2.0 { 0 } else { 1 };
    format!("{:.decimals$}%", part * 100.0)
}

/// How many, how far off in the middle, and which is the worst.
fn summary(what: &str, cases: &[&Case<'_>], style: &Style) -> String {
    let count =
        |which: fn(&HostRow) -> bool, what: &str| match cases.iter().filter(|case| which(case.row)).count() {
            0 => String::new(),
            count => format!(", {count} {what}"),
        };
    let disturbed = count(|row| row.error.is_some() && row.disturbed, "disturbed");
    let missing = count(|row| row.error.is_none(), "not simulated");
    let Some(off) = Off::of(cases) else {
        return wrap(&format!("{what}: none of {} simulated", cases.len()), style.columns());
    };
    let worst = cases[off.worst.0].named();
    let text = format!(
        "{what}: {} of {} within limits ({:.0}% or the measured spread), median |error| {}, median spread {}, worst \
         {} ({worst}){disturbed}{missing}",
        off.within,
        off.judged,
        HostRow::LIMIT * 100.0,
        percent(off.error),
        percent(off.spread),
        signed_percent(off.worst.1),
    );
    wrap(&text, style.columns())
}
