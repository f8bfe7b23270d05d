//! Time, bytes and rates as newtypes; index types, snapshots, and declarations of parameters.
//!
//! Simulated time is an integer number of picoseconds: two runs with the same inputs give the same
//! bytes, and sums of spans are exact. Rates are `f64`; every conversion from a rate to a time is
//! rounded up to the next picosecond: in [`Bandwidth::time_for`], in [`Span::from_secs_ceil`], and for
//! the end of a flow in `Bundle::finish` of crate `des`.

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod index;
mod number_list;
mod origins;
pub mod parameter;
mod parse;
mod printable;
mod snapshot;
mod words;

pub use index::{Index, ProcessorId, ThreadId};
pub use number_list::{NumberList, NumberSequence};
pub use origins::{FileValue, ValueOrigin, ValueOrigins, covers};
pub use parse::{ParseError, parse_count};
pub use printable::{is_printable, printable, printable_lines};
pub use snapshot::Snapshot;
pub use words::{Word, Words};

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub, SubAssign};

/// Picoseconds per second.
pub const PS_PER_S: f64 = 1e12;

/// A point on the simulated clock, in picoseconds since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Time(pub u64);

/// A length of simulated time, in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Span(pub u64);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Bytes(pub u64);

/// A data rate, in bytes per second. Finite and positive once parsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
#[repr(transparent)]
pub struct Bandwidth(pub f64);

/// A clock frequency, in hertz. Finite and positive once parsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
#[repr(transparent)]
pub struct Frequency(pub f64);

/// The least integer not below `value`. Cheaper than `f64::ceil`, which is a call on processors
/// without a rounding instruction. The conversion saturates and turns NaN into zero, so no input
/// can panic here.
fn ceil(value: f64) -> u64 {
    let whole = value as u64;
    whole.saturating_add(u64::from((whole as f64) < value))
}

/// Magnitudes accepted for a non-zero number in a file. Squares of such numbers are finite and not zero, so that
/// calculations neither overflow nor underflow at once.
pub const MAGNITUDES: std::ops::RangeInclusive<f64> = 1e-100..=1e100;

/// True if a number from a file can be used in calculations.
pub fn is_sensible(number: f64) -> bool {
    number == 0.0 || MAGNITUDES.contains(&number.abs())
}

/// The share of `part` in an `amount` that is spread evenly over `whole`; rounded down.
#[inline]
pub fn in_proportion(amount: u64, part: u64, whole: u64) -> u64 {
    match amount == whole || part == 0 {
        true => part,
        false if part == whole => amount,
        false => (u128::from(amount) * u128::from(part) / u128::from(whole)) as u64,
    }
}

impl Time {
    /// The start of the run.
    pub const ZERO: Time = Time(0);
    /// Later than every event.
    pub const NEVER: Time = Time(u64::MAX);

    /// The instant `span` before this instant, at least zero.
    #[inline]
    pub fn saturating_sub(self, span: Span) -> Time {
        Time(self.0.saturating_sub(span.0))
    }

