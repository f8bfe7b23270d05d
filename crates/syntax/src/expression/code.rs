//! Steps of a formula for one value at a time. Variables and numbers are operands of steps instead of values on a stack,
//! and common operators need no call through a pointer.

use super::operators::{floor, operator, power, remainder};
use super::program::Op;
use super::rows::{RowFunction, Rows};
use super::table::Table;
use super::{Binary, MOST_ARGUMENTS, Unary, random};
use std::sync::Arc;

/// Origin of an operand.
#[derive(Clone, Copy, Debug)]
enum Operand {
    /// The last value that a step has left.
    Computed,
    Variable(usize),
    Number(f64),
}

/// Operators that are computed in place.
#[derive(Clone, Copy, Debug)]
enum Apply {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    Unequal,
    And,
    Call(Binary),
}

const IN_PLACE: [(&str, Apply); 13] = [
    ("+", Apply::Add),
    ("-", Apply::Subtract),
    ("*", Apply::Multiply),
    ("/", Apply::Divide),
    ("%", Apply::Remainder),
    ("^", Apply::Power),
    ("<", Apply::Less),
    ("<=", Apply::LessOrEqual),
    (">", Apply::Greater),
    (">=", Apply::GreaterOrEqual),
    ("==", Apply::Equal),
    ("!=", Apply::Unequal),
    ("and", Apply::And),
];

impl Apply {
    /// The operator with this function. A function that is not found, of which the compiler may have made two, is called.
    fn new(function: Binary) -> Apply {
        let is = |(symbol, _): &&(&str, Apply)| {
            operator(symbol).is_some_and(|known| std::ptr::fn_addr_eq(known.apply, function))
        };
        IN_PLACE.iter().find(is).map_or(Apply::Call(function), |(_, apply)| *apply)
    }

    fn of(self, left: f64, right: f64) -> f64 {
        match self {
            Apply::Add => left + right,
            Apply::Subtract => left - right,
            Apply::Multiply => left * right,
            Apply::Divide => left / right,
            Apply::Remainder => remainder(left, right),
            Apply::Power => power(left, right),
            Apply::Less => f64::from(left < right),
            Apply::LessOrEqual => f64::from(left <= right),
            Apply::Greater => f64::from(left > right),
            Apply::GreaterOrEqual => f64::from(left >= right),
            Apply::Equal => f64::from(left == right),
            Apply::Unequal => f64::from(left != right),
            Apply::And => f64::from(left != 0.0 && right != 0.0),
            Apply::Call(function) => function(left, right),
        }
    }
}

/// Step that leaves one value.
#[derive(Clone, Debug)]
enum CodeStep {
    Unary(Unary, Operand),
    Floor(Operand),
    Binary(Apply, Operand, Operand),
    Random(Box<[Operand]>),
    Select(Operand, Operand, Operand),
    Row(RowFunction, Arc<Rows>, Operand),
    Table(Arc<Table>, Operand),
}

/// Steps in the order of their execution, and the origin of the result.
#[derive(Clone, Debug)]
pub(super) struct Code {
    steps: Vec<CodeStep>,
    result: Operand,
}

impl Code {
    /// Code of postfix operations.
    pub fn new(ops: &[Op<usize>]) -> Code {
        // Operands of later steps: variables and numbers stay here until a step takes them.
        let mut left: Vec<Operand> = Vec::new();
        let mut steps = Vec::with_capacity(ops.len() / 2);
        // The parser guarantees that every operation finds its operands.
        let pop = |left: &mut Vec<Operand>| left.pop().unwrap_or(Operand::Number(f64::NAN));
        for op in ops {
            let step = match op {
                Op::Number(value) => {
                    left.push(Operand::Number(*value));
                    continue;
                }
                Op::Variable(at) => {
                    left.push(Operand::Variable(*at));
                    continue;
                }
                Op::Unary(apply) if std::ptr::fn_addr_eq(*apply, floor as Unary) => {
                    CodeStep::Floor(pop(&mut left))
                }
                Op::Unary(apply) => CodeStep::Unary(*apply, pop(&mut left)),
                Op::Binary(apply) => {
                    let right = pop(&mut left);
                    CodeStep::Binary(Apply::new(*apply), pop(&mut left), right)
                }
                Op::Random(count) => {
                    let first = left.len().saturating_sub(*count);
                    CodeStep::Random(left.split_off(first).into())
                }
                Op::Select => {
                    let (other, one) = (pop(&mut left), pop(&mut left));
                    CodeStep::Select(pop(&mut left), one, other)
                }
                Op::Row(function, matrix) => CodeStep::Row(*function, Arc::clone(matrix), pop(&mut left)),
                Op::Table(table) => CodeStep::Table(Arc::clone(table), pop(&mut left)),
            };
            steps.push(step);
            left.push(Operand::Computed);
        }
        Code { steps, result: pop(&mut left) }
    }

    /// The value for given variables. `stack` is a buffer that later calls reuse.
    pub fn run(&self, variables: &[f64], stack: &mut Vec<f64>) -> f64 {
        // No step leaves more than one value.
        if stack.len() < self.steps.len() {
            stack.resize(self.steps.len(), 0.0);
        }
        let mut values = Values { variables, stack, height: 0 };
        for step in &self.steps {
            // The last operand of a step was computed last.
            let value = match step {
                CodeStep::Binary(apply, left, right) => {
                    let right = values.take(*right);
                    apply.of(values.take(*left), right)
                }
                CodeStep::Floor(operand) => floor(values.take(*operand)),
                CodeStep::Unary(apply, operand) => apply(values.take(*operand)),
                CodeStep::Select(condition, one, other) => {
                    let (other, one) = (values.take(*other), values.take(*one));
                    if values.take(*condition) != 0.0 { one } else { other }
                }
                CodeStep::Table(table, operand) => table.at(values.take(*operand)),
                CodeStep::Row(function, matrix, operand) => function.of(matrix, values.take(*operand)),
                CodeStep::Random(operands) => {
                    let mut numbers = [0.0; MOST_ARGUMENTS];
                    let numbers = &mut numbers[..operands.len()];
                    for (number, operand) in numbers.iter_mut().zip(operands).rev() {
                        *number = values.take(*operand);
                    }
                    random(numbers)
                }
            };
            values.stack[values.height] = value;
            values.height += 1;
        }
        values.take(self.result)
    }
}

struct Values<'v> {
    variables: &'v [f64],
    stack: &'v mut [f64],
    /// Number of values on the stack.
    height: usize,
}

impl Values<'_> {
    #[inline]
    fn take(&mut self, operand: Operand) -> f64 {
        match operand {
            Operand::Computed => {
                self.height -= 1;
                self.stack[self.height]
            }
            Operand::Variable(at) => self.variables.get(at).copied().unwrap_or(f64::NAN),
            Operand::Number(value) => value,
        }
    }
}
