//! The first of every group, of readers in the order in which each group has them.

use super::memory::{Moment, Reader, START};

/// The readers that are the first of their groups.
#[derive(Clone, Debug, Default)]
pub(super) struct Heads {
    pub firsts: Vec<Reader>,
    groups: Vec<Group>,
    lists: u64,
}

/// The readers of a group, as far as the list has been looked at.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// The list in which it was met last.
    list: u64,
    /// The place of its first.
    first: usize,
    /// Instant at which the last of those looked that stand in their order.
    last: Moment,
}

impl Heads {
    /// Begins with another list of readers.
    pub fn begin(&mut self, groups: usize) {
        self.groups.resize(groups, Group { list: 0, first: 0, last: START });
        self.firsts.clear();
        self.lists += 1;
    }

    /// The next reader of a list. False if those of its group, without the first, are not in their order.
    #[inline]
    pub fn add(&mut self, group: usize, reader: &Reader) -> bool {
        let group = &mut self.groups[group];
        if group.list != self.lists {
            *group = Group { list: self.lists, first: self.firsts.len(), last: reader.seen };
            self.firsts.push(*reader);
        } else if group.last <= reader.seen {
            group.last = reader.seen;
        } else if reader.seen < self.firsts[group.first].seen {
            // Who fetched the line for its group looks first, and what the others see is foreseen before.
            self.firsts[group.first] = *reader;
        } else {
            return false;
        }
        true
    }
}
