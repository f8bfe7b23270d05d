use numalab_syntax::expression::Formula;

/// Boolean expression of names.
#[derive(Clone, Debug)]
pub struct Condition {
    pub(crate) text: String,
    pub(crate) names: Vec<String>,
    pub(crate) formula: Formula,
}

impl Condition {
    /// Text as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Names in the expression.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// True if it holds for these values of its names.
    pub fn holds(&self, values: &[f64]) -> bool {
        let value = self.formula.at(values, &mut Vec::new());
        value != 0.0 && !value.is_nan()
    }
}
