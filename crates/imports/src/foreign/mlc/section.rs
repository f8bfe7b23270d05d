//! Sections of the output and their titles.

use super::super::page::Line;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measures {
    /// Matrix of idle latencies between nodes, in ns.
    IdleLatency,
    /// Matrix of idle latencies from every processor to every node, in ns.
    IdleLatencyOfProcessors,
    /// Matrix of bandwidths between nodes.
    NodeBandwidth,
    /// Curve of latency over bandwidth.
    LoadedLatency,
    /// Bandwidths with all processors injecting at their highest rate.
    PeakInjection,
    /// Bandwidths with all processors injecting at the rate that is best for the sum.
    MaximumBandwidth,
    /// Latencies of lines from cache to cache.
    CacheToCache,
}

impl Measures {
    /// Name of the section in messages.
    pub fn name(self) -> &'static str {
        match self {
            Measures::IdleLatency => "idle latencies",
            Measures::IdleLatencyOfProcessors => "idle latencies of all processors",
            Measures::NodeBandwidth => "bandwidths between nodes",
            Measures::LoadedLatency => "loaded latencies",
            Measures::PeakInjection => "peak injection bandwidths",
            Measures::MaximumBandwidth => "maximum bandwidths",
            Measures::CacheToCache => "cache-to-cache latencies",
        }
    }

    /// Expected content below the title, for errors.
    pub fn content(self) -> &'static str {
        match self {
            Measures::IdleLatency | Measures::IdleLatencyOfProcessors | Measures::NodeBandwidth => {
                "a line \"Numa node\" with the nodes' numbers, and a line for each node"
            }
            Measures::LoadedLatency => "lines of delay, latency and bandwidth",
            Measures::PeakInjection | Measures::MaximumBandwidth => "\"ALL Reads :\" and a rate",
            Measures::CacheToCache => "latencies",
        }
    }
}

/// Section of the output, as far as it was read.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    pub measures: Measures,
    pub title: Line<'a>,
    /// True if the section held a value.
    pub filled: bool,
    /// True if the section states that its traffic is read-only.
    pub reads: bool,
    /// GB/s of one unit of bandwidth in the section.
    pub unit: f64,
}

impl<'a> Section<'a> {
    pub fn new(measures: Measures, title: Line<'a>) -> Section<'a> {
        Section { measures, title, filled: false, reads: false, unit: 1e-3 }
    }
}

/// Kind of the section that a title opens; `None` if the line is no title.
pub fn title(text: &str) -> Option<Measures> {
    let lower = text.to_ascii_lowercase();
    let has = |part: &str| lower.contains(part);
    // "*** … latency measurements" is a warning.
    if !has("measuring ") || lower.starts_with('*') {
        return None;
    }
    if has("idle latenc") {
        let all = has("all cores") || has("all cpus");
        Some(if all { Measures::IdleLatencyOfProcessors } else { Measures::IdleLatency })
    } else if has("bandwidths between nodes") {
        Some(Measures::NodeBandwidth)
    } else if has("loaded latenc") {
        Some(Measures::LoadedLatency)
    } else if has("peak injection") || has("peak memory bandwidth") {
        Some(Measures::PeakInjection)
    } else if has("maximum memory bandwidth") {
        Some(Measures::MaximumBandwidth)
    } else if has("cache-to-cache") {
        Some(Measures::CacheToCache)
    } else {
        None
    }
}
