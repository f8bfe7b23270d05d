//! Values of a section as rows.

use super::super::Foreign;
use super::super::node_matrix::NodeMatrix;
use super::super::page::Line;
use super::curve;
use super::matrix::{self, Header};
use super::rates::{self, Traffic};
use super::section::{Measures, Section};
use super::walk::Walk;
use numalab_syntax::cells::Cell;
use numalab_syntax::diagnostics::Diagnostic;

/// Option for traffic of as many writes as reads.
const AS_MANY_WRITES: &str = "-W5";
/// Bandwidth in bytes per second that load generators ask for without pauses: more than any memory has.
const UNLIMITED: &str = "1000000000000000";

impl<'a> Walk<'_, 'a> {
    /// Marks the open section as filled and returns it.
    fn fill(&mut self) -> Option<Section<'a>> {
        if let Some(section) = &mut self.section {
            section.filled = true;
        }
        self.section
    }

    /// Note that an option selects traffic other than reads alone; `None` without such an option, or if the section
    /// states that its traffic is read-only.
    fn other_traffic(&self, section: Option<Section<'a>>) -> Option<String> {
        let only_reads = section.is_some_and(|section| section.reads);
        let option = self.options.with(&['W', 'w']).filter(|_| !only_reads);
        option.map(|option| format!("left out: not of reads alone ({option})"))
    }

    pub fn matrix(&mut self, at: usize, header: Header, columns: &[Cell<'a>], found: &mut Foreign) -> usize {
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
            (Header::Writers, _) | (_, Some(Measures::CacheToCache)) => {
                self.written_lines(line.number, &matrix, found);
                None
            }
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
            // Without options all sections follow in turn: a file that ends here was cut.
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

    /// Adds latencies of lines that a core of another node has written, from the writers (rows) to the readers.
    /// Values with the line's home at either node are samples of the same pair.
    fn written_lines(&mut self, line: usize, matrix: &NodeMatrix, found: &mut Foreign) {
        for (writer, reader, latency) in matrix.pairs().filter(|(writer, reader, _)| writer != reader) {
            let params =
                [("pair", "nodes".to_owned()), ("from", writer.to_string()), ("node", reader.to_string())];
            let row = self.page.row(line, ("core_to_core", "one_way"), &params, "ns", &[latency]);
            match found
                .rows
                .iter_mut()
                .find(|known| known.params == row.params && known.quantity == row.quantity)
            {
                Some(known) => known.samples.extend(row.samples),
                None => found.rows.push(row),
            }
        }
    }

    /// Adds the latency of a line that a neighbouring core has written (`HITM`). Lines that the neighbour has only
    /// read (`HIT`) are left out.
    pub fn written_line(&mut self, line: &Line<'a>, words: &[Cell<'a>], found: &mut Foreign) {
        self.fill();
        let Some(latency) = words.last() else { return };
        match super::super::number::number(*latency, "nanoseconds") {
            Ok(latency) if latency > 0.0 => {
                let params = [("pair", "near".to_owned())];
                let names = ("core_to_core", "one_way");
                found.rows.push(self.page.row(line.number, names, &params, "ns", &[latency]));
            }
            Ok(_) => self.errors.push(line.refused("a latency of zero", "expected nanoseconds")),
            Err(error) => self.errors.push(error),
        }
    }

    pub fn curve(&mut self, at: usize, found: &mut Foreign) -> usize {
        let section = self.fill();
        let unit = section.map_or(1e-3, |section| section.unit);
        match curve::read(self.page, at, unit) {
            Ok((points, last)) => {
                let line = self.page.lines[at].number;
                if let Some(reason) = self.other_traffic(section) {
                    self.mix(line, &reason, points, found);
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

    /// Keeps a curve of reads and writes: its greatest bandwidth, and all of it if as much is written as read.
    fn mix(&mut self, line: usize, reason: &str, points: curve::Points, found: &mut Foreign) {
        let option = self.options.with(&['W']);
        let Some(Traffic::Mix(read)) = option.map(Traffic::of_option) else {
            self.unused.push("loaded latencies of reads and writes");
            found.note(line, reason);
            return;
        };
        let most = points.iter().map(|(_, point)| point.bandwidth).fold(0.0, f64::max);
        self.moved(line, read, most, found);
        if option == Some(AS_MANY_WRITES) && self.mixed.is_empty() {
            self.mixed = points;
        } else {
            let text = format!(
                "of this curve of reads and writes its greatest bandwidth alone counts ({})",
                option.unwrap_or_default()
            );
            found.note(line, text);
        }
    }

    /// Adds the greatest bandwidth, in GB/s, of traffic of which `read` per cent are read.
    fn moved(&self, line: usize, read: &str, bandwidth: f64, found: &mut Foreign) {
        let params = [("bandwidth", UNLIMITED.to_owned()), ("read_percent", read.to_owned())];
        let names = ("loaded_latency", "moved");
        found.rows.push(self.page.row(line, names, &params, "GB/s", &[bandwidth]));
    }

    pub fn rate(&mut self, line: &Line<'a>, traffic: Traffic, cell: Cell<'a>, found: &mut Foreign) {
        let unit = self.fill().map_or(1e-3, |section| section.unit);
        let rate = match rates::value(self.page, line, cell) {
            Ok(rate) => rate,
            Err(error) => {
                self.errors.push(error);
                return;
            }
        };
        match (traffic, rate) {
            (Traffic::Reads, Some(value)) => {
                let names = ("parallel_bandwidth", "read_bandwidth");
                found.rows.push(self.page.row(line.number, names, &[], "GB/s", &[scaled(value, unit)]));
            }
            (Traffic::Mix(read), Some(value)) => self.moved(line.number, read, scaled(value, unit), found),
            (Traffic::Other, Some(_)) => {
                found.note(line.number, "left out: a rate of more writes than reads");
            }
            (_, None) => {}
        }
    }

    /// Adds the idle latency of processor 0, unless an option changes the processor, the memory or the kind of
    /// access.
    pub fn iteration(&mut self, line: &Line<'a>, latency: Result<f64, Diagnostic>, found: &mut Foreign) {
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

/// Converts a value to another unit. Dividing by 1000 rounds only once.
fn scaled(value: f64, unit: f64) -> f64 {
    if unit == 1e-3 { value / 1e3 } else { value * unit }
}
