use numalab_syntax::expression::Formula;

/// Boolean expression of named values: facts, figures or measures.
#[derive(Clone, Debug)]
pub struct Condition {
    pub(crate) text: String,
    pub(crate) names: Vec<String>,
    pub(crate) formula: Formula,
}

impl Condition {
    /// Expression as written in the sweep file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Names that the expression uses.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// True if the expression holds. `values` are in the order of `names`.
    pub fn holds(&self, values: &[f64]) -> bool {
        let value = self.formula.at(values, &mut Vec::new());
        value != 0.0 && !value.is_nan()
    }
}
