//! What a directory knows of a line.

/// The state of a line in its directory. Which caches the sharers are, and which one answers for the
/// line, stands beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Nobody caches it.
    #[default]
    Uncached,
    /// One or more caches hold clean copies, and none of them answers for the line: memory does.
    Shared,
    /// As [`State::Shared`], but one of the caches forwards its copy to whoever asks. MESIF only.
    Forwarded,
    /// One cache holds the only copy. It may have written it, which the directory cannot know.
    Owned,
    /// One cache answers for a line that memory may not have; any number of others hold copies of it.
    /// MOESI only.
    OwnedShared,
}

impl State {
    /// Every state, in the order of the tables.
    pub const ALL: [State; 5] =
        [State::Uncached, State::Shared, State::Forwarded, State::Owned, State::OwnedShared];
}
