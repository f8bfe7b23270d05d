//! Reusable lists of directories, for the few lines that store more than one directory of a scope.

use super::directories::Directory;
use super::topology::Member;
use numalab_base::index_type;

index_type! {
    pub(super) ListId
}

/// Lists of directories of all lines, each sorted by member.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    lists: Vec<Vec<(Member, Directory)>>,
    unused: Vec<ListId>,
}

impl Lists {
    /// Takes an empty list from the unused ones, or adds one.
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
