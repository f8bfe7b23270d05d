//! Effects of a load, a store or an eviction on the world, according to the tables.

use super::world::{Inside, Member, World};
use numalab_coherence::protocol::{Action, CacheState, NextState, Request, Row, Scope, State, Tables};
use std::collections::BTreeSet;

/// Operation of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Load,
    Store,
    Evict,
}

impl Move {
    pub const ALL: [Move; 3] = [Move::Load, Move::Store, Move::Evict];
}

/// Sources of the data of a transaction: memory, and groups outside the requester's by domain and group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Supply {
    pub memory: bool,
    pub groups: BTreeSet<[usize; 2]>,
}

/// Executes moves one at a time, and collects the rows that they use.
pub struct Mover<'a> {
    pub tables: &'a Tables,
    pub rows: &'a mut BTreeSet<(Scope, State, Request)>,
    /// State during a move: true if memory holds the last write (`memory`), and sources of the data so far
    /// (`supply`).
    memory: bool,
    supply: Supply,
}

/// Data of an answer: true if it is the last write; `None` without data.
type Data = Option<bool>;

impl<'a> Mover<'a> {
    pub fn new(tables: &'a Tables, rows: &'a mut BTreeSet<(Scope, State, Request)>) -> Mover<'a> {
        Mover { tables, rows, memory: true, supply: Supply::default() }
    }

    /// World after a move of the cache at the end of `path`; the error is a broken law.
    pub fn after(&mut self, world: &World, path: &[usize], step: Move) -> Result<World, String> {
        let mut world = world.clone();
        self.step(&mut world, path, step)?;
        Ok(world.canonical())
    }

    /// Changes the world by a move of the cache at the end of `path`. Returns the sources of the data.
    pub fn step(&mut self, world: &mut World, path: &[usize], step: Move) -> Result<Supply, String> {
        self.memory = world.memory;
        match step {
            Move::Evict => drop(self.evict(&mut world.home, &[], path)?),
            Move::Load | Move::Store => {
                let store = step == Move::Store;
                if !self.access(&mut world.home, &[], path, store, None)? {
                    return Err("a cache sees what is not the last written".to_owned());
                }
                if store {
                    self.memory = false;
                    world.home.grow_stale();
                    refresh(&mut world.home, path);
                }
            }
        }
        world.memory = self.memory;
        world.home.held = CacheState::Modified;
        Ok(std::mem::take(&mut self.supply))
    }

    fn row(
        &mut self,
        scope: Scope,
        state: State,
        request: Request,
    ) -> Result<(State, &'static [Action]), String> {
        self.rows.insert((scope, state, request));
        match self.tables.at(scope).row(state, request) {
            Row::Go(next, actions) => Ok((next, actions)),
            Row::Never(reason) => Err(format!("({state:?}, {request:?}) never happens: {reason}")),
        }
    }

    /// Request that a member has to make to the directory above for a load or store of the cache at the end of
    /// `path`; `None` if none is needed.
    fn need(&self, member: &Member, path: &[usize], store: bool) -> Option<Request> {
        let Inside::Group { scope, state, cache, members } = &member.inside else {
            return if store { member.held.store() } else { member.held.load() };
        };
        let request = self.need(&members[path[0]], &path[1..], store)?;
        let reads = match self.tables.at(*scope).row(*state, request) {
            Row::Go(_, actions) => actions.contains(&Action::ReadMemory),
            Row::Never(_) => false,
        };
        // A cache that the members share has every line that the group holds.
        let reads = reads && (cache.is_none() || member.held == CacheState::Invalid);
        // A directory whose own copy is exclusive or modified needs no request.
        match (member.held, store, reads) {
            (CacheState::Exclusive | CacheState::Modified, _, _) => None,
            (CacheState::Invalid | CacheState::Shared, false, true) => Some(Request::Read),
            (CacheState::Invalid | CacheState::Shared, true, true) => Some(Request::Own),
            (_, false, _) => None,
            (held, true, _) => held.store(),
        }
    }

    /// Executes a load or store of the cache at the end of `path`, after the directories above have granted it to
    /// `member`, which is at `at`. `data`: data that came with the grant. Returns true if the cache sees the last
    /// write.
    fn access(
        &mut self,
        member: &mut Member,
        at: &[usize],
        path: &[usize],
        store: bool,
        data: Data,
    ) -> Result<bool, String> {
        if store && member.held == CacheState::Exclusive {
            member.held = CacheState::Modified;
        }
        let alone = matches!(member.held, CacheState::Exclusive | CacheState::Modified);
        let request = match &member.inside {
            Inside::Cache { fresh } => return Ok(*fresh),
            Inside::Group { members, .. } => self.need(&members[path[0]], &path[1..], store),
        };
        let request = match request {
            Some(Request::Read) if !alone => Some(Request::ReadShared),
            request => request,
        };
        let data = match request {
            Some(request) => self.serve(member, at, Some(path[0]), request, data)?,
            None => None,
        };
        let Inside::Group { members, .. } = &mut member.inside else { return Err("no group".to_owned()) };
        self.access(&mut members[path[0]], &[at, &path[..1]].concat(), &path[1..], store, data)
    }

    /// The cache at the end of `path` gives up its copy, as does every group that becomes empty. Returns the copy's
    /// data.
    fn evict(&mut self, group: &mut Member, place: &[usize], path: &[usize]) -> Result<Data, String> {
        let Inside::Group { members, .. } = &mut group.inside else { return Err("no group".to_owned()) };
        let (at, below) = (path[0], &path[1..]);
        let data = match &members[at].inside {
            Inside::Cache { fresh } => Some(*fresh),
            Inside::Group { .. } => self.evict(&mut members[at], &[place, &path[..1]].concat(), below)?,
        };
        if matches!(members[at].inside, Inside::Group { state, .. } if state != State::Uncached) {
            return Ok(None);
        }
        let others = members.iter().enumerate().filter(|(other, _)| *other != at);
        let last = others.into_iter().all(|(_, other)| other.held == CacheState::Invalid);
        if let Some(request) = members[at].held.evict(last) {
            self.serve(group, place, Some(at), request, data)?;
        }
        Ok(data)
    }

    /// Executes one row of a group's directory, for one of its members or (`requester` is `None`) for a request from
    /// outside. `brought`: data from above, or that of an evicted copy.
    fn serve(
        &mut self,
        group: &mut Member,
        place: &[usize],
        requester: Option<usize>,
        request: Request,
        brought: Data,
    ) -> Result<Data, String> {
        let Inside::Group { scope, state, cache, members } = &mut group.inside else {
            return Err("no group".to_owned());
        };
        let (next, actions) = self.row(*scope, *state, request)?;
        let after = NextState::of(request, actions);
        // A request for data brings none.
        let mut data = brought.filter(|_| request.evicts());
        for (at, member) in members.iter_mut().enumerate().filter(|(at, _)| Some(*at) != requester) {
            let fetched = actions.iter().any(|action| match action {
                Action::FetchFromOwner => {
                    matches!(member.held, CacheState::Exclusive | CacheState::Modified | CacheState::Owned)
                }
                Action::FetchFromForwarder => member.held == CacheState::Forward,
                Action::FetchFromSharer => member.held == CacheState::Shared,
                _ => false,
            });
            let becomes = after.bystander(member.held);
            let snoop = match (fetched, becomes != member.held && becomes == CacheState::Invalid) {
                (true, true) => Request::SnoopOwn,
                (true, false) => Request::SnoopRead,
                (false, true) => Request::SnoopInvalidate,
                (false, false) => {
                    member.hold(becomes);
                    continue;
                }
            };
            if let (Scope::Domain, true, [domain]) = (*scope, fetched, place) {
                self.supply.groups.insert([*domain, at]);
            }
            let answer = self.snoop(member, &[place, &[at]].concat(), snoop)?;
            if fetched {
                data = Some(answer.ok_or("asked for data and got none")?);
            }
            member.hold(becomes);
        }
        for action in actions {
            match action {
                Action::ReadMemory => {
                    let kept = cache.filter(|_| group.held != CacheState::Invalid && brought.is_none());
                    self.supply.memory |= brought.is_none() && kept.is_none();
                    data = brought.or(kept).or(Some(self.memory));
                }
                Action::WriteMemory => {
                    let data = data.ok_or("nothing to write")?;
                    if cache.is_some() {
                        continue;
                    }
                    self.memory = data;
                    // The group stays the only holder; its copy is now clean.
                    if next != State::Uncached && group.held == CacheState::Modified {
                        group.held = CacheState::Exclusive;
                    }
                }
                _ => {}
            }
        }
        // Data that passes through a shared cache stays there.
        if let (Some(cache), Some(data)) = (cache, data) {
            *cache = data;
        }
        *state = next;
        if let (Some(at), Some(held)) = (requester, after.requester) {
            members[at].hold(held);
            if let Inside::Cache { fresh } = &mut members[at].inside {
                *fresh = held != CacheState::Invalid && data.unwrap_or(*fresh);
            }
        }
        Ok(data)
    }

    /// Answer of a member to the directory above, which then changes the member's copy.
    fn snoop(&mut self, member: &mut Member, place: &[usize], request: Request) -> Result<Data, String> {
        match &mut member.inside {
            Inside::Group { .. } => self.serve(member, place, None, request, None),
            Inside::Cache { fresh } => {
                let data = *fresh;
                *fresh &= request == Request::SnoopRead;
                Ok(Some(data))
            }
        }
    }
}

/// Marks the copy of the cache at the end of the path as the last write.
fn refresh(member: &mut Member, path: &[usize]) {
    match &mut member.inside {
        Inside::Cache { fresh } => *fresh = true,
        Inside::Group { members, .. } => refresh(&mut members[path[0]], &path[1..]),
    }
}
