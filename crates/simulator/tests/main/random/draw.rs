//! Choices from a list of numbers.

use std::ops::Range;

/// Source of choices: numbers of a list, then zeros.
pub struct Draw(std::vec::IntoIter<u32>);

impl Draw {
    pub fn new(numbers: Vec<u32>) -> Draw {
        Draw(numbers.into_iter())
    }

    /// Integer below `bound`; small numbers of the list give small results.
    pub fn below(&mut self, bound: u64) -> u64 {
        let number = self.0.next().unwrap_or(0);
        ((u128::from(number) * u128::from(bound)) >> 32) as u64
    }

    pub fn maybe(&mut self) -> bool {
        self.below(2) == 1
    }

    /// Number in a range, practically never the same number twice; the start of the range after the end of the list.
    pub fn real(&mut self, range: Range<f64>) -> f64 {
        let number = self.0.next().unwrap_or(0);
        range.start + (range.end - range.start) * f64::from(number) / 4_294_967_296.0
    }

    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }

    /// `Some` of `make`, or `None`, by a draw.
    pub fn perhaps<T>(&mut self, make: impl FnOnce(&mut Draw) -> T) -> Option<T> {
        self.maybe().then(|| make(self))
    }
}
