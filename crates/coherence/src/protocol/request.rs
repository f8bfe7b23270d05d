//! The requests to a directory.

use super::CacheState;
use super::documented_enum::documented_enum;

documented_enum! {
    /// Request to a directory. Rows have no conditions: a fact that decides the outcome, such as that the requester
    /// holds the last copy, is part of the request.
    Request {
        Read = "A copy, for a load.",
        ReadShared = "A copy, for a load, while caches outside this directory keep theirs.",
        Own = "The only copy, for a store or an atomic.",
        Upgrade = "The only copy, for a cache that has one of several and is not the owner.",
        UpgradeOwner = "The only copy, for the owner of a line that others share.",
        WriteBack = "The owner evicts the last copy, and memory needs it.",
        WriteBackShared = "The owner evicts its copy, memory needs it, and others keep theirs.",
        DropShared = "A sharer evicts its copy; others keep theirs.",
        DropForward = "The forwarder evicts its copy; others keep theirs.",
        DropLast = "The last copy is evicted, and memory has the same.",
        SnoopRead = "A cache outside this directory needs a copy, and one from here.",
        SnoopOwn = "A cache outside this directory needs the only copy, and its data from here.",
        SnoopInvalidate = "A cache outside this directory needs the only copy, and has the data.",
    }
}

impl Request {
    /// True if the requester gives its copy up.
    pub fn evicts(self) -> bool {
        use Request::*;
        matches!(self, WriteBack | WriteBackShared | DropShared | DropForward | DropLast)
    }

    /// Request as it is served by a directory whose own copy is in state `held`: a read becomes `ReadShared` unless
    /// this copy is exclusive or modified, since caches outside the directory can then have copies.
    pub fn refined(self, held: CacheState) -> Request {
        match (self, held) {
            (request, CacheState::Exclusive | CacheState::Modified) => request,
            (Request::Read, _) => Request::ReadShared,
            (request, _) => request,
        }
    }

    /// True for snoops from outside: no cache of this directory gets a copy.
    pub fn from_outside(self) -> bool {
        matches!(self, Request::SnoopRead | Request::SnoopOwn | Request::SnoopInvalidate)
    }
}
