//! Output of STREAM: the best rate of each of its four kernels.
//!
//! ```text
//! Array size = 80000000 (elements), Offset = 0 (elements)
//! Number of Threads counted = 16
//! Function    Best Rate MB/s  Avg time     Min time     Max time
//! Copy:           95000.5     0.013600     0.013474     0.013800
//! ```

use super::Foreign;
use super::number::{number, with_point};
use super::page::{Line, Page};
use numalab_syntax::cells::Cell;
use numalab_syntax::diagnostics::Diagnostic;

pub fn printed(page: &Page<'_>) -> bool {
    page.lines.iter().any(|line| line.text().starts_with("STREAM version") || header(line))
}

fn header(line: &Line<'_>) -> bool {
    let text = line.text();
    text.starts_with("Function") && text.contains("Rate") && text.contains("MB/s")
}

/// Settings of a run, from the lines above its table.
#[derive(Clone, Copy, Default)]
struct Run {
    begun: bool,
    /// Number of threads; `None` if not printed, as by a build without OpenMP.
    threads: Option<u64>,
    elements: Option<u64>,
    element: Option<u64>,
}

pub fn read(page: &Page<'_>, found: &mut Foreign) -> Result<(), Vec<Diagnostic>> {
    let mut run = Run::default();
    let (mut tables, mut triads) = (0_usize, 0_usize);
    let mut table: Option<&Line<'_>> = None;
    for line in &page.lines {
        let text = line.text();
        if text.starts_with("STREAM version") {
            run = Run { begun: true, ..Run::default() };
        } else if let Some(rest) = text.strip_prefix("This system uses") {
            run.element = first_number(rest);
        } else if let Some(rest) = text.strip_prefix("Array size =") {
            run.elements = first_number(rest);
        } else if let Some(rest) = text.strip_prefix("Number of Threads counted =") {
            run.threads = first_number(rest);
        } else if let Some(rest) = text.strip_prefix("Number of Threads requested =") {
            run.threads = run.threads.or(first_number(rest));
        } else if header(line) {
            (tables, table) = (tables + 1, Some(line));
        } else if text.contains("Failed Validation") {
            return Err(vec![
                line.refused("STREAM says that its result is wrong", "expected \"Solution Validates\""),
            ]);
        } else if let (Some(_), Some((kernel, rest))) = (table, line.split(':')) {
            match kernel.text {
                "Triad" => {
                    triads += 1;
                    triad(page, line, rest, run, found)?;
                    table = None;
                }
                "Copy" => {
                    found.note(line.number, "left out: the workload measures Triad, not Copy, Scale and Add")
                }
                _ => {}
            }
        }
    }
    if tables == 0 || triads < tables {
        let end = page.end();
        let message = if tables == 0 { "STREAM printed no rates" } else { "the rate of Triad is missing" };
        return Err(vec![Diagnostic::new(
            end,
            message,
            "expected \"Function … Rate\" and \"Triad:\"; is the file cut?",
        )]);
    }
    Ok(())
}

fn triad(
    page: &Page<'_>,
    line: &Line<'_>,
    rest: Cell<'_>,
    run: Run,
    found: &mut Foreign,
) -> Result<(), Vec<Diagnostic>> {
    let words: Vec<Cell<'_>> = rest.text.split_whitespace().map(|word| line.part(word)).collect();
    let [rate, times @ ..] = &words[..] else {
        return Err(vec![
            line.refused("the rate of Triad is missing", "expected MB/s; is the file cut here?"),
        ]);
    };
    // Words are separated by blanks, so that a comma can only be a decimal point.
    let value = match with_point(rate.text).and_then(|text| text.parse::<f64>().ok()) {
        Some(value) if numalab_base::is_sensible(value) => value,
        _ => number(*rate, "MB/s").map_err(|error| vec![error])?,
    };
    if value <= 0.0 || times.len() < 3 {
        let message = if value > 0.0 { "times are missing" } else { "a rate of zero" };
        return Err(vec![line.refused(message, "expected a rate, and average, least and most time")]);
    }
    // STREAM repeats its kernels one after the other, so caches may hold data of the kernel before.
    let mut params = vec![("caches", "warm".to_owned())];
    match run.threads.or(run.begun.then_some(1)) {
        Some(threads) => {
            params.push(("threads", threads.to_string()));
            // Threads are not bound, and Linux then spreads them over all sockets.
            params.push(("proc_bind", "spread".to_owned()));
        }
        None => found.note(line.number, "the number of threads is not given: all processors are assumed"),
    }
    match run.elements.and_then(|elements| elements.checked_mul(3)?.checked_mul(run.element.unwrap_or(8))) {
        Some(footprint) => params.push(("footprint", footprint.to_string())),
        None => {
            found.note(line.number, "the size of the arrays is not given: far beyond the caches is assumed")
        }
    }
    found.note(line.number, "the rate is the best of several repetitions");
    found.rows.push(page.row(line.number, ("stream", "bandwidth"), &params, "GB/s", &[value / 1e3]));
    Ok(())
}

/// First word of a text, if it is a whole number above 0.
fn first_number(text: &str) -> Option<u64> {
    text.split(|c: char| c.is_whitespace() || c == ',')
        .find(|word| !word.is_empty())?
        .parse()
        .ok()
        .filter(|n| *n > 0)
}
