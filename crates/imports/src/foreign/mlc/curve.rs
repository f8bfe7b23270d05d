//! Latency of memory under load from all processors.
//!
//! ```text
//! Inject  Latency Bandwidth
//! Delay   (ns)    MB/sec
//! ==========================
//!  00000  250.12   180000.5
//! ```

use super::super::LoadedLatency;
use super::super::number::{number, whole};
use super::super::page::{Line, Page};
use numalab_syntax::cells::{Cell, counted};
use numalab_syntax::diagnostics::Diagnostic;

pub fn header(line: &Line<'_>) -> bool {
    let words = line.words();
    words.len() == 3
        && ["inject", "latency", "bandwidth"].iter().zip(&words).all(|(a, b)| b.text.eq_ignore_ascii_case(a))
}

/// Points of a curve, each with its line number.
pub type Points = Vec<(usize, LoadedLatency)>;

/// Reads the points below the header in line `at`; also returns the index of the last line. `unit` is the GB/s of one
/// unit of bandwidth.
pub fn read(page: &Page<'_>, at: usize, unit: f64) -> Result<(Points, usize), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut points = Vec::new();
    let mut last = at;
    let mut first: Option<Vec<Cell<'_>>> = None;
    for (row_at, row) in page.lines.iter().enumerate().skip(at + 1) {
        let words = row.words();
        let Some(start) = words.first() else { continue };
        if !whole(start.text) {
            if row.text().starts_with('=') || start.text.eq_ignore_ascii_case("delay") {
                last = row_at;
                continue;
            }
            break;
        }
        last = row_at;
        let [delay, latency, bandwidth] = words[..] else {
            let message = format!("{}, but three columns", counted(words.len(), "number"));
            let cut = if page.ends_after(row_at) { "; is the file cut here?" } else { "" };
            errors.push(row.refused(message, format!("expected delay, latency and bandwidth{cut}")));
            continue;
        };
        let like = first.get_or_insert_with(|| words.clone());
        if page.cut(bandwidth, like[2]) {
            let message = format!("the file ends within `{}`", bandwidth.text);
            errors.push(Diagnostic::new(
                bandwidth.span,
                message,
                format!("expected MB/sec, as {}", like[2].text),
            ));
        }
        match (delay.text.parse(), positive(latency, "nanoseconds"), positive(bandwidth, "MB/sec")) {
            (Ok(delay), Ok(latency), Ok(bandwidth)) => {
                points.push((row.number, LoadedLatency { delay, latency, bandwidth: bandwidth * unit }));
            }
            (delay, latency, bandwidth) => {
                if delay.is_err() {
                    errors.push(row.refused("this delay is too large", "expected a count"));
                }
                errors.extend([latency.err(), bandwidth.err()].into_iter().flatten());
            }
        }
    }
    if points.is_empty() && errors.is_empty() {
        errors
            .push(page.lines[at].refused("the curve has no points", "expected lines of three numbers below"));
    }
    if errors.is_empty() { Ok((points, last)) } else { Err(errors) }
}

fn positive(cell: Cell<'_>, what: &str) -> Result<f64, Diagnostic> {
    match number(cell, what)? {
        0.0 => Err(Diagnostic::new(cell.span, "this is zero", format!("expected {what}"))),
        value => Ok(value),
    }
}
