//! Expressions of loop policies in postfix form, evaluated without allocation.

/// Largest number of values that a rule may have on its stack at a time.
pub const DEPTH: usize = 16;

/// Number of values that a rule can read.
pub const VALUES: usize = 40;

/// Step of a postfix expression.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    Number(f64),
    /// Value at this index, below [`VALUES`].
    Value(u8),
    Unary(fn(f64) -> f64),
    Binary(fn(f64, f64) -> f64),
    /// Function of this many numbers.
    Many(u8, fn(&[f64]) -> f64),
    /// `if(condition, one, other)`.
    Select,
}

/// Expression over numbered values.
#[derive(Clone, Debug)]
pub struct Rule {
    steps: Box<[Step]>,
    /// Value of a rule that reads nothing.
    constant: Option<f64>,
    /// Bit k is set if the rule reads value k.
    reads: u64,
}

impl Rule {
    /// `None` if a step finds too few operands, if more or less than one value is left, or if the stack would exceed
    /// [`DEPTH`].
    pub fn new(steps: Vec<Step>) -> Option<Rule> {
        let (mut depth, mut reads) = (0usize, 0u64);
        for step in &steps {
            let (takes, gives) = match step {
                Step::Number(_) => (0, 1),
                Step::Value(at) => {
                    reads |= 1u64.checked_shl(u32::from(*at)).filter(|_| usize::from(*at) < VALUES)?;
                    (0, 1)
                }
                Step::Unary(_) => (1, 1),
                Step::Binary(_) => (2, 1),
                Step::Many(count, _) => (usize::from(*count), 1),
                Step::Select => (3, 1),
            };
            depth = depth.checked_sub(takes)? + gives;
            if depth > DEPTH {
                return None;
            }
        }
        let mut rule = Rule { steps: steps.into(), constant: None, reads };
        if depth != 1 {
            return None;
        }
        if reads == 0 {
            rule.constant = Some(rule.run(&[0.0; VALUES]));
        }
        Some(rule)
    }

    pub fn number(value: f64) -> Rule {
        Rule { steps: [Step::Number(value)].into(), constant: Some(value), reads: 0 }
    }

    /// The rule that is a single value.
    pub fn value(at: u8) -> Rule {
        Rule { steps: [Step::Value(at)].into(), constant: None, reads: 1 << at }
    }

    /// Value of the rule if it reads nothing.
    pub fn constant(&self) -> Option<f64> {
        self.constant
    }

    /// True if the rule is the single value `at`.
    pub fn is_value(&self, at: u8) -> bool {
        matches!(self.steps[..], [Step::Value(only)] if only == at)
    }

    /// True if the rule reads value `at`.
    pub fn reads(&self, at: u8) -> bool {
        self.reads >> at & 1 == 1
    }

    pub fn at(&self, values: &[f64; VALUES]) -> f64 {
        self.constant.unwrap_or_else(|| self.run(values))
    }

    /// Whole number of units from `least` to `most`: the rule's value, rounded down. `least` for what is no number.
    pub fn units(&self, values: &[f64; VALUES], least: u64, most: u64) -> u64 {
        // The conversion saturates and turns NaN into 0.
        (self.at(values) as u64).max(least).min(most)
    }

    fn run(&self, values: &[f64; VALUES]) -> f64 {
        let mut stack = [0.0; DEPTH];
        let mut top = 0;
        for step in &self.steps {
            match step {
                Step::Number(value) => {
                    stack[top] = *value;
                    top += 1;
                }
                Step::Value(at) => {
                    stack[top] = values[usize::from(*at)];
                    top += 1;
                }
                Step::Unary(apply) => stack[top - 1] = apply(stack[top - 1]),
                Step::Binary(apply) => {
                    top -= 1;
                    stack[top - 1] = apply(stack[top - 1], stack[top]);
                }
                Step::Many(count, apply) => {
                    let first = top - usize::from(*count);
                    stack[first] = apply(&stack[first..top]);
                    top = first + 1;
                }
                Step::Select => {
                    top -= 2;
                    stack[top - 1] = if stack[top - 1] != 0.0 { stack[top] } else { stack[top + 1] };
                }
            }
        }
        stack[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// if(N > 2, N - 1, 7) for N = 5 and N = 1, with N as value 0.
    #[test]
    fn rules_are_evaluated_in_postfix_order() {
        let greater = |a: f64, b: f64| f64::from(u8::from(a > b));
        let steps = vec![
            Step::Value(0),
            Step::Number(2.0),
            Step::Binary(greater),
            Step::Value(0),
            Step::Number(1.0),
            Step::Binary(|a, b| a - b),
            Step::Number(7.0),
            Step::Select,
        ];
        let rule = Rule::new(steps).unwrap();
        let mut values = [0.0; VALUES];
        values[0] = 5.0;
        assert_eq!(rule.at(&values), 4.0);
        values[0] = 1.0;
        assert_eq!(rule.at(&values), 7.0);
        assert!(rule.reads(0) && !rule.reads(1) && rule.constant().is_none());
    }

    #[test]
    fn sizes_stay_within_their_bounds() {
        for (value, expected) in
            [(f64::NAN, 1), (-3.0, 1), (0.9, 1), (2.9, 2), (1e300, 9), (f64::INFINITY, 9)]
        {
            assert_eq!(Rule::number(value).units(&[0.0; VALUES], 1, 9), expected, "{value}");
        }
    }

    #[test]
    fn malformed_rules_are_refused() {
        assert!(Rule::new(Vec::new()).is_none());
        assert!(Rule::new(vec![Step::Binary(|a, b| a + b)]).is_none());
        assert!(Rule::new(vec![Step::Number(1.0); 2]).is_none());
        assert!(Rule::new(vec![Step::Value(VALUES as u8)]).is_none());
        assert!(Rule::new(vec![Step::Number(1.0); DEPTH + 1]).is_none());
    }
}
