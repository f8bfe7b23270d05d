//! A protocol in a terminal.

use super::outcomes;
use crate::style::{Ink, Style};
use crate::table::{Grid, fit, printable};
use numalab_results::{ProtocolTable, Word};

/// The rows under each other, the state named where it changes, and what the letters mean.
pub fn protocol_table(table: &ProtocolTable, style: Style) -> String {
    let rows = &table.rows;
    let states = rows.iter().enumerate().map(|(at, row)| match at.checked_sub(1).map(|at| &rows[at]) {
        Some(above) if above.state == row.state => String::new(),
        _ => row.state.clone(),
    });
    let mut grid = Grid::new()
        .text("state", states)
        .text("request", rows.iter().map(|row| row.request.clone()))
        .text("next", rows.iter().map(|row| row.next.clone()))
        .text("actions", rows.iter().map(|row| row.actions.join(" ")));
    for (name, outcome) in outcomes(table) {
        grid = grid.text(name, rows.iter().map(|row| outcome(row).unwrap_or_default().to_owned()));
    }
    let dot = style.pick(" · ", ", ");
    let title = format!("{}{dot}the directory of a line", table.protocol.to_uppercase());
    let letter = |word: &Word| {
        let line = format!("  {}  {}", word.name, word.meaning);
        fit(&printable(&line), style.columns(), &style) + "\n"
    };
    format!(
        "{}\n\n{}\nCopies:\n{}",
        style.paint(Ink::Bold, &printable(&title)),
        grid.draw(&style),
        table.copies.iter().map(letter).collect::<String>(),
    )
}
