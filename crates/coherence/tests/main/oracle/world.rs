//! A line in a tree of directories: its copies, and which of them hold the last write.

use numalab_coherence::protocol::{CacheState, Scope, State};
use numalab_coherence::{DirectoryView, LineView};

/// A cache, or a directory that is a cache to the directory above it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member {
    /// State of the member's copy, as granted by the directory above.
    pub held: CacheState,
    pub inside: Inside,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Inside {
    /// Cache. `fresh`: true if its copy is the last write; false without a copy.
    Cache { fresh: bool },
    /// Directory and its members. `cache`: true if the cache that the members share holds the last write; `None`
    /// without such a cache.
    Group { scope: Scope, state: State, cache: Option<bool>, members: Vec<Member> },
}

impl Member {
    /// Member without copies in it. `shape`: number of members at each level; `[2, 3]` is two groups of three caches.
    /// `shared`: the caches of a group share another cache.
    fn empty(shape: &[usize], shared: bool) -> Member {
        let inside = match shape {
            [] => Inside::Cache { fresh: false },
            [count, below @ ..] => {
                let scope = Scope::ALL[below.len()];
                Inside::Group {
                    scope,
                    state: State::Uncached,
                    cache: (shared && scope.has_cache()).then_some(false),
                    members: vec![Member::empty(below, shared); *count],
                }
            }
        };
        Member { held: CacheState::Invalid, inside }
    }

    /// Changes the member's copy; an invalid one is no longer fresh.
    pub fn hold(&mut self, held: CacheState) {
        self.held = held;
        if held == CacheState::Invalid {
            match &mut self.inside {
                Inside::Cache { fresh } | Inside::Group { cache: Some(fresh), .. } => *fresh = false,
                Inside::Group { cache: None, .. } => {}
            }
        }
    }

    /// Sorts members. Caches are interchangeable, and so are groups, so worlds that differ in their order are equal.
    fn sort(&mut self) {
        if let Inside::Group { members, .. } = &mut self.inside {
            members.iter_mut().for_each(Member::sort);
            members.sort();
        }
    }

    /// Path to every cache: index at each level.
    pub fn paths(&self) -> Vec<Vec<usize>> {
        let Inside::Group { members, .. } = &self.inside else { return vec![Vec::new()] };
        let below = |(at, member): (usize, &Member)| {
            member.paths().into_iter().map(move |path| [vec![at], path].concat()).collect::<Vec<_>>()
        };
        members.iter().enumerate().flat_map(below).collect()
    }

    /// State of every cache's copy, and true if it is the last write.
    pub fn caches(&self) -> Vec<(CacheState, bool)> {
        match &self.inside {
            Inside::Cache { fresh } => vec![(self.held, *fresh)],
            Inside::Group { members, .. } => members.iter().flat_map(Member::caches).collect(),
        }
    }

    /// True if an owner of the line holds the last write.
    pub fn answers(&self) -> bool {
        let answers = matches!(self.held, CacheState::Modified | CacheState::Owned);
        match &self.inside {
            Inside::Cache { fresh } => answers && *fresh,
            Inside::Group { cache, members, .. } => {
                answers && *cache == Some(true) || members.iter().any(Member::answers)
            }
        }
    }

    /// Marks all copies as older than the last write, after a store of another core.
    pub fn grow_stale(&mut self) {
        match &mut self.inside {
            Inside::Cache { fresh } => *fresh = false,
            Inside::Group { cache, members, .. } => {
                *cache = cache.map(|_| false);
                members.iter_mut().for_each(Member::grow_stale);
            }
        }
    }

    fn members(&self) -> &[Member] {
        match &self.inside {
            Inside::Cache { .. } => &[],
            Inside::Group { members, .. } => members,
        }
    }

    fn view(&self) -> DirectoryView {
        let state = match self.inside {
            Inside::Cache { .. } => State::Uncached,
            Inside::Group { state, .. } => state,
        };
        DirectoryView { held: self.held, state }
    }
}

/// State of a line in all caches and in memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct World {
    /// True if memory holds the last write.
    pub memory: bool,
    /// The home's directory, which always has every permission.
    pub home: Member,
}

impl World {
    /// Uncached line. `shared`: the caches of a group share another cache.
    pub fn new(shape: &[usize], shared: bool) -> World {
        World { memory: true, home: Member { held: CacheState::Modified, ..Member::empty(shape, shared) } }
    }

    /// The world with its members sorted: equal for all worlds that differ only in the order of members.
    pub fn canonical(mut self) -> World {
        self.home.sort();
        self
    }

    /// View of the line as the engine gives it, for a tree of three levels.
    pub fn view(&self) -> LineView {
        let domains = self.home.members();
        let groups = || domains.iter().flat_map(Member::members);
        LineView {
            machine: self.home.view().state,
            domains: domains.iter().map(Member::view).collect(),
            groups: groups().map(Member::view).collect(),
            cores: groups().flat_map(Member::members).map(|core| core.held).collect(),
            memory_is_current: self.memory,
        }
    }
}
