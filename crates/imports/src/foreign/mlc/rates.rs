//! Rates of all processors together (`ALL Reads        :  190000.5`), and the idle latency of one.

use super::super::number::{measured, number};
use super::super::page::{Line, Page};
use numalab_syntax::cells::Cell;
use numalab_syntax::diagnostics::Diagnostic;

/// Traffic of load generators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traffic {
    /// Reads alone.
    Reads,
    /// Reads and writes; the text is the per cent of the bytes that are read, as in a row.
    Mix(&'static str),
    /// Traffic without a row: writes alone, or more writes than reads.
    Other,
}

/// Mixes by the ratio of reads to writes in labels, and by the options `-W` that choose them.
const MIXES: &[(&str, &[&str], &str)] = &[
    ("4:1", &[], "80"),
    ("3:1", &["-W3"], "75"),
    ("2:1", &["-W2", "-W7", "-W10"], "66.67"),
    ("3:2", &[], "60"),
    ("1:1", &["-W5", "-W8"], "50"),
];

impl Traffic {
    /// Traffic of an option `-W`.
    pub fn of_option(option: &str) -> Traffic {
        let mix = MIXES.iter().find(|(_, options, _)| options.contains(&option));
        mix.map_or(Traffic::Other, |(_, _, read)| Traffic::Mix(read))
    }

    /// Traffic of a label such as `3:1 Reads-Writes`; `None` if the text is no label.
    fn of_label(label: &str) -> Option<Traffic> {
        let lower = label.to_ascii_lowercase();
        if lower == "all reads" {
            return Some(Traffic::Reads);
        }
        // Two arrays are read, and one is written without fetching its lines.
        if lower.starts_with("stream-triad") {
            return Some(Traffic::Mix("66.67"));
        }
        if lower.ends_with("reads-writes") || lower.contains("read-nt write") {
            let ratio = lower.split_whitespace().next().unwrap_or_default();
            let mix = MIXES.iter().find(|(known, _, _)| *known == ratio);
            return Some(mix.map_or(Traffic::Other, |(_, _, read)| Traffic::Mix(read)));
        }
        (lower.starts_with("all nt writes") || lower == "all writes").then_some(Traffic::Other)
    }
}

/// Parses a line with a rate: its traffic, and the cell of the rate.
pub fn rate<'a>(line: &Line<'a>) -> Option<(Traffic, Cell<'a>)> {
    let (label, value) = line.split_last(':')?;
    Some((Traffic::of_label(label.text)?, value))
}

/// Value of a rate; `None` if the rate was not measured.
pub fn value(page: &Page<'_>, line: &Line<'_>, cell: Cell<'_>) -> Result<Option<f64>, Diagnostic> {
    // All versions print decimals.
    let like = Cell { text: "0.0", ..cell };
    match measured(cell, "MB/sec") {
        Ok(_) if page.cut(cell, like) => {
            Err(line
                .refused(format!("the file ends within `{}`", cell.text), "expected MB/sec with decimals"))
        }
        Ok(None) if cell.text.is_empty() => {
            Err(line.refused("the rate is missing", "expected MB/sec; is the file cut here?"))
        }
        other => other,
    }
}

/// Nanoseconds in `Each iteration took 215.3 base frequency clocks ( 86.1  ns)`.
pub fn iteration(line: &Line<'_>) -> Option<Result<f64, Diagnostic>> {
    if !line.text().to_ascii_lowercase().contains("each iteration took") {
        return None;
    }
    let behind = line.split_last('(').map(|(_, behind)| behind.text);
    let word = behind.and_then(|text| text.trim_end_matches(')').trim().strip_suffix("ns"));
    Some(match word {
        Some(word) => number(line.part(word), "nanoseconds"),
        None => Err(line.refused("the latency in nanoseconds is missing", "expected \"(… ns)\" at the end")),
    })
}
