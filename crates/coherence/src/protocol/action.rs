//! What a row has done.

/// One step of a transaction. A row lists its steps in order: data first, then what happens to the
/// copies of others, the grant last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// The data comes from what lies behind the directory: memory, or the directory of the next level.
    ReadMemory,
    /// The data comes from the owner.
    FetchFromOwner,
    /// The data comes from the forwarder.
    FetchFromForwarder,
    /// The data comes from one of the sharers.
    FetchFromSharer,
    /// The owner's copy becomes one of the shared ones.
    DowngradeOwner,
    /// The owner goes on answering for the line, which it now shares.
    KeepOwner,
    /// The forwarder's copy becomes one of the shared ones.
    DemoteForwarder,
    /// The owner's copy goes.
    InvalidateOwner,
    /// All copies go but the owner's and the requester's.
    InvalidateSharers,
    /// Memory gets the owner's data.
    WriteMemory,
    /// The requester gets a copy.
    GrantShared,
    /// The requester gets a copy, which it forwards from now on.
    GrantForward,
    /// The requester gets the only copy, and may write it without asking.
    GrantExclusive,
    /// The requester gets the only copy, and writes it.
    GrantModified,
}
