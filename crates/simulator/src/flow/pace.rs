//! Time per byte of a stream without contention.

/// Seconds per byte of a stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pace {
    /// Computing of the thread, with its share of the core.
    pub compute: f64,
    /// Placement of fresh pages by the operating system.
    pub faulting: f64,
    /// Computing and waiting of a thread that is alone on the machine, with local data.
    pub alone: f64,
}

impl Pace {
    /// Part of the time, 0 to 1, that the thread waits if it streams `rate` bytes per second.
    pub fn waiting(&self, rate: f64) -> f64 {
        (1.0 - (self.compute + self.faulting) * rate).max(0.0)
    }
}
