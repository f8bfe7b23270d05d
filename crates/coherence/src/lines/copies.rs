//! Rows at work: each changes the copies below one directory, and asks the directories that hold them.

use super::Access;
use super::directories::{Directory, Office};
use super::holders::Sets;
use super::line::Line;
use super::plan::Requests;
use super::rows::{Rows, Supplier};
use super::topology::{Member, Topology};
use crate::protocol::{CacheState, Request, Scope, State};

/// The copies of one line.
pub(super) struct Copies<'l> {
    pub topology: &'l Topology,
    pub rows: &'l Rows,
    pub sets: &'l mut Sets,
    pub line: &'l mut Line,
}

impl Copies<'_> {
    /// A core loads or stores: the requests that it takes are executed from the top, since a directory has to
    /// hold what it grants.
    pub fn access(&mut self, core: u32, access: Access, requests: Requests) {
        let path = self.topology.path(core);
        for (at, scope) in [(3, Scope::Machine), (2, Scope::Domain), (1, Scope::Group)] {
            let Some(request) = requests.at(scope) else { continue };
            let request = match request {
                Request::Read if !self.is_alone(&path, at) => Request::ReadShared,
                request => request,
            };
            let granted = self.execute(scope, path[at], Some(path[at - 1]), request);
            if matches!(granted, None | Some(CacheState::Invalid)) {
                // Who got nothing has nothing to grant.
                return;
            }
            if scope > Scope::Group && granted != Some(CacheState::Shared) {
                self.line.responder = Some(core);
            }
        }
        if access == Access::Own {
            self.line.responder = Some(core);
            self.store(core);
        }
    }

    /// The only holder writes: exclusive copies on its way become modified, and memory is stale.
    #[inline]
    pub fn store(&mut self, core: u32) {
        self.line.memory_is_current = false;
        if std::mem::take(&mut self.line.may_be_exclusive) {
            let path = self.topology.path(core);
            for at in 1..path.len() {
                let directories = &mut self.line.directories;
                directories.turn(path[at], path[at - 1], CacheState::Exclusive, CacheState::Modified);
            }
        }
    }

    /// A core gives its copy up. Whatever holds no copy below it any more gives up its own.
    pub fn evict(&mut self, core: u32) -> bool {
        let path = self.topology.path(core);
        let held = [self.copy(path[1], path[0]), self.copy(path[2], path[1]), self.copy(path[3], path[2])];
        for (at, scope) in (1..).zip(Scope::ALL) {
            let last = !self.has_others(path[at], path[at - 1]);
            let Some(request) = held[at - 1].evict(last) else { return at > 1 };
            self.execute(scope, path[at], Some(path[at - 1]), request);
            if self.directory(path[at]).state != State::Uncached {
                break;
            }
        }
        true
    }

    /// A directory's knowledge.
    pub fn directory(&self, at: Member) -> Directory {
        self.line.directory(self.topology, self.sets, at)
    }

    /// The state of a member's copy in its directory.
    fn copy(&self, at: Member, member: Member) -> CacheState {
        self.directory(at).copy(member, self.has_copies(member))
    }

    fn has_copies(&self, member: Member) -> bool {
        self.line.holders.first_in(self.sets, self.topology.cores_of(member)).is_some()
    }

    /// Whether members other than one have copies.
    fn has_others(&self, at: Member, member: Member) -> bool {
        let (all, mine) = (self.topology.cores_of(at), self.topology.cores_of(member));
        let holders = &self.line.holders;
        holders.first_in(self.sets, all.start..mine.start).is_some()
            || holders.first_in(self.sets, mine.end..all.end).is_some()
    }

    /// Whether nobody outside a directory has a copy. The machine has no outside.
    fn is_alone(&self, path: &[Member; 4], at: usize) -> bool {
        let Some(above) = path.get(at + 1) else { return true };
        let Some(Directory { office: Some(office), .. }) = self.line.directories.get(*above) else {
            return false;
        };
        office.holder == path[at] && matches!(office.copy, CacheState::Exclusive | CacheState::Modified)
    }

    /// Executes a row of a directory, for one of its members or for somebody outside; the requester's new
    /// copy, if the row grants one.
    fn execute(
        &mut self,
        scope: Scope,
        at: Member,
        requester: Option<Member>,
        request: Request,
    ) -> Option<CacheState> {
        let before = self.directory(at);
        let row = *self.rows.row(scope, before.state, request);
        let mut office = before.office;
        if let Some(Office { holder, copy }) = office.filter(|office| Some(office.holder) != requester) {
            let (becomes, fetched) = match copy {
                CacheState::Forward => (row.becomes.forwarder, row.data == Some(Supplier::Forwarder)),
                CacheState::Invalid
                | CacheState::Shared
                | CacheState::Exclusive
                | CacheState::Modified
                | CacheState::Owned => (row.becomes.owner, row.data == Some(Supplier::Owner)),
            };
            let copy = becomes.unwrap_or(copy);
            self.snoop(scope, holder, fetched, copy == CacheState::Invalid);
            office = is_office(copy).then_some(Office { holder, copy });
        }
        let fetched = row.data == Some(Supplier::Sharer);
        if row.becomes.sharers == Some(CacheState::Invalid) {
            self.snoop_sharers(scope, at, [requester, before.holder()], fetched);
        } else if fetched && let Some(sharer) = self.line.sharer(self.topology, self.sets, scope, at) {
            self.snoop(scope, sharer, true, false);
        }
        if row.writes_memory && !scope.has_cache() {
            self.write_memory(at, row.next);
        }
        let granted = requester.and(row.becomes.requester);
        if let Some((requester, copy)) = requester.zip(granted) {
            office = office.filter(|office| office.holder != requester);
            if is_office(copy) && office.is_none() {
                office = Some(Office { holder: requester, copy });
                self.line.may_be_exclusive |= copy == CacheState::Exclusive;
            }
            if scope == Scope::Group {
                let core = self.topology.core_of(requester);
                match copy {
                    CacheState::Invalid => self.line.holders.remove(self.sets, core),
                    _ => self.line.holders.add(self.sets, core),
                }
            }
        }
        let occupied = granted.is_some_and(|copy| copy != CacheState::Invalid) || self.has_copies(at);
        self.line.directories.set(at, Directory { state: row.next, office }, occupied);
        granted
    }

    /// Asks every sharer below a directory but these for its copy.
    fn snoop_sharers(&mut self, scope: Scope, at: Member, but: [Option<Member>; 2], fetched: bool) {
        let mut rest = self.topology.cores_of(at);
        while let Some(core) = self.line.holders.first_in(self.sets, rest.clone()) {
            let sharer = self.topology.member(scope, core);
            rest.start = self.topology.cores_of(sharer).end;
            if !but.contains(&Some(sharer)) {
                self.snoop(scope, sharer, fetched, true);
            }
        }
    }

    /// Asks a member for its data, its copy, or both.
    fn snoop(&mut self, scope: Scope, member: Member, fetched: bool, lost: bool) {
        let request = match (fetched, lost) {
            (true, true) => Request::SnoopOwn,
            (true, false) => Request::SnoopRead,
            (false, true) => Request::SnoopInvalidate,
            (false, false) => return,
        };
        match scope {
            Scope::Machine => drop(self.execute(Scope::Domain, member, None, request)),
            Scope::Domain => drop(self.execute(Scope::Group, member, None, request)),
            Scope::Group if lost => self.line.holders.remove(self.sets, self.topology.core_of(member)),
            Scope::Group => {}
        }
    }

    /// Memory gets the data: a directory that keeps the line has it as memory does.
    fn write_memory(&mut self, at: Member, next: State) {
        self.line.memory_is_current = true;
        if let Some(above) = self.topology.above(at)
            && next != State::Uncached
        {
            self.line.directories.turn(above, at, CacheState::Modified, CacheState::Exclusive);
            self.line.may_be_exclusive = true;
        }
    }
}

/// Whether a directory has to know who holds such a copy.
fn is_office(copy: CacheState) -> bool {
    match copy {
        CacheState::Invalid | CacheState::Shared => false,
        CacheState::Forward | CacheState::Exclusive | CacheState::Modified | CacheState::Owned => true,
    }
}
