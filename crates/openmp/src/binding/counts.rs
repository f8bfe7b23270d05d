use crate::places::{Cursor, TextError};

/// Parses `OMP_NUM_THREADS`: team sizes, one for each level of nesting, such as `128` or `8,16`.
pub fn thread_counts(text: &str) -> Result<Vec<u32>, TextError> {
    let mut cursor = Cursor::new(text);
    let mut counts = vec![cursor.positive("a number of threads")?];
    while cursor.take(b',') {
        counts.push(cursor.positive("a number of threads")?);
    }
    cursor.end("\",\" or the end")?;
    Ok(counts)
}
