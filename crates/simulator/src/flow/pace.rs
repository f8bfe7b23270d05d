//! Time of each byte of a stream, apart from other flows.

/// Seconds per byte of a stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pace {
    /// Computing.
    pub compute: f64,
    /// Placement of fresh pages by the operating system.
    pub faulting: f64,
    /// Computing and waiting of a thread that is alone on the machine, with local data.
    pub alone: f64,
}

impl Pace {
    /// Part of its time that the thread waits when it streams at `rate`.
    pub fn waiting(&self, rate: f64) -> f64 {
        (1.0 - (self.compute + self.faulting) * rate).max(0.0)
    }
}
