//! Random numbers for thieves that choose victims at random. One draw gives the number of failed attempts, instead of
//! a draw for each attempt: the distribution is the same, and there is one event.

use numalab_des::Stream;

/// Number of equally likely values that a draw distinguishes.
const PARTS: u64 = 1 << 53;

/// A uniform random number in (0, 1].
fn unit(stream: &mut Stream) -> f64 {
    (stream.below(PARTS) + 1) as f64 / PARTS as f64
}

/// Number of failed rounds before the first successful one. In a round each of `thieves`
/// independent attempts succeeds with probability `hits / of`.
pub fn fruitless(stream: &mut Stream, hits: u64, of: u64, thieves: u64) -> u64 {
    if hits >= of || thieves == 0 {
        return 0;
    }
    // A round fails with probability (1 - p)^thieves: the geometric distribution, inverted.
    let fails = thieves as f64 * (-(hits as f64) / of as f64).ln_1p();
    (unit(stream).ln() / fails) as u64
}

/// A uniform random number below `length`; 0 if `length` is 0.
pub fn part_of(stream: &mut Stream, length: u64) -> u64 {
    if length == 0 { 0 } else { stream.below(length) }
}
