//! Published value: a number, a range, several numbers, or an order.

use numalab_results::ValidationRow;
use std::str::FromStr;

#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// Number that the simulated value has to meet within the tolerance.
    Number(f64),
    /// `16-32`, `<0.1`, `>3`: range with both ends included, one of which may be missing.
    Range(Option<f64>, Option<f64>),
    /// `16|32`: a number for each of the alternatives that the parameters name.
    Each(Vec<f64>),
    /// `bound<unbound`: runs by name, the fastest first.
    Order(Vec<String>),
}

impl FromStr for Expected {
    type Err = String;

    fn from_str(text: &str) -> Result<Expected, String> {
        let number = |text: &str| text.trim().parse().ok().filter(|value: &f64| value.is_finite());
        if let Some(value) = number(text) {
            return Ok(Expected::Number(value));
        }
        if text.contains('|') {
            let each: Option<Vec<f64>> = text.split('|').map(number).collect();
            return each.map(Expected::Each).ok_or_else(|| wrong(text));
        }
        if let Some(value) = text.strip_prefix('<') {
            return number(value).map(|most| Expected::Range(None, Some(most))).ok_or_else(|| wrong(text));
        }
        if let Some(value) = text.strip_prefix('>') {
            return number(value).map(|least| Expected::Range(Some(least), None)).ok_or_else(|| wrong(text));
        }
        if text.contains('<') {
            let names: Vec<String> = text.split('<').map(|name| name.trim().to_owned()).collect();
            return if names.iter().any(String::is_empty) {
                Err(wrong(text))
            } else {
                Ok(Expected::Order(names))
            };
        }
        // A sign at the start, or after the exponent of a number, is no separator.
        let ends = text
            .match_indices('-')
            .find_map(|(at, _)| Some((number(text.get(..at)?)?, number(text.get(at + 1..)?)?)));
        match ends {
            Some((least, most)) if least <= most => Ok(Expected::Range(Some(least), Some(most))),
            _ => Err(wrong(text)),
        }
    }
}

fn wrong(text: &str) -> String {
    format!("\"{text}\" is no number, range (16-32), bound (<0.1 or >3), list (16|32) or order (a<b)")
}

impl Expected {
    /// Compares simulated with published values and stores the result in `row`. `simulated` has one value for each
    /// alternative, or for each run of an order; a value that is not finite counts as not simulated.
    pub fn judge(&self, simulated: &[f64], row: &mut ValidationRow) {
        if simulated.is_empty() || simulated.iter().any(|value| !value.is_finite()) {
            return;
        }
        // The value with the largest error counts.
        let worst = |parts: &mut dyn Iterator<Item = (f64, f64)>| {
            parts.max_by(|a, b| relative(*a).abs().total_cmp(&relative(*b).abs()))
        };
        let (published, value) = match self {
            Expected::Order(names) => return self::order(names, simulated, row),
            Expected::Number(value) => {
                match worst(&mut simulated.iter().map(|simulated| (*value, *simulated))) {
                    Some(pair) => pair,
                    None => return,
                }
            }
            Expected::Each(values) if values.len() == simulated.len() => {
                match worst(&mut values.iter().copied().zip(simulated.iter().copied())) {
                    Some(pair) => pair,
                    None => return,
                }
            }
            Expected::Each(_) => return,
            Expected::Range(least, most) => {
                let nearest = |value: f64| match (least, most) {
                    (Some(least), _) if value < *least => *least,
                    (_, Some(most)) if value > *most => *most,
                    _ => value,
                };
                match worst(&mut simulated.iter().map(|value| (nearest(*value), *value))) {
                    Some(pair) => pair,
                    None => return,
                }
            }
        };
        row.published = Some(published);
        row.simulated = Some(value);
        row.error = Some(relative((published, value))).filter(|error| error.is_finite());
        row.within = match self {
            Expected::Range(..) => Some(published == value),
            _ => row.error.map(|error| error.abs() <= row.tolerance),
        };
    }
}

/// Relative error of a simulated value; 0 if the simulated and the published value are equal, even if both are 0.
fn relative((published, simulated): (f64, f64)) -> f64 {
    if published == simulated { 0.0 } else { simulated / published - 1.0 }
}

