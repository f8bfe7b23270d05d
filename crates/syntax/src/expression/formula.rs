//! An expression of several variables, evaluated singly or for a block of values of the last
//! variable.

use super::code::Code;
use super::program::{BLOCK, Op, run};
use super::random;

/// An expression of numbered variables, ready to run.
#[derive(Clone, Debug)]
pub struct Formula {
    ops: Vec<Op<usize>>,
    /// Largest number of values that the formula has on the stack at a time.
    depth: usize,
    code: Code,
}

/// Stack of blocks of values: the buffer of [`Formula::over`].
pub type Room = Vec<[f64; BLOCK]>;

impl Formula {
    pub fn number(value: f64) -> Formula {
        Formula::new(vec![Op::Number(value)], 1)
    }

    /// Formula of postfix operations, of which at most `depth` values are on the stack at a time.
    pub(super) fn new(ops: Vec<Op<usize>>, depth: usize) -> Formula {
        Formula { code: Code::new(&ops), ops, depth }
    }

    /// The value for given variables. `stack` is a buffer that later calls reuse.
    pub fn at(&self, variables: &[f64], stack: &mut Vec<f64>) -> f64 {
        self.code.run(variables, stack)
    }

    /// Values of the formula for up to [`BLOCK`] values of the last variable, `last`. `variables` has the values of
    /// all other variables.
    pub fn over<'r>(&self, variables: &[f64], last: &[f64], room: &'r mut Room) -> &'r [f64] {
        if room.len() < self.depth.max(1) {
            room.resize(self.depth.max(1), [0.0; BLOCK]);
        }
        run(&self.ops, room, last.len(), |at, slots| match variables.get(*at) {
            Some(value) => slots.fill(*value),
            None if *at == variables.len() => slots.copy_from_slice(last),
            None => slots.fill(f64::NAN),
        });
        &room[0][..last.len()]
    }

    /// The value, if the expression is a constant.
    pub fn constant(&self) -> Option<f64> {
        match self.ops[..] {
            [Op::Number(value)] => Some(value),
            _ => None,
        }
    }

    /// True if the variable of this number appears in the expression.
    pub fn uses(&self, variable: usize) -> bool {
        self.ops.iter().any(|op| matches!(op, Op::Variable(at) if *at == variable))
    }
}

/// Value of postfix steps. `variable` gives the value of a variable; `stack` is a buffer that later calls reuse.
pub(super) fn evaluate<V>(ops: &[Op<V>], variable: impl Fn(&V) -> f64, stack: &mut Vec<f64>) -> f64 {
    stack.clear();
    // The parser guarantees that every step finds its operands.
    let pop = |stack: &mut Vec<f64>| stack.pop().unwrap_or(f64::NAN);
    for op in ops {
        let value = match op {
            Op::Number(value) => *value,
            Op::Variable(which) => variable(which),
            Op::Unary(apply) => apply(pop(stack)),
            Op::Binary(apply) => {
                let right = pop(stack);
                apply(pop(stack), right)
            }
            Op::Random(count) => {
                let first = stack.len().saturating_sub(*count);
                let value = random(&stack[first..]);
                stack.truncate(first);
                value
            }
            Op::Select => {
                let (other, one) = (pop(stack), pop(stack));
                if pop(stack) != 0.0 { one } else { other }
            }
            Op::Row(function, matrix) => function.of(matrix, pop(stack)),
            Op::Table(table) => table.at(pop(stack)),
        };
        stack.push(value);
    }
    pop(stack)
}

#[cfg(test)]
mod tests {
    use super::super::{Room, Scope, parse};

    #[test]
    fn formulas_and_programs_agree() {
        let mut scope = Scope::default();
        scope.add("n", 10.0);
        for text in [
            "i * n - 3",
            "if(i > 4, 1 + n, -i) ^ 2",
            "random(n, i, 3) + noise(i)",
            "bit(i, 1) + 7 % 4",
            "n - (i - 2 * (i - (n - i)))",
            "if(i % 3 < 1, n - i, if(i % 3 <= 1, i, i / n)) - random(i * i, n, i + 1)",
            "floor(i / 7) * (i != 3) + (i == 3) + (n and i)",
            "floor(-i / 3) + (-i) % 7 + i % -3 + (i / 2) % n",
        ] {
            let parsed = parse(text).unwrap();
            let (program, formula) =
                (parsed.bind(&scope, true).unwrap(), parsed.formula(&scope, &["i"]).unwrap());
            for i in 0..300_u32 {
                assert_eq!(
                    program.at(u64::from(i)),
                    formula.at(&[f64::from(i)], &mut Vec::new()),
                    "{text} at {i}"
                );
            }
            let indices: Vec<f64> = (40..200).map(f64::from).collect();
            let (mut room, mut stack) = (Room::new(), Vec::new());
            let all = formula.over(&[], &indices, &mut room);
            assert!(
                all.iter().zip(&indices).all(|(value, i)| *value == formula.at(&[*i], &mut stack)),
                "{text}"
            );
        }
        let formula = parse("a - n * b").unwrap().formula(&scope, &["b", "a", "c"]).unwrap();
        assert_eq!(formula.at(&[2.0, 50.0, 0.0], &mut Vec::new()), 30.0);
        assert_eq!([0, 1, 2].map(|variable| formula.uses(variable)), [true, true, false]);
    }
}
