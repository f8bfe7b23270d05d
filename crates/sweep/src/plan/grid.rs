//! Numbers all combinations of axis values, like the digits of a number with a base per axis.

/// Number of values of each axis; the last axis varies fastest.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    sizes: Vec<usize>,
}

impl Grid {
    pub fn new(sizes: Vec<usize>) -> Grid {
        Grid { sizes }
    }

    pub fn len(&self) -> usize {
        self.sizes.iter().product()
    }

    /// Index of the value on each axis for combination `at`.
    pub fn digits(&self, mut at: usize) -> Vec<usize> {
        let mut digits = vec![0; self.sizes.len()];
        for (digit, size) in digits.iter_mut().zip(&self.sizes).rev() {
            *digit = at % size;
            at /= size;
        }
        digits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_count_like_numbers() {
        let grid = Grid::new(vec![2, 1, 3]);
        let all: Vec<_> = (0..grid.len()).map(|at| grid.digits(at)).collect();
        assert_eq!(all, [[0, 0, 0], [0, 0, 1], [0, 0, 2], [1, 0, 0], [1, 0, 1], [1, 0, 2]]);
    }
}