/// Stores the names in ascending order of their simulated values, equal ones joined by `=`, and whether this order is
/// the published one.
fn order(names: &[String], simulated: &[f64], row: &mut ValidationRow) {
    if names.len() != simulated.len() {
        return;
    }
    let mut sorted: Vec<(f64, &str)> =
        simulated.iter().copied().zip(names.iter().map(String::as_str)).collect();
    // Stable sort: ties keep the published order.
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut found = String::new();
    for (at, (value, name)) in sorted.iter().enumerate() {
        if at > 0 {
            found.push(if sorted[at - 1].0 == *value { '=' } else { '<' });
        }
        found.push_str(name);
    }
    row.within = Some(found == names.join("<"));
    row.found = Some(found);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(tolerance: f64) -> ValidationRow {
        ValidationRow {
            id: "a".into(),
            source: String::new(),
            machine: "m".into(),
            experiment: "e".into(),
            quantity: "q".into(),
            params: String::new(),
            role: "predict".into(),
            published: None,
            expected: None,
            simulated: None,
            found: None,
            unit: "s".into(),
            error: None,
            tolerance,
            within: None,
            interval: None,
            seeds: 1,
            over_seeds: None,
            commands: Vec::new(),
            stated: false,
            reason: None,
            note: String::new(),
        }
    }

    fn judged(text: &str, simulated: &[f64]) -> (Option<f64>, Option<f64>, Option<bool>) {
        let mut row = row(0.1);
        text.parse::<Expected>().unwrap().judge(simulated, &mut row);
        (row.published, row.error.map(|error| (error * 1e6).round() / 1e6), row.within)
    }

    #[test]
    fn values_are_read() {
        let read = |text: &str| text.parse::<Expected>();
        assert_eq!(read("-1.5e-3"), Ok(Expected::Number(-1.5e-3)));
        assert_eq!(read("16-32"), Ok(Expected::Range(Some(16.0), Some(32.0))));
        assert_eq!(read("1e-3-2e-3"), Ok(Expected::Range(Some(1e-3), Some(2e-3))));
        assert_eq!(read("<0.1"), Ok(Expected::Range(None, Some(0.1))));
        assert_eq!(read(">3"), Ok(Expected::Range(Some(3.0), None)));
        assert_eq!(read("16|32"), Ok(Expected::Each(vec![16.0, 32.0])));
        assert_eq!(read("a<b<c"), Ok(Expected::Order(["a", "b", "c"].map(String::from).into())));
        for wrong in ["", "fast", "32-16", "a|b", "<a", "a<", "NaN", "1-2-3"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    // 1.68 / 1.60 = 1.05; 1.2 / 1.6 = 0.75.
    #[test]
    fn a_number_is_met_within_its_tolerance() {
        assert_eq!(judged("1.6", &[1.68]), (Some(1.6), Some(0.05), Some(true)));
        assert_eq!(judged("1.6", &[1.2]), (Some(1.6), Some(-0.25), Some(false)));
        assert_eq!(judged("1.6", &[f64::NAN]), (None, None, None));
        assert_eq!(judged("1.6", &[]), (None, None, None));
        // Several alternatives share one published value: the alternative with the largest error counts.
        assert_eq!(judged("1.6", &[1.68, 1.52, 1.2]), (Some(1.6), Some(-0.25), Some(false)));
        // A published 0 is met only by a simulated 0.
        assert_eq!(judged("0", &[0.0]), (Some(0.0), Some(0.0), Some(true)));
        assert_eq!(judged("0", &[0.1]), (Some(0.0), None, None));
    }

    // 40 / 32 = 1.25: beyond the end of the range, however large the tolerance.
    #[test]
    fn a_range_has_two_ends_and_no_tolerance() {
        assert_eq!(judged("16-32", &[16.0]), (Some(16.0), Some(0.0), Some(true)));
        assert_eq!(judged("16-32", &[20.0]), (Some(20.0), Some(0.0), Some(true)));
        assert_eq!(judged("16-32", &[40.0]), (Some(32.0), Some(0.25), Some(false)));
        assert_eq!(judged("16-32", &[15.9]).2, Some(false));
        assert_eq!(judged("<0.1", &[0.05]).2, Some(true));
        assert_eq!(judged("<0.1", &[0.101]).2, Some(false));
        assert_eq!(judged(">3", &[2.99]).2, Some(false));
        assert_eq!(judged(">3", &[3.5]).2, Some(true));
    }

    // 16.8 / 16 = 1.05, 24 / 32 = 0.75: the larger error counts.
    #[test]
    fn alternatives_are_met_one_by_one() {
        assert_eq!(judged("16|32", &[16.8, 24.0]), (Some(32.0), Some(-0.25), Some(false)));
        assert_eq!(judged("16|32", &[16.8, 32.0]), (Some(16.0), Some(0.05), Some(true)));
        assert_eq!(judged("16|32", &[16.0]), (None, None, None));
    }

    #[test]
    fn an_order_is_the_same_or_not() {
        let found = |simulated: &[f64]| {
            let mut row = row(0.1);
            "a<b<c".parse::<Expected>().unwrap().judge(simulated, &mut row);
            (row.found.unwrap(), row.within.unwrap())
        };
        assert_eq!(found(&[1.0, 2.0, 3.0]), ("a<b<c".to_owned(), true));
        assert_eq!(found(&[2.0, 1.0, 3.0]), ("b<a<c".to_owned(), false));
        assert_eq!(found(&[1.0, 1.0, 3.0]), ("a=b<c".to_owned(), false));
    }
}
