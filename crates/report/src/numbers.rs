//! Numbers in tables: one unit and one precision per column.

/// Common unit and number of decimals for a column of times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeScale {
    pub unit: &'static str,
    /// Size of the unit in picoseconds.
    pub ps: f64,
    decimals: usize,
}

impl TimeScale {
    /// Scale for a column of times: the largest unit that is not above the largest time, and enough decimals for
    /// three digits of the smallest time, at most three.
    pub fn of(times_ps: impl IntoIterator<Item = u64>) -> TimeScale {
        let (mut smallest, mut largest) = (u64::MAX, 0);
        for ps in times_ps.into_iter().filter(|&ps| ps > 0) {
            smallest = smallest.min(ps);
            largest = largest.max(ps);
        }
        let (unit, ps) = [("s", 1e12), ("ms", 1e9), ("us", 1e6), ("ns", 1e3)]
            .into_iter()
            .find(|&(_, ps)| largest as f64 >= ps)
            .unwrap_or(("ps", 1.0));
        let smallest = smallest.min(largest) as f64 / ps;
        let decimals = match smallest {
            x if x >= 100.0 || ps == 1.0 => 0,
            x if x >= 10.0 => 1,
            x if x >= 1.0 => 2,
            _ => 3,
        };
        TimeScale { unit, ps, decimals }
    }

    /// Text of a time (given in picoseconds) in the unit of the scale, without the unit's name.
    pub fn number(&self, ps: f64) -> String {
        format!("{:.*}", self.decimals, ps / self.ps)
    }

    /// Text of a time (given in picoseconds) in the unit of the scale, with the unit's name.
    pub fn show(&self, ps: f64) -> String {
        format!("{} {}", self.number(ps), self.unit)
    }

    /// Text of a range of times, with the unit's name once.
    pub fn range(&self, low_ps: u64, high_ps: u64) -> String {
        format!("{}-{}", self.number(low_ps as f64), self.show(high_ps as f64))
    }
}

/// Text of a time (given in picoseconds) in the largest unit that is not above it.
pub fn time(ps: u64) -> String {
    TimeScale::of([ps]).show(ps as f64)
}

/// Number with its noun in singular or plural: `1 point`, `3 points`.
pub fn count(number: impl TryInto<u64>, what: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Relative error as a percentage with its sign: `-1.2%`. An error that rounds to 0 has no sign.
pub fn signed_percent(error: f64) -> String {
    let shown = format!("{:+.1}%", error * 100.0);
    if matches!(&*shown, "+0.0%" | "-0.0%") { "0.0%".to_owned() } else { shown }
}

/// `part / whole`; 0 if `whole` is 0.
pub fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// Fraction as a whole percentage. Fractions near 0 and 1 are not rounded to 0 and 100 %.
pub fn percent(share: f64) -> String {
    match share * 100.0 {
        x if x > 0.0 && x < 0.5 => "<1%".to_owned(),
        x if (99.5..100.0).contains(&x) => ">99%".to_owned(),
        x => format!("{x:.0}%"),
    }
}

/// Text of a number with three significant digits; with all digits of a larger whole part; in scientific notation
/// only for very small and large numbers.
pub fn significant(value: f64) -> String {
    let size = value.abs();
    if size > 0.0 && !(1e-3..1e9).contains(&size) {
        return format!("{value:.2e}");
    }
    let decimals = match size {
        x if x >= 99.95 || x == 0.0 => 0,
        x if x >= 9.995 => 1,
        x if x >= 0.9995 => 2,
        x if x >= 0.09995 => 3,
        x if x >= 0.009995 => 4,
        _ => 5,
    };
    format!("{value:.decimals$}")
}

/// Digits in groups of three: `1234567` as `1 234 567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_has_one_unit() {
        let scale = TimeScale::of([1_160_000_000_000, 640_000_000_000]);
        assert_eq!(scale.show(1.16e12), "1.160 s");
        assert_eq!(scale.show(0.64e12), "0.640 s");
        assert_eq!(scale.range(640_000_000_000, 1_160_000_000_000), "0.640-1.160 s");
        let scale = TimeScale::of([12_000_000, 13_500_000]);
        assert_eq!(scale.show(12e6), "12.0 us");
        assert_eq!(TimeScale::of([]).show(0.0), "0 ps");
        assert_eq!(TimeScale::of([7]).show(7.0), "7 ps");
    }

    #[test]
    fn small_part_is_not_zero() {
        assert_eq!(percent(0.0), "0%");
        assert_eq!(percent(0.004), "<1%");
        assert_eq!(percent(0.0625), "6%");
        assert_eq!(percent(0.999), ">99%");
        assert_eq!(percent(1.0), "100%");
        assert_eq!(share(1.0, 0.0), 0.0);
    }

    #[test]
    fn zero_has_no_sign() {
        let shown = [0.0, -0.0, 4e-4, -4e-4, 6e-4, -6e-4, -0.3].map(signed_percent);
        assert_eq!(shown, ["0.0%", "0.0%", "0.0%", "0.0%", "+0.1%", "-0.1%", "-30.0%"]);
    }

    #[test]
    fn three_significant_digits() {
        let shown = [1.164, 0.64, 260.0, 15.0, 1024.4, 0.001234, 0.0, 3e-7].map(significant);
        assert_eq!(shown, ["1.16", "0.640", "260", "15.0", "1024", "0.00123", "0", "3.00e-7"]);
    }

    #[test]
    fn digits_are_grouped() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1_234_567), "1 234 567");
        assert_eq!(grouped(123_456), "123 456");
    }
}
