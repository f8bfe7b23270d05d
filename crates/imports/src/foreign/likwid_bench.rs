//! Output of `likwid-bench`, of one run or of several.
//!
//! ```text
//! LIKWID MICRO BENCHMARK
//! Test: load_avx
//! Using 8 threads
//! Group: 0 Thread 0 Global Thread 0 running on hwthread 0 - Vector length 16384 Offset 0
//! Size per thread:    131072
//! MByte/s:            120000.50
//! ```

use super::Foreign;
use super::number::{index, number};
use super::page::{Line, Page};
use numalab_syntax::diagnostics::Diagnostic;

pub fn printed(page: &Page<'_>) -> bool {
    let begins = |start: &str| page.lines.iter().any(|line| line.text().starts_with(start));
    begins("LIKWID MICRO BENCHMARK") || begins("MByte/s:") && (begins("Cycles") || begins("Test:"))
}

/// Facts of a run, as far as they were printed.
#[derive(Default)]
struct Run<'a> {
    test: Option<Line<'a>>,
    threads: Option<u64>,
    processors: Vec<u32>,
    size: Option<u64>,
    share: Option<u64>,
    finished: bool,
}

pub fn read(page: &Page<'_>, found: &mut Foreign) -> Result<(), Vec<Diagnostic>> {
    let mut run = Run::default();
    let mut runs = 0;
    for line in &page.lines {
        let text = line.text();
        if let Some(name) = text.strip_prefix("Test:") {
            unfinished(page, &run)?;
            if name.trim().is_empty() {
                return Err(vec![line.refused("the test has no name", "expected a name, such as load_avx")]);
            }
            run = Run { test: Some(*line), ..Run::default() };
        } else if let Some(rest) = text.strip_prefix("Using ").and_then(|rest| rest.strip_suffix("threads")) {
            run.threads = rest.trim().parse().ok().filter(|threads| *threads > 0);
        } else if text.starts_with("Group:") || text.contains("Global Thread") {
            run.processors.extend(processor(line)?);
        } else if let Some(rest) = text.strip_prefix("Size per thread:") {
            run.share = rest.trim().parse().ok().filter(|bytes| *bytes > 0);
        } else if let Some(rest) = text.strip_prefix("Size (Byte):") {
            run.size = rest.trim().parse().ok().filter(|bytes| *bytes > 0);
        } else if let Some(rest) = text.strip_prefix("MByte/s:") {
            let rate = number(line.part(rest), "MByte/s").map_err(|error| vec![error])?;
            // All versions print two decimals.
            if page.cut(line.part(rest), numalab_syntax::cells::Cell { text: "0.00", ..line.cell }) {
                return Err(vec![
                    line.refused("the file ends within the rate", "expected MByte/s with two decimals"),
                ]);
            }
            run.finished = true;
            runs += 1;
            row(page, line, &run, rate, found)?;
        }
    }
    unfinished(page, &run)?;
    if runs == 0 {
        return Err(vec![Diagnostic::new(
            page.end(),
            "likwid-bench printed no rate",
            "expected \"Test:\" and \"MByte/s:\"",
        )]);
    }
    Ok(())
}

/// Processor in `… running on hwthread 22 - …`, or `on core 22`.
fn processor(line: &Line<'_>) -> Result<Option<u32>, Vec<Diagnostic>> {
    let words = line.words();
    let at = words
        .windows(2)
        .position(|pair| pair[0].text == "on" && ["hwthread", "core"].contains(&pair[1].text));
    match at.and_then(|at| words.get(at + 2)) {
        Some(word) => index(*word, "a processor's number").map(Some).map_err(|error| vec![error]),
        None => Ok(None),
    }
}

/// Refuses a run without a rate.
fn unfinished(page: &Page<'_>, run: &Run<'_>) -> Result<(), Vec<Diagnostic>> {
    match run.test {
        Some(test) if !run.finished => {
            let cut = if page.ends_after(test.number + 40) { "; is the file cut?" } else { "" };
            Err(vec![test.refused("this test has no rate", format!("expected \"MByte/s:\" below{cut}"))])
        }
        _ => Ok(()),
    }
}

fn row(
    page: &Page<'_>,
    line: &Line<'_>,
    run: &Run<'_>,
    rate: f64,
    found: &mut Foreign,
) -> Result<(), Vec<Diagnostic>> {
    let Some(test) = run.test.and_then(|test| test.text().strip_prefix("Test:")).map(str::trim) else {
        return Err(vec![line.refused("this rate has no test", "expected \"Test:\" above")]);
    };
    let Some(quantity) = quantity(test) else {
        let known = "load, store, copy, triad and stream are simulated, with ordinary stores";
        found.note(line.number, format!("left out: test {}; {known}", numalab_syntax::tree::shorten(test)));
        return Ok(());
    };
    if rate <= 0.0 {
        return Err(vec![line.refused("a rate of zero", "expected MByte/s")]);
    }
    let threads = run.threads.or(Some(run.processors.len() as u64).filter(|threads| *threads > 0));
    let Some(threads) = threads else {
        return Err(vec![
            line.refused("the number of threads is missing", "expected \"Using … threads\" above"),
        ]);
    };
    let mut params = vec![("threads", threads.to_string())];
    match run.share.or(run.size.map(|size| size / threads)).filter(|share| *share > 0) {
        Some(share) => params.push(("share", share.to_string())),
        None => found.note(line.number, "the size is not given: the workload's own is assumed"),
    }
    if run.processors.len() as u64 == threads {
        let list: Vec<String> = run.processors.iter().map(u32::to_string).collect();
        params.push(("procs", list.join(",")));
    }
    if test.starts_with("triad") {
        found.note(line.number, "likwid's triad has four arrays, the workload's three");
    }
    found.rows.push(page.row(line.number, ("parallel_bandwidth", quantity), &params, "GB/s", &[rate / 1e3]));
    Ok(())
}

/// Quantity that a test measures, for all instruction sets; `None` for tests that bypass the caches (`_mem`) and for
/// other tests.
fn quantity(test: &str) -> Option<&'static str> {
    let mut parts = test.split('_');
    let quantity = match parts.next()? {
        "load" => "read_bandwidth",
        "store" => "write_bandwidth",
        "copy" => "copy_bandwidth",
        "triad" | "stream" => "triad_bandwidth",
        _ => return None,
    };
    let same_access = |part: &str| {
        let part = part.trim_end_matches(|c: char| c.is_ascii_digit());
        ["sse", "avx", "fma", "sve", "neon", "asimd", "vsx", "scalar"].contains(&part)
    };
    parts.all(same_access).then_some(quantity)
}
