//! Reads the output line by line, and hands each section to its reader.

use super::super::Foreign;
use super::super::page::{Line, Page};
use super::matrix;
use super::options::Options;
use super::repeated::Repeated;
use super::section::{Measures, Section, title};
use super::{curve, rates};
use numalab_syntax::cells::Cell;
use numalab_syntax::diagnostics::Diagnostic;

/// Position in the text, and values found so far.
pub struct Walk<'p, 'a> {
    pub page: &'p Page<'a>,
    pub options: Options<'a>,
    /// True after the start of a run of `mlc` without options, which prints all sections.
    pub whole: bool,
    pub section: Option<Section<'a>>,
    pub latency: Repeated,
    pub bandwidth: Repeated,
    pub curve: curve::Points,
    /// Loaded-latency curve of traffic with as many writes as reads.
    pub mixed: curve::Points,
    /// Names of sections whose values are not used.
    pub unused: Vec<&'static str>,
    pub errors: Vec<Diagnostic>,
}

impl<'p, 'a> Walk<'p, 'a> {
    pub fn new(page: &'p Page<'a>) -> Walk<'p, 'a> {
        Walk {
            page,
            options: Options::default(),
            whole: false,
            section: None,
            latency: Repeated::default(),
            bandwidth: Repeated::default(),
            curve: Vec::new(),
            mixed: Vec::new(),
            unused: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Reads all lines and adds rows for the values found.
    pub fn through(mut self, found: &mut Foreign) -> Result<(), Vec<Diagnostic>> {
        let rows_before = found.rows.len();
        let mut at = 0;
        while let Some(line) = self.page.lines.get(at) {
            at = self.line(at, line, found) + 1;
        }
        self.close();
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        let page = self.page;
        found.latency = self.latency.finish(page, ("pointer_chase", "latency"), "ns", found);
        found.bandwidth = self.bandwidth.finish(page, ("node_bandwidth", "bandwidth"), "GB/s", found);
        for &(line, point) in &self.curve {
            let params = [("bandwidth", format!("{:.0}", point.bandwidth * 1e9))];
            found.rows.push(page.row(line, ("loaded_latency", "latency"), &params, "ns", &[point.latency]));
        }
        for &(line, point) in &self.mixed {
            let bandwidth = ("bandwidth", format!("{:.0}", point.bandwidth * 1e9));
            let params = [bandwidth, ("read_percent", "50".to_owned())];
            found.rows.push(page.row(line, ("loaded_latency", "latency"), &params, "ns", &[point.latency]));
        }
        found.loaded_latency.extend(self.curve.iter().map(|(_, point)| *point));
        found.mixed_latency.extend(self.mixed.iter().map(|(_, point)| *point));
        if found.rows.len() > rows_before {
            return Ok(());
        }
        let first = page.lines.iter().find(|line| !line.is_empty()).map(Line::span).unwrap_or_default();
        let message = match &self.unused[..] {
            [] => "nothing was measured in this output of Intel's Memory Latency Checker".to_owned(),
            unused => {
                format!("this output of Intel's Memory Latency Checker has {} alone", unused.join(" and "))
            }
        };
        let expected = "expected a matrix of latencies or bandwidths, loaded latencies, rates of all reads, or latencies of caches";
        Err(vec![Diagnostic::new(first, message, expected)])
    }

    /// Reads a line and the lines that belong to it; returns the index of the last one.
    fn line(&mut self, at: usize, line: &'p Line<'a>, found: &mut Foreign) -> usize {
        let text = line.text();
        if text.contains("Memory Latency Checker - v") {
            self.close();
            self.options = Options::default();
            self.whole = true;
        } else if let Some(options) = Options::in_line(text) {
            self.close();
            self.whole &= !options.choose();
            self.options = options;
        } else if let Some(measures) = title(text) {
            self.close();
            self.open(measures, line, found);
        } else if text.starts_with("***") {
            found.note(line.number, format!("it warns: {}", text.trim_matches('*').trim()));
        } else if let Some(latency) = rates::iteration(line) {
            self.iteration(line, latency, found);
        } else if let Some((traffic, value)) = rates::rate(line) {
            self.rate(line, traffic, value, found);
        } else if let Some(words) = neighbours(line) {
            self.written_line(line, &words, found);
        } else if curve::header(line) {
            return self.curve(at, found);
        } else if let Some((header, columns)) = matrix::header(line)
            && !columns.is_empty()
        {
            return self.matrix(at, header, &columns, found);
        } else if let Some(section) = &mut self.section {
            section.reads |= text.to_ascii_lowercase().contains("read-only traffic");
            if let Some((_, unit)) = text.split_once("Bandwidths are in ") {
                match unit.split_whitespace().next().unwrap_or_default() {
                    "MB/sec" | "MB/s" => section.unit = 1e-3,
                    "GB/sec" | "GB/s" => section.unit = 1.0,
                    other => {
                        let message = format!("bandwidths in {}", numalab_syntax::tree::shorten(other));
                        self.errors.push(line.refused(message, "expected MB/sec or GB/sec"));
                    }
                }
            }
        }
        at
    }

    fn open(&mut self, measures: Measures, line: &'p Line<'a>, found: &mut Foreign) {
        let latencies = matches!(measures, Measures::IdleLatency | Measures::IdleLatencyOfProcessors);
        if latencies && line.text().contains("(in ") && !line.text().contains("(in ns)") {
            self.errors.push(line.refused("these latencies are not in ns", "expected \"(in ns)\""));
        }
        if latencies && let Some(option) = self.options.with(&['e']) {
            found.note(line.number, format!("prefetchers were on ({option}): latencies may be too low"));
        }
        self.section = Some(Section::new(measures, *line));
    }

    /// Ends the section; an empty one is an error.
    fn close(&mut self) {
        if let Some(section) = self.section.take()
            && !section.filled
            && self.errors.is_empty()
        {
            let name = section.measures.name();
            let cut = match self.page.lines.iter().rposition(|line| line.number == section.title.number) {
                Some(at) if self.page.lines[at..].len() < 8 => "; is the file cut below?",
                _ => "",
            };
            let expected = format!("expected {}{cut}", section.measures.content());
            self.errors.push(section.title.refused(format!("no {name} below this title"), expected));
        }
    }
}

/// Words of a line such as `Local Socket L2->L2 HITM latency 45.6`.
fn neighbours<'a>(line: &Line<'a>) -> Option<Vec<Cell<'a>>> {
    let words = line.words();
    let texts: Vec<&str> = words.iter().map(|word| word.text).collect();
    matches!(texts[..], ["Local", "Socket", _, "HITM", "latency", _]).then_some(words)
}
