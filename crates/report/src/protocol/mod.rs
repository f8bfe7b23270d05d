//! Coherence protocols: in a terminal, as Markdown with a legend, as JSON, as CSV, as a diagram.

mod diagram;
mod markdown;
mod table;

pub use diagram::protocol_dot;
pub use markdown::protocol_markdown;
pub use table::protocol_table;

use crate::export::rows;
use crate::json::readable;
use numalab_results::{ProtocolRow, ProtocolTable};
use serde::Serialize;

/// Everything as one JSON object.
pub fn protocol_json(table: &ProtocolTable) -> String {
    readable(table)
}

/// A row for each state and request, those that never meet among them.
pub fn protocol_csv(table: &ProtocolTable) -> String {
    let met = table.rows.iter().map(|row| Record {
        protocol: &table.protocol,
        state: &row.state,
        request: &row.request,
        next: Some(&row.next),
        actions: row.actions.join(" "),
        requester: row.requester.as_deref(),
        owner: row.owner.as_deref(),
        forwarder: row.forwarder.as_deref(),
        sharers: row.sharers.as_deref(),
        never: None,
    });
    let never = table.never.iter().map(|row| Record {
        protocol: &table.protocol,
        state: &row.state,
        request: &row.request,
        never: Some(&row.reason),
        ..Record::default()
    });
    rows(met.chain(never), "protocol,state,request,next,actions,requester,owner,forwarder,sharers,never")
}

#[derive(Default, Serialize)]
struct Record<'a> {
    protocol: &'a str,
    state: &'a str,
    request: &'a str,
    next: Option<&'a str>,
    actions: String,
    requester: Option<&'a str>,
    owner: Option<&'a str>,
    forwarder: Option<&'a str>,
    sharers: Option<&'a str>,
    never: Option<&'a str>,
}

/// The columns that say what copies become, less those in which nothing does.
fn outcomes(table: &ProtocolTable) -> Vec<(&'static str, Outcome)> {
    let all: [(_, Outcome); 4] = [
        ("requester", |row| row.requester.as_deref()),
        ("owner", |row| row.owner.as_deref()),
        ("forwarder", |row| row.forwarder.as_deref()),
        ("sharers", |row| row.sharers.as_deref()),
    ];
    all.into_iter().filter(|(_, outcome)| table.rows.iter().any(|row| outcome(row).is_some())).collect()
}

type Outcome = fn(&ProtocolRow) -> Option<&str>;

/// States in which some requests never come, each with those requests and why, as the table has them.
fn never(table: &ProtocolTable) -> Vec<(&str, Vec<&str>, &str)> {
    let mut groups: Vec<(&str, Vec<&str>, &str)> = Vec::new();
    for row in &table.never {
        match groups.iter_mut().find(|(state, _, reason)| *state == row.state && *reason == row.reason) {
            Some((_, requests, _)) => requests.push(&row.request),
            None => groups.push((&row.state, vec![&row.request], &row.reason)),
        }
    }
    groups
}

#[cfg(test)]
mod tests;
