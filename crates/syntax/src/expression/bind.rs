//! Binds the names of parsed steps. Subexpressions without variables are computed here, and a
//! condition with a constant value keeps only one branch.

use super::formula::{Formula, evaluate};
use super::program::{Index, Op, Parsed, Program, Step};
use super::{ExpressionError, INDEX, Scope};
use crate::nearest::hint;
use std::ops::Range;
use std::sync::Arc;

impl Parsed {
    /// Binds every name in `scope`, and the iteration index if `index` is set.
    pub fn bind(&self, scope: &Scope, index: bool) -> Result<Program, ExpressionError> {
        let ops = self.ops(scope, if index { &[INDEX] } else { &[] }, |_| Index)?;
        Ok(Program { depth: depth(&ops), ops })
    }

    /// Binds each name to the variable of that name in `variables`, otherwise to its value in `scope`.
    pub fn formula(&self, scope: &Scope, variables: &[&str]) -> Result<Formula, ExpressionError> {
        let ops = self.ops(scope, variables, |at| at)?;
        let depth = depth(&ops);
        Ok(Formula::new(ops, depth))
    }

    fn ops<V>(
        &self,
        scope: &Scope,
        variables: &[&str],
        variable: impl Fn(usize) -> V,
    ) -> Result<Vec<Op<V>>, ExpressionError> {
        let mut bound = Bound { ops: Vec::new(), starts: Vec::new() };
        for step in &self.inlined(&scope.locals)?.steps {
            match step {
                Step::Number(value) => bound.push(Op::Number(*value), 0),
                Step::Unary(apply) => bound.push(Op::Unary(*apply), 1),
                Step::Binary(apply) => bound.push(Op::Binary(*apply), 2),
                Step::Random(count) => bound.push(Op::Random(*count), *count),
                Step::Select => bound.push(Op::Select, 3),
                Step::Row(function, range) => match &scope.matrix {
                    Some(matrix) => {
                        scope.note(None);
                        bound.push(Op::Row(*function, Arc::clone(matrix)), 1);
                    }
                    None => return Err(no_matrix(range.clone())),
                },
                Step::Table(name, range) => match scope.tables.iter().find(|(known, _)| known == name) {
                    Some((_, table)) => bound.push(Op::Table(Arc::clone(table)), 1),
                    None => return Err(no_table(name, range.clone(), scope)),
                },
                Step::Name(name, range) => {
                    scope.note(Some(name));
                    let local = variables.iter().position(|known| known == name).map(&variable);
                    let found = local.map(Op::Variable).or_else(|| scope.get(name).map(Op::Number));
                    match found {
                        Some(op) => bound.push(op, 0),
                        None => return Err(unknown(name, range.clone(), scope, variables)),
                    }
                }
            }
        }
        Ok(bound.ops)
    }
}

/// Largest number of steps of an expression with the expressions for its names.
const MOST_STEPS: usize = 1 << 14;

impl Parsed {
    /// The expression with other expressions in the place of their names, whose ranges their steps get.
    pub fn inlined(&self, locals: &[(String, Parsed)]) -> Result<Parsed, ExpressionError> {
        let mut steps = Vec::new();
        for step in &self.steps {
            let local = match step {
                Step::Name(name, range) => locals.iter().find(|(known, _)| known == name).zip(Some(range)),
                Step::Number(_)
                | Step::Unary(_)
                | Step::Binary(_)
                | Step::Random(_)
                | Step::Select
                | Step::Row(..)
                | Step::Table(..) => None,
            };
            let Some(((_, parsed), range)) = local else {
                steps.push(step.clone());
                continue;
            };
            if steps.len() + parsed.steps.len() > MOST_STEPS {
                let message = "the expressions for its names make this expression too long".to_owned();
                let label = format!("expected at most {MOST_STEPS} steps in all");
                return Err(ExpressionError { range: range.clone(), message, label });
            }
            steps.extend(parsed.steps.iter().cloned().map(|step| step.at(range)));
        }
        Ok(Parsed { steps })
    }
}

impl Step {
    /// The step with another range, if it has one.
    fn at(self, range: &Range<usize>) -> Step {
        match self {
            Step::Name(name, _) => Step::Name(name, range.clone()),
            Step::Row(function, _) => Step::Row(function, range.clone()),
            Step::Table(name, _) => Step::Table(name, range.clone()),
            Step::Number(_) | Step::Unary(_) | Step::Binary(_) | Step::Random(_) | Step::Select => self,
        }
    }
}

