//! Execution of rows. A row of a directory changes the copies of the directory's members, and makes requests to
//! members that are directories, too.

use super::copies::{Copies, DOMAIN, GROUP, MACHINE};
use super::directories::Directory;
use super::rows::Steps;
use super::topology::Member;
use crate::protocol::{CacheState, Request, Scope, State};

impl Copies<'_> {
    /// Executes a row of a directory for one of its members. Returns the state of the member's new copy; invalid if
    /// the row grants none.
    pub(super) fn execute<const SCOPE: usize>(
        &mut self,
        at: Member,
        requester: Member,
        request: Request,
        before: Directory,
    ) -> CacheState {
        let scope = Scope::ALL[SCOPE];
        let row = self.rows.row(scope, before.state, request);
        let mut after = self.snoop_members::<SCOPE>(at, Some(requester), row, before);
        let Some(copy) = row.requester else {
            self.keep(scope, at, before, after);
            return CacheState::Invalid;
        };
        if after.holder == Some(requester) {
            (after.holder, after.copy) = (None, CacheState::Invalid);
        }
        if is_office(copy) && after.holder.is_none() {
            (after.holder, after.copy) = (Some(requester), copy);
            self.line.may_be_exclusive |= copy == CacheState::Exclusive;
        }
        let goes = copy == CacheState::Invalid;
        if scope == Scope::Group {
            let core = self.topology.core_of(requester);
            if goes {
                self.line.holders.remove(self.sets, core);
            } else {
                self.line.holders.add(self.sets, core);
            }
        }
        if goes {
            self.keep(scope, at, before, after);
        } else if after != before || after.state != State::Shared || after.holder.is_some() {
            let plain = after.state == State::Shared && after.holder.is_none();
            self.line.directories.set(&mut self.sets.lists, scope, at, after, plain);
        }
        copy
    }

    /// Executes a row of a directory for a requester outside of it.
    fn answer<const SCOPE: usize>(&mut self, at: Member, request: Request) {
        let scope = Scope::ALL[SCOPE];
        let before = self.line.directory(self.topology, self.sets, scope, at);
        let row = self.rows.row(scope, before.state, request);
        let after = self.snoop_members::<SCOPE>(at, None, row, before);
        self.keep(scope, at, before, after);
    }

    /// Stores a directory's state after a row that granted no copy.
    #[inline]
    fn keep(&mut self, scope: Scope, at: Member, before: Directory, after: Directory) {
        let plain = match (after.holder, after.state) {
            (None, State::Shared) => self.has_copies(at),
            (None, State::Uncached) => !self.has_copies(at),
            (Some(_), _) | (None, State::Forwarded | State::Owned | State::OwnedShared) => false,
        };
        if after != before || !plain {
            self.line.directories.set(&mut self.sets.lists, scope, at, after, plain);
        }
    }

    /// Fetches data from members other than the requester and changes the states of their copies, as a row says.
    /// Returns the directory's state without the requester's new copy.
    #[inline]
    fn snoop_members<const SCOPE: usize>(
        &mut self,
        at: Member,
        requester: Option<Member>,
        row: &Steps,
        before: Directory,
    ) -> Directory {
        let scope = Scope::ALL[SCOPE];
        let mut after = Directory { state: row.next, ..before };
        if let Some(holder) = before.holder
            && before.holder != requester
        {
            let left = row.leaves(before.copy);
            self.snoop::<SCOPE>(holder, row.fetches(before.copy), left == CacheState::Invalid);
            after.copy = left;
            if !is_office(left) {
                (after.holder, after.copy) = (None, CacheState::Invalid);
            }
        }
        let fetched = row.fetches(CacheState::Shared);
        if row.leaves(CacheState::Shared) == CacheState::Invalid {
            self.snoop_sharers::<SCOPE>(at, [requester, before.holder], fetched);
        } else if fetched && let Some(sharer) = self.line.sharer(self.topology, self.sets, scope, at) {
            self.snoop::<SCOPE>(sharer, true, false);
        }
        if row.writes_memory && !scope.has_cache() {
            self.write_memory(at, row.next);
        }
        after
    }

    /// Takes the copies of all sharers below a directory, except those of the members `but`. `fetched`: sharers are
    /// asked for data as well.
    fn snoop_sharers<const SCOPE: usize>(&mut self, at: Member, but: [Option<Member>; 2], fetched: bool) {
        let scope = Scope::ALL[SCOPE];
        let mut rest = self.topology.cores_of(at);
        if self.rows.take_all(scope) {
            let but = but.map(|member| member.map_or(0..0, |member| self.topology.cores_of(member)));
            self.line.holders.clear(self.sets, rest.clone(), but.clone());
            if scope > Scope::Group {
                self.line.directories.forget(&mut self.sets.lists, |member| {
                    let core = self.topology.core_of(member);
                    member != at && rest.contains(&core) && !but.iter().any(|kept| kept.contains(&core))
                });
            }
            return;
        }
        while let Some(core) = self.line.holders.first_in(self.sets, rest.clone()) {
            let sharer = self.topology.member(scope, core);
            rest.start = self.topology.cores_of(sharer).end;
            if !but.contains(&Some(sharer)) {
                self.snoop::<SCOPE>(sharer, fetched, true);
            }
        }
    }

    /// Asks a member for its data (`fetched`), to give up its copy (`lost`), or both. No effect if both are false.
    #[inline]
    fn snoop<const SCOPE: usize>(&mut self, member: Member, fetched: bool, lost: bool) {
        let request = match (fetched, lost) {
            (true, true) => Request::SnoopOwn,
            (true, false) => Request::SnoopRead,
            (false, true) => Request::SnoopInvalidate,
            (false, false) => return,
        };
        match SCOPE {
            MACHINE => self.answer::<DOMAIN>(member, request),
            DOMAIN => self.answer::<GROUP>(member, request),
            _ if lost => self.line.holders.remove(self.sets, self.topology.core_of(member)),
            _ => {}
        }
    }

    /// Writes the owner's data to memory. If a domain keeps the line, its copy in the machine's directory changes
    /// from modified to exclusive.
    fn write_memory(&mut self, at: Member, next: State) {
        self.line.memory_is_current = true;
        if next != State::Uncached && at != self.topology.machine() {
            let change = [CacheState::Modified, CacheState::Exclusive];
            let (directories, lists) = (&mut self.line.directories, &mut self.sets.lists);
            directories.turn(lists, Scope::Machine, [self.topology.machine(), at], change);
            self.line.may_be_exclusive = true;
        }
    }
}

/// True if a directory has to know the holder of a copy in this state.
pub(super) fn is_office(copy: CacheState) -> bool {
    match copy {
        CacheState::Invalid | CacheState::Shared => false,
        CacheState::Forward | CacheState::Exclusive | CacheState::Modified | CacheState::Owned => true,
    }
}
