//! Names, units and scales with which the values of a column are shown.

use crate::numbers::significant;

/// Display of a column's values on an axis or in a table: name, unit and scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// Name of the column without its unit.
    pub name: String,
    /// Unit of the shown numbers; empty if the numbers have no unit.
    pub unit: String,
    /// Size of `unit` in units of the column's values.
    pub per: f64,
    kind: Dimension,
    /// Unit of the column's values, shown after numbers; empty for times and bytes, and for values without a unit.
    plain: String,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Dimension {
    /// Picoseconds.
    Time,
    Bytes,
    Other,
}

const TIMES: [(&str, f64); 5] = [("s", 1e12), ("ms", 1e9), ("us", 1e6), ("ns", 1e3), ("ps", 1.0)];
const BYTES: [(&str, f64); 6] =
    [("PB", 1e15), ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1.0)];

impl Quantity {
    /// Quantity of a column, by its name and its largest value. `unit` is the unit in the column's texts, if they
    /// have one.
    pub fn of(column: &str, unit: Option<&str>, values: impl IntoIterator<Item = f64>) -> Quantity {
        let most = values
            .into_iter()
            .filter(|value| value.is_finite())
            .fold(0.0, |most: f64, value| most.max(value.abs()));
        let name = column.strip_prefix("measure.").unwrap_or(column);
        let (name, bracketed) = match name.split_once(" [") {
            Some((name, unit)) => (name, Some(unit.trim_end_matches(']'))),
            None => (name, None),
        };
        let chosen = |name: &str, kind: Dimension, units: &[(&'static str, f64)]| {
            let (unit, per) = fitting(most, units);
            Quantity { name: name.to_owned(), unit: unit.to_owned(), per, kind, plain: String::new() }
        };
        match name.strip_suffix("_ps") {
            Some(name) => return chosen(name, Dimension::Time, &TIMES),
            None if name.starts_with("bytes_") => return chosen(name, Dimension::Bytes, &BYTES),
            None => {}
        }
        let plain = unit.or(bracketed).filter(|unit| *unit != "1").unwrap_or_default();
        let power = match most {
            most if most >= 1e6 || most > 0.0 && most < 1e-3 => (most.log10() / 3.0).floor() as i32 * 3,
            _ => 0,
        };
        let unit = match (power, plain) {
            (0, unit) => unit.to_owned(),
            (power, "") => format!("10{}", raised(power)),
            (power, unit) => format!("10{} {unit}", raised(power)),
        };
        Quantity {
            name: name.to_owned(),
            unit,
            per: 10f64.powi(power),
            kind: Dimension::Other,
            plain: plain.to_owned(),
        }
    }

    /// Name of an axis: `makespan in s`.
    pub fn axis(&self) -> String {
        if self.unit.is_empty() { self.name.clone() } else { format!("{} in {}", self.name, self.unit) }
    }

    /// Variant for a logarithmic axis: each label of times and bytes has its own unit, other numbers have no common
    /// power of ten.
    pub fn over_decades(self) -> Quantity {
        match self.kind {
            Dimension::Other => Quantity { unit: self.plain.clone(), per: 1.0, ..self },
            Dimension::Time | Dimension::Bytes => Quantity { unit: String::new(), ..self },
        }
    }

    /// Converts a value of the column to `unit`.
    pub fn scaled(&self, value: f64) -> f64 {
        value / self.per
    }

    /// Text of a value of the column, in the unit that fits this value.
    pub fn show(&self, value: f64) -> String {
        let units = match self.kind {
            Dimension::Time => &TIMES[..],
            Dimension::Bytes => &BYTES[..],
            Dimension::Other => {
                let digits = match value.fract() == 0.0 && value.abs() < 1e9 {
                    true => value.to_string(),
                    false => significant(value),
                };
                let unit = if self.plain.is_empty() { String::new() } else { format!(" {}", self.plain) };
                return digits + &unit;
            }
        };
        let (unit, per) = fitting(value.abs(), units);
        let digits =
            if value.abs() >= per || per > 1.0 { significant(value / per) } else { value.to_string() };
        format!("{digits} {unit}")
    }

    /// Label of a tick on a logarithmic axis. `tick` is in the unit of the axis.
    pub fn decade(&self, tick: f64) -> String {
        let units = match self.kind {
            Dimension::Time => &TIMES[..],
            Dimension::Bytes => &BYTES[..],
            Dimension::Other => &[],
        };
        let value = tick * self.per;
        let (unit, per) = fitting(value, units);
        let digits = (value / per * 1e6).round() / 1e6;
        match units.is_empty() {
            true => {
                if (1e-4..1e6).contains(&tick) {
                    format!("{}", (tick * 1e9).round() / 1e9)
                } else {
                    format!("{tick:.0e}")
                }
            }
            false => format!("{digits} {unit}"),
        }
    }
}

/// Largest unit that does not exceed `most`. A value that is below a unit only by rounding counts as equal to the
/// unit.
fn fitting(most: f64, units: &[(&'static str, f64)]) -> (&'static str, f64) {
    // The tolerance absorbs rounding.
    let fits = |unit: &&(&'static str, f64)| most >= unit.1 * (1.0 - 1e-9);
    // 0 is shown in the unit without a prefix.
    let plain = |unit: &&(&str, f64)| most == 0.0 && ["s", "B"].contains(&unit.0);
    let fitting_unit = units.iter().find(plain).or_else(|| units.iter().find(fits));
    fitting_unit.or(units.last()).copied().unwrap_or(("", 1.0))
}

fn raised(power: i32) -> String {
    let digit = |c: char| match c {
        '-' => '⁻',
        c => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][c.to_digit(10).unwrap_or(0) as usize],
    };
    power.to_string().chars().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_fits_the_largest_value() {
        let axis = |column: &str, most: f64| Quantity::of(column, None, [0.0, most]).axis();
        assert_eq!(axis("makespan_ps", 6e11), "makespan in ms");
        assert_eq!(axis("makespan_ps", 1e15), "makespan in s");
        assert_eq!(axis("makespan_ps", 1e3), "makespan in ns");
        assert_eq!(axis("bytes_machine", 3e9), "bytes_machine in GB");
        assert_eq!(axis("measure.rate [GB/s]", 40.0), "rate in GB/s");
        assert_eq!(axis("measure.speedup [1]", 40.0), "speedup");
        assert_eq!(axis("events", 2.5e7), "events in 10⁶");
        assert_eq!(axis("measure.share [1]", 2e-5), "share in 10⁻⁶");
        assert_eq!(
            Quantity::of("machine.memory.bandwidth", Some("GB/s"), [12.0]).axis(),
            "machine.memory.bandwidth in GB/s"
        );
    }

    #[test]
    fn single_value_has_its_own_unit() {
        let time = Quantity::of("makespan_ps", None, [1e15]);
        assert_eq!(
            [1e15, 6.02e11, 1500.0, 7.0, 0.0].map(|ps| time.show(ps)),
            ["1000 s", "602 ms", "1.50 ns", "7.00 ps", "0 s"]
        );
        assert_eq!(Quantity::of("bytes_machine", None, [1e9]).show(0.0), "0 B");
        assert_eq!([1e3, 1e-9, 0.05].map(|s| time.decade(s)), ["1000 s", "1 ns", "50 ms"]);
        let plain = Quantity::of("events", None, [2.5e7]);
        assert_eq!([2.5e7, 0.5].map(|value| plain.show(value)), ["25000000", "0.500"]);
        let rate = Quantity::of("measure.rate [GB/s]", None, [40.0]);
        assert_eq!(rate.show(12.25), "12.2 GB/s");
    }
}
