//! Elements at random positions in a region or in a window of it.

use super::column;
use numalab_syntax::expression::{Cursor, Program};
use numalab_syntax::tree::show;
use numalab_workload::{Exact, Sparse};

/// Largest element of an empty region, of which nothing can be gathered.
const MOST_BYTES: u64 = 1 << 60;

/// Pattern of an access to elements at random positions.
pub(crate) struct Gather {
    /// Number of elements that an iteration touches.
    pub count: Program,
    /// Size of an element in bytes, to which its position is aligned.
    pub element: Program,
    /// Middle and length of the window, in bytes; `None` for the whole region.
    pub window: Option<(Program, Program)>,
}

/// Lines of the elements that each iteration touches, inside a region of `size` bytes. With a `key`, the position of
/// each element is fixed by a hash of `key` and iteration, as page-based shared memory requires.
pub(crate) fn gather(
    pattern: &Gather,
    count: u64,
    size: u64,
    line: u64,
    key: Option<u64>,
) -> Result<Sparse, String> {
    let most = if size == 0 { MOST_BYTES } else { size };
    let checked = |i: u64, elements: f64, element: f64| match (0.0..=1e15).contains(&elements) {
        _ if !(1.0..=most as f64).contains(&element) || element.fract() != 0.0 => {
            Err(format!("iteration {i} gathers elements of {} bytes", show(element)))
        }
        true if size == 0 && elements >= 1.0 => {
            Err(format!("iteration {i} gathers {} elements of an empty region", show(elements)))
        }
        true => Ok(()),
        false => Err(format!("iteration {i} gathers {} elements", show(elements))),
    };
    let windows = match &pattern.window {
        None => column([&pattern.count, &pattern.element], count, |i, [elements, element]| {
            checked(i, elements, element).map(|()| (0, size))
        })?,
        Some((around, width)) => {
            let programs = [&pattern.count, &pattern.element, around, width];
            column(programs, count, |i, [elements, element, around, width]| {
                checked(i, elements, element)?;
                window(i, around, width, size)
            })?
        }
    };
    // The numbers and sizes of elements are evaluated again instead of stored.
    let (mut counts, mut sizes) = (Cursor::new(&pattern.count), Cursor::new(&pattern.element));
    let lines = |bytes: f64| (bytes as u64).div_ceil(line) * line;
    let touched = (0..count).map(|i| (counts.at(i) as u64).saturating_mul(lines(sizes.at(i))).min(1 << 60));
    let sparse = Sparse::new(windows, touched, true);
    let Some(key) = key else { return Ok(sparse) };
    let counts = column([&pattern.count], count, |_, [elements]| Ok(elements as u64))?;
    // Elements of several sizes are drawn with their mean size.
    let element = pattern.element.constant().unwrap_or_else(|| {
        let mut sizes = Cursor::new(&pattern.element);
        let bytes: f64 = counts.iter().zip(0..).map(|(count, i)| *count as f64 * sizes.at(i)).sum();
        (bytes / counts.iter().map(|count| *count as f64).sum::<f64>().max(1.0)).max(1.0)
    });
    Ok(sparse.exactly(Exact::Drawn { element: element.ceil() as u64, counts, key }))
}

/// Start and end, in bytes, of the window of iteration `i`, cut at the end of the region.
fn window(i: u64, around: f64, width: f64, size: u64) -> Result<(u64, u64), String> {
    if !(0.0..=size as f64).contains(&around) {
        let around = show(around);
        return Err(format!("iteration {i} gathers around byte {around} of a region of {size} bytes"));
    }
    if !(width.is_finite() && width >= 1.0) {
        return Err(format!("the window of iteration {i} has {} bytes", show(width)));
    }
    let (start, end) = ((around - width / 2.0).max(0.0), (around + width / 2.0).min(size as f64));
    // The window contains at least the byte in the middle.
    let start = (start as u64).min(size.saturating_sub(1));
    Ok((start, (end.ceil() as u64).max(start + 1).min(size)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slices::program;
    use numalab_workload::Slice;

    fn pattern(count: &str, window: Option<(&str, &str)>) -> Gather {
        let window = window.map(|(around, width)| (program(around), program(width)));
        Gather { count: program(count), element: program("8"), window }
    }

    #[test]
    fn every_element_touches_a_line() {
        let sparse = gather(&pattern("i + 1", None), 3, 1 << 30, 64, None).unwrap();
        // 1 + 2 + 3 elements, one line each.
        assert_eq!(sparse.total(), 6 * 64);
        let piece = Slice::Sparse(sparse).piece(1, 2).unwrap();
        assert_eq!((piece.start, piece.end, piece.scattered), (0, 1 << 30, true));
    }

    /// Iteration `i` gathers 2 elements of 32 · (i + 1) bytes: one, one and two lines each.
    #[test]
    fn elements_can_differ_in_size() {
        let each = Gather { element: program("32 * (i + 1)"), ..pattern("2", None) };
        assert_eq!(gather(&each, 3, 1 << 30, 64, None).unwrap().total(), 2 * (1 + 1 + 2) * 64);
        let error = |element| {
            let each = Gather { element: program(element), ..pattern("1", None) };
            gather(&each, 3, 1000, 64, None).err().unwrap()
        };
        assert_eq!(error("8 - 8 * i"), "iteration 1 gathers elements of 0 bytes");
        assert_eq!(error("600 * i + 1"), "iteration 2 gathers elements of 1201 bytes");
    }

    #[test]
    fn windows_end_with_the_region() {
        let sparse = gather(&pattern("4", Some(("500 * i", "200"))), 3, 1000, 64, None).unwrap();
        let slice = Slice::Sparse(sparse);
        assert_eq!([0, 1, 2].map(|i| slice.range(i)), [(0, 100), (400, 600), (900, 1000)]);
    }

    #[test]
    fn what_cannot_be_gathered_is_refused() {
        let error = |count, window| gather(&pattern(count, window), 3, 1000, 64, None).err().unwrap();
        assert_eq!(error("1 - i", None), "iteration 2 gathers -1 elements");
        assert_eq!(
            error("1", Some(("900 * i", "8"))),
            "iteration 2 gathers around byte 1800 of a region of 1000 bytes"
        );
        assert_eq!(error("1", Some(("i", "0"))), "the window of iteration 0 has 0 bytes");
        let message = gather(&pattern("i", None), 3, 0, 64, None).err().unwrap();
        assert_eq!(message, "iteration 1 gathers 1 elements of an empty region");
    }
}
