//! Multiples of the values of a workload.

use super::WrittenValue;
use crate::overrides::quantity_parts;
use numalab_syntax::expression;

/// Smallest whole number that stays whole: a multiple of a count must be a count, and rounding a small cost would change it
/// by more than its tolerance.
const LEAST_COUNT: f64 = 10.0;

/// Key of a fraction, which is at most 1.
const FRACTION: &str = "overlap";

impl WrittenValue {
    /// Text of the value times `factor`, as `--set` takes it; `None` for words, conditions and lists.
    pub fn times(&self, factor: f64) -> Option<String> {
        let is_fraction = self.path.rsplit('.').next() == Some(FRACTION);
        if let Some((number, unit)) = quantity_parts(&self.text) {
            let is_count = unit.is_empty() && number.fract() == 0.0 && number >= LEAST_COUNT;
            // Twelve digits, so that the text is short.
            let product: f64 = format!("{:.11e}", number * factor).parse().ok()?;
            let product = if is_count { product.round() } else { product };
            let product = if is_fraction { product.min(1.0) } else { product };
            return Some(format!("{product} {unit}").trim_end().to_owned());
        }
        // A name alone may be a word; where it is a parameter, that is the value to multiply.
        let is_expression = !expression::is_name(&self.text) && expression::parse(&self.text).is_ok();
        let product = format!("({}) * {factor}", self.text);
        is_expression.then(|| if is_fraction { format!("min(1, {product})") } else { product })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(path: &str, text: &str, factor: f64) -> Option<String> {
        WrittenValue { path: path.to_owned(), place: path.to_owned(), text: text.to_owned() }.times(factor)
    }

    #[test]
    fn multiples_are_values_that_set_takes() {
        for (path, text, factor, product) in [
            ("cost", "4.5", 1.1, Some("4.95")),
            ("size", "16 MB", 1.25, Some("20 MB")),
            // Counts stay whole, and small costs do not.
            ("rounds", "170", 1.013, Some("172")),
            ("lines", "6", 1.1, Some("6.6")),
            ("share", "6 / 20", 0.5, Some("(6 / 20) * 0.5")),
            ("phases.work.loop.overlap", "0.9", 1.25, Some("1")),
            ("phases.work.loop.overlap", "0.8", 0.5, Some("0.4")),
            ("overlap", "a / b", 2.0, Some("min(1, (a / b) * 2)")),
            ("kind", "streaming", 2.0, None),
            ("compare", "[static, dynamic]", 2.0, None),
            ("measured", "true", 2.0, None),
        ] {
            assert_eq!(times(path, text, factor).as_deref(), product, "{path}: {text}");
        }
    }
}
