//! What a load, a store or an eviction does to the world, read off the table.

use crate::world::{Inside, Member, World};
use numalab_coherence::protocol::{Action, CacheState, Outcome, Request, Row, State};
use std::collections::BTreeSet;

/// What a cache does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Load,
    Store,
    Evict,
}

impl Move {
    pub const ALL: [Move; 3] = [Move::Load, Move::Store, Move::Evict];
}

/// One move at a time, and the rows that it took.
pub struct Mover<'a> {
    pub table: &'a dyn Fn(State, Request) -> Row,
    pub rows: &'a mut BTreeSet<(State, Request)>,
}

/// What came with an answer: whether it is what was written last.
type Data = Option<bool>;

impl Mover<'_> {
    /// The world after a move, or what went wrong.
    pub fn after(&mut self, world: &World, path: &[usize], step: Move) -> Result<World, String> {
        let mut world = world.clone();
        match step {
            Move::Evict => drop(self.evict(&mut world.home, path, &mut world.memory)?),
            Move::Load | Move::Store => {
                let store = step == Move::Store;
                let data = self.access(&mut world.home, path, store, None, &mut world.memory)?;
                if !data {
                    return Err("a cache sees what is not the last written".to_owned());
                }
                if store {
                    world.memory = false;
                    world.home.grow_stale();
                    cache(&mut world.home, path);
                }
            }
        }
        Ok(world.canonical())
    }

    fn row(&mut self, state: State, request: Request) -> Result<(State, &'static [Action]), String> {
        self.rows.insert((state, request));
        match (self.table)(state, request) {
            Row::Go(next, actions) => Ok((next, actions)),
            Row::Never(reason) => Err(format!("({state:?}, {request:?}) never happens: {reason}")),
        }
    }

    /// What a member would have to ask the directory above for.
    fn need(&self, member: &Member, path: &[usize], store: bool) -> Option<Request> {
        let Inside::Group { state, members } = &member.inside else {
            return if store { member.held.store() } else { member.held.load() };
        };
        let request = self.need(&members[path[0]], &path[1..], store)?;
        let reads = match (self.table)(*state, request) {
            Row::Go(_, actions) => actions.contains(&Action::ReadMemory),
            Row::Never(_) => false,
        };
        // A directory that answers for the line has memory's permission to read it.
        match (member.held, store, reads) {
            (CacheState::Exclusive | CacheState::Modified, _, _) => None,
            (CacheState::Invalid | CacheState::Shared, false, true) => Some(Request::Read),
            (CacheState::Invalid | CacheState::Shared, true, true) => Some(Request::Own),
            (_, false, _) => None,
            (held, true, _) => held.store(),
        }
    }

    /// A load or store by the cache at the end of the path. The directories above have seen to it that
    /// this member may; `data` is what came with that. Tells whether the cache sees the last written.
    fn access(
        &mut self,
        member: &mut Member,
        path: &[usize],
        store: bool,
        data: Data,
        memory: &mut bool,
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
            Some(request) => self.serve(member, Some(path[0]), request, data, memory)?,
            None => None,
        };
        let Inside::Group { members, .. } = &mut member.inside else { return Err("no group".to_owned()) };
        self.access(&mut members[path[0]], &path[1..], store, data, memory)
    }

    /// The cache at the end of the path gives its copy up, and so does every group that it leaves empty.
    fn evict(&mut self, group: &mut Member, path: &[usize], memory: &mut bool) -> Result<Data, String> {
        let Inside::Group { members, .. } = &mut group.inside else { return Err("no group".to_owned()) };
        let (at, below) = (path[0], &path[1..]);
        let data = match &members[at].inside {
            Inside::Cache { fresh } => Some(*fresh),
            Inside::Group { .. } => self.evict(&mut members[at], below, memory)?,
        };
        if matches!(members[at].inside, Inside::Group { state, .. } if state != State::Uncached) {
            return Ok(None);
        }
        let others = members.iter().enumerate().filter(|(other, _)| *other != at);
        let last = others.into_iter().all(|(_, other)| other.held == CacheState::Invalid);
        if let Some(request) = members[at].held.evict(last) {
            self.serve(group, Some(at), request, data, memory)?;
        }
        Ok(data)
    }

    /// One row of a group's directory, for one of its members or for somebody outside. `brought` is what
    /// came from above, or what an evicted copy holds.
    fn serve(
        &mut self,
        group: &mut Member,
        requester: Option<usize>,
        request: Request,
        brought: Data,
        memory: &mut bool,
    ) -> Result<Data, String> {
        let Inside::Group { state, members } = &mut group.inside else {
            return Err("no group".to_owned());
        };
        let (next, actions) = self.row(*state, request)?;
        let outcome = Outcome::of(request, actions);
        // Who asks for data does not have it before it is fetched.
        let mut data = brought.filter(|_| request.evicts());
        for (_, member) in members.iter_mut().enumerate().filter(|(at, _)| Some(*at) != requester) {
            let fetched = actions.iter().any(|action| match action {
                Action::FetchFromOwner => {
                    matches!(member.held, CacheState::Exclusive | CacheState::Modified | CacheState::Owned)
                }
                Action::FetchFromForwarder => member.held == CacheState::Forward,
                Action::FetchFromSharer => member.held == CacheState::Shared,
                _ => false,
            });
            let becomes = outcome.bystander(member.held);
            let snoop = match (fetched, becomes != member.held && becomes == CacheState::Invalid) {
                (true, true) => Request::SnoopOwn,
                (true, false) => Request::SnoopRead,
                (false, true) => Request::SnoopInvalidate,
                (false, false) => {
                    member.held = becomes;
                    continue;
                }
            };
            let answer = self.snoop(member, snoop, memory)?;
            if fetched {
                data = Some(answer.ok_or("asked for data and got none")?);
            }
            member.held = becomes;
        }
        for action in actions {
            match action {
                Action::ReadMemory => data = brought.or(Some(*memory)),
                Action::WriteMemory => {
                    *memory = data.ok_or("nothing to write")?;
                    // The group stays the only one that has the line, now clean.
                    if next != State::Uncached && group.held == CacheState::Modified {
                        group.held = CacheState::Exclusive;
                    }
                }
                _ => {}
            }
        }
        *state = next;
        if let (Some(at), Some(held)) = (requester, outcome.requester) {
            members[at].held = held;
            if let Inside::Cache { fresh } = &mut members[at].inside {
                *fresh = held != CacheState::Invalid && data.unwrap_or(*fresh);
            }
        }
        Ok(data)
    }

    /// What a member answers to the directory above, which then says what its copy becomes.
    fn snoop(&mut self, member: &mut Member, request: Request, memory: &mut bool) -> Result<Data, String> {
        match &mut member.inside {
            Inside::Group { .. } => self.serve(member, None, request, None, memory),
            Inside::Cache { fresh } => {
                let data = *fresh;
                *fresh &= request == Request::SnoopRead;
                Ok(Some(data))
            }
        }
    }
}

/// The cache at the end of the path has what was written last, and may have written it.
fn cache(member: &mut Member, path: &[usize]) {
    match &mut member.inside {
        Inside::Cache { fresh } => *fresh = true,
        Inside::Group { members, .. } => cache(&mut members[path[0]], &path[1..]),
    }
}
