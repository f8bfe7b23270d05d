//! Postfix steps, bound to parameters and evaluated for blocks of iterations.

use super::{Binary, ExpressionError, INDEX, Unary};
use crate::nearest::hint;
use std::ops::Range;

/// Iterations evaluated together: the work per step is a loop over an array in the first cache.
const BLOCK: usize = 256;

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Number(f64),
    Name(String, Range<usize>),
    Unary(Unary),
    Binary(Binary),
}

/// An expression whose names are still names.
#[derive(Clone, Debug)]
pub(crate) struct Parsed {
    pub steps: Vec<Step>,
}

#[derive(Clone, Copy, Debug)]
enum Op {
    Number(f64),
    Index,
    Unary(Unary),
    Binary(Binary),
}

/// An expression ready to run.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    ops: Vec<Op>,
    /// Most values on the stack at once.
    depth: usize,
}

impl Parsed {
    /// Looks every name up: parameters in `names` with their `values`, and the index where it exists.
    pub fn bind(&self, names: &[String], values: &[f64], index: bool) -> Result<Program, ExpressionError> {
        let mut ops = Vec::with_capacity(self.steps.len());
        let (mut height, mut depth) = (0_usize, 0);
        for step in &self.steps {
            let op = match step {
                Step::Number(value) => Op::Number(*value),
                Step::Unary(apply) => Op::Unary(*apply),
                Step::Binary(apply) => Op::Binary(*apply),
                Step::Name(name, _) if name == INDEX && index => Op::Index,
                Step::Name(name, range) => match names.iter().position(|known| known == name) {
                    Some(position) => Op::Number(values[position]),
                    None => return Err(unknown(name, range.clone(), names, index)),
                },
            };
            match op {
                Op::Number(_) | Op::Index => height += 1,
                Op::Unary(_) => {}
                Op::Binary(_) => height -= 1,
            }
            depth = depth.max(height);
            ops.push(op);
        }
        Ok(Program { ops, depth })
    }
}

fn unknown(name: &str, range: Range<usize>, names: &[String], index: bool) -> ExpressionError {
    if name == INDEX {
        let message = "there is no iteration index `i` here".to_owned();
        let label = "expected an expression of the parameters alone".to_owned();
        return ExpressionError { range, message, label };
    }
    let known = names.iter().map(String::as_str).chain(index.then_some(INDEX));
    ExpressionError { range, message: format!("unknown name `{name}`"), label: hint(name, known) }
}

impl Program {
    /// The value that does not depend on the index, if so.
    pub fn constant(&self) -> Option<f64> {
        let varies = self.ops.iter().any(|op| matches!(op, Op::Index));
        (!varies).then(|| self.at(0))
    }

    /// The value for one iteration.
    pub fn at(&self, index: u64) -> f64 {
        let mut value = 0.0;
        self.each(index, index + 1, |_, values| value = values[0]);
        value
    }

    /// Calls `visit(first, values)` for consecutive blocks of the iterations `from..to`.
    pub fn each(&self, from: u64, to: u64, mut visit: impl FnMut(u64, &[f64])) {
        let mut stack = vec![[0.0; BLOCK]; self.depth.max(1)];
        let mut first = from;
        while first < to {
            let length = (to - first).min(BLOCK as u64) as usize;
            let mut top = 0;
            for op in &self.ops {
                match op {
                    Op::Number(value) => {
                        stack[top][..length].fill(*value);
                        top += 1;
                    }
                    Op::Index => {
                        for (k, slot) in stack[top][..length].iter_mut().enumerate() {
                            *slot = (first + k as u64) as f64;
                        }
                        top += 1;
                    }
                    Op::Unary(apply) => {
                        for slot in &mut stack[top - 1][..length] {
                            *slot = apply(*slot);
                        }
                    }
                    Op::Binary(apply) => {
                        let (left, right) = stack.split_at_mut(top - 1);
                        for (a, b) in left[top - 2][..length].iter_mut().zip(&right[0][..length]) {
                            *a = apply(*a, *b);
                        }
                        top -= 1;
                    }
                }
            }
            visit(first, &stack[0][..length]);
            first += length as u64;
        }
    }
}
