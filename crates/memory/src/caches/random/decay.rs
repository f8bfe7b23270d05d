//! Laws of random replacement, in closed form.
//!
//! Each line that comes into a full cache of `C` bytes replaces any other with equal probability.
//! The share `exp(-d / C)` is left of bytes that were used when the cache had taken in `d` bytes less than now.
//! A stretch was used upwards, so `d` falls linearly from its first byte to its last. The slope `s`
//! is the number of bytes that came in per byte used.
//!
//! The stretch is used again from its first byte. A missing byte comes in and evicts from the bytes
//! ahead as from all others. So the age `u = d / C` of the byte at position `y` follows `C du/dy =
//! (1 - exp(-u)) - s`. With `w = exp(u)` that is linear. Of `L` bytes whose first has the share `r`
//! left, `-C ln(1 - r g)` are found, where `g = (1 - exp(-(1 - s) L / C)) / (1 - s)`.
//!
//! Repeated sweeps over `N` bytes converge to `s = 1 - h` and `r = h`: then `h N` are found, and `h
//! = exp(-(1 - h) N / C)`.

/// Slopes closer to one than this count as one. If the age in a stretch falls by less than this, it counts as
/// constant.
const FLAT: f64 = 1e-9;

/// Bytes that were used in ascending order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    /// Number of bytes.
    pub length: f64,
    /// Bytes that came into the cache since the first byte of the stretch was used.
    pub before: f64,
    /// Bytes that came into the cache per used byte of the stretch.
    pub slope: f64,
}

impl Stretch {
    /// Probability that the first byte of the stretch is still present.
    fn left(&self, capacity: f64) -> f64 {
        (-self.before / capacity).exp()
    }

    /// Expected number of bytes of the stretch that are present now.
    pub fn resident(&self, capacity: f64) -> f64 {
        let grown = self.slope * self.length / capacity;
        let mean = if grown < FLAT { 1.0 } else { grown.exp_m1() / grown };
        (self.left(capacity) * mean * self.length).min(self.length)
    }

    /// Expected number of bytes that are present when the stretch is used again, where each missing byte evicts
    /// another byte.
    pub fn found(&self, capacity: f64) -> f64 {
        let falls = 1.0 - self.slope;
        let length = self.length / capacity;
        let part = if falls.abs() < FLAT { length } else { -(-falls * length).exp_m1() / falls };
        // Guards against rounding: a completely present stretch is found completely.
        let missed = (-self.left(capacity) * part).max(-1.0).ln_1p();
        (-capacity * missed).min(self.length)
    }
}

/// Hit ratio of repeated sweeps over `times` the capacity: the lesser root of `h = exp(-(1 - h)
/// times)`.
pub fn swept(times: f64) -> f64 {
    if times <= 1.0 {
        return 1.0;
    }
    // The function is convex, so each tangent from below ends before the root (Newton's method).
    let mut found = 0.0_f64;
    loop {
        let above = (-(1.0 - found) * times).exp();
        let step = (above - found) / (1.0 - times * above);
        if step.is_nan() || step <= found * 1e-9 {
            return found;
        }
        found += step;
    }
}

/// Hit ratio of random draws from a window of `times` the capacity, where `beside` bytes of
/// streaming data come in per drawn byte. Draws and evictions happen at random times: `h = 1 / (1 +
/// times (1 - h + beside))`.
pub fn drawn(times: f64, beside: f64) -> f64 {
    let sum = 1.0 + times * (1.0 + beside);
    // The lesser root of `times h² - sum h + 1`, in the form that is exact for small `times`.
    (2.0 / (sum + (sum * sum - 4.0 * times).max(0.0).sqrt())).min(1.0)
}