/// Operations bound so far. `starts` has an entry for each value that the operations leave on the stack: the index of
/// the first operation that computes the value.
struct Bound<V> {
    ops: Vec<Op<V>>,
    starts: Vec<usize>,
}

impl<V> Bound<V> {
    /// Adds an operation on the last `operands` values of the stack. If these values are constants, computes the
    /// result. If only the condition of an `if` is a constant, keeps the operations of one branch.
    fn push(&mut self, op: Op<V>, operands: usize) {
        let at = self.starts.len() - operands;
        let start = self.starts.get(at).copied().unwrap_or(self.ops.len());
        if matches!(op, Op::Select)
            && let Op::Number(condition) = self.ops[start]
            && self.starts[at + 1] == start + 1
        {
            let other = self.ops.split_off(self.starts[at + 2]);
            if condition == 0.0 {
                self.ops.truncate(start);
                self.ops.extend(other);
            } else {
                self.ops.remove(start);
            }
        } else {
            let known = operands > 0 && self.ops[start..].iter().all(|op| matches!(op, Op::Number(_)));
            self.ops.push(op);
            if known {
                let ops = self.ops.split_off(start);
                self.ops.push(Op::Number(evaluate(&ops, |_| f64::NAN, &mut Vec::new())));
            }
        }
        self.starts.truncate(at);
        self.starts.push(start);
    }
}

/// Largest number of values that the operations have on the stack at a time.
fn depth<V>(ops: &[Op<V>]) -> usize {
    let (mut height, mut depth) = (0_usize, 0);
    for op in ops {
        match op {
            Op::Number(_) | Op::Variable(_) => height += 1,
            Op::Unary(_) | Op::Row(..) | Op::Table(_) => {}
            Op::Binary(_) => height -= 1,
            Op::Random(count) => height -= count - 1,
            Op::Select => height -= 2,
        }
        depth = depth.max(height);
    }
    depth
}

fn no_matrix(range: Range<usize>) -> ExpressionError {
    let message = "there is no matrix here".to_owned();
    ExpressionError { range, message, label: "expected `matrix: FILE.mtx` in the workload".to_owned() }
}

fn no_table(name: &str, range: Range<usize>, scope: &Scope) -> ExpressionError {
    let label = match scope.tables.is_empty() {
        true => format!("expected `tables: {{ {name}: FILE.csv }}` in the workload"),
        false => hint(name, scope.tables.iter().map(|(name, _)| name.as_str())),
    };
    ExpressionError { range, message: format!("there is no table `{name}`"), label }
}

fn unknown(name: &str, range: Range<usize>, scope: &Scope, variables: &[&str]) -> ExpressionError {
    if name == INDEX && variables.is_empty() {
        let message = "there is no iteration index `i` here".to_owned();
        let label = "expected an expression of the parameters alone".to_owned();
        return ExpressionError { range, message, label };
    }
    let locals = scope.locals.iter().map(|(name, _)| name.as_str());
    let known = scope.names().chain(variables.iter().copied()).chain(locals);
    ExpressionError { range, message: format!("unknown name `{name}`"), label: hint(name, known) }
}

#[cfg(test)]
mod tests {
    use super::super::{Scope, parse};

    #[test]
    fn constant_parts_are_folded() {
        let mut scope = Scope::default();
        scope.add("n", 8.0);
        let ops = |text: &str| parse(text).unwrap().bind(&scope, true).unwrap().ops.len();
        assert_eq!(ops("sqrt(2 * n) + max(1, n) / 3"), 1);
        assert_eq!(ops("i * (n + 1)"), 3);
        assert_eq!(ops("if(n > 4, i, sqrt(i) + 1)"), 1);
        assert_eq!(ops("if(n < 4, i, sqrt(i) + 1)"), 4);
        assert_eq!(ops("if(i > 4, 1 + n, i) + if(1, 2, 3)"), 8);
        let value = |text: &str, i| parse(text).unwrap().bind(&scope, true).unwrap().at(i);
        assert_eq!(value("1 + if(n > 4, i * 2, sqrt(i)) - if(0, i, 3)", 9), 16.0);
        assert_eq!([3, 5].map(|i| value("if(i > 4, 1 + n, i) + if(1, 2, 3)", i)), [5.0, 11.0]);
    }
}
