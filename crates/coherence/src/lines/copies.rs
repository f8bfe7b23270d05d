//! Loads, stores and evictions as requests to directories.

use super::Access;
use super::chain::{Effect, Requests};
use super::directories::Surroundings;
use super::execute::is_office;
use super::holders::Sets;
use super::line::Line;
use super::request_plan::RequestPlan;
use super::rows::Rows;
use super::topology::{Member, Topology};
use crate::protocol::{CacheState, Scope, State};

/// Scopes as numbers for const generics, so that the actions of a snoop are resolved at compile time.
pub(super) const GROUP: usize = Scope::Group as usize;
pub(super) const DOMAIN: usize = Scope::Domain as usize;
pub(super) const MACHINE: usize = Scope::Machine as usize;

/// One line, with the tables and sets that the execution of rows on it needs.
pub(super) struct Copies<'l> {
    pub topology: &'l Topology,
    pub rows: &'l Rows,
    pub sets: &'l mut Sets,
    pub line: &'l mut Line,
}

impl Copies<'_> {
    /// Executes a load or a store of a core.
    #[inline]
    pub fn access(&mut self, core: u32, access: Access, plan: RequestPlan) {
        match plan.effect {
            Effect::Joins => {
                self.line.holders.add(self.sets, core);
            }
            Effect::Takes => {
                self.line.holders.keep_only(self.sets, core);
                let path = self.topology.path(core);
                let lists = &mut self.sets.lists;
                self.line.directories.own(lists, path, |scope| plan.requests.at(scope).is_some());
            }
            Effect::Rows => {
                if plan.requests.at(Scope::Group).is_some() && !self.ask(core, plan.requests) {
                    // A directory refused the access: copies stay as they are.
                    return;
                }
            }
        }
        if access == Access::Own {
            self.line.responder = Some(core);
            self.store(core);
        }
    }

    /// Executes the requests of an access from the highest directory down, since a directory can grant only what it
    /// holds. Returns true if all were granted.
    fn ask(&mut self, core: u32, requests: Requests) -> bool {
        let path @ [own, group, domain, machine] = self.topology.path(core);
        let around =
            Surroundings::new(self.topology, self.sets, &self.line.holders, &self.line.directories, core);
        // Copies of the domain, the group and the core.
        let mut held = around.held(Scope::Machine, path);
        if let Some(request) = requests.at(Scope::Machine) {
            held = self.execute::<MACHINE>(machine, domain, request, around.directory(Scope::Machine));
            self.answers_if(core, held);
        }
        if let Some(request) = requests.at(Scope::Domain) {
            if held == CacheState::Invalid {
                return false;
            }
            let request = request.refined(held);
            held = self.execute::<DOMAIN>(domain, group, request, around.directory(Scope::Domain));
            self.answers_if(core, held);
        } else {
            held = around.held(Scope::Domain, path);
        }
        if let Some(request) = requests.at(Scope::Group) {
            if held == CacheState::Invalid {
                return false;
            }
            let request = request.refined(held);
            held = self.execute::<GROUP>(group, own, request, around.directory(Scope::Group));
        }
        held != CacheState::Invalid
    }

    /// Makes a core the line's responder, if the state `held` of its copy is more than shared.
    fn answers_if(&mut self, core: u32, held: CacheState) {
        if is_office(held) {
            self.line.responder = Some(core);
        }
    }

    /// Records a store by the only holder: exclusive copies on its path become modified, and memory is stale.
    #[inline]
    pub fn store(&mut self, core: u32) {
        self.line.memory_is_current = false;
        if std::mem::take(&mut self.line.may_be_exclusive) {
            let path = self.topology.path(core);
            for (at, scope) in (1..).zip(Scope::ALL) {
                let change = [CacheState::Exclusive, CacheState::Modified];
                let (directories, lists) = (&mut self.line.directories, &mut self.sets.lists);
                directories.turn(lists, scope, [path[at], path[at - 1]], change);
            }
        }
    }

    /// Evicts a core's copy. A directory without copies below it gives up its own copy, too. Returns false if the
    /// core has no copy.
    pub fn evict(&mut self, core: u32) -> bool {
        let path = self.topology.path(core);
        let around =
            Surroundings::new(self.topology, self.sets, &self.line.holders, &self.line.directories, core);
        let held = around.copies(path);
        for (at, scope) in (1..).zip(Scope::ALL) {
            let last = !self.has_others(path[at], path[at - 1]);
            let Some(request) = held[at - 1].evict(last) else { return at > 1 };
            let (directory, requester) = (around.directory(scope), path[at - 1]);
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

    pub(super) fn has_copies(&self, member: Member) -> bool {
        self.line.holders.first_in(self.sets, self.topology.cores_of(member)).is_some()
    }

    /// True if members of the directory `at` other than `member` have copies.
    fn has_others(&self, at: Member, member: Member) -> bool {
        let (all, mine) = (self.topology.cores_of(at), self.topology.cores_of(member));
        let holders = &self.line.holders;
        holders.first_in(self.sets, all.start..mine.start).is_some()
            || holders.first_in(self.sets, mine.end..all.end).is_some()
    }
}
