//! Nodes of the threads of a trace, from a table of threads and processors and a machine.

use numalab_machine::{Fabric, NodeId, ProcessorId};
use numalab_results::{Layout, TaskDistance};
use numalab_syntax::cells::comma_separated;
use numalab_syntax::diagnostics::{Diagnostic, Diagnostics};
use numalab_syntax::text_file;
use numalab_syntax::tree::{TextRange, shorten};
use std::collections::BTreeMap;
use std::path::Path;

/// Largest table in bytes.
const MOST_BYTES: u64 = 16 << 20;

/// Nodes of threads on a machine.
#[derive(Clone, Debug, Default)]
pub struct Places {
    nodes: BTreeMap<u32, u32>,
    layout: Layout,
}

impl Places {
    /// Distance between two threads; `None` if the threads differ and the node of either is unknown.
    pub fn distance(&self, thread: u32, other: u32) -> Option<TaskDistance> {
        if thread == other {
            return Some(TaskDistance::Creator);
        }
        let (one, other) = (self.nodes.get(&thread)?, self.nodes.get(&other)?);
        Some(self.layout.sharing(*one, *other).into())
    }

    /// Node of a thread; `None` if unknown.
    pub fn node(&self, thread: u32) -> Option<u32> {
        self.nodes.get(&thread).copied()
    }
}

/// Reads a table with the columns `thread` (number in the trace, from 0) and `processor` (the operating system's
/// number of the processor to which the thread was bound).
pub fn places(path: &Path, fabric: &Fabric, layout: Layout) -> Result<Places, Diagnostics> {
    let source = text_file::read(path, MOST_BYTES, "a table of threads and processors")?;
    let lines = comma_separated(&source.text);
    let mut errors = Vec::new();
    let mut nodes = BTreeMap::new();
    let expected = "expected the columns thread,processor";
    match lines.split_first() {
        Some((header, rows)) if header.cells.iter().map(|cell| cell.text).eq(["thread", "processor"]) => {
            for row in rows {
                let numbers: Vec<Option<u32>> = row.cells.iter().map(|cell| cell.text.parse().ok()).collect();
                let [Some(thread), Some(processor)] = numbers[..] else {
                    let message =
                        format!("{} is no thread and processor", shorten(row_text(&source.text, row)));
                    errors.push(Diagnostic::new(row.span, message, "expected two numbers, such as 3,12"));
                    continue;
                };
                if processor >= fabric.processors() {
                    let message = format!("there is no processor {processor}");
                    let most = format!("the machine has processors 0 to {}", fabric.processors() - 1);
                    errors.push(Diagnostic::new(row.cells[1].span, message, most));
                    continue;
                }
                let NodeId(node) = fabric.processor(ProcessorId::new(processor)).node;
                if nodes.insert(thread, node).is_some() {
                    let message = format!("thread {thread} is there twice");
                    errors.push(Diagnostic::new(row.span, message, "expected it once"));
                }
            }
        }
        Some((header, _)) => {
            errors.push(Diagnostic::new(header.span, "this is no header of places", expected))
        }
        None => errors.push(Diagnostic::new(TextRange::default(), "there are no threads", expected)),
    }
    if errors.is_empty() { Ok(Places { nodes, layout }) } else { Err(Diagnostics::new(vec![source], errors)) }
}

fn row_text<'t>(text: &'t str, row: &numalab_syntax::cells::Line<'_>) -> &'t str {
    &text[row.span.start..row.span.end]
}
