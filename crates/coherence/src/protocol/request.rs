//! The requests to a directory.

use super::CacheState;
use super::documented_enum::documented_enum;

documented_enum! {
    /// A request to a directory. What a row would have to ask first is part of the request's name, so that
    /// rows have no conditions: whether the requester is the last that holds a copy, for example.
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

    /// The request as a cache sends it that is a directory with such a copy: a read from a cache that is not
    /// exclusive asks for a shared copy.
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
