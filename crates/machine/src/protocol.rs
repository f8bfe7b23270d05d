//! Coherence protocols by name.

use std::fmt;

/// A coherence protocol, named after the states of a line in a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Protocol {
    /// Modified, exclusive, shared, invalid: memory serves what several caches share.
    #[default]
    Mesi,
    /// With a forwarder among the sharers, which serves in the place of memory.
    Mesif,
    /// With an owner that shares what it wrote, before memory has it.
    Moesi,
}

impl Protocol {
    /// Every protocol.
    pub const ALL: [Protocol; 3] = [Protocol::Mesi, Protocol::Mesif, Protocol::Moesi];

    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Mesi => "mesi",
            Protocol::Mesif => "mesif",
            Protocol::Moesi => "moesi",
        }
    }

    /// The protocol of that name.
    pub fn from_name(name: &str) -> Option<Protocol> {
        Protocol::ALL.into_iter().find(|protocol| protocol.name() == name)
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
