//! Coordinates by which points of two frames are matched.

use crate::group::{differs, is_empty};
use numalab_results::{Frame, Role};

/// Coordinates that are columns of both frames, unless they are empty in both. A coordinate that is a column of only
/// one frame is left out if all rows of this frame have the same value. Otherwise several points would match one
/// point of the other frame, which is an error (a sentence), unless the other frame has no rows.
pub(crate) fn shared(a: &Frame, b: &Frame, without: &[&str]) -> Result<Vec<String>, String> {
    let mut shared = Vec::new();
    for (this, other, first) in [(a, b, true), (b, a, false)] {
        for (at, column) in this.columns.iter().enumerate() {
            let name = &*column.name;
            if column.role() != Role::Coordinate || without.contains(&name) {
                continue;
            }
            // A coordinate that is empty in both frames is skipped. If it is empty in only one, its empty cells mean
            // the default.
            match other.position(name) {
                Some(there) if is_empty(this, at) && is_empty(other, there) => {}
                Some(_) if first => shared.push(name.to_owned()),
                Some(_) => {}
                None if other.rows.is_empty() || !differs(this, at) => {}
                None => return Err(format!("only one side has `{name}`, with several values")),
            }
        }
    }
    Ok(shared)
}
