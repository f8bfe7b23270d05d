//! Texts of two values, and of their relative difference.

use crate::numbers::{TimeScale, significant};

/// Texts of two values in one unit, with four digits of the smaller value, or with as many digits as are needed to
/// distinguish the values.
pub(crate) fn pair(a: f64, b: f64, unit: &str) -> (String, String) {
    let sizes = || [a.abs(), b.abs()].into_iter().filter(|size| *size > 0.0 && size.is_finite());
    let largest = sizes().fold(0.0, f64::max);
    let (unit, size_of_unit) = match unit {
        "s" => {
            let scale = TimeScale::of([(largest * 1e12).round() as u64]);
            (scale.unit, scale.ps / 1e12)
        }
        unit => (unit, 1.0),
    };
    let whole = size_of_unit == 1.0 && unit != "s" && a.fract() == 0.0 && b.fract() == 0.0;
    let digits =
        (3.0 - (sizes().fold(f64::INFINITY, f64::min) / size_of_unit).log10().floor()).clamp(0.0, 9.0);
    let least = if whole || sizes().next().is_none() { 0 } else { digits as usize };
    let show = |value: f64, decimals: usize| {
        let number = match largest / size_of_unit {
            size if size > 1e12 || size > 0.0 && size < 1e-6 => format!("{value:.3e}"),
            _ => format!("{:.decimals$}", value / size_of_unit),
        };
        format!("{number} {unit}").trim_end().to_owned()
    };
    let apart = |decimals: &usize| a == b || show(a, *decimals) != show(b, *decimals);
    let decimals = (least..=12).find(apart).unwrap_or(least);
    (show(a, decimals), show(b, decimals))
}

/// Relative change as a percentage: `+10.0 %`. A change other than 0 is never shown as 0.
pub(crate) fn change(change: f64) -> String {
    let percent = change * 100.0;
    match percent.abs() {
        size if !size.is_finite() => "from 0".to_owned(),
        0.0 => "0 %".to_owned(),
        size if size >= 0.995 => format!("{percent:+.1} %"),
        size if size >= 1e-4 => {
            let decimals = (1.0 - size.log10().floor()) as usize;
            format!("{percent:+.decimals$} %")
        }
        _ => format!("{percent:+.0e} %"),
    }
}

/// Fraction as a short percentage: `5 %`, `0.5 %`.
pub(crate) fn limit(fraction: f64) -> String {
    let text = format!("{:.4}", fraction * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

pub(crate) fn value(value: f64, unit: &str) -> String {
    match unit {
        "s" => pair(value, value, unit).0,
        _ if value.fract() == 0.0 && value.abs() < 1e12 => format!("{value} {unit}").trim_end().to_owned(),
        _ => format!("{} {unit}", significant(value)).trim_end().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_values_differ_in_text() {
        let texts = |a, b, unit| {
            let (a, b) = pair(a, b, unit);
            [a, b]
        };
        assert_eq!(texts(1.72, 1.564, "s"), ["1.720 s", "1.564 s"]);
        assert_eq!(texts(0.0123, 0.1, "s"), ["12.30 ms", "100.00 ms"]);
        // The values differ by a picosecond.
        assert_eq!(texts(1.5, 1.500000000001, "s"), ["1.500000000000 s", "1.500000000001 s"]);
        assert_eq!(texts(12.0, 13.0, ""), ["12", "13"]);
        assert_eq!(texts(0.0, 0.0, "s"), ["0 ps", "0 ps"]);
        assert_eq!(texts(10.5, 12.25, "GB/s"), ["10.50 GB/s", "12.25 GB/s"]);
        assert_eq!(texts(3e15, 4e15, "B"), ["3.000e15 B", "4.000e15 B"]);
    }

    #[test]
    fn small_change_is_not_zero() {
        let shown = [0.1, -0.0123, 0.0004, 1e-9, 0.0, f64::INFINITY].map(change);
        assert_eq!(shown, ["+10.0 %", "-1.2 %", "+0.040 %", "+1e-7 %", "0 %", "from 0"]);
        assert_eq!([0.05, 0.005, 0.07, 0.0].map(limit), ["5 %", "0.5 %", "7 %", "0 %"]);
    }
}
