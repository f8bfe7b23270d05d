//! Coherence protocols: rows of the table, meanings of its words, and a diagram.

mod diagram;
#[cfg(test)]
mod tests;

pub use diagram::protocol_dot;

use crate::page::{Page, Rows, Sheet, View};
use crate::style::{Ink, Style};
use numalab_results::{ProtocolRow, ProtocolTable, Word};

impl View for ProtocolTable {
    /// Arranges the rows, each state named once, and the meanings of the letters.
    fn page(&self, _: &Style) -> Page {
        let above = |at: usize| self.rows.get(at.wrapping_sub(1)).map(|row| &row.state);
        let state =
            |(at, row): &(usize, &ProtocolRow)| (above(*at) != Some(&row.state)).then(|| row.state.clone());
        let title = [self.protocol.to_uppercase(), "the directory of a line".to_owned()];
        let copies = ("Copies:", &self.copies[..]);
        words(Page::titled(title).table(sheet(self, state, " ")), (Ink::Plain, 0), copies)
    }

    /// Arranges the whole table, the meanings of its words, and pairs of state and request that never occur.
    fn document(&self) -> Page {
        let about = "Actions of the directory of a line. The last columns give the next states of copies that change.";
        let page = Page::default().title(Ink::Bold, 1, self.protocol.to_uppercase()).text([about.to_owned()]);
        let page = page.table(sheet(self, |(_, row)| Some(row.state.clone()), ", "));
        let lists = [
            ("States of the line in its directory", &self.states[..]),
            ("Requests", &self.requests),
            ("Actions", &self.actions),
            ("States of a copy", &self.copies),
        ];
        let page = lists.into_iter().fold(page, |page, list| words(page, (Ink::Bold, 2), list));
        page.list((Ink::Bold, 2, "Combinations that never occur"), never(self))
    }
}

fn words(page: Page, (ink, level): (Ink, usize), (title, words): (&str, &[Word])) -> Page {
    page.list((ink, level, title), words.iter().map(|word| (word.name.clone(), word.meaning.clone())))
}

/// One row for each combination of state and request that occurs; columns of copies that never
/// change are omitted.
fn sheet<'a>(
    table: &'a ProtocolTable,
    state: impl Fn(&(usize, &'a ProtocolRow)) -> Option<String>,
    between: &str,
) -> Sheet<(usize, &'a ProtocolRow)> {
    let used = |(_, copy): &&(&str, Copy)| table.rows.iter().any(|row| copy(row).is_some());
    Sheet::of(table.rows.iter().enumerate())
        .text("state", state)
        .text("request", |(_, row)| row.request.clone())
        .text("next", |(_, row)| row.next.clone())
        .text("actions", |(_, row)| row.actions.join(between))
        .each(COPIES.iter().filter(used), |sheet, (name, copy)| {
            sheet.text(*name, |(_, row)| copy(row).clone()).until(1)
        })
        .text("copies", |(_, row)| copies(row))
        .from(1)
}

/// New states of all copies that change, in one cell, for narrow terminals.
fn copies(row: &ProtocolRow) -> String {
    let of = |(name, copy): &(&str, Copy)| Some(format!("{name} {}", copy(row).as_ref()?));
    COPIES.iter().filter_map(of).collect::<Vec<_>>().join(", ")
}

/// Reads the new state of one of the copies from a row.
type Copy = fn(&ProtocolRow) -> &Option<String>;

const COPIES: [(&str, Copy); 4] = [
    ("requester", |row| &row.requester),
    ("owner", |row| &row.owner),
    ("forwarder", |row| &row.forwarder),
    ("sharers", |row| &row.sharers),
];

/// States, each with the requests that never occur in it and the reasons.
fn never(table: &ProtocolTable) -> Vec<(String, String)> {
    let mut groups: Vec<(&str, Vec<&str>, &str)> = Vec::new();
    for row in &table.never {
        match groups.iter_mut().find(|(state, _, reason)| *state == row.state && *reason == row.reason) {
            Some((_, requests, _)) => requests.push(&row.request),
            None => groups.push((&row.state, vec![&row.request], &row.reason)),
        }
    }
    let item = |(state, requests, reason): (&str, Vec<&str>, &str)| {
        (state.to_owned(), format!("{}: {reason}.", requests.join(", ")))
    };
    groups.into_iter().map(item).collect()
}

impl Rows for ProtocolTable {
    /// One row per state and request, including combinations that never occur.
    fn csv(&self) -> String {
        let met = self.rows.iter().map(|row| (&row.state, &row.request, Ok(row)));
        let never = self.never.iter().map(|row| (&row.state, &row.request, Err(&row.reason)));
        Sheet::of(met.chain(never))
            .file("protocol", |_| self.protocol.clone())
            .file("state", |(state, ..)| (*state).clone())
            .file("request", |(_, request, _)| (*request).clone())
            .file("next", |(.., row)| row.ok().map(|row| row.next.clone()))
            .file("actions", |(.., row)| row.ok().map(|row| row.actions.join(" ")))
            .each(COPIES, |sheet, (name, copy)| sheet.file(name, |(.., row)| copy(row.ok()?).clone()))
            .file("never", |(.., row)| row.err().cloned())
            .csv()
    }
}
