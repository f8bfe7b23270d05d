//! `OMP_NUM_THREADS`.

use crate::places::{Cursor, TextError};

/// Team sizes, one for each level of nesting: `128` or `8,16`.
pub fn thread_counts(text: &str) -> Result<Vec<u32>, TextError> {
    let mut cursor = Cursor::new(text);
    let mut counts = vec![cursor.positive("a number of threads")?];
    while cursor.take(b',') {
        counts.push(cursor.positive("a number of threads")?);
    }
    cursor.end("\",\" or the end")?;
    Ok(counts)
}
