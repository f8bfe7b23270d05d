//! A run over time as one table: rows for spans of threads, resources per bin of time, hand-overs
//! and phases.

use numalab_report::frame_parquet;
use numalab_results::{Cell, CellKind, Column, SpanKind, Timeline};
use std::io::{self, Write};

/// Writes a timeline as Parquet. The column `record` is `span`, `resource`, `handover` or `phase`;
/// cells that do not apply are empty.
pub fn timeline_parquet(timeline: &Timeline, out: &mut (dyn Write + Send)) -> io::Result<()> {
    let column = |(name, kind): (&str, CellKind)| Column::new(name, kind);
    let columns = [
        ("record", CellKind::Text),
        ("policy", CellKind::Text),
        ("from_ps", CellKind::Count),
        ("to_ps", CellKind::Count),
        ("thread", CellKind::Count),
        ("account", CellKind::Text),
        ("reason", CellKind::Text),
        ("limit", CellKind::Text),
        ("creator", CellKind::Text),
        ("resource", CellKind::Text),
        ("bytes", CellKind::Real),
        ("utilisation", CellKind::Real),
        ("from_thread", CellKind::Count),
        ("iterations", CellKind::Count),
    ]
    .map(column);
    let policy = || Cell::Text(timeline.policy.clone());
    let text = |text: &str| Cell::Text(text.to_owned());
    let optional = |text: Option<&str>| text.map_or(Cell::Empty, |text| Cell::Text(text.to_owned()));
    let row = |record: &str, from: u64, to: u64, rest: [Cell; 10]| -> io::Result<Vec<Cell>> {
        let head = [text(record), policy(), Cell::Count(from), Cell::Count(to)];
        Ok(head.into_iter().chain(rest).collect())
    };
    let empty = || [const { Cell::Empty }; 10];
    let spans = (0..timeline.threads.len()).flat_map(|thread| {
        timeline.spans_of(thread).map(move |(from, span)| {
            let SpanKind { account, reason, limit, creator, .. } = &timeline.kinds[span.kind as usize];
            let mut cells = empty();
            cells[0] = Cell::Count(thread as u64);
            cells[1] = text(account.name());
            cells[2] = text(reason);
            cells[3] = optional(limit.as_deref());
            cells[4] = optional(creator.map(|creator| creator.name()));
            row("span", from, span.to_ps, cells)
        })
    });
    let resources = timeline.resources.iter().flat_map(|resource| {
        (0..).zip(&resource.bytes).map(move |(bin, bytes)| {
            let from = timeline.from_ps + bin * timeline.bin_ps;
            let to = (from + timeline.bin_ps).min(timeline.to_ps);
            let most = resource.capacity_bytes_per_s * (to - from) as f64 / 1e12;
            let mut cells = empty();
            cells[5] = text(&resource.name);
            cells[6] = Cell::Real(*bytes);
            cells[7] = Cell::Real(bytes / most);
            row("resource", from, to, cells)
        })
    });
    let handovers = timeline.handovers.iter().map(|handover| {
        let mut cells = empty();
        cells[0] = Cell::Count(handover.to.into());
        cells[8] = Cell::Count(handover.from.into());
        cells[9] = Cell::Count(handover.iterations);
        row("handover", handover.at_ps, handover.at_ps, cells)
    });
    let phases = timeline.phases.iter().map(|phase| {
        let mut cells = empty();
        cells[2] = text(&phase.name);
        row("phase", phase.from_ps, phase.to_ps, cells)
    });
    frame_parquet(&columns, phases.chain(spans).chain(resources).chain(handovers), out)
}