    /// The span from `earlier` to this instant; zero if `earlier` is later.
    #[inline]
    pub fn since(self, earlier: Time) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Span {
    pub const ZERO: Span = Span(0);

    /// This span less `other`; zero if `other` is longer.
    #[inline]
    pub fn saturating_sub(self, other: Span) -> Span {
        Span(self.0.saturating_sub(other.0))
    }

    /// Seconds as a span, rounded **up** to a picosecond; saturates at about 213 days.
    pub fn from_secs_ceil(seconds: f64) -> Span {
        Span(ceil(seconds * PS_PER_S))
    }

    pub fn as_secs(self) -> f64 {
        self.0 as f64 / PS_PER_S
    }
}

impl Bandwidth {
    /// Time to move `bytes` at this bandwidth, rounded **up** to a picosecond.
    pub fn time_for(self, bytes: Bytes) -> Span {
        Span(ceil(bytes.0 as f64 * PS_PER_S / self.0))
    }
}

impl Add<Span> for Time {
    type Output = Time;
    #[inline]
    fn add(self, span: Span) -> Time {
        Time(self.0.saturating_add(span.0))
    }
}

impl AddAssign<Span> for Time {
    #[inline]
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

impl Sub<Span> for Time {
    type Output = Time;
    #[inline]
    fn sub(self, span: Span) -> Time {
        Time(self.0 - span.0)
    }
}

impl Sub for Time {
    type Output = Span;
    #[inline]
    fn sub(self, earlier: Time) -> Span {
        debug_assert!(self >= earlier, "a span cannot be negative");
        Span(self.0 - earlier.0)
    }
}

macro_rules! additive {
    ($($type:ident),*) => {$(
        impl Add for $type {
            type Output = $type;
            #[inline]
            fn add(self, other: $type) -> $type {
                $type(self.0 + other.0)
            }
        }
        impl Sub for $type {
            type Output = $type;
            #[inline]
            fn sub(self, other: $type) -> $type {
                $type(self.0 - other.0)
            }
        }
        impl AddAssign for $type {
            #[inline]
            fn add_assign(&mut self, other: $type) {
                self.0 += other.0;
            }
        }
        impl SubAssign for $type {
            #[inline]
            fn sub_assign(&mut self, other: $type) {
                self.0 -= other.0;
            }
        }
        impl Sum for $type {
            fn sum<I: Iterator<Item = $type>>(iter: I) -> $type {
                iter.fold($type::default(), Add::add)
            }
        }
    )*};
}
additive!(Span, Bytes);

/// Formats a value with three significant digits, in the unit of the first of `steps` that the value reaches, else of
/// the last.
fn scaled(value: f64, steps: &[(f64, &str)]) -> String {
    let (factor, unit) = steps
        .iter()
        .copied()
        .find(|(factor, _)| value.abs() >= *factor * 0.9995)
        .unwrap_or(*steps.last().expect("units are not empty"));
    let scaled = value / factor;
    let decimals = match scaled.abs() {
        x if x >= 99.95 => 0,
        x if x >= 9.995 => 1,
        _ => 2,
    };
    format!("{scaled:.decimals$} {unit}")
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = [(1e12, "s"), (1e9, "ms"), (1e6, "us"), (1e3, "ns"), (1.0, "ps")];
        f.pad(&scaled(self.0 as f64, &steps))
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B")];
        f.pad(&scaled(self.0 as f64, &steps))
    }
}

impl fmt::Display for Bandwidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = [(1e12, "TB/s"), (1e9, "GB/s"), (1e6, "MB/s"), (1e3, "kB/s"), (1.0, "B/s")];
        f.pad(&scaled(self.0, &steps))
    }
}

impl fmt::Display for Frequency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&scaled(self.0, &[(1e9, "GHz"), (1e6, "MHz"), (1e3, "kHz"), (1.0, "Hz")]))
    }
}

impl Div<u64> for Span {
    type Output = Span;
    #[inline]
    fn div(self, parts: u64) -> Span {
        Span(self.0 / parts)
    }
}

impl Mul<Span> for u64 {
    type Output = Span;

    #[inline]
    fn mul(self, Span(span): Span) -> Span {
        Span(self * span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_round_up_to_a_picosecond() {
        // 10 bytes at 3 B/s take 3.333… s.
        assert_eq!(Bandwidth(3.0).time_for(Bytes(10)), Span(3_333_333_333_334));
        assert_eq!(Bandwidth(1e9).time_for(Bytes(1)), Span(1000));
    }

    #[test]
    fn display_keeps_three_digits() {
        assert_eq!(Span(1_160_000_000_000).to_string(), "1.16 s");
        assert_eq!(Span(999_600).to_string(), "1.00 us");
        assert_eq!(Bytes(40_000_000_000).to_string(), "40.0 GB");
        assert_eq!(Bandwidth(15.6e9).to_string(), "15.6 GB/s");
        assert_eq!(Frequency(2.0e9).to_string(), "2.00 GHz");
    }
}
