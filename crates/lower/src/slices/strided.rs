//! Equal pieces at equal distances: columns of a matrix, tiles, every n-th element.

use super::column;
use numalab_syntax::expression::{Cursor, Program};
use numalab_syntax::tree::show;
use numalab_workload::{Exact, Sparse};

/// Pattern of an access to equal pieces at equal distances; expressions in bytes.
pub(crate) struct Stride {
    /// Start of an iteration's first piece, in bytes.
    pub start: Program,
    /// Length of a piece in bytes.
    pub length: Program,
    /// Distance between the starts of two neighbouring pieces, in bytes.
    pub stride: Program,
    /// Number of pieces that an iteration touches.
    pub count: Program,
}

/// Lines that the pieces of each iteration touch, inside a region of `size` bytes. With `exact`, also the positions
/// of the pieces.
pub(crate) fn strided(
    pattern: &Stride,
    count: u64,
    size: u64,
    line: u64,
    exact: bool,
) -> Result<Sparse, String> {
    let programs = [&pattern.start, &pattern.length, &pattern.stride, &pattern.count];
    let windows = column(programs, count, |i, values| {
        for (name, value) in ["start", "length", "stride", "count"].into_iter().zip(values) {
            if !(0.0..=(1_u64 << 60) as f64).contains(&value) {
                return Err(format!("the {name} of iteration {i} is {}", show(value)));
            }
        }
        let [start, length, stride, pieces] = values.map(|value| value as u64);
        let last = u128::from(stride) * u128::from(pieces.saturating_sub(1));
        let end = match pieces {
            0 => u128::from(start),
            _ => u128::from(start) + last + u128::from(length),
        };
        if end > u128::from(size) {
            return Err(format!("iteration {i} reaches byte {end} of a region of {size} bytes"));
        }
        Ok((start, end as u64))
    })?;
    // The expressions are evaluated again instead of stored.
    let mut cursors = programs.map(Cursor::new);
    let touched = (0..count).map(|i| lines(cursors.each_mut().map(|cursor| cursor.at(i) as u64), line));
    let sparse = Sparse::new(windows, touched, false);
    if !exact {
        return Ok(sparse);
    }
    let pieces = column([&pattern.length, &pattern.count], count, |_, [length, pieces]| {
        Ok((length as u64, pieces as u64))
    })?;
    Ok(sparse.exactly(Exact::Pieces(pieces)))
}

/// Bytes of the lines that the pieces of one iteration touch, each line counted once. If gaps are shorter than a
/// line: bytes from the start of the first piece to the end of the last.
fn lines([start, length, stride, count]: [u64; 4], line: u64) -> u64 {
    if count == 0 || length == 0 {
        return 0;
    }
    // If gaps are shorter than a line, every line is touched.
    if stride < length + line {
        return stride * (count - 1) + length;
    }
    // Otherwise no two pieces share a line: from the line of the first byte to that of the last.
    let first = floors(count, line, stride, start);
    let last = floors(count, line, stride, start + length - 1);
    (last - first + u128::from(count)) as u64 * line
}

/// Sum of `floor((step · k + offset) / by)` over `k` in `0..count`, in as many rounds as Euclid's algorithm takes for
/// `step` and `by`.
fn floors(mut count: u64, mut by: u64, mut step: u64, mut offset: u64) -> u128 {
    let mut sum = 0;
    while count > 0 {
        let pairs = u128::from(count) * u128::from(count - 1) / 2;
        sum += pairs * u128::from(step / by) + u128::from(count) * u128::from(offset / by);
        (step, offset) = (step % by, offset % by);
        // At most the end of the last piece plus a step, so it cannot overflow.
        let top = step * count + offset;
        if top < by {
            break;
        }
        // The same points of the lattice, counted along the other axis.
        (count, offset) = (top / by, top % by);
        (by, step) = (step, by);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slices::program;
    use proptest::prelude::*;

    fn pattern(texts: [&str; 4]) -> Stride {
        let [start, length, stride, count] = texts.map(program);
        Stride { start, length, stride, count }
    }

    /// Column of a matrix of 4 × 100 doubles: 8 bytes every 800 bytes. 800 bytes are 12.5 lines, so rows 1 and 3
    /// start in the middle of a line, and each element lies in one line.
    #[test]
    fn a_column_touches_a_line_in_every_row() {
        let sparse = strided(&pattern(["8 * i", "8", "800", "4"]), 100, 3200, 64, false).unwrap();
        assert_eq!(sparse.total(), 100 * 4 * 64);
        let slice = numalab_workload::Slice::Sparse(sparse);
        let piece = slice.piece(3, 4).unwrap();
        assert_eq!((piece.start, piece.end, piece.touched, piece.scattered), (24, 2432, 256, false));
    }

    #[test]
    fn pieces_outside_are_refused() {
        let error = strided(&pattern(["0", "8", "800", "i"]), 9, 3200, 64, false).err();
        assert_eq!(error.as_deref(), Some("iteration 5 reaches byte 3208 of a region of 3200 bytes"));
        let error = strided(&pattern(["0 - 1", "8", "800", "1"]), 9, 3200, 64, false).err();
        assert_eq!(error.as_deref(), Some("the start of iteration 0 is -1"));
    }

    proptest! {
        #[test]
        fn lines_are_those_that_hold_a_byte(start in 0_u64..300, length in 1_u64..200, stride in 0_u64..400, count in 1_u64..30) {
            let mut all = std::collections::BTreeSet::new();
            for k in 0..count {
                all.extend((start + k * stride) / 64..=(start + k * stride + length - 1) / 64);
            }
            let window = stride * (count - 1) + length;
            let counted = lines([start, length, stride, count], 64).min(window);
            if stride < length + 64 {
                prop_assert_eq!(counted, window);
                let end = start + window;
                prop_assert_eq!(all.len() as u64, (end - 1) / 64 - start / 64 + 1);
            } else {
                prop_assert_eq!(counted, (all.len() as u64 * 64).min(window));
            }
        }
    }
}
