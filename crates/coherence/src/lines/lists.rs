//! Lists of directories for the few lines that keep more than one of a scope, to be used again and again.

use super::directories::Directory;
use super::topology::Member;
use numalab_base::index_type;

index_type! {
    /// A list.
    pub(super) ListId
}

/// The lists of all lines, each in the order of members.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    lists: Vec<Vec<(Member, Directory)>>,
    unused: Vec<ListId>,
}

impl Lists {
    /// An empty list.
    pub fn take(&mut self) -> ListId {
        self.unused.pop().unwrap_or_else(|| {
            self.lists.push(Vec::new());
            ListId::new(self.lists.len() as u32 - 1)
        })
    }

    pub fn give_back(&mut self, list: ListId) {
        self.lists[list.index()].clear();
        self.unused.push(list);
    }

    #[inline]
    pub fn of(&self, list: Option<ListId>) -> &[(Member, Directory)] {
        list.map_or(&[], |list| &self.lists[list.index()])
    }

    pub fn of_mut(&mut self, list: ListId) -> &mut Vec<(Member, Directory)> {
        &mut self.lists[list.index()]
    }
}
