//! Options of `mlc`: `Command line parameters: …`, or the command itself in a log.

use super::section::Measures;

/// Options of one run.
#[derive(Clone, Debug, Default)]
pub struct Options<'a> {
    words: Vec<&'a str>,
}

impl<'a> Options<'a> {
    /// Options in a line; `None` if the line has none.
    pub fn in_line(text: &'a str) -> Option<Options<'a>> {
        let words = match text.split_once("Command line parameters:") {
            Some((_, words)) => words,
            None => {
                let (_, behind) = text.split_once("mlc")?;
                behind.find(" --").map(|at| &behind[at..])?
            }
        };
        Some(Options { words: words.split_whitespace().collect() })
    }

    /// Section that the options select; `None` if they select none that is read.
    pub fn measures(&self) -> Option<Measures> {
        self.words.iter().find_map(|word| match word.trim_start_matches('-') {
            "latency_matrix" => Some(Measures::IdleLatency),
            "bandwidth_matrix" => Some(Measures::NodeBandwidth),
            "loaded_latency" => Some(Measures::LoadedLatency),
            "peak_injection_bandwidth" => Some(Measures::PeakInjection),
            "max_bandwidth" => Some(Measures::MaximumBandwidth),
            "c2c_latency" => Some(Measures::CacheToCache),
            _ => None,
        })
    }

    /// First option whose letter is one of `letters`, such as `-W5`; `None` without such an option.
    pub fn with(&self, letters: &[char]) -> Option<&'a str> {
        self.words.iter().copied().find(|word| {
            word.strip_prefix('-').and_then(|rest| rest.chars().next()).is_some_and(|c| letters.contains(&c))
        })
    }

    /// True if an option selects a section; without one, `mlc` measures all sections in turn.
    pub fn choose(&self) -> bool {
        self.words.iter().any(|word| word.starts_with("--"))
    }
}
