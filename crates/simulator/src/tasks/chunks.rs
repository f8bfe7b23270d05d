//! List stored in chunks of one size. Growing copies at most the first chunk, so millions of entries take no more
//! memory than they fill. A vector that doubles briefly needs half as much memory again, and allocators keep the
//! memory that it frees.

/// List of entries in chunks of `SIZE`. A chunk is kept once it was filled.
#[derive(Clone, Debug)]
pub(super) struct Chunks<T, const SIZE: usize> {
    chunks: Vec<Vec<T>>,
    length: usize,
}

impl<T, const SIZE: usize> Chunks<T, SIZE> {
    pub fn new() -> Chunks<T, SIZE> {
        Chunks { chunks: Vec::new(), length: 0 }
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.length
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    #[inline]
    pub fn push(&mut self, entry: T) {
        let chunk = self.length / SIZE;
        if chunk == self.chunks.len() {
            // Most lists never fill the first chunk, which therefore grows on demand.
            self.chunks.push(if chunk == 0 { Vec::new() } else { Vec::with_capacity(SIZE) });
        }
        self.chunks[chunk].push(entry);
        self.length += 1;
    }

    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.length = self.length.checked_sub(1)?;
        self.chunks[self.length / SIZE].pop()
    }

    #[inline]
    fn get(&self, at: usize) -> Option<&T> {
        self.chunks.get(at / SIZE)?.get(at % SIZE)
    }

    #[inline]
    fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        self.chunks.get_mut(at / SIZE)?.get_mut(at % SIZE)
    }

    #[inline]
    pub fn last(&self) -> Option<&T> {
        self.get(self.length.checked_sub(1)?)
    }

    #[inline]
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.get_mut(self.length.checked_sub(1)?)
    }

    /// Entry before the last one; `None` if there are fewer than two.
    #[inline]
    pub fn below(&self) -> Option<&T> {
        self.get(self.length.checked_sub(2)?)
    }

    #[inline]
    pub fn below_mut(&mut self) -> Option<&mut T> {
        self.get_mut(self.length.checked_sub(2)?)
    }
}

impl<T, const SIZE: usize> std::ops::Index<usize> for Chunks<T, SIZE> {
    type Output = T;

    #[inline]
    fn index(&self, at: usize) -> &T {
        &self.chunks[at / SIZE][at % SIZE]
    }
}

impl<T, const SIZE: usize> std::ops::IndexMut<usize> for Chunks<T, SIZE> {
    #[inline]
    fn index_mut(&mut self, at: usize) -> &mut T {
        &mut self.chunks[at / SIZE][at % SIZE]
    }
}

#[cfg(test)]
mod tests {
    use super::Chunks;
    use proptest::prelude::*;

    proptest! {
        /// Any sequence of operations leaves the list equal to a plain vector.
        #[test]
        fn agrees_with_a_vector(steps in prop::collection::vec(0u8..5, 1..200)) {
            let (mut list, mut vector) = (Chunks::<usize, 4>::new(), Vec::new());
            for (number, step) in steps.into_iter().enumerate() {
                match step {
                    0 | 1 => prop_assert_eq!(list.pop(), vector.pop()),
                    _ => {
                        list.push(number);
                        vector.push(number);
                    }
                }
                prop_assert_eq!((list.len(), list.is_empty()), (vector.len(), vector.is_empty()));
                prop_assert_eq!(list.last(), vector.last());
                prop_assert_eq!(list.last_mut().copied(), vector.last().copied());
                let below = vector.iter().rev().nth(1);
                prop_assert_eq!(list.below(), below);
                prop_assert_eq!(list.below_mut().copied(), below.copied());
                prop_assert!(vector.iter().enumerate().all(|(at, entry)| list[at] == *entry));
                prop_assert_eq!(list.get(vector.len()), None);
            }
        }
    }
}
