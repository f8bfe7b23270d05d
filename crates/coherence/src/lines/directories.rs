//! The directories of a line.

use super::topology::Member;
use crate::protocol::{CacheState, State};
use smallvec::SmallVec;

/// Directories that are kept inside the line: its owner's on every level, or one of each of four boards.
const INLINE: usize = 4;

/// A directory's knowledge of a line, besides who has copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Directory {
    pub state: State,
    pub office: Option<Office>,
}

/// The one copy that is more than a shared one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Office {
    pub holder: Member,
    pub copy: CacheState,
}

impl Directory {
    /// A directory of which nothing is kept: its members hold shared copies, or none.
    #[inline]
    pub fn plain(occupied: bool) -> Directory {
        Directory { state: if occupied { State::Shared } else { State::Uncached }, office: None }
    }

    /// The state of a member's copy, given whether it has one.
    #[inline]
    pub fn copy(&self, member: Member, has: bool) -> CacheState {
        match self.office {
            Some(Office { holder, copy }) if holder == member => copy,
            _ if has => CacheState::Shared,
            _ => CacheState::Invalid,
        }
    }

    /// The member that holds more than a shared copy.
    #[inline]
    pub fn holder(&self) -> Option<Member> {
        self.office.map(|office| office.holder)
    }
}

/// Directories of one line in the order of their numbers. Of those that are missing follows from the set of
/// holders what they know ([`Directory::plain`]), so that a line which many share takes no more room.
#[derive(Clone, Debug, Default)]
pub(super) struct Directories {
    kept: SmallVec<[(Member, Directory); INLINE]>,
}

impl Directories {
    #[inline]
    fn position(&self, at: Member) -> Result<usize, usize> {
        if self.kept.len() > INLINE {
            return self.kept.binary_search_by_key(&at, |kept| kept.0);
        }
        let after = self.kept.iter().position(|kept| kept.0 >= at).unwrap_or(self.kept.len());
        match self.kept.get(after) {
            Some(kept) if kept.0 == at => Ok(after),
            _ => Err(after),
        }
    }

    /// A directory, if it is kept.
    #[inline]
    pub fn get(&self, at: Member) -> Option<Directory> {
        self.position(at).ok().map(|place| self.kept[place].1)
    }

    /// Keeps a directory, or forgets it where it is plain.
    #[inline]
    pub fn set(&mut self, at: Member, directory: Directory, occupied: bool) {
        let plain = directory == Directory::plain(occupied);
        match self.position(at) {
            Ok(place) if plain => drop(self.kept.remove(place)),
            Ok(place) => self.kept[place].1 = directory,
            Err(_) if plain => {}
            Err(place) => self.kept.insert(place, (at, directory)),
        }
    }

    /// Changes the state of the copy that is more than a shared one, where a member has it.
    #[inline]
    pub fn turn(&mut self, at: Member, member: Member, from: CacheState, to: CacheState) {
        if let Ok(place) = self.position(at)
            && let Some(office) = &mut self.kept[place].1.office
            && *office == (Office { holder: member, copy: from })
        {
            office.copy = to;
        }
    }
}
