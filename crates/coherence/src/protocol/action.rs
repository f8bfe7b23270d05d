//! Actions of protocol rows: the steps of a transaction.

use super::documented_enum::documented_enum;

documented_enum! {
    /// Step of a transaction. A row lists its steps in order: data first, then changes of others' copies, the grant
    /// last.
    Action {
        ReadMemory =
            "The data comes from what lies behind the directory: memory, or the directory of the next level.",
        FetchFromOwner = "The data comes from the owner.",
        FetchFromForwarder = "The data comes from the forwarder.",
        FetchFromSharer = "The data comes from one of the sharers.",
        DowngradeOwner = "The owner's copy becomes one of the shared ones.",
        KeepOwner = "The owner goes on answering for the line, which it now shares.",
        DemoteForwarder = "The forwarder's copy becomes one of the shared ones.",
        InvalidateOwner = "The owner's copy goes.",
        InvalidateSharers = "All copies go but the owner's and the requester's.",
        WriteMemory = "Memory gets the owner's data.",
        GrantShared = "The requester gets a copy.",
        GrantForward = "The requester gets a copy, which it forwards from now on.",
        GrantExclusive = "The requester gets the only copy, and may write it without asking.",
        GrantModified = "The requester gets the only copy, and writes it.",
    }
}
