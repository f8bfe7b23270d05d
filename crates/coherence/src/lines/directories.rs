//! Directories of a line.

use super::holders::{Holders, Sets};
use super::lists::{ListId, Lists};
use super::topology::{Member, Topology};
use crate::protocol::{CacheState, Scope, State};
use numalab_base::Snapshot;

// Glossary: directory: Record of the caches that hold a line, kept for each group, each snoop domain and the
//   machine; each is a cache to the directory above it.
/// State of a directory about one line, except the set of members that have copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Directory {
    /// Member whose copy is more than shared; `None` if all copies are shared.
    pub holder: Option<Member>,
    /// State of the holder's copy; invalid without a holder.
    pub copy: CacheState,
    pub state: State,
}

impl Directory {
    /// Directory without a stored state. `occupied`: true if its members have copies, all of them shared.
    #[inline]
    pub fn plain(occupied: bool) -> Directory {
        let state = if occupied { State::Shared } else { State::Uncached };
        Directory { holder: None, copy: CacheState::Invalid, state }
    }

    /// State of a member's copy. `has`: true if the member has a copy.
    #[inline]
    pub fn copy_of(&self, member: Member, has: bool) -> CacheState {
        if self.holder == Some(member) {
            self.copy
        } else if has {
            CacheState::Shared
        } else {
            CacheState::Invalid
        }
    }
}

/// Directories of one line. The state of a directory that is not stored follows from the set of holders
/// ([`Directory::plain`]), so a line with many sharers takes no more memory.
#[derive(Clone, Debug)]
pub(super) struct Directories {
    machine: Directory,
    /// Stored directory of one group and of one domain: those of the line's owner, if there is one.
    recent: [Option<(Member, Directory)>; 2],
    others: Option<ListId>,
}

impl Directories {
    /// Directories of an uncached line.
    pub fn new() -> Directories {
        Directories { machine: Directory::plain(false), recent: [None; 2], others: None }
    }

    pub fn snapshot(&self, lists: &Lists, into: &mut Snapshot) {
        let Directories { machine, recent, others } = self;
        into.add(&(machine, recent, lists.of(*others)));
    }

    #[inline]
    pub fn machine(&self) -> Directory {
        self.machine
    }

    /// Stored state of a directory; `None` if the state follows from the line's holders.
    #[inline]
    pub fn get(&self, lists: &Lists, scope: Scope, at: Member) -> Option<Directory> {
        match self.recent.get(scope as usize) {
            None => Some(self.machine),
            Some(Some((recent, directory))) if *recent == at => Some(*directory),
            Some(_) if self.others.is_none() => None,
            Some(_) => {
                let others = lists.of(self.others);
                place_of(others, at).ok().map(|place| others[place].1)
            }
        }
    }

    /// Stores a directory's state, or drops the stored state if it is `plain`, that is, follows from the line's
    /// holders.
    #[inline]
    pub fn set(&mut self, lists: &mut Lists, scope: Scope, at: Member, directory: Directory, plain: bool) {
        match self.recent.get_mut(scope as usize) {
            None => self.machine = directory,
            Some(recent) if recent.is_some_and(|recent| recent.0 == at) => {
                *recent = (!plain).then_some((at, directory));
            }
            Some(recent) if self.others.is_none() && (plain || recent.is_none()) => {
                *recent = recent.or((!plain).then_some((at, directory)));
            }
            Some(_) => self.set_other(lists, scope, at, directory, plain),
        }
    }

    fn set_other(&mut self, lists: &mut Lists, scope: Scope, at: Member, directory: Directory, plain: bool) {
        let recent = &mut self.recent[scope as usize];
        match place_of(lists.of(self.others), at) {
            Err(_) if plain => {}
            Err(_) if recent.is_none() => *recent = Some((at, directory)),
            place => {
                let list = *self.others.get_or_insert_with(|| lists.take());
                let others = lists.of_mut(list);
                match place {
                    Ok(place) if plain => drop(others.remove(place)),
                    Ok(place) => others[place].1 = directory,
                    Err(place) => others.insert(place, (at, directory)),
                }
                self.shrink(lists);
            }
        }
    }

    /// Gives the list `others` of directories back to `lists`, if it is empty.
    fn shrink(&mut self, lists: &mut Lists) {
        if let Some(list) = self.others.take_if(|list| lists.of(Some(*list)).is_empty()) {
            lists.give_back(list);
        }
    }

    /// Changes the state of a member's copy from `from` to `to`, if the directory has that member as its holder in
    /// state `from`.
    #[inline]
    pub fn turn(
        &mut self,
        lists: &mut Lists,
        scope: Scope,
        [at, member]: [Member; 2],
        [from, to]: [CacheState; 2],
    ) {
        if let Some(directory) = self.get(lists, scope, at)
            && directory.copy_of(member, false) == from
        {
            self.set(lists, scope, at, Directory { copy: to, ..directory }, false);
        }
    }

