//! A line in a tree of directories: where the copies are, and which of them have what was written last.

use numalab_coherence::protocol::{CacheState, Scope, State};
use numalab_coherence::{DirectoryView, LineView};

/// A cache, or a directory that is a cache to the directory above it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member {
    /// State that the directory above granted.
    pub held: CacheState,
    pub inside: Inside,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Inside {
    /// A cache; whether its copy has what was written last. Kept false where there is no copy.
    Cache { fresh: bool },
    /// A directory and those under it. Where they share a cache, whether that has what was written last.
    Group { scope: Scope, state: State, cache: Option<bool>, members: Vec<Member> },
}

impl Member {
    /// A member and all under it without a copy: `[2, 3]` are two groups of three caches.
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

    /// Gives the member another copy, or none.
    pub fn hold(&mut self, held: CacheState) {
        self.held = held;
        if held == CacheState::Invalid {
            match &mut self.inside {
                Inside::Cache { fresh } | Inside::Group { cache: Some(fresh), .. } => *fresh = false,
                Inside::Group { cache: None, .. } => {}
            }
        }
    }

    /// Caches are interchangeable, and so are groups: of worlds that differ in their order one is enough.
    fn sort(&mut self) {
        if let Inside::Group { members, .. } = &mut self.inside {
            members.iter_mut().for_each(Member::sort);
            members.sort();
        }
    }

    /// The way to every cache.
    pub fn paths(&self) -> Vec<Vec<usize>> {
        let Inside::Group { members, .. } = &self.inside else { return vec![Vec::new()] };
        let below = |(at, member): (usize, &Member)| {
            member.paths().into_iter().map(move |path| [vec![at], path].concat()).collect::<Vec<_>>()
        };
        members.iter().enumerate().flat_map(below).collect()
    }

    /// Every cache: its copy's state, and whether it has what was written last.
    pub fn caches(&self) -> Vec<(CacheState, bool)> {
        match &self.inside {
            Inside::Cache { fresh } => vec![(self.held, *fresh)],
            Inside::Group { members, .. } => members.iter().flat_map(Member::caches).collect(),
        }
    }

    /// Whether somebody answers for what was written last, and has it.
    pub fn answers(&self) -> bool {
        let answers = matches!(self.held, CacheState::Modified | CacheState::Owned);
        match &self.inside {
            Inside::Cache { fresh } => answers && *fresh,
            Inside::Group { cache, members, .. } => {
                answers && *cache == Some(true) || members.iter().any(Member::answers)
            }
        }
    }

    /// Another core stored.
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

/// The line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct World {
    /// Whether memory has what was written last.
    pub memory: bool,
    /// The home's directory, which needs nobody's permission.
    pub home: Member,
}

impl World {
    /// An uncached line; `shared`: the caches of a group share one more.
    pub fn new(shape: &[usize], shared: bool) -> World {
        World { memory: true, home: Member { held: CacheState::Modified, ..Member::empty(shape, shared) } }
    }

    /// The one that stands for all worlds like this.
    pub fn canonical(mut self) -> World {
        self.home.sort();
        self
    }

    /// The same as the engine shows it, for a tree of three levels.
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
