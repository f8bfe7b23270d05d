//! Draws for thieves who choose at random. How often they find nothing is drawn at once, instead of once
//! for each attempt: the same distribution, one event.

use numalab_des::Stream;

/// Number of equally likely parts of an interval that a draw distinguishes.
const PARTS: u64 = 1 << 53;

/// Evenly distributed in (0, 1].
fn unit(stream: &mut Stream) -> f64 {
    (stream.below(PARTS) + 1) as f64 / PARTS as f64
}

/// Attempts that find nothing before the first one that finds something, where each of `thieves`
/// independent attempts of a round finds something with the chance `hits / of`: rounds that find nothing.
pub fn fruitless(stream: &mut Stream, hits: u64, of: u64, thieves: u64) -> u64 {
    if hits >= of || thieves == 0 {
        return 0;
    }
    // A round fails with the chance (1 - p)^thieves; the geometric distribution, inverted.
    let fails = thieves as f64 * (-(hits as f64) / of as f64).ln_1p();
    (unit(stream).ln() / fails) as u64
}

/// A whole part of a length, each as likely as the others.
pub fn part_of(stream: &mut Stream, length: u64) -> u64 {
    if length == 0 { 0 } else { stream.below(length) }
}
