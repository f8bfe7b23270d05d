//! Partition whose slices extend into their neighbours, as in stencils.

use super::column;
use numalab_syntax::expression::Program;
use numalab_syntax::tree::show;
use std::sync::Arc;

/// Start and length of every slice of a partition, extended by `halo` bytes on both sides, inside the region.
pub(crate) fn halo(bounds: &[u64], halo: &Program, size: u64) -> Result<Arc<[(u64, u64)]>, String> {
    column([halo], bounds.len() as u64 - 1, |i, [halo]| {
        if !(halo.is_finite() && halo >= 0.0) {
            return Err(format!("the halo of iteration {i} is {} bytes", show(halo)));
        }
        let (start, end) = (bounds[i as usize], bounds[i as usize + 1]);
        // `as` saturates.
        let start = start.saturating_sub(halo as u64);
        let end = end.saturating_add(halo as u64).min(size);
        Ok((start, end - start))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slices::program;

    #[test]
    fn slices_reach_into_their_neighbours() {
        let slices = halo(&[0, 10, 20, 30], &program("4 * (i + 1)"), 30).unwrap();
        // 4, 8 and 12 bytes more: 0..14, 2..28, 8..30.
        assert_eq!(&slices[..], [(0, 14), (2, 26), (8, 22)]);
        assert_eq!(&halo(&[0, 4], &program("1e100 * 1e100 * 1e100"), 4).unwrap()[..], [(0, 4)]);
        let message = halo(&[0, 4], &program("0 - 1"), 4).unwrap_err();
        assert_eq!(message, "the halo of iteration 0 is -1 bytes");
    }
}
