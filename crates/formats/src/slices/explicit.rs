//! Any slice: its start and its length.

use crate::expression::Program;
use crate::tree::show;
use std::sync::Arc;

/// Start and length of every iteration's slice, inside a region of `size` bytes.
pub(crate) fn explicit(
    start: &Program,
    length: &Program,
    count: u64,
    size: u64,
) -> Result<Arc<[(u64, u64)]>, String> {
    let mut slices: Vec<(u64, u64)> = Vec::with_capacity(count as usize);
    let mut starts_wrong = None;
    start.each(0, count, |first, values| {
        for (k, &value) in values.iter().enumerate() {
            if !(value >= 0.0 && value <= size as f64) {
                starts_wrong.get_or_insert((first + k as u64, value));
            }
            slices.push((value as u64, 0));
        }
    });
    if let Some((i, value)) = starts_wrong {
        return Err(format!("iteration {i} starts at byte {} of a region of {size} bytes", show(value)));
    }
    let mut ends_wrong = None;
    length.each(0, count, |first, values| {
        for (k, &value) in values.iter().enumerate() {
            let slice = &mut slices[first as usize + k];
            slice.1 = value as u64;
            if !(value >= 0.0 && value <= size as f64) || slice.0 + slice.1 > size {
                ends_wrong.get_or_insert((first + k as u64, slice.0, value));
            }
        }
    });
    match ends_wrong {
        Some((i, start, value)) => Err(format!(
            "iteration {i} touches {} bytes from byte {start} of a region of {size} bytes",
            show(value)
        )),
        None => Ok(slices.into()),
    }
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
