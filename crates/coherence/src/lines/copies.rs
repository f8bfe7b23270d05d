//! Rows at work: each changes the copies below one directory, and asks the directories that hold them.

use super::Access;
use super::directories::{Directory, Office, Surroundings};
use super::holders::Sets;
use super::line::Line;
use super::plan::Requests;
use super::rows::Rows;
use super::topology::{Member, Topology};
use crate::protocol::{CacheState, Request, Scope, State};

/// Scopes as the compiler knows them: what a snoop of each does follows at compile time.
const GROUP: usize = Scope::Group as usize;
const DOMAIN: usize = Scope::Domain as usize;
const MACHINE: usize = Scope::Machine as usize;

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
    #[inline]
    pub fn access(&mut self, core: u32, access: Access, requests: Requests, around: Option<&Surroundings>) {
        if around.is_some_and(|around| !self.ask(core, requests, around)) {
            // Who got nothing has nothing to grant.
            return;
        }
        if access == Access::Own {
            self.line.responder = Some(core);
            self.store(core);
        }
    }

    /// The requests of an access, from the top; whether all were granted.
    fn ask(&mut self, core: u32, requests: Requests, around: &Surroundings) -> bool {
        let path @ [own, group, domain, machine] = self.topology.path(core);
        // The machine has no outside.
        let mut held = CacheState::Modified;
        if let Some(request) = requests.at(Scope::Machine) {
            let directory = around.directory(Scope::Machine);
            held = self.execute::<MACHINE>(machine, Some(domain), request, directory);
            self.answers_if(core, held);
        } else if requests.at(Scope::Domain).is_some() {
            held = around.held(Scope::Machine, path);
        }
        if let Some(request) = requests.at(Scope::Domain) {
            let directory = around.directory(Scope::Domain);
            held = match held {
                CacheState::Invalid => return false,
                _ => self.execute::<DOMAIN>(domain, Some(group), refine(request, held), directory),
            };
            self.answers_if(core, held);
        } else {
            held = around.held(Scope::Domain, path);
        }
        match requests.at(Scope::Group) {
            Some(_) if held == CacheState::Invalid => false,
            Some(request) => {
                let directory = around.directory(Scope::Group);
                let request = refine(request, held);
                self.execute::<GROUP>(group, Some(own), request, directory) != CacheState::Invalid
            }
            None => true,
        }
    }

    /// Who was granted more than a shared copy answers for the line from now on.
    fn answers_if(&mut self, core: u32, held: CacheState) {
        if is_office(held) {
            self.line.responder = Some(core);
        }
    }

    /// The only holder writes: exclusive copies on its way become modified, and memory is stale.
    #[inline]
    pub fn store(&mut self, core: u32) {
        self.line.memory_is_current = false;
        if std::mem::take(&mut self.line.may_be_exclusive) {
            let path = self.topology.path(core);
            for (at, scope) in (1..).zip(Scope::ALL) {
                let directories = &mut self.line.directories;
                directories.turn(scope, path[at], path[at - 1], CacheState::Exclusive, CacheState::Modified);
            }
        }
    }

    /// A core gives its copy up. Whatever holds no copy below it any more gives up its own.
    pub fn evict(&mut self, core: u32) -> bool {
        let path = self.topology.path(core);
        let around =
            Surroundings::new(self.topology, self.sets, &self.line.holders, &self.line.directories, core);
        let held = Scope::ALL.map(|scope| around.held(scope, path));
        for (at, scope) in (1..).zip(Scope::ALL) {
            let last = !self.has_others(path[at], path[at - 1]);
            let Some(request) = held[at - 1].evict(last) else { return at > 1 };
            let (directory, requester) = (around.directory(scope), Some(path[at - 1]));
            match scope {
                Scope::Group => self.execute::<GROUP>(path[at], requester, request, directory),
                Scope::Domain => self.execute::<DOMAIN>(path[at], requester, request, directory),
                Scope::Machine => self.execute::<MACHINE>(path[at], requester, request, directory),
            };
            if self.line.directory(self.topology, self.sets, scope, path[at]).state != State::Uncached {
                break;
            }
        }
        true
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

    /// Executes a row of a directory, for one of its members or for somebody outside; the requester's new
    /// copy, if the row grants one.
    fn execute<const SCOPE: usize>(
        &mut self,
        at: Member,
        requester: Option<Member>,
        request: Request,
        before: Directory,
    ) -> CacheState {
        let scope = Scope::ALL[SCOPE];
        let row = *self.rows.row(scope, before.state, request);
        let mut office = before.office;
        if let Some(Office { holder, copy }) = office.filter(|office| Some(office.holder) != requester) {
            let left = row.leaves(copy);
            self.snoop::<SCOPE>(holder, row.fetches(copy), left == CacheState::Invalid);
            if left != copy {
                office = is_office(left).then_some(Office { holder, copy: left });
            }
        }
        let fetched = row.fetches(CacheState::Shared);
        if row.leaves(CacheState::Shared) == CacheState::Invalid {
            self.snoop_sharers::<SCOPE>(at, [requester, before.holder()], fetched);
        } else if fetched && let Some(sharer) = self.line.sharer(self.topology, self.sets, scope, at) {
            self.snoop::<SCOPE>(sharer, true, false);
        }
        if row.writes_memory && !scope.has_cache() {
            self.write_memory(at, row.next);
        }
        let granted = requester.and(row.requester);
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
        let granted = granted.unwrap_or_default();
        let after = Directory { state: row.next, office };
        let plain = match after {
            Directory { state: State::Shared, office: None } => {
                granted != CacheState::Invalid || self.has_copies(at)
            }
            Directory { state: State::Uncached, office: None } => {
                granted == CacheState::Invalid && !self.has_copies(at)
            }
            _ => false,
        };
        if after != before || !plain {
            self.line.directories.set(scope, at, after, plain);
        }
        granted
    }

    /// Asks every sharer below a directory but these for its copy.
    fn snoop_sharers<const SCOPE: usize>(&mut self, at: Member, but: [Option<Member>; 2], fetched: bool) {
        let mut rest = self.topology.cores_of(at);
        while let Some(core) = self.line.holders.first_in(self.sets, rest.clone()) {
            let sharer = self.topology.member(Scope::ALL[SCOPE], core);
            rest.start = self.topology.cores_of(sharer).end;
            if !but.contains(&Some(sharer)) {
                self.snoop::<SCOPE>(sharer, fetched, true);
            }
        }
    }

    /// Asks a member for its data, its copy, or both.
    fn snoop<const SCOPE: usize>(&mut self, member: Member, fetched: bool, lost: bool) {
        let request = match (fetched, lost) {
            (true, true) => Request::SnoopOwn,
            (true, false) => Request::SnoopRead,
            (false, true) => Request::SnoopInvalidate,
            (false, false) => return,
        };
        match SCOPE {
            MACHINE => {
                let directory = self.line.directory(self.topology, self.sets, Scope::Domain, member);
                self.execute::<DOMAIN>(member, None, request, directory);
            }
            DOMAIN => {
                let directory = self.line.directory(self.topology, self.sets, Scope::Group, member);
                self.execute::<GROUP>(member, None, request, directory);
            }
            _ if lost => self.line.holders.remove(self.sets, self.topology.core_of(member)),
            _ => {}
        }
    }

    /// Memory gets the data: a domain that keeps the line has it as memory does.
    fn write_memory(&mut self, at: Member, next: State) {
        self.line.memory_is_current = true;
        if next != State::Uncached && at != self.topology.machine() {
            let (machine, domain) = (self.topology.machine(), at);
            let directories = &mut self.line.directories;
            directories.turn(Scope::Machine, machine, domain, CacheState::Modified, CacheState::Exclusive);
            self.line.may_be_exclusive = true;
        }
    }
}

/// A cache that is not the only one has to say so when it asks for a copy.
fn refine(request: Request, held: CacheState) -> Request {
    match (request, held) {
        (request, CacheState::Exclusive | CacheState::Modified) => request,
        (Request::Read, _) => Request::ReadShared,
        (request, _) => request,
    }
}

/// Whether a directory has to know who holds such a copy.
fn is_office(copy: CacheState) -> bool {
    match copy {
        CacheState::Invalid | CacheState::Shared => false,
        CacheState::Forward | CacheState::Exclusive | CacheState::Modified | CacheState::Owned => true,
    }
}
