//! Laws of random replacement, in closed form.
//!
//! Each line that comes into a full cache of `C` bytes takes the place of any other alike. The share that is left of
//! what was used when `d` bytes less had come in is `exp(-d / C)`. A stretch was used upwards, so `d` falls from its
//! first byte to its last, in proportion as lines came in meanwhile: a line with a slope `s`, lines that came in for each byte.
//!
//! It is used again from below. What is missing comes in and drives out of what is ahead as of everything else, so that of
//! the time `u = d / C` at which it is looked at, `C du/dy = (1 - exp(-u)) - s`. With `w = exp(u)` that is linear; of `L` bytes
//! whose first has the share `r` left, `-C ln(1 - r g)` are found, where `g = (1 - exp(-(1 - s) L / C)) / (1 - s)`.
//!
//! Sweeps over `N` bytes again and again settle at `s = 1 - h` and `r = h`: then `h N` are found, and `h = exp(-(1 - h) N / C)`.

/// Slopes closer to one than this are one.
const FLAT: f64 = 1e-9;

/// A stretch that is used upwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    /// Bytes.
    pub length: f64,
    /// Bytes that came in since its first byte was used.
    pub before: f64,
    /// Bytes that came in for each of its own when it was used.
    pub slope: f64,
}

impl Stretch {
    /// Part of its first byte that is left in a cache.
    fn left(&self, capacity: f64) -> f64 {
        (-self.before / capacity).exp()
    }

    /// Bytes of it that are in the cache at this moment.
    pub fn resident(&self, capacity: f64) -> f64 {
        let grown = self.slope * self.length / capacity;
        let mean = if grown < FLAT { 1.0 } else { grown.exp_m1() / grown };
        (self.left(capacity) * mean * self.length).min(self.length)
    }

    /// Bytes of it that are found when it is used, where each that is missing drives out another.
    pub fn found(&self, capacity: f64) -> f64 {
        let falls = 1.0 - self.slope;
        let length = self.length / capacity;
        let part = if falls.abs() < FLAT { length } else { -(-falls * length).exp_m1() / falls };
        // What is all there is found, whatever is rounded.
        let missed = (-self.left(capacity) * part).max(-1.0).ln_1p();
        (-capacity * missed).min(self.length)
    }
}

/// Part that sweeps over `times` what a cache holds find there, again and again: the lesser root of `h = exp(-(1 - h) times)`.
pub fn swept(times: f64) -> f64 {
    if times <= 1.0 {
        return 1.0;
    }
    // What is above it is convex, so that each tangent from below ends before the root.
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

/// Part of the draws from a window of `times` what a cache holds that find their line there, where `beside` bytes that are
/// used once come in for each drawn one. A draw comes to a line at any time, and so does what drives it out:
/// `h = 1 / (1 + times (1 - h + beside))`.
pub fn drawn(times: f64, beside: f64) -> f64 {
    let sum = 1.0 + times * (1.0 + beside);
    // The lesser root of `times h² - sum h + 1`, in the form that loses nothing where `times` is small.
    (2.0 / (sum + (sum * sum - 4.0 * times).max(0.0).sqrt())).min(1.0)
}
