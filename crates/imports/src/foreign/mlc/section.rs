//! The sections of the output and their titles.

use super::super::page::Line;

/// Section of the output, by what it measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measures {
    /// A matrix of latencies in ns.
    IdleLatency,
    /// The same from every processor.
    IdleLatencyOfProcessors,
    /// A matrix of bandwidths.
    NodeBandwidth,
    /// A curve of latency over bandwidth.
    LoadedLatency,
    /// Rates of all processors, each at its fastest.
    PeakInjection,
    /// Rates of all processors, each as fast as is best for all.
    MaximumBandwidth,
    /// Lines from cache to cache.
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

    /// Content below its title.
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

/// A section that a line opens.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    pub measures: Measures,
    pub title: Line<'a>,
    /// Whether anything was found in it.
    pub filled: bool,
    /// Whether it says that it only reads.
    pub reads: bool,
    /// Whether rates of other mixes were seen in it.
    pub mixes: bool,
    /// GB/s of its unit of bandwidth.
    pub unit: f64,
}

impl<'a> Section<'a> {
    pub fn new(measures: Measures, title: Line<'a>) -> Section<'a> {
        Section { measures, title, filled: false, reads: false, mixes: false, unit: 1e-3 }
    }
}

/// Section that a line is the title of.
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
