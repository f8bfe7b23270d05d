//! Coordinates that tell the points of two frames apart.

use crate::group::{differs, is_empty};
use numalab_results::{Frame, Role};

/// The coordinates that both frames say something about. One that only one of them has is left out if it is
/// the same in all of its rows; otherwise several of its points would be the same one of the other, and a
/// sentence says so.
pub(crate) fn shared(a: &Frame, b: &Frame, without: &[&str]) -> Result<Vec<String>, String> {
    let mut shared = Vec::new();
    for (this, other, first) in [(a, b, true), (b, a, false)] {
        for (at, column) in this.columns.iter().enumerate() {
            let name = &*column.name;
            if column.role() != Role::Coordinate || without.contains(&name) {
                continue;
            }
            // Nothing on both sides says nothing; nothing on one side is the default.
            match other.position(name) {
                Some(there) if is_empty(this, at) && is_empty(other, there) => {}
                Some(_) if first => shared.push(name.to_owned()),
                Some(_) => {}
                None if other.rows.is_empty() || !differs(this, at) => {}
                None => return Err(format!("only one side has `{name}`, of which it has several values")),
            }
        }
    }
    Ok(shared)
}
