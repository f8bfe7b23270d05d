//! Lists of processors or nodes as Linux and `lscpu` write them: `0-3,8`, `0 1 2 3`, or `0-62:2` for every second
//! number.

use super::number::index;
use crate::topology::MAX_NUMBER;
use numalab_syntax::cells::Cell;
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::TextRange;

/// Parses a list; returns the numbers in ascending order. `what` names the expected list in errors.
pub fn list(cell: Cell<'_>, what: &str) -> Result<Vec<u32>, Diagnostic> {
    let mut numbers = Vec::new();
    let base = cell.text.as_ptr() as usize;
    let parts = cell.text.split(|c: char| c == ',' || c.is_whitespace()).filter(|part| !part.is_empty());
    for part in parts {
        let sub = |text: &'_ str| {
            let start = cell.span.start + (text.as_ptr() as usize - base);
            TextRange { start, end: start + text.len(), ..cell.span }
        };
        let number = |text| index(Cell { text, span: sub(text) }, what);
        let (range, stride) = match part.split_once(':') {
            Some((range, stride)) => (range, number(stride)?),
            None => (part, 1),
        };
        let (first, last) = match range.split_once('-') {
            Some((first, last)) => (number(first)?, number(last)?),
            None => (number(range)?, number(range)?),
        };
        if stride == 0 {
            let message = format!("`{part}` goes nowhere");
            return Err(Diagnostic::new(sub(part), message, "expected a stride of 1 or more"));
        }
        if last < first {
            let message = format!("`{part}` goes down");
            return Err(Diagnostic::new(sub(part), message, "expected the lower number first"));
        }
        numbers.extend((first..=last).step_by(stride as usize));
        // A list with so many overlapping ranges is not that of a machine.
        if numbers.len() > 2 * MAX_NUMBER as usize {
            return Err(Diagnostic::new(
                sub(part),
                "this list is too long",
                format!("expected {what}, each once"),
            ));
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}
