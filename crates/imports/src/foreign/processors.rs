//! Lists of processors or nodes as Linux writes them: `0-3,8` or `0 1 2 3`.

use super::number::index;
use crate::topology::MAX_NUMBER;
use numalab_syntax::cells::Cell;
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::TextRange;

/// The numbers of a list, ascending. `what` is what they should be.
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
        let (first, last) = match part.split_once('-') {
            Some((first, last)) => (number(first)?, number(last)?),
            None => (number(part)?, number(part)?),
        };
        if last < first {
            let message = format!("`{part}` goes down");
            return Err(Diagnostic::new(sub(part), message, "expected the lower number first"));
        }
        numbers.extend(first..=last);
        // Ranges that overlap again and again are no list of a machine.
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
