//! The states of a line in its directory.

use super::CacheState;
use super::documented_enum::documented_enum;

documented_enum! {
    /// State of a line in its directory. The set of sharers, and the sharer that answers for the line, are stored
    /// elsewhere.
    #[derive(Default)]
    State {
        #[default]
        Uncached = "No cache has a copy.",
        Shared = "One or more caches hold clean copies, and none of them answers for the line: memory does.",
        Forwarded = "As Shared, but one of the caches forwards its copy to requesters.",
        Owned = "One cache holds the only copy. It may have written it, which the directory cannot know.",
        OwnedShared =
            "One cache answers for a line that memory may not have; any number of others hold copies.",
    }
}

impl State {
    /// True if a directory in this state may have a member whose copy has the state `held`.
    pub fn may_hold(self, held: CacheState) -> bool {
        use CacheState::*;
        match self {
            State::Uncached => matches!(held, Invalid),
            State::Shared => matches!(held, Invalid | Shared),
            State::Forwarded => matches!(held, Invalid | Shared | Forward),
            State::Owned => matches!(held, Invalid | Exclusive | Modified),
            State::OwnedShared => matches!(held, Invalid | Shared | Owned),
        }
    }
}
