//! Values of an expression, read iteration by iteration.

use super::program::{BLOCK, Program};

/// Evaluates a block of iterations when the first value of the block is read. Efficient for ascending iterations.
pub struct Cursor<'p> {
    program: &'p Program,
    stack: Vec<[f64; BLOCK]>,
    /// First iteration of the evaluated block; `None` before the first read.
    first: Option<u64>,
}

impl<'p> Cursor<'p> {
    /// A cursor before the first read.
    pub fn new(program: &'p Program) -> Cursor<'p> {
        Cursor { program, stack: program.stack(), first: None }
    }

    /// The value for an iteration.
    #[inline]
    pub fn at(&mut self, index: u64) -> f64 {
        let first = match self.first {
            Some(first) if index.wrapping_sub(first) < BLOCK as u64 => first,
            _ => {
                self.program.fill(&mut self.stack, index, BLOCK);
                *self.first.insert(index)
            }
        };
        self.stack[0][(index - first) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cursor, Scope, parse};

    #[test]
    fn cursor_values_equal_single_evaluations() {
        let program = parse("i * i - 3").unwrap().bind(&Scope::default(), true).unwrap();
        let mut cursor = Cursor::new(&program);
        for i in [0, 1, 255, 256, 257, 1000, 3, u64::MAX >> 20] {
            assert_eq!(cursor.at(i), program.at(i));
        }
    }
}
