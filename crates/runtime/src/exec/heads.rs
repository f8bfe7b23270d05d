//! Finds the first reader of every group of cores in a list of readers, and checks that the readers of each group are
//! listed in the order of their polls.

use super::memory::{Moment, Reader, START};

/// First readers of all groups in a list, and the state of the check.
#[derive(Clone, Debug, Default)]
pub(super) struct Heads {
    pub firsts: Vec<Reader>,
    groups: Vec<Group>,
    lists: u64,
}

/// Readers of a group in the part of the list that has been visited.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// Number of the list (counted by `Heads::begin`) in which the group occurred last.
    list: u64,
    /// Index in `firsts` of the group's first reader.
    first: usize,
    /// Poll of the group's reader that was visited last, without readers that replaced the first one (they are listed
    /// late).
    last: Moment,
}

impl Heads {
    /// Begins another list of readers.
    pub fn begin(&mut self, groups: usize) {
        self.groups.resize(groups, Group { list: 0, first: 0, last: START });
        self.firsts.clear();
        self.lists += 1;
    }

    /// Visits the next reader of a list. Returns false if the readers of the reader's group, apart from the first
    /// one, are not in the order of their polls.
    #[inline]
    pub fn add(&mut self, group: usize, reader: &Reader) -> bool {
        let group = &mut self.groups[group];
        if group.list != self.lists {
            *group = Group { list: self.lists, first: self.firsts.len(), last: reader.seen };
            self.firsts.push(*reader);
        } else if group.last <= reader.seen {
            group.last = reader.seen;
        } else if reader.seen < self.firsts[group.first].seen {
            // The reader that fetched the line for its group polls first, but is listed after readers whose polls
            // were predicted.
            self.firsts[group.first] = *reader;
        } else {
            return false;
        }
        true
    }
}