    /// Core that has the only copy in its group, as the group's directory in `recent` states; `None` if there is no
    /// such core.
    #[inline]
    pub fn owner_in_group(&self) -> Option<Member> {
        let (_, group) = self.recent[0].as_ref()?;
        group.holder.filter(|_| group.state == State::Owned)
    }

    /// Core with the only copy according to all directories, with its group and domain.
    #[inline]
    pub fn owner(&self) -> Option<[Member; 3]> {
        let owned = |directory: &Directory| {
            directory.state == State::Owned
                && matches!(directory.copy, CacheState::Exclusive | CacheState::Modified)
        };
        match &self.recent {
            [Some((group, inner)), Some((domain, outer))] => {
                let one_path = outer.holder == Some(*group) && self.machine.holder == Some(*domain);
                let owned = owned(inner) && owned(outer) && owned(&self.machine);
                inner.holder.filter(|_| one_path && owned).map(|core| [core, *group, *domain])
            }
            _ => None,
        }
    }

    /// Makes the core at the start of a path the only holder. `by_rows`: true for scopes whose directories execute a
    /// row; the states of other directories stay.
    #[inline]
    pub fn own(&mut self, lists: &mut Lists, path: [Member; 4], by_rows: impl Fn(Scope) -> bool) {
        let owned =
            |below| Directory { holder: Some(below), copy: CacheState::Modified, state: State::Owned };
        for (at, scope) in [(1, Scope::Group), (2, Scope::Domain)] {
            self.recent[at - 1] = if by_rows(scope) {
                Some((path[at], owned(path[at - 1])))
            } else {
                self.get(lists, scope, path[at]).map(|directory| (path[at], directory))
            };
        }
        if by_rows(Scope::Machine) {
            self.machine = owned(path[2]);
        }
        if let Some(list) = self.others.take() {
            lists.give_back(list);
        }
    }

    /// Drops the directories of groups and domains without copies below them.
    pub fn forget(&mut self, lists: &mut Lists, is_empty: impl Fn(Member) -> bool) {
        for recent in &mut self.recent {
            *recent = recent.filter(|(at, _)| !is_empty(*at));
        }
        if let Some(list) = self.others {
            lists.of_mut(list).retain(|(at, _)| !is_empty(*at));
            self.shrink(lists);
        }
    }
}

/// Index of a directory in a sorted list; `Err` with the index at which it would be inserted.
fn place_of(others: &[(Member, Directory)], at: Member) -> Result<usize, usize> {
    others.binary_search_by_key(&at, |other| other.0)
}

/// A line as seen from one core: copies near it, and the directories on the path of its requests.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surroundings {
    /// True if the core, its group, and its domain have copies, in this order.
    has: [bool; 3],
    /// Directories of the core's group, of its domain, and of the machine, in this order.
    directories: [Directory; 3],
}

impl Surroundings {
    #[inline]
    pub fn new(
        topology: &Topology,
        sets: &Sets,
        holders: &Holders,
        directories: &Directories,
        core: u32,
    ) -> Surroundings {
        let [_, group, ..] = topology.path(core);
        let has = holders.near(sets, core, topology.cores_of_group(core), topology.cores_of_domain(core));
        let directory = directories.get(&sets.lists, Scope::Group, group).unwrap_or(Directory::plain(has[1]));
        Surroundings::with_group(topology, &sets.lists, directories, core, has, directory)
    }

    /// View from a core, if `has` and the state of the group's directory are known already.
    #[inline]
    pub fn with_group(
        topology: &Topology,
        lists: &Lists,
        directories: &Directories,
        core: u32,
        has: [bool; 3],
        group: Directory,
    ) -> Surroundings {
        let [_, _, domain, _] = topology.path(core);
        let domain = directories.get(lists, Scope::Domain, domain).unwrap_or(Directory::plain(has[2]));
        Surroundings { has, directories: [group, domain, directories.machine()] }
    }

    #[inline]
    pub fn directory(&self, scope: Scope) -> Directory {
        self.directories[scope as usize]
    }

    /// States of the directories of the group, the domain and the machine.
    #[inline]
    pub fn states(&self) -> [State; 3] {
        let [group, domain, machine] = self.directories;
        [group.state, domain.state, machine.state]
    }

    /// States of the copies of the core, its group and its domain.
    #[inline]
    pub fn copies(&self, path: [Member; 4]) -> [CacheState; 3] {
        [self.held(Scope::Group, path), self.held(Scope::Domain, path), self.held(Scope::Machine, path)]
    }

    /// State of the copy that the directory of a scope records for its member on the path: core, group or domain.
    #[inline]
    pub fn held(&self, scope: Scope, path: [Member; 4]) -> CacheState {
        let at = scope as usize;
        self.directories[at].copy_of(path[at], self.has[at])
    }
}
