//! Pseudo-random choices that a seed repeats, for the fuzzer and for laws on generated files.

/// Splitmix64.
pub struct Chance(pub u64);

impl Chance {
    /// Choices of the case with this number.
    pub fn of(seed: u64, number: u64) -> Chance {
        Chance(seed.wrapping_mul(0x1_0000_0000).wrapping_add(number))
    }

    /// Number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        if end == 0 { 0 } else { (z % end as u64) as usize }
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
