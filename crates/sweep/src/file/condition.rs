//! Conditions.

use numalab_syntax::expression::Formula;

/// An expression of names, true or false.
#[derive(Clone, Debug)]
pub struct Condition {
    pub(crate) text: String,
    pub(crate) names: Vec<String>,
    pub(crate) formula: Formula,
}

impl Condition {
    /// As written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names that it uses.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether it holds for values of its names, in their order.
    pub fn holds(&self, values: &[f64]) -> bool {
        let value = self.formula.at(values, &mut Vec::new());
        value != 0.0 && !value.is_nan()
    }
}
