//! Pseudo-random choices that a seed repeats.

/// Splitmix64.
pub struct Chance(pub u64);

impl Chance {
    /// Number below `end`, which is above zero.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z % end as u64) as usize
    }

    /// One of some values.
    pub fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    /// True in `parts` of `of` cases.
    pub fn odds(&mut self, parts: usize, of: usize) -> bool {
        self.below(of) < parts
    }
}
