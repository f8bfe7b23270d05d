//! A line in a tree of directories: where the copies are, and which of them have what was written last.

use numalab_coherence::protocol::{CacheState, State};

/// A cache, or a directory that is a cache to the directory above it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member {
    /// What the directory above granted.
    pub held: CacheState,
    pub inside: Inside,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Inside {
    /// A cache; whether its copy has what was written last. Kept false where there is no copy.
    Cache { fresh: bool },
    /// A directory and those under it.
    Group { state: State, members: Vec<Member> },
}

impl Member {
    /// A member and all under it without a copy: `[2, 3]` are two groups of three caches.
    fn empty(shape: &[usize]) -> Member {
        let inside = match shape {
            [] => Inside::Cache { fresh: false },
            [count, below @ ..] => {
                Inside::Group { state: State::Uncached, members: vec![Member::empty(below); *count] }
            }
        };
        Member { held: CacheState::Invalid, inside }
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

    /// Somebody else stored.
    pub fn grow_stale(&mut self) {
        match &mut self.inside {
            Inside::Cache { fresh } => *fresh = false,
            Inside::Group { members, .. } => members.iter_mut().for_each(Member::grow_stale),
        }
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
    /// Nobody caches the line.
    pub fn new(shape: &[usize]) -> World {
        World { memory: true, home: Member { held: CacheState::Modified, ..Member::empty(shape) } }
    }

    /// The one that stands for all worlds like this.
    pub fn canonical(mut self) -> World {
        self.home.sort();
        self.home.held = CacheState::Modified;
        self
    }
}
