//! Output of `lscpu`: fields (`fields`, plain or with `-J`), or a table of processors (`table`, `-p` or `-e`).
//!
//! The table lists the core, socket, node and caches of each processor, but no sizes. The fields hold sizes and
//! counts, from which the sharing of caches is concluded (`counts`, `sharing`). A file may hold both.

mod cache_sizes;
mod counts;
mod fields;
mod sharing;
mod table;

use super::page::{Line, Page};
use super::{Foreign, Note};
use crate::topology::Topology;
use numalab_syntax::diagnostics::Diagnostic;

pub fn printed(page: &Page<'_>) -> bool {
    fields::json(page).is_some()
        || page.lines.iter().any(table::is_header)
        || page.lines.iter().any(|line: &Line<'_>| {
            let key = line.split(':').map_or("", |(key, _)| key.text);
            ["CPU(s)", "Thread(s) per core", "Socket(s)", "NUMA node(s)", "On-line CPU(s) list"]
                .contains(&key)
        })
}

pub fn read(page: &Page<'_>, found: &mut Foreign) -> Result<(), Vec<Diagnostic>> {
    let fields = fields::read(page)?;
    let table = table::read(page, found)?;
    let sizes = cache_sizes::sizes(&fields)?;
    let topology = match (table, fields.is_empty()) {
        (Some(table), true) => table.topology(&sizes, found),
        (Some(table), false) => {
            both(table.topology(&sizes, found), counts::topology(page, &fields, &sizes, found)?, found)
        }
        (None, false) => counts::topology(page, &fields, &sizes, found)?,
        (None, true) => {
            let expected = "expected \"CPU(s):\", or the header of its table (run it with LC_ALL=C)";
            return Err(vec![Diagnostic::new(
                page.end(),
                "no line of lscpu's output is understood",
                expected,
            )]);
        }
    };
    found.add_topology(topology);
    Ok(())
}

/// Joins table and fields. Sharing comes from the table; only the fields list nodes without processors.
fn both(mut table: Topology, fields: Topology, found: &mut Foreign) -> Topology {
    if let Err(misfit) = table.fill_from(&fields) {
        found.notes.push(Note { line: None, text: format!("the table and the fields differ: {misfit}") });
        return table;
    }
    table.nodes.extend(fields.nodes.into_iter().filter(|node| node.processors.is_empty()));
    table.nodes.sort_by_key(|node| node.number);
    table.nodes.dedup_by_key(|node| node.number);
    table
}
