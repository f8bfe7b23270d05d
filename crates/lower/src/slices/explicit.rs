//! Slices with any start and length.

use super::column;
use numalab_syntax::expression::Program;
use numalab_syntax::tree::show;
use std::sync::Arc;

/// Start and length of every iteration's slice, inside a region of `size` bytes.
pub(crate) fn explicit(
    start: &Program,
    length: &Program,
    count: u64,
    size: u64,
) -> Result<Arc<[(u64, u64)]>, String> {
    let inside = |value: f64| (0.0..=size as f64).contains(&value);
    column([start, length], count, |i, [start, length]| {
        if !inside(start) {
            return Err(format!("iteration {i} starts at byte {} of a region of {size} bytes", show(start)));
        }
        let slice = (start as u64, length as u64);
        if !inside(length) || slice.0 + slice.1 > size {
            let (start, length) = (slice.0, show(length));
            return Err(format!(
                "iteration {i} touches {length} bytes from byte {start} of a region of {size} bytes"
            ));
        }
        Ok(slice)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slices::program;

    #[test]
    fn explicit_slices_stay_inside() {
        assert_eq!(&explicit(&program("i * 4"), &program("4"), 2, 8).unwrap()[..], [(0, 4), (4, 4)]);
        let message = explicit(&program("i * 4"), &program("5"), 2, 8).unwrap_err();
        assert_eq!(message, "iteration 1 touches 5 bytes from byte 4 of a region of 8 bytes");
        assert!(explicit(&program("-1"), &program("5"), 2, 8).unwrap_err().contains("starts at byte -1"));
    }
}
