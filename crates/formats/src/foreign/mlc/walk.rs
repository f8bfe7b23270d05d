//! Through the lines, from section to section.

use super::super::node_matrix::NodeMatrix;
use super::super::page::{Line, Page};
use super::super::{Foreign, LoadedLatency};
use super::matrix::{self, Header};
use super::options::Options;
use super::repeated::Repeated;
use super::section::{Measures, Section, title};
use super::{curve, rates};
use crate::diagnostics::Diagnostic;
use crate::matrix::cells::Cell;

/// Where we are, and what was found so far.
pub struct Walk<'p, 'a> {
    page: &'p Page<'a>,
    options: Options<'a>,
    /// Whether a run without options has begun: then all sections follow.
    whole: bool,
    section: Option<Section<'a>>,
    latency: Repeated,
    bandwidth: Repeated,
    curve: Vec<(usize, LoadedLatency)>,
    /// What has no use here.
    unused: Vec<&'static str>,
    errors: Vec<Diagnostic>,
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
            unused: Vec::new(),
            errors: Vec::new(),
        }
    }

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
        found.loaded_latency.extend(self.curve.iter().map(|(_, point)| *point));
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
        let expected =
            "expected a matrix of latencies or bandwidths, loaded latencies, or rates of all reads";
        Err(vec![Diagnostic::new(first, message, expected)])
    }

    /// Reads a line and what belongs to it; returns the index of the last line read.
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
        } else if let Some((reads, value)) = rates::rate(line) {
            self.rate(line, reads, value, found);
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
                        let message = format!("bandwidths in {}", crate::tree::shorten(other));
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
        if measures == Measures::CacheToCache {
            self.unused.push(measures.name());
            found.note(
                line.number,
                "left out: cache-to-cache latencies do not say which processors they are of",
            );
        }
        self.section = Some(Section::new(measures, *line));
    }

    /// The section ends. It must have held something.
    fn close(&mut self) {
        if let Some(section) = self.section.take()
            && !section.filled
            && section.measures != Measures::CacheToCache
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

    /// Marks the open section as filled; what it measures, from its title or from the options.
    fn fill(&mut self) -> Option<Section<'a>> {
        if let Some(section) = &mut self.section {
            section.filled = true;
        }
        self.section
    }

    /// Why the section does not measure reads alone, if it says so.
    fn other_traffic(&self, section: Option<Section<'a>>) -> Option<String> {
        let only_reads = section.is_some_and(|section| section.reads);
        let option = self.options.with(&['W', 'w']).filter(|_| !only_reads);
        option.map(|option| format!("left out: not of reads alone ({option})"))
    }

    fn matrix(&mut self, at: usize, header: Header, columns: &[Cell<'a>], found: &mut Foreign) -> usize {
        let line = self.page.lines[at];
        let section = self.fill();
        let measures = section.map(|section| section.measures).or_else(|| self.options.measures());
        let what = if measures == Some(Measures::NodeBandwidth) { "MB/sec" } else { "nanoseconds" };
        let (matrix, last) = match matrix::read(self.page, at, columns, what) {
            Ok(read) => read,
            Err(errors) => {
                self.errors.extend(errors);
                return at;
            }
        };
        if header == Header::Sockets {
            found.note(line.number, "this matrix numbers sockets: each is taken as the node of that number");
        }
        let unused = match (header, measures) {
            (Header::Writers, _) | (_, Some(Measures::CacheToCache)) => None,
            (Header::Processors, _) | (_, Some(Measures::IdleLatencyOfProcessors)) => {
                self.unused.push(Measures::IdleLatencyOfProcessors.name());
                found.note(
                    line.number,
                    "left out: latencies of each processor; run --latency_matrix without -a",
                );
                None
            }
            (_, Some(measures @ (Measures::IdleLatency | Measures::NodeBandwidth))) => Some(measures),
            _ => {
                let expected = "expected \"Measuring idle latencies\" or \"Measuring Memory Bandwidths between nodes\" above";
                self.errors.push(line.refused("this matrix has no title", expected));
                None
            }
        };
        if let Some(measures) = unused {
            self.keep(measures, section, (at, last), matrix, found);
        }
        last
    }

    fn keep(
        &mut self,
        measures: Measures,
        section: Option<Section<'a>>,
        (at, last): (usize, usize),
        mut matrix: NodeMatrix,
        found: &mut Foreign,
    ) {
        let line = self.page.lines[at];
        let alone = matrix.without_row();
        if !alone.is_empty() {
            let names: Vec<String> = alone.iter().take(8).map(u32::to_string).collect();
            let more = if alone.len() > 8 { " …" } else { "" };
            let names = format!("{}{more}", names.join(" "));
            // Without options everything is measured in turn: a file that ends here was cut.
            if self.whole && self.page.ends_after(last) {
                let message = format!("the file ends within the matrix: no line of node {names}");
                self.errors
                    .push(self.page.lines[last].refused(message, "expected more lines and sections below"));
                return;
            }
            found.note(line.number, format!("no line of node {names}: taken as memory without processors"));
        }
        if measures == Measures::IdleLatency {
            self.latency.add(line.number, matrix, found);
            return;
        }
        if let Some(reason) = self.other_traffic(section) {
            self.unused.push("bandwidths of reads and writes");
            found.note(line.number, reason);
            return;
        }
        let unit = section.map_or(1e-3, |section| section.unit);
        matrix.cells.iter_mut().flatten().flatten().for_each(|value| *value = scaled(*value, unit));
        self.bandwidth.add(line.number, matrix, found);
    }

    fn curve(&mut self, at: usize, found: &mut Foreign) -> usize {
        let section = self.fill();
        let unit = section.map_or(1e-3, |section| section.unit);
        match curve::read(self.page, at, unit) {
            Ok((points, last)) => {
                let line = self.page.lines[at].number;
                if let Some(reason) = self.other_traffic(section) {
                    self.unused.push("loaded latencies of reads and writes");
                    found.note(line, reason);
                } else if let Some((first, _)) = self.curve.first() {
                    found.note(line, format!("left out: the first curve is that of line {first}"));
                } else {
                    self.curve = points;
                }
                last
            }
            Err(errors) => {
                self.errors.extend(errors);
                at
            }
        }
    }

    fn rate(&mut self, line: &Line<'a>, reads: bool, cell: Cell<'a>, found: &mut Foreign) {
        let unit = self.fill().map_or(1e-3, |section| section.unit);
        match rates::value(self.page, line, cell) {
            Ok(Some(value)) if reads => {
                let names = ("parallel_bandwidth", "read_bandwidth");
                found.rows.push(self.page.row(line.number, names, &[], "GB/s", &[scaled(value, unit)]));
            }
            Ok(_) if !reads => {
                let label = line.split_last(':').map_or("", |(label, _)| label.text);
                found.note(
                    line.number,
                    format!("left out: no workload has the mix \"{}\"", crate::tree::shorten(label)),
                );
            }
            Ok(_) => {}
            Err(error) => self.errors.push(error),
        }
    }

    /// The latency of one processor, if we know of whom and from which memory.
    fn iteration(&mut self, line: &Line<'a>, latency: Result<f64, Diagnostic>, found: &mut Foreign) {
        match latency {
            Ok(latency) if latency > 0.0 => {
                if let Some(option) = self.options.with(&['c', 'i', 'j', 'b', 'J', 'e', 'l']) {
                    self.unused.push("an idle latency");
                    found.note(line.number, format!("left out: an idle latency of its own kind ({option})"));
                    return;
                }
                let params = [("from", "0".to_owned()), ("node", "0".to_owned())];
                found.rows.push(self.page.row(
                    line.number,
                    ("pointer_chase", "latency"),
                    &params,
                    "ns",
                    &[latency],
                ));
            }
            Ok(_) => self.errors.push(line.refused("a latency of zero", "expected nanoseconds")),
            Err(error) => self.errors.push(error),
        }
    }
}

/// A value in another unit; a division by 1000 has no error of its own.
fn scaled(value: f64, unit: f64) -> f64 {
    if unit == 1e-3 { value / 1e3 } else { value * unit }
}
