//! Servers of the parts of an access, found from the outermost cache inwards.

use super::Served;
use std::ops::Range;

/// The parts of an access in address order, without gaps.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    parts: Vec<(Served, Range<u64>)>,
    spare: Vec<(Served, Range<u64>)>,
}

impl Parts {
    pub fn clear(&mut self) {
        self.parts.clear();
    }

    /// Append a part; what is served alike is one.
    pub fn push(&mut self, served: Served, bytes: Range<u64>) {
        push(&mut self.parts, served, bytes);
    }

    /// Whether a server has any part.
    pub fn any(&self, server: Served) -> bool {
        self.parts.iter().any(|(served, _)| *served == server)
    }

    /// Some bytes, which are in address order and do not overlap, are served by `inner` where `outer` had them.
    pub fn refine(&mut self, outer: Served, inner: Served, found: &[Range<u64>]) {
        self.spare.clear();
        let mut found = found.iter().peekable();
        for (served, part) in self.parts.drain(..) {
            if served != outer {
                push(&mut self.spare, served, part);
                continue;
            }
            let mut at = part.start;
            while at < part.end {
                // What ends in this part is not needed for the next one.
                while found.next_if(|bytes| bytes.end <= at).is_some() {}
                let (start, end) =
                    found.peek().map_or((part.end, part.end), |bytes| (bytes.start.max(at), bytes.end));
                let (start, end) = (start.min(part.end), end.min(part.end));
                push(&mut self.spare, outer, at..start);
                push(&mut self.spare, inner, start..end);
                at = end;
            }
        }
        std::mem::swap(&mut self.parts, &mut self.spare);
    }

    /// Tell what is inside some bytes.
    pub fn visit(&self, bytes: &Range<u64>, mut visit: impl FnMut(Served, Range<u64>)) {
        for (served, part) in &self.parts {
            visit(*served, part.start.max(bytes.start)..part.end.min(bytes.end));
        }
    }
}

fn push(parts: &mut Vec<(Served, Range<u64>)>, served: Served, bytes: Range<u64>) {
    match parts.last_mut() {
        _ if bytes.is_empty() => {}
        Some((last, before)) if *last == served && before.end == bytes.start => before.end = bytes.end,
        _ => parts.push((served, bytes)),
    }
}
