//! A protocol as a page of Markdown: the table, what the words in it mean, and what never happens.

use super::{never, outcomes};
use crate::markdown::{cell, line};
use numalab_results::{ProtocolTable, Word};

/// The page.
pub fn protocol_markdown(table: &ProtocolTable) -> String {
    let outcomes = outcomes(table);
    let mut page = format!("# {}\n\n", cell(&table.protocol.to_uppercase()));
    page += "What the directory of a line does. The last columns say what copies become that change.\n\n";
    let mut head = vec!["state", "request", "next", "actions"];
    head.extend(outcomes.iter().map(|(name, _)| *name));
    page += &line(head.iter().map(|name| (*name).to_owned()));
    page += &line(head.iter().map(|_| "---".to_owned()));
    for row in &table.rows {
        let copies = outcomes.iter().map(|(_, outcome)| cell(outcome(row).unwrap_or_default()));
        let cells = [cell(&row.state), cell(&row.request), cell(&row.next), cell(&row.actions.join(", "))];
        page += &line(cells.into_iter().chain(copies));
    }
    page += &words("States of the line in its directory", &table.states);
    page += &words("Requests", &table.requests);
    page += &words("Actions", &table.actions);
    page += &words("States of a copy", &table.copies);
    page += "\n## What never happens\n\n";
    for (state, requests, reason) in never(table) {
        page += &format!("- *{}*: {}: {}.\n", cell(state), cell(&requests.join(", ")), cell(reason));
    }
    page
}

fn words(title: &str, words: &[Word]) -> String {
    let lines = words.iter().map(|word| format!("- *{}*: {}\n", cell(&word.name), cell(&word.meaning)));
    format!("\n## {title}\n\n{}", lines.collect::<String>())
}
