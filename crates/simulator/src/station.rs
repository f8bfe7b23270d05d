//! A lock that threads wait for in the order of their arrival.

use numalab_units::Span;
use std::collections::VecDeque;

/// Who is inside, and who waits with how much to do inside.
#[derive(Debug, Default)]
pub(crate) struct Station {
    taken: bool,
    waiting: VecDeque<(u32, Span)>,
}

impl Station {
    /// A thread asks for the lock. Whether it has it at once.
    pub fn enter(&mut self, thread: u32, span: Span) -> bool {
        let free = !self.taken;
        self.taken = true;
        if !free {
            self.waiting.push_back((thread, span));
        }
        free
    }

    /// The holder leaves. Who is next, with how much to do.
    pub fn leave(&mut self) -> Option<(u32, Span)> {
        let next = self.waiting.pop_front();
        self.taken = next.is_some();
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_come_first_served() {
        let mut gate = Station::default();
        assert_eq!([1, 2, 3].map(|thread| gate.enter(thread, Span(thread.into()))), [true, false, false]);
        assert_eq!(gate.leave(), Some((2, Span(2))));
        assert_eq!(gate.leave(), Some((3, Span(3))));
        assert!(gate.leave().is_none() && gate.enter(4, Span(4)));
    }
}
