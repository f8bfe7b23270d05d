//! Servers of the parts of an access, refined from the outermost cache inwards.
//!
//! With random replacement several servers share one stretch: a part then gives the number of bytes
//! served, spread evenly over the stretch.

use super::Served;
use numalab_base::in_proportion;
use std::ops::Range;

/// Bytes of a stretch that one server serves.
#[derive(Clone, Debug)]
struct Part {
    served: Served,
    bytes: Range<u64>,
    amount: u64,
}

impl Part {
    fn is_whole(&self) -> bool {
        self.amount == length(&self.bytes)
    }
}

/// The parts of an access in address order. Amounts of all parts add up to the length of the access.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    parts: Vec<Part>,
    spare: Vec<Part>,
}

impl Parts {
    pub fn clear(&mut self) {
        self.parts.clear();
    }

    /// Appends a part, unless its amount is 0. Merges it with the last part if the last part ends where it begins,
    /// both have the same server, and both servers serve their whole stretches.
    pub fn push(&mut self, served: Served, bytes: Range<u64>, amount: u64) {
        push(&mut self.parts, Part { served, bytes, amount });
    }

    /// True if a server serves any part.
    pub fn any(&self, server: Served) -> bool {
        self.parts.iter().any(|part| part.served == server)
    }

    /// Moves bytes from the server `outer` to `inner`. `found` has disjoint stretches in address order, each with the
    /// number of its bytes that `inner` holds.
    pub fn refine(&mut self, outer: Served, inner: Served, found: &[(Range<u64>, u64)]) {
        self.spare.clear();
        let mut found = found.iter().peekable();
        for part in self.parts.drain(..) {
            if part.served != outer {
                push(&mut self.spare, part);
                continue;
            }
            let Part { bytes, amount, .. } = part;
            let mut at = bytes.start;
            while at < bytes.end {
                // A stretch that ends in this part does not concern the next one.
                while found.next_if(|(found, _)| found.end <= at).is_some() {}
                let (start, end, here) = match found.peek() {
                    None => (bytes.end, bytes.end, None),
                    Some((found, here)) => (found.start.max(at), found.end, Some((*here, length(found)))),
                };
                let (before, both) = (at..start.min(bytes.end), start.min(bytes.end)..end.min(bytes.end));
                at = both.end;
                let outside = portion(amount, &bytes, &before);
                push(&mut self.spare, Part { served: outer, bytes: before, amount: outside });
                let inside = portion(amount, &bytes, &both);
                let hits = here.map_or(0, |(here, of)| in_proportion(inside, here, of));
                push(&mut self.spare, Part { served: inner, bytes: both.clone(), amount: hits });
                push(&mut self.spare, Part { served: outer, bytes: both, amount: inside - hits });
            }
        }
        std::mem::swap(&mut self.parts, &mut self.spare);
    }

    /// Calls `visit` with the parts, clipped to `bytes`.
    pub fn visit(&mut self, bytes: &Range<u64>, mut visit: impl FnMut(Served, Range<u64>, u64)) {
        let mut rest = length(bytes);
        for part in &mut self.parts {
            // The access may begin and end inside a line, and random replacement may cut lines: counts the bytes
            // inside only.
            let start = part.bytes.start.clamp(bytes.start, bytes.end);
            let inside = start..part.bytes.end.clamp(start, bytes.end);
            part.amount = in_proportion(part.amount, length(&inside), length(&part.bytes));
            part.bytes = inside;
            rest = rest.wrapping_sub(part.amount);
        }
        // The rounding error of the clipped ends goes to one part.
        if rest != 0
            && let Some(most) = self.parts.iter_mut().max_by_key(|part| (part.amount, length(&part.bytes)))
        {
            most.amount = most.amount.wrapping_add(rest);
        }
        let parts = self.parts.iter().filter(|part| part.amount > 0);
        parts.for_each(|part| visit(part.served, part.bytes.clone(), part.amount));
    }
}

fn length(bytes: &Range<u64>) -> u64 {
    bytes.end - bytes.start
}

/// The share of `bytes` in an amount spread evenly over `whole`. Shares of adjacent bytes add up.
pub(super) fn portion(amount: u64, whole: &Range<u64>, bytes: &Range<u64>) -> u64 {
    let until = |end: u64| in_proportion(amount, end - whole.start, length(whole));
    until(bytes.end) - until(bytes.start)
}

fn push(parts: &mut Vec<Part>, part: Part) {
    match parts.last_mut() {
        _ if part.amount == 0 => {}
        Some(last)
            if last.served == part.served
                && last.bytes.end == part.bytes.start
                && last.is_whole()
                && part.is_whole() =>
        {
            last.bytes.end = part.bytes.end;
            last.amount += part.amount;
        }
        _ => parts.push(part),
    }
}
